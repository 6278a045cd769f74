"""Numbers as they are given to a command: what is none is said in words."""

from __future__ import annotations

import argparse

from table.catalogue import shown


def port(text: str) -> int:
    """A port of this machine; 0 is any that is free."""
    return _whole(text, 0, 65535, "a port is a whole number from 0 to 65535")


def from_nothing(text: str) -> int:
    """A whole number from 0."""
    return _whole(text, 0, 10**6, "give a whole number from 0")


def _whole(text: str, least: int, most: int, said: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"{shown(text)}: {said}")
    return int(text)
