"""Motion over a box without a hand: dice that roll, and whether they rolled twice before they were read."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Mask
from vision.box.frame_diff import grown
from vision.box.hand_parameters import BOX_HANDS


class Flights:
    """Counts the frames since the last reading in which something moves by itself."""

    def __init__(self) -> None:
        self._hand_before: Mask = np.zeros((0, 0), bool)
        self._bursts: list[list[float]] = []

    def see(self, moved: Mask, hand: Mask, t: float, shade: Mask | None = None) -> None:
        """Take in a frame: `moved` has changed since the one before, `hand` has come in from the rim.

        `shade` is the part of `moved` that looks like the rim of a shade, and is no die by itself. It stays
        in `moved`, because it may be part of an arm, whose other parts must not be taken for a die.
        """
        if self._flies(moved, hand, np.zeros_like(moved) if shade is None else shade):
            if not self._bursts or t - self._bursts[-1][-1] >= BOX_HANDS.two_throws_s:
                self._bursts.append([])
            self._bursts[-1].append(t)

    def still(self, shape: tuple[int, ...]) -> None:
        """Start anew: no hand is known before this frame, whose small copy has that shape."""
        self._hand_before = np.zeros(shape[:2], bool)

    def forget(self) -> None:
        """Forget what rolled, because dice were read or it may have been anything."""
        self._bursts = []

    @property
    def rolled(self) -> bool:
        """Whether dice rolled."""
        return any(len(burst) >= BOX_HANDS.flight for burst in self._bursts)

    def missed_s(self, t: float) -> float:
        """Time since the first of several throws that were not read one by one; 0.0 if there are none.

        No die rolls for `one_throw_s`, so a longer flight may hold several throws.
        """
        sure = [burst for burst in self._bursts if len(burst) >= BOX_HANDS.flight]
        several = len(sure) > 1 or any(burst[-1] - burst[0] > BOX_HANDS.one_throw_s for burst in sure)
        return t - sure[0][0] if several else 0.0

    def _flies(self, moved: Mask, hand: Mask, shade: Mask) -> bool:
        """Whether something no larger than a die moves, well away from hands and off the picture's rim."""
        near, self._hand_before = hand | self._hand_before, hand
        if near.mean() > 0.5:
            return False
        near = (
            cv2.dilate(near.astype(np.uint8), np.ones((BOX_HANDS.away_px, BOX_HANDS.away_px), np.uint8)) > 0
        )
        count, labels, stats, _ = cv2.connectedComponentsWithStats(grown(moved).astype(np.uint8))
        h, w = moved.shape
        for k, (x, y, wide, high, area) in enumerate(stats[:count].tolist()):
            inside = x > 0 and y > 0 and x + wide < w and y + high < h
            if not k or not inside or area >= BOX_HANDS.flying * h * w:
                continue
            own = labels == k
            if not near[own].any() and (own & moved & ~shade).any():
                return True
        return False
