"""What the eye saw, drawn over its picture for people to check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.pipeline import Eye
from vision.sightings import Picture

Colour = tuple[int, int, int]
"""BGR."""

SURE: Colour = (60, 200, 60)
"""A reading that is believed."""
UNSURE: Colour = (0, 190, 255)
"""A reading that the table asks about."""
REFUSED: Colour = (120, 120, 230)
"""A candidate that was refused."""
_CARD: Colour = (0, 220, 255)
"""A card that lies there."""
_GOING: Colour = (0, 120, 255)
"""A card that seems to have gone, before the hand that took it is reported."""
_CHANGED: Colour = (200, 200, 200)
"""A region that differs from the settled table."""
_HAND: Colour = (255, 120, 0)
"""A hand."""
_GROUND: Colour = (25, 25, 25)
"""Background of letters."""
_USUAL_WIDTH = 1280.0
"""Width of a picture drawn with lines of two pixels and letters of the usual size."""


@dataclass(frozen=True, slots=True)
class OverlayMark:
    """An outline (n, 2) in pixels, its label and colour; `fine`: drawn thin, since it is no find."""

    outline_px: NDArray[np.float64]
    label: str
    colour: Colour
    fine: bool = False


def marks_of(eye: Eye) -> list[OverlayMark]:
    """Marks of the changed regions, the hands and the lying cards at this moment."""
    registration = eye.registration
    if registration is None:
        return []
    marks = [
        OverlayMark(registration.to_px(outline), "", _CHANGED, fine=True) for outline in eye.changed_mm()
    ]
    marks += [OverlayMark(registration.to_px(outline), "", _HAND) for outline in eye.hands_mm()]
    for card in eye.tracker.cards:
        label = f"{card.found.reading.name or '?'} {card.seat or ''}".strip()
        colour = _CARD if card.gone_t is None else _GOING
        marks.append(OverlayMark(registration.to_px(card.found.corners_mm), label, colour))
    return marks


def draw_marks(picture: Picture, marks: Iterable[OverlayMark]) -> Picture:
    """A copy of the picture (h, w, 3) BGR with every mark on it, finds above fine marks."""
    out = picture.copy()
    size = max(0.6, picture.shape[1] / _USUAL_WIDTH)
    marks = sorted(marks, key=lambda mark: not mark.fine)
    for mark in marks:
        line = np.round(mark.outline_px).astype(np.int32).reshape(-1, 1, 2)
        thick = max(1, round((1 if mark.fine else 2) * size))
        cv2.polylines(out, [line], True, mark.colour, thick, cv2.LINE_AA)
    for mark in marks:
        _write(out, mark, size)
    return out


def _write(out: Picture, mark: OverlayMark, size: float) -> None:
    """Write the label's lines on dark ground: in the middle of the outline, or below a smaller one."""
    scale = (0.4 if mark.fine else 0.55) * size
    lines = [line.encode("ascii", "replace").decode() for line in mark.label.splitlines()]
    step = round(34 * scale)
    x0, y0 = mark.outline_px.min(axis=0)
    x1, y1 = mark.outline_px.max(axis=0)
    top = (y0 + y1 - len(lines) * step) / 2 if y1 - y0 > 3 * len(lines) * step else y1 + step / 4
    for row, text in enumerate(lines):
        (w, h), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
        x = int(np.clip((x0 + x1 - w) / 2, 2, max(2, out.shape[1] - w - 2)))
        y = int(np.clip(top + (row + 0.8) * step, step, out.shape[0] - 4))
        cv2.rectangle(out, (x - 2, y - h - 2), (x + w + 2, y + below), _GROUND, cv2.FILLED)
        cv2.putText(out, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, mark.colour, 1, cv2.LINE_AA)
