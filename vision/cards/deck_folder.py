"""What the pictures of a deck's folder are called: `<card>.jpg|png`, several of one card `<card>.2.jpg`."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from vision.pictures import is_picture, picture_files

EMPTY = "empty"
"""Name of the picture that shows the ground without a card."""


def pictured(folder: Path) -> tuple[str, ...]:
    """Return the cards of which a folder has pictures, as these are named, before any is learnt."""
    return tuple(sorted({card_name(file) for file in picture_files(folder)} - {EMPTY}))


def card_name(file: Path) -> str:
    """`green-11.jpg` and `green-11.2.jpg` are both green-11; letters that macOS takes apart are composed.

    So is `green-11.jpg.jpg`: Windows hides the ending that is already there.
    """
    stem = unicodedata.normalize("NFC", file.stem)
    if is_picture(Path(stem)):
        stem = Path(stem).stem
    head, dot, tail = stem.rpartition(".")
    name = head if dot and tail.isdigit() else stem
    return EMPTY if name.casefold() == EMPTY else name
