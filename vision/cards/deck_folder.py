"""What the pictures of a deck's folder are called: `<card>.jpg|png`, several of one card `<card>.2.jpg`."""

from __future__ import annotations

from pathlib import Path

EMPTY = "empty"
"""The picture of that name shows the ground without any card."""
_PICTURES = (".jpg", ".jpeg", ".png")


def pictures(folder: Path) -> list[Path]:
    """Return the pictures of a folder, in the order of their names."""
    return sorted(p for p in folder.iterdir() if p.suffix.lower() in _PICTURES)


def pictured(folder: Path) -> tuple[str, ...]:
    """Return the cards of which a folder has pictures, as these are named, before any is learnt."""
    return tuple(sorted({card_name(file) for file in pictures(folder)} - {EMPTY}))


def card_name(file: Path) -> str:
    """`green-11.jpg` and `green-11.2.jpg` are both green-11."""
    stem = file.stem
    head, dot, tail = stem.rpartition(".")
    return head if dot and tail.isdigit() else stem
