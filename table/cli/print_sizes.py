"""Parsers for the sizes that `stammtisch print` takes."""

from __future__ import annotations

import argparse

from table.errors import UsageError
from vision.layout import Point


def card_size(words: str) -> Point:
    """Parse `59x91` as width and height of a card in millimetres. Raises ArgumentTypeError."""
    try:
        width, height = (float(part) for part in words.lower().replace("×", "x").split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{words!r} is not a size like 59x91") from None
    if not (20 <= width <= 200 and 20 <= height <= 200):
        raise argparse.ArgumentTypeError(f"{words!r}: a card measures 20 to 200 mm")
    return (width, height)


def floor_size(words: str) -> Point:
    """Parse `280x280` or `280` as width and height of a box's floor in mm. Raises ArgumentTypeError."""
    parts = words.lower().replace("×", "x").split("x")
    try:
        width, height = float(parts[0]), float(parts[-1])
    except ValueError:
        raise argparse.ArgumentTypeError(f"{words!r} is not a size like 280x280") from None
    if len(parts) > 2 or not (100 <= width <= 600 and 100 <= height <= 600):
        raise argparse.ArgumentTypeError(f"{words!r}: a box's floor measures 100 to 600 mm, like 280x280")
    return (width, height)


def within_mm(value: float, least: float, most: float, what: str) -> None:
    """Raise UsageError if a measure (mm) is outside the printable range."""
    if not least <= value <= most:
        raise UsageError(f"{what} measures {least:g} to {most:g} mm, not {value:g}")
