"""From an island of change to cards: propose rectangles, fit them, name them, keep what all agree on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import Box, fit_box, noise_of, scan_boxes
from vision.deck import Deck
from vision.geometry import flatten_px
from vision.motion import Mask, grow
from vision.naming import FACE_PX, Reading
from vision.outline import order_corners
from vision.plan import Plan
from vision.seek import seek_print
from vision.sightings import Picture

Floats = NDArray[np.float64]

_MARGIN_MM = 12.0
_GOOD_SUPPORT = 0.75
_LEAST_SUPPORT = 0.3
_LEAST_SHARE = 0.08
_NO_FACE = 0.5
_LEAST_FRESH = 0.12
"""In a heap much of a new card is white on white: so much of its place must have changed at least."""
_REST_SHARE = 0.15
"""So much of a card's area may stay unexplained beside the cards of an island: shadow, a seam."""


@dataclass(frozen=True, slots=True)
class Found:
    """A rectangle with a face: corners (4, 2) in mm, the fit, what the deck says, the flattened card.

    `fresh` is the share of its place that has changed. `alone`: nothing strange is left beside it; else a
    hand may still lie on it.
    """

    corners_mm: Floats
    box: Box
    reading: Reading
    crop: Picture
    fresh: float = 1.0
    alone: bool = True


@dataclass(frozen=True, slots=True)
class _Patch:
    """The part of the fine plan round an island, and what holds for all of it."""

    picture: Picture
    grey: NDArray[np.float32]
    corner: tuple[int, int]
    level: float
    free: Mask
    hands: Mask


