"""Escapes cells of a score table that may be opened in a spreadsheet."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a cell that a spreadsheet evaluates."""


def spreadsheet_safe(text: str) -> str:
    """A text that people chose, as a cell that every spreadsheet shows and none evaluates."""
    return f"'{text}" if text.startswith(_FORMULA) else text
