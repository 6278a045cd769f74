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
from vision.sightings import Picture

Floats = NDArray[np.float64]

_MARGIN_MM = 12.0
_GOOD_SUPPORT = 0.75
_REST_SHARE = 0.15
"""So much of a card's area may stay unexplained beside the cards of an island: shadow, a seam."""


@dataclass(frozen=True, slots=True)
class Found:
    """A rectangle with a face: corners (4, 2) in mm, the fit, what the deck says, the flattened card.

    `alone`: nothing strange is left beside it; else a hand may still lie on it.
    """

    corners_mm: Floats
    box: Box
    reading: Reading
    crop: Picture
    alone: bool = True


class Searcher:
    """Looks for cards of one deck on one registered table."""

    def __init__(self, fine: Plan, coarse: Plan, card_mm: tuple[float, float], deck: Deck | None) -> None:
        self._fine, self._coarse = fine, coarse
        self._size = (card_mm[0] / fine.mm_per_px, card_mm[1] / fine.mm_per_px)
        self._deck = deck
        self._step = coarse.mm_per_px / fine.mm_per_px

    def search(
        self, picture: Picture, top: NDArray[np.uint8], island: Mask, hands: Mask, most: int = 4
    ) -> list[Found]:
        """Up to `most` cards in an island (coarse mask), the topmost first; `top` is the fine plan."""
        x0, y0, patch = self._patch(top, island)
        shades = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
        grey = np.asarray(cv2.GaussianBlur(shades, (0, 0), 0.7), np.float32)
        level = max(1.5, 1.5 * noise_of(grey))
        left = island.copy()
        found: list[Found] = []
        for _ in range(most):
            if left.sum() < 0.08 * self._size[0] * self._size[1] / self._step**2:
                break
            card = self._best(picture, grey, (x0, y0), level, left, island, hands)
            if card is None:
                break
            found.append(card)
            left &= ~grow(self._coarse.fill(card.corners_mm))
        alone = left.sum() < _REST_SHARE * self._size[0] * self._size[1] / self._step**2
        return [replace(card, alone=bool(alone)) for card in found]

    def _patch(self, top: NDArray[np.uint8], island: Mask) -> tuple[int, int, NDArray[np.uint8]]:
        ys, xs = np.nonzero(island)
        reach = int(max(self._size) * 0.5 + _MARGIN_MM)
        x0 = max(0, int(xs.min() * self._step) - reach)
        y0 = max(0, int(ys.min() * self._step) - reach)
        x1 = min(top.shape[1], int((xs.max() + 1) * self._step) + reach)
        y1 = min(top.shape[0], int((ys.max() + 1) * self._step) + reach)
        return x0, y0, top[y0:y1, x0:x1]

    def _best(
        self,
        picture: Picture,
        grey: NDArray[np.float32],
        corner: tuple[int, int],
        level: float,
        left: Mask,
        island: Mask,
        hands: Mask,
    ) -> Found | None:
        x0, y0 = corner
        box = self._from_shape(grey, corner, level, left)
        candidates = [box] if box is not None else []
        if box is None or min(box.support, box.weakest + 0.2) < _GOOD_SUPPORT:
            where = cv2.resize(
                grow(left).astype(np.uint8),
                None,
                fx=self._step,
                fy=self._step,
                interpolation=cv2.INTER_NEAREST,
            )
            window = np.zeros(grey.shape, bool)
            part = where[y0 : y0 + grey.shape[0], x0 : x0 + grey.shape[1]] > 0
            window[: part.shape[0], : part.shape[1]] = part
            for middle, angle, _ in scan_boxes(grey, self._size, level, window, most=8):
                candidates.append(fit_box(grey, middle, angle, self._size, 4.0, level))
        best: tuple[float, Found] | None = None
        for box in sorted(candidates, key=lambda b: -b.support)[:5]:
            card = self._read(picture, box, corner, left, island, hands)
            if card is None:
                continue
            score = card.reading.likeness + 0.5 * box.support
            if best is None or score > best[0]:
                best = (score, card)
        return best[1] if best else None

    def _from_shape(
        self, grey: NDArray[np.float32], corner: tuple[int, int], level: float, left: Mask
    ) -> Box | None:
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
        middle = ((x + 0.5) * self._step - 0.5 - corner[0], (y + 0.5) * self._step - 0.5 - corner[1])
        return fit_box(grey, middle, float(angle), self._size, 8.0, level)

    def _read(
        self, picture: Picture, box: Box, corner: tuple[int, int], left: Mask, island: Mask, hands: Mask
    ) -> Found | None:
        plan_px = box.corners + np.array(corner)
        corners_mm = self._fine.to_mm(plan_px)
        place = self._coarse.fill(corners_mm)
        area = max(1, int(place.sum()))
        if (place & hands).any() or (place & left).sum() < 0.3 * area:
            return None
        if box.support < 0.3:
            return None
        corners_px = order_corners(self._fine.registration.to_px(corners_mm))
        crop = flatten_px(picture, corners_px, FACE_PX)
        reading = self._deck.faces.read(crop) if self._deck else Reading((), 0.0, 0.0, False, (0.0, 0.0))
        return Found(corners_mm, box, reading, crop)
