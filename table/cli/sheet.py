"""The contact sheet of a deck as a file: `.html` with all pictures inside, or `.png`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2

from table.errors import StammtischError
from table.whole_file import replace_whole
from vision.cards.contact_sheet import as_html, as_picture, entries_of
from vision.cards.deck import Deck
from vision.errors import SourceError
from vision.pictures import read_picture
from vision.sightings import Picture

FORMS = (".html", ".htm", ".png")

PictureOf = Callable[[str], Picture | None]


def picture_at(where: str) -> Picture | None:
    """The picture (h, w, 3), BGR, in a file; None if it cannot be read."""
    try:
        return read_picture(where)
    except SourceError:
        return None


def write(file: Path, title: str, deck: Deck, picture_of: PictureOf) -> None:
    """Write the sheet in the form that the file's suffix names. Raises StammtischError."""
    entries, missing = entries_of(deck, picture_of)
    if file.suffix.lower() == ".png":
        _, packed = cv2.imencode(".png", as_picture(entries, missing))
        data = packed.tobytes()
    else:
        data = as_html(title, entries, missing).encode("utf-8")
    try:
        replace_whole(file, data)
    except OSError as wrong:
        reason = (wrong.strerror or "cannot be written").lower()
        raise StammtischError(f"{file}: {reason}; give another file for the contact sheet") from None
