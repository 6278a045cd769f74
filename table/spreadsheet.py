"""Cells of a table of points that may be opened in a spreadsheet."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a cell that a spreadsheet computes."""


def spreadsheet_safe(text: str) -> str:
    """A text that people chose, as a cell that every spreadsheet shows and none computes."""
    return f"'{text}" if text.startswith(_FORMULA) else text
