"""What a deck learnt, as a sheet to look at: each face, where it was found, its size and its nearest other.

A sheet is one picture, or one HTML page with all pictures inside, which any browser opens without a server.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

import cv2
import numpy as np

from vision.arrays import Float64
from vision.cards.deck import Deck
from vision.cards.outline import sides_of
from vision.cards.recognition import FACE_PX
from vision.sightings import Picture

_THUMB_PX = 220
"""Longer side of a still on the sheet."""
_ZOOM = 3.0
"""Side of the crop of a still, in multiples of the card's longer side."""
_COLUMNS = 10
"""Faces in a row, if the sheet is one picture."""
_CELL = (108, 176)
"""Width and height in pixels of a face with its name on that sheet."""
_LETTER = 0.38
"""Size of the names, as a factor of OpenCV's font size."""
_CLOSE = 0.08
"""Share of ink in which two faces differ, below which both get a warning."""
_LINE = (200, 0, 255)
"""Colour (BGR) of the outline in a still; no card has it."""
_STYLE = """
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; color: #1b1b1b; background: #f2f1ee }
main { display: flex; flex-wrap: wrap; gap: .8rem }
figure { margin: 0; padding: .6rem; background: #fff; border: 2px solid #ccc; border-radius: .4rem }
figure.warned { border-color: #b45309; background: #fff7ed }
figure.refused { border-color: #b91c1c; background: #fef2f2; max-width: 18rem }
figure img { vertical-align: top; height: 150px; max-width: 16rem; object-fit: contain }
figcaption b { display: block; font-size: 1.05rem }
figcaption { max-width: 17rem }
.warn { color: #9a3412 }
h2 { flex-basis: 100%; margin: 1rem 0 .2rem }
"""


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """One face of the sheet: its name, the face (120, 80, 3), where it was found, remarks and warnings."""

    name: str
    face: Picture
    still: Picture | None
    lines: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """A picture from which nothing was learnt."""

    name: str
    still: Picture | None
    reason: str


def entries_of(
    deck: Deck, picture_of: Callable[[str], Picture | None]
) -> tuple[list[SheetEntry], list[Missing]]:
    """Return what to show of a deck; `picture_of` returns the still of a `Taken.where`, if it can."""
    entries = []
    taken = dict(enumerate(deck.taken))
    for at, (name, face) in enumerate(zip(deck.names, deck.pictures, strict=True)):
        found = taken.get(at)
        lines, warnings = [], []
        still = None
        if found is not None:
            short, long = sides_of(found.corners)
            lines.append(f"{found.where.rpartition('/')[2]}: {short:.0f} x {long:.0f} px")
            picture = picture_of(found.where)
            still = None if picture is None else _outlined(picture, found.corners)
        near = [pair for pair in deck.nearest_pairs if name in (pair.first, pair.second)]
        if near:
            other = near[0].second if near[0].first == name else near[0].first
            lines.append(f"nearest: {other}, {max(0.0, 1 - near[0].apart):.0%} alike")
            if near[0].apart < _CLOSE:
                warnings.append(f"looks much like {other}")
        if name in deck.odd:
            warnings.append("has another shape than most: is this one whole card?")
        warnings += [f"looks rather like {like}: is it {one}?" for one, like in deck.doubted if one == name]
        if name in deck.strangers:
            warnings.append("looks like no other card: is this its face, and of this deck?")
        entries.append(SheetEntry(name, face, still, tuple(lines), tuple(warnings)))
    missing = []
    for refusal in deck.refused:
        picture = picture_of(refusal.where)
        missing.append(Missing(refusal.name, None if picture is None else _shrunk(picture), refusal.reason))
    return entries, missing


