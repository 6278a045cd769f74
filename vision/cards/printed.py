"""Whole cards proposed by their print: on ground of its own colour, or on its like, a card has no outline.

The size of a card on the table is known, so that a few points of a face tell where it lies (see `prints`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.cards.deck import Deck
from vision.cards.naming import FACE_PX
from vision.cards.patch import Patch
from vision.cards.rectangle import Box
from vision.motion import Mask
from vision.plan import Plan
from vision.sightings import Picture

_MOST = 6
_FIT_PX = 1.5


class Printed:
    """Looks for the faces of one deck on one registered table."""

    def __init__(self, fine: Plan, width_px: float, deck: Deck) -> None:
        """`width_px` is the card's in pixels of the `fine` plan."""
        x, y = fine.half_mm
        self._fine, self._deck = fine, deck
        mm_per_px = width_px * fine.mm_per_px / FACE_PX[0]
        self._sharp = Plan(fine.registration, (2 * x, 2 * y), mm_per_px, 0.0)

    def places(self, picture: Picture, patch: Patch, near: Mask, near_mm: float) -> list[Box]:
        """Rectangles in pixels of the patch round what is printed `near` (mask, `near_mm` a pixel)."""
        fine, sharp = self._fine, self._sharp
        height, width = patch.grey.shape
        corner = np.array(patch.corner)
        ends = sharp.to_px(fine.to_mm(np.stack([corner, corner + np.array([width, height])])))
        (x0, y0), (x1, y1) = np.maximum(0, np.round(ends)).astype(int)
        cut = sharp.draw(picture, (int(x0), int(y0), int(x1), int(y1)))
        step = near_mm / sharp.mm_per_px
        rows = np.minimum(((np.arange(cut.shape[0]) + y0) / step).astype(int), near.shape[0] - 1)
        columns = np.minimum(((np.arange(cut.shape[1]) + x0) / step).astype(int), near.shape[1] - 1)
        found = []
        for (x, y), angle in self._deck.prints.places(cut, near[np.ix_(rows, columns)], _MOST):
            at = fine.to_px(sharp.to_mm([(x + x0, y + y0)]))[0] - corner
            middle = float(at[0]), float(at[1])
            # The outline may be another card's, or a seam: it says how well it lies here, and moves nothing.
            found.append(replace(patch.fit(middle, angle, _FIT_PX), middle=middle, angle=angle))
        return found