class Searcher:
    """Looks for cards of one deck on one registered table."""

    def __init__(self, fine: Plan, coarse: Plan, card_mm: tuple[float, float], deck: Deck | None) -> None:
        self._fine, self._coarse = fine, coarse
        self._size = (card_mm[0] / fine.mm_per_px, card_mm[1] / fine.mm_per_px)
        self._deck = deck
        self._step = coarse.mm_per_px / fine.mm_per_px
        self._card_area = self._size[0] * self._size[1] / self._step**2

    def search(
        self,
        picture: Picture,
        top: NDArray[np.uint8],
        island: Mask,
        free: Mask,
        hands: Mask,
        most: int = 4,
        lying: Mask | None = None,
    ) -> list[Found]:
        """Up to `most` cards in an island (coarse mask), the topmost first.

        `top` is the fine plan of the picture, `free` all quiet change (in a heap a white card on white
        ones changes the table in several pieces), `hands` what hands cover. `lying`: where cards lie, when it
        may lie on them; what has changed there may be cards that were pushed.
        """
        corner, cut = self._cut(top, island)
        shades = cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY).astype(np.float32)
        grey = np.asarray(cv2.GaussianBlur(shades, (0, 0), 0.7), np.float32)
        patch = _Patch(picture, grey, corner, max(1.5, 1.5 * noise_of(grey)), free.copy(), hands)
        left = island.copy()
        found: list[Found] = []
        while len(found) < most and left.sum() >= _LEAST_SHARE * self._card_area:
            card = self._best(patch, left, lying is not None or bool(found))
            if card is None:
                break
            found.append(card)
            place = grow(self._coarse.fill(card.corners_mm))
            left &= ~place
            patch.free[place] = False
        if lying is not None:
            left &= ~lying
        alone = bool(left.sum() < _REST_SHARE * self._card_area)
        return [replace(card, alone=alone) for card in found]

    def _cut(self, top: NDArray[np.uint8], island: Mask) -> tuple[tuple[int, int], NDArray[np.uint8]]:
        ys, xs = np.nonzero(island)
        reach = int(np.hypot(*self._size) + _MARGIN_MM)
        x0 = max(0, int(xs.min() * self._step) - reach)
        y0 = max(0, int(ys.min() * self._step) - reach)
        x1 = min(top.shape[1], int((xs.max() + 1) * self._step) + reach)
        y1 = min(top.shape[0], int((ys.max() + 1) * self._step) + reach)
        return (x0, y0), top[y0:y1, x0:x1]

    def _best(self, patch: _Patch, left: Mask, heaped: bool) -> Found | None:
        box = self._from_shape(patch, left)
        if box is not None and min(box.support, box.weakest + 0.2) >= _GOOD_SUPPORT:
            card = self._read(patch, box)
            if card is not None:
                return card
        middles = self._middles(patch, left)
        boxes = [] if box is None else [box]
        for middle, angle, _ in scan_boxes(patch.grey, self._size, patch.level, middles, most=12):
            boxes.append(fit_box(patch.grey, middle, angle, self._size, 4.0, patch.level))
        best: tuple[float, Found] | None = None
        for box in sorted(boxes, key=lambda b: -b.support)[:6]:
            card = self._read(patch, box)
            if card is None:
                continue
            score = card.reading.likeness + 0.5 * box.support
            if best is None or score > best[0]:
                best = (score, card)
        if heaped and self._deck is not None and (best is None or best[1].reading.likeness < _NO_FACE):
            # Seams of white on white mislead the outline: let the print say where the card lies.
            for box in sorted(boxes, key=lambda b: -b.support)[:4]:
                card = self._seek(patch, box, self._deck)
                if card is not None and card.reading.likeness >= _NO_FACE:
                    return card
        return best[1] if best else None

    def _seek(self, patch: _Patch, box: Box, deck: Deck) -> Found | None:
        """The card whose print lies within a few millimetres of a rectangle."""
        x0, y0 = patch.corner
        whole = replace(box, middle=(box.middle[0] + x0, box.middle[1] + y0))
        found = seek_print(patch.picture, self._fine, whole, deck.faces)
        if found is None:
            return None
        middle = (found.middle[0] - x0, found.middle[1] - y0)
        return self._read(patch, fit_box(patch.grey, middle, box.angle, box.size, 2.5, patch.level))

    def _middles(self, patch: _Patch, left: Mask) -> NDArray[np.bool_]:
        """Where in the patch the middle of a card may lie that reaches into the island."""
        near = grow(left, round(0.5 * self._size[1] / self._step))
        height, width = patch.grey.shape
        x0, y0 = patch.corner
        rows = np.minimum(((np.arange(height) + y0) / self._step).astype(int), near.shape[0] - 1)
        columns = np.minimum(((np.arange(width) + x0) / self._step).astype(int), near.shape[1] - 1)
        return np.asarray(near[np.ix_(rows, columns)])

    def _from_shape(self, patch: _Patch, left: Mask) -> Box | None:
        """The rectangle round the island, when the island is about one card large."""
        ys, xs = np.nonzero(left)
        points = np.column_stack([xs, ys]).astype(np.float32)
        (x, y), (w, h), turn = cv2.minAreaRect(points)
        w, h = (w + 1) * self._step, (h + 1) * self._step
        angle = np.deg2rad(turn)
        if w > h:
            w, h, angle = h, w, angle + np.pi / 2
        if abs(w - self._size[0]) > 14 or abs(h - self._size[1]) > 14:
            return None
        x0, y0 = patch.corner
        middle = ((x + 0.5) * self._step - 0.5 - x0, (y + 0.5) * self._step - 0.5 - y0)
        return fit_box(patch.grey, middle, float(angle), self._size, 8.0, patch.level)

    def _read(self, patch: _Patch, box: Box) -> Found | None:
        """What the deck says to a rectangle that is free of hands and where something has changed."""
        corners_mm = self._fine.to_mm(box.corners + np.array(patch.corner))
        place = self._coarse.fill(corners_mm)
        fresh = float((place & patch.free).sum()) / max(1, int(place.sum()))
        if box.support < _LEAST_SUPPORT or fresh < _LEAST_FRESH or (place & patch.hands).any():
            return None
        corners_px = order_corners(self._fine.registration.to_px(corners_mm))
        crop = flatten_px(patch.picture, corners_px, FACE_PX)
        reading = self._deck.faces.read(crop) if self._deck else Reading((), 0.0, 0.0, False, (0.0, 0.0))
        return Found(corners_mm, box, reading, crop, fresh)
