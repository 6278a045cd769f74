"""`look --overlay OUT`: draws over a picture what was found in it, and what was refused, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table.errors import StammtischError, UsageError
from vision.cards.look import CardSeen
from vision.cards.look_px import CardOutlined
from vision.cards.proposal import Proposal
from vision.cards.reading import Reading
from vision.geometry import Registration
from vision.layout import USUAL_EDGE_MM
from vision.overlay import REFUSED, SURE, UNSURE, OverlayMark, draw_marks
from vision.sightings import DieSeen, Picture

_SUFFIXES = (".png", ".jpg", ".jpeg")
_MOST_REFUSED = 12
"""How many refused outlines are drawn, likeliest first: more would hide the picture."""
_DIE_SHARE = 0.02
"""Size at which a die of unknown size is drawn, as a share of the picture's width."""


@dataclass(slots=True)
class Looked:
    """Findings in one picture: in millimetres with `registration`, in pixels if that is None."""

    cards: Sequence[CardSeen | CardOutlined]
    dice: Sequence[DieSeen]
    registration: Registration | None = None
    edge_mm: float | None = None
    refused: list[Proposal] = field(default_factory=list)


def drawn(picture: Picture, looked: Looked) -> Picture:
    """A copy of the picture (h, w, 3) BGR with outlines, names, likeness and reasons."""
    outlines = [_outline(card, looked.registration) for card in looked.cards]
    marks = [_card(card, outline) for card, outline in zip(looked.cards, outlines, strict=True)]
    marks += [die_mark(die, looked.registration, looked.edge_mm, picture.shape[1]) for die in looked.dice]
    return draw_marks(picture, [*_refused(looked, outlines), *marks])


def places_for(out: str, images: Sequence[str]) -> list[Path]:
    """Where the overlay of each image goes: OUT itself, for a single one, or files in the folder OUT.

    Raises:
        UsageError: OUT cannot be used, or an overlay would overwrite a picture that is read.
    """
    path = Path(out)
    if path.suffix.lower() in _SUFFIXES:
        if len(images) > 1:
            raise UsageError(f"--overlay {out}: one picture cannot show {len(images)}; give a folder")
        places = [path]
    else:
        if path.exists() and not path.is_dir():
            raise UsageError(f"--overlay {out}: that is a file; give a folder, or a .png or .jpg")
        names: list[str] = []
        for image in images:
            stem = Path(image).stem
            names.append(stem if stem not in names else f"{stem}-{len(names) + 1}")
        places = [path / f"{name}.jpg" for name in names]
    read = {Path(image).resolve() for image in images}
    for place in places:
        if place.resolve() in read:
            raise UsageError(f"--overlay {out}: {place} is an input; give another folder")
    return places


def save(picture: Picture, place: Path) -> None:
    """Write a picture. Raises StammtischError."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _, data = cv2.imencode(place.suffix, picture)
        place.write_bytes(data.tobytes())
    except OSError as wrong:
        raise StammtischError(
            f"{place}: {(wrong.strerror or 'cannot be written').lower()}; give another --overlay"
        ) from None


def _outline(card: CardSeen | CardOutlined, registration: Registration | None) -> NDArray[np.float64]:
    if isinstance(card, CardOutlined) or registration is None:
        return card.shown_px if isinstance(card, CardOutlined) else card.corners_mm
    return registration.to_px(card.corners_mm)


def _card(card: CardSeen | CardOutlined, outline: NDArray[np.float64]) -> OverlayMark:
    if card.sure:
        return OverlayMark(outline, f"{card.reading.name}\n{card.reading.likeness:.2f}", SURE)
    if not card.reading.guesses:
        return OverlayMark(outline, "? by its outline alone", UNSURE)
    why = card.why_unsure if isinstance(card, CardSeen) else None
    return OverlayMark(outline, f"{_names(card.reading)}\n{why or f'{card.reading.likeness:.2f}'}", UNSURE)


def _names(reading: Reading) -> str:
    return f"{' / '.join(guess.name for guess in reading.guesses[:2])}?"


def die_mark(
    die: DieSeen, registration: Registration | None, edge_mm: float | None = None, width_px: int = 1280
) -> OverlayMark:
    """A die's foot with its colour, face and zone, and what about it is in doubt.

    Without a registration it is in pixels of a picture `width_px` wide, and its size is unknown.
    """
    middle, turn = np.array(die.center_mm), np.deg2rad(die.yaw_deg)
    half = (edge_mm or USUAL_EDGE_MM) / 2 if registration else _DIE_SHARE * width_px / 2
    along = half * np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-along[1], along[0]])
    corners = np.array(
        [middle + a * along + b * across for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))], np.float64
    )
    outline = registration.to_px(corners) if registration else corners
    counts = f" {die.counts_as}" if die.counts_as else ""
    label = f"{die.colour or '?'} {die.face or '?'}{counts}"
    if die.doubt:
        likely = ", ".join(f"{guess.name} {guess.confidence:.2f}" for guess in die.candidates[:2])
        label += f"\nnot sure: {', '.join(die.doubt)}" + (f" ({likely})" if likely else "")
    return OverlayMark(outline, label, UNSURE if die.doubt or die.face is None else SURE)


def _refused(looked: Looked, found_px: Sequence[NDArray[np.float64]]) -> list[OverlayMark]:
    """The likeliest refused outlines, except further ones of a place already drawn."""
    if looked.registration is None:
        return []
    polygons = [outline.astype(np.float32).reshape(-1, 1, 2) for outline in found_px]
    marks: list[OverlayMark] = []
    for each in sorted(looked.refused, key=lambda each: -(each.reading.likeness + each.box.support)):
        outline = looked.registration.to_px(each.corners_mm)
        x, y = outline.mean(axis=0)
        if any(cv2.pointPolygonTest(polygon, (float(x), float(y)), False) >= 0 for polygon in polygons):
            continue
        polygons.append(outline.astype(np.float32).reshape(-1, 1, 2))
        marks.append(OverlayMark(outline, f"{_names(each.reading)}\n{each.refused}", REFUSED, fine=True))
        if len(marks) == _MOST_REFUSED:
            break
    return marks
