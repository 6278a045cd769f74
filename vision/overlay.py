"""What the eye saw, drawn over the picture it saw it in: for checking with one's own eyes."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pipeline import Eye
from vision.sightings import Picture

_CARD = (0, 220, 255)
_GOING = (0, 120, 255)
_HAND = (255, 120, 0)


def draw(picture: Picture, eye: Eye) -> Picture:
    """A copy of the picture (h, w, 3) BGR with cards outlined and named and hands tinted."""
    out = picture.copy()
    registration = eye.registration
    if registration is None:
        return out
    for outline in eye.hands_mm():
        corners = np.round(registration.to_px(outline)).astype(np.int32)
        cv2.polylines(out, [corners], True, _HAND, 2, cv2.LINE_AA)
    for card in eye.heap.cards:
        colour = _CARD if card.gone_t is None else _GOING
        corners_px = registration.to_px(card.found.corners_mm)
        cv2.polylines(out, [np.round(corners_px).astype(np.int32)], True, colour, 2, cv2.LINE_AA)
        x, y = corners_px.mean(axis=0)
        label = f"{card.found.reading.name or '?'} {card.seat or ''}"
        for width, ink in ((4, (0, 0, 0)), (1, colour)):
            cv2.putText(
                out, label, (int(x) - 30, int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.55, ink, width, cv2.LINE_AA
            )
    return out
