"""Errors that end a command: one sentence that says what, where and what to do."""

from __future__ import annotations


class StammtischError(Exception):
    """The work failed; the text is for the user. Exit status 1."""


class UsageError(StammtischError):
    """The command was used wrongly. Exit status 2."""
