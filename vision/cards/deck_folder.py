"""How the pictures in a deck's folder are named: `<card>.jpg|png`, further ones of a card `<card>.2.jpg`."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from vision.pictures import is_picture, picture_files

EMPTY = "empty"
"""Name of the picture that shows the ground without a card."""


def pictured(folder: Path) -> tuple[str, ...]:
    """Return the names of the cards that a folder has pictures of, before any is learnt."""
    return tuple(sorted({card_name(file) for file in picture_files(folder)} - {EMPTY}))


def card_name(file: Path) -> str:
    """The card of a file: `green-11.jpg` and `green-11.2.jpg` are both green-11; its letters are composed.

    macOS decomposes letters. `green-11.jpg.jpg` is green-11 as well: Windows hides the ending that is already
    there.
    """
    stem = unicodedata.normalize("NFC", file.stem)
    if is_picture(Path(stem)):
        stem = Path(stem).stem
    head, dot, tail = stem.rpartition(".")
    name = head if dot and tail.isdigit() else stem
    return EMPTY if name.casefold() == EMPTY else name
