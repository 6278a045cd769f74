"""Whole cards proposed by their print: on ground of its own colour, or on a similar card, no outline shows.

The size of a card on the table is known, so a few points of a face show where it lies (see `prints`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Mask
from vision.cards.deck import Deck
from vision.cards.recognition import FACE_PX
from vision.cards.rectangle import Box
from vision.mat.candidate_parameters import CANDIDATES
from vision.mat.patch import Patch
from vision.rectified import Plan
from vision.sightings import Picture

_PYRAMID_PX = 16
"""Pixels to one pixel of the coarsest pyramid level in which points are sought: cuts begin at a multiple."""


@dataclass(slots=True)
class _VainPlace:
    """A place (x0, y0, x1, y1 in pixels of the fine plan) where no face was found, how often, last at `t`."""

    bounds: tuple[int, int, int, int]
    t: float
    times: int = 0
    skip: int = 0


class Vain:
    """Remembers where a search for print found no card: each failure makes more searches be skipped."""

    def __init__(self) -> None:
        self._places: list[_VainPlace] = []

    def worth(self, patch: Patch, t: float) -> bool:
        """Return whether to search this patch of a picture taken at `t` seconds."""
        self._places = [place for place in self._places if t - place.t <= CANDIDATES.forget_s]
        place = self._at(_bounds(patch))
        if place is None or not place.skip:
            return True
        place.skip -= 1
        return False

    def note(self, patch: Patch, t: float, *, card: bool) -> None:
        """Note whether a search at `t` seconds found a `card`."""
        bounds = _bounds(patch)
        place = self._at(bounds) or _VainPlace(bounds, t)
        self._places = [other for other in self._places if other is not place]
        if not card:
            place.bounds, place.t, place.times = bounds, t, place.times + 1
            place.skip = min(2**place.times - 1, CANDIDATES.most_skipped)
            self._places = [*self._places, place][-CANDIDATES.most_vain :]

    def _at(self, bounds: tuple[int, int, int, int]) -> _VainPlace | None:
        return next(
            (place for place in self._places if _overlap(place.bounds, bounds) >= CANDIDATES.same_place), None
        )


class Printed:
    """Searches for the faces of one deck on one registered table."""

    def __init__(self, fine: Plan, width_px: float, deck: Deck) -> None:
        """`width_px` is the card's width in pixels of the `fine` plan."""
        x, y = fine.half_mm
        self._fine, self._deck = fine, deck
        mm_per_px = width_px * fine.mm_per_px / FACE_PX[0]
        self._sharp = Plan(fine.registration, (2 * x, 2 * y), mm_per_px, 0.0)
        self.vain = Vain()

    def places(self, picture: Picture, patch: Patch, near: Mask, near_mm: float) -> list[Box]:
        """Rectangles in pixels of the patch round prints found in `near` (mask, `near_mm` a pixel)."""
        fine, sharp = self._fine, self._sharp
        height, width = patch.grey.shape
        corner = np.array(patch.corner)
        ends = sharp.to_px(fine.to_mm(np.stack([corner, corner + np.array([width, height])])))
        (x0, y0), (x1, y1) = np.maximum(0, np.round(ends)).astype(int)
        step = near_mm / sharp.mm_per_px
        rows = np.minimum((np.arange(y0, y1) / step).astype(int), near.shape[0] - 1)
        columns = np.minimum((np.arange(x0, x1) / step).astype(int), near.shape[1] - 1)
        where = near[np.ix_(rows, columns)]
        if (part := _cut_round(where)) is None:
            return []
        where, x0, y0 = where[part], x0 + part[1].start, y0 + part[0].start
        cut = sharp.draw(picture, (int(x0), int(y0), int(x0 + where.shape[1]), int(y0 + where.shape[0])))
        found = []
        for (x, y), angle in self._deck.prints.places(cut, where, CANDIDATES.most_prints):
            at = fine.to_px(sharp.to_mm([(x + x0, y + y0)]))[0] - corner
            middle = float(at[0]), float(at[1])
            # The outline may be another card's, or a seam: it rates the fit here, and moves nothing.
            found.append(
                replace(patch.fit(middle, angle, CANDIDATES.print_fit_px), middle=middle, angle=angle)
            )
        return found


def _cut_round(where: Mask) -> tuple[slice, slice] | None:
    """Rows and columns of all that is searched, with the surroundings that a point needs; None: nothing."""
    slices = []
    for axis in (1, 0):
        at = np.flatnonzero(where.any(axis=axis))
        if not len(at):
            return None
        first = max(0, int(at[0]) - CANDIDATES.round_px) // _PYRAMID_PX * _PYRAMID_PX
        slices.append(slice(first, min(where.shape[1 - axis], int(at[-1]) + CANDIDATES.round_px + 1)))
    return slices[0], slices[1]


def _bounds(patch: Patch) -> tuple[int, int, int, int]:
    (x, y), (height, width) = patch.corner, patch.grey.shape
    return int(x), int(y), int(x + width), int(y + height)


def _overlap(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    common = max(0, width) * max(0, height)
    both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return common / max(1, both - common)