def as_html(title: str, entries: Sequence[SheetEntry], missing: Sequence[Missing]) -> str:
    """The sheet as one HTML page; whatever needs attention comes first."""
    parts = [f"<!doctype html><meta charset=utf-8><title>{escape(title)}</title><style>{_STYLE}</style>"]
    parts.append(f"<h1>{escape(title)}</h1><main>")
    if missing:
        parts.append(f"<h2>Not learnt: {len(missing)}</h2>")
        parts += [
            f"<figure class=refused>{_image(each.still, each.name)}<figcaption><b>{escape(each.name)}</b>"
            f"{escape(each.reason)}</figcaption></figure>"
            for each in missing
        ]
    parts.append(f"<h2>Learnt: {len(entries)}</h2>")
    for entry in sorted(entries, key=lambda entry: not entry.warnings):
        told = "".join(f"<div>{escape(line)}</div>" for line in entry.lines)
        told += "".join(f"<div class=warn>{escape(warning)}</div>" for warning in entry.warnings)
        parts.append(
            f"<figure{' class=warned' if entry.warnings else ''}>{_image(entry.face, entry.name)}"
            f" {_image(entry.still, 'where it was found')}<figcaption><b>{escape(entry.name)}</b>{told}"
            "</figcaption></figure>"
        )
    return "\n".join([*parts, "</main>"]) + "\n"


def as_picture(entries: Sequence[SheetEntry], missing: Sequence[Missing]) -> Picture:
    """The sheet as one picture (h, w, 3) BGR: faces with names, warned ones framed orange, refused red."""
    cells = [_cell(each.still, each.name, (40, 40, 200)) for each in missing]
    for entry in sorted(entries, key=lambda entry: not entry.warnings):
        cells.append(_cell(entry.face, entry.name, (0, 120, 230) if entry.warnings else (190, 190, 190)))
    blank = np.full((_CELL[1], _CELL[0], 3), 242, np.uint8)
    cells += [blank] * (-len(cells) % min(_COLUMNS, max(1, len(cells))))
    wide = min(_COLUMNS, len(cells))
    return np.asarray(
        np.vstack([np.hstack(cells[at : at + wide]) for at in range(0, len(cells), wide)]), np.uint8
    )


def _cell(picture: Picture | None, name: str, frame: tuple[int, int, int]) -> Picture:
    cell = np.full((_CELL[1], _CELL[0], 3), 242, np.uint8)
    if picture is not None:
        scale = min(FACE_PX[0] / picture.shape[1], FACE_PX[1] / picture.shape[0])
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        x, y = (_CELL[0] - small.shape[1]) // 2, 12
        cell[y : y + small.shape[0], x : x + small.shape[1]] = small
        cv2.rectangle(cell, (x - 3, y - 3), (x + small.shape[1] + 2, y + small.shape[0] + 2), frame, 3)
    shown = name.encode("ascii", "replace").decode()
    cv2.putText(
        cell, shown[:16], (4, _CELL[1] - 14), cv2.FONT_HERSHEY_SIMPLEX, _LETTER, (20, 20, 20), 1, cv2.LINE_AA
    )
    return cell


def _outlined(picture: Picture, corners: Float64) -> Picture:
    """The card and its surroundings, with its outline drawn."""
    middle = corners.mean(axis=0)
    reach = _ZOOM / 2 * float(sides_of(corners)[1])
    x0, y0 = np.maximum(0, np.floor(middle - reach)).astype(int)
    x1, y1 = np.ceil(middle + reach).astype(int)
    part = picture[y0:y1, x0:x1]
    scale = min(1.0, _THUMB_PX / max(part.shape[:2]))
    small = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    line = np.round(((corners - (x0, y0) + 0.5) * scale - 0.5) * 16).astype(np.int32)
    cv2.polylines(small, [line], True, _LINE, 1, cv2.LINE_AA, 4)
    return small


def _shrunk(picture: Picture) -> Picture:
    scale = min(1.0, _THUMB_PX / max(picture.shape[:2]))
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _image(picture: Picture | None, says: str) -> str:
    if picture is None:
        return ""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    packed = base64.b64encode(data.tobytes()).decode("ascii")
    return f'<img alt="{escape(says, quote=True)}" src="data:image/jpeg;base64,{packed}">'
