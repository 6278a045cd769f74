"""Debouncing for a camera without tags: when the picture, or a region of it, is at rest and worth reading.

A small grey copy of every frame is compared with the previous one; a change common to all pixels (exposure,
flicker) does not count. `vision.untagged.throws` has faster timing of its own: dice rest only for moments.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imgproc.flicker import Deflicker
from vision.imgproc.small_change import Grey, changed, small_grey
from vision.sightings import Picture

REST_S = 0.4
"""How long nothing may move: a hand that lays a card down rests on it for less."""
_WIDTH = 160
"""Width in pixels of the grey copies: a smaller one has less noise and costs less, but hides small motion."""
_JUMP = 14
"""Grey levels by which a pixel must change to count as moved."""
_MOVING = 0.0015
"""Share of the pixels that must change from frame to frame for the picture to be in motion."""
_NEWS = 0.003
"""Share of the pixels by which a picture at rest must differ from the last one reported."""
_MOSTLY = 0.97
"""Share of an outline that must rest for what lies in it to be read."""


class Rest:
    """Follows the frames of one camera. Pure: the caller passes pictures and times, in order."""

    def __init__(self) -> None:
        self._deflicker = Deflicker()
        self._last: Grey | None = None
        self._judged: Grey | None = None
        self._since: float | None = None

    def reached(self, picture: Picture, t: float) -> bool:
        """Whether a new still picture begins with this frame (h, w, 3) BGR; each is reported once."""
        grey = self._deflicker.steadied(small_grey(picture, _WIDTH))
        before, self._last = self._last, grey
        if before is None or before.shape != grey.shape or share_changed(before, grey) > _MOVING:
            self._since = t
            return False
        if self._since is None:
            self._since = t
        if t - self._since < REST_S:
            return False
        judged = self._judged
        if judged is not None and judged.shape == grey.shape and share_changed(judged, grey) < _NEWS:
            return False
        self._judged = grey
        return True


class RegionRest:
    """As `Rest`, region by region: motion in one corner does not delay a rest in another."""

    def __init__(self) -> None:
        self._deflicker = Deflicker()
        self._last: Grey | None = None
        self._judged: Grey | None = None
        self._moved_t = np.zeros((0, 0), np.float64)

    def reached(self, picture: Picture, t: float) -> Resting | None:
        """The resting regions if something new comes to rest with this frame (h, w, 3) BGR; reported once.

        For the first report everything must rest, since later pictures are compared with that one.
        """
        grey = self._deflicker.steadied(small_grey(picture, _WIDTH))
        before, self._last = self._last, grey
        if before is None or before.shape != grey.shape:
            self._judged, self._moved_t = None, np.full(grey.shape, t)
            return None
        self._moved_t[_grown(changed(before, grey, _JUMP))] = t
        rests = t - self._moved_t >= REST_S
        judged = self._judged
        if judged is None:
            if (~rests).mean() > _MOVING:
                return None
            self._judged = grey
            return Resting(np.ones_like(rests), picture.shape[1] / grey.shape[1])
        change = changed(judged, grey, _JUMP)
        # A hand that is laying a card is connected to it, so the card counts as moving, too.
        count, pieces = cv2.connectedComponents(_grown(change).astype(np.uint8))
        stirring = np.zeros(count, np.bool_)
        stirring[np.unique(pieces[~rests])] = True
        stirring[0] = False
        news = change & ~stirring[pieces]
        if news.mean() < _NEWS:
            return None
        self._judged = np.where(rests, grey, judged)
        return Resting(rests & ~stirring[pieces], picture.shape[1] / grey.shape[1])


@dataclass(frozen=True, slots=True)
class Resting:
    """Where a picture rests: a mask (h, w), each pixel of which is `px` pixels wide in the picture."""

    mask: NDArray[np.bool_]
    px: float

    def holds(self, corners_px: NDArray[np.float64]) -> bool:
        """Whether an outline (n, 2) in pixels of the picture lies in a resting region."""
        place = np.zeros(self.mask.shape, np.uint8)
        cv2.fillPoly(place, [np.round((corners_px + 0.5) / self.px - 0.5).astype(np.int32)], 1)
        within = self.mask[place > 0]
        return not within.size or float(within.mean()) > _MOSTLY


def _grown(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def share_changed(one: Grey, two: Grey) -> float:
    """Share of the pixels that changed beyond the change common to all of them."""
    return float(changed(one, two, _JUMP).mean())
