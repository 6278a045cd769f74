"""Cells of a table of points that somebody opens in a spreadsheet."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so is computed by a spreadsheet."""


def spreadsheet_safe(text: str) -> str:
    """A text that people chose, as a cell that every spreadsheet shows and none computes."""
    return f"'{text}" if text.startswith(_FORMULA) else text
