"""Whether a camera still delivers new pictures or repeats one: noise is never the same twice.

Sensor noise differs all over the picture from frame to frame, even where JPEG or video compression removed
most of it; in a repeated picture nothing differs. A film without noise, or a synthetic table, repeats itself
whenever nothing happens. There a repeated picture proves nothing, so the camera's noise is learnt first.

A decoder that has lost data repeats whole rows of an older frame below the part it could still read. Such
rows count as repeated, too.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_health.parameters import SIGHT

_ROWS = 3
"""Stride of the rows that are compared: every third row is enough."""
_BANDS, _ACROSS = 12, 4
"""Number of horizontal bands of the picture, and of tiles in each."""


class Liveness:
    """Compares each frame with the previous one."""

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._noisy: deque[bool] = deque(maxlen=SIGHT.memory)
        self._bands_known = 0
        self._bands_alive: NDArray[np.float64] = np.zeros(_BANDS)
        self._partly = 0
        self._awake = 0
        self._repeats = 0

    def repeated(self, grey: NDArray[np.uint8], quiet: bool) -> bool:
        """Take in a grey frame (h, w) with its noise; return whether it wrongly repeats the last one.

        Also True where only whole rows are repeated. `quiet`: nothing moves in the frame, so that all
        differences are noise.
        """
        grey = grey[::_ROWS]
        before, self._last = self._last, grey
        if before is None or before.shape != grey.shape:
            return False
        apart = _apart(grey, before)
        partly = self._partly_repeated(apart, grey)
        return self._wholly_repeated(_tiles(apart), quiet) or partly

    def differs(self, grey: NDArray[np.uint8]) -> bool:
        """Whether a frame differs from the last one taken in, at least by its noise."""
        before, now = self._last, grey[::_ROWS]
        return before is not None and before.shape == now.shape and _tiles(_apart(now, before)) > SIGHT.dead

    def _wholly_repeated(self, differ: int, quiet: bool) -> bool:
        if differ > SIGHT.dead:
            if quiet:
                self._noisy.append(differ >= SIGHT.alive)
            self._awake += 1
            # In a frozen film a single picture may differ, where the encoder refreshed it.
            again = self._repeats >= SIGHT.long_freeze and self._awake < 2
            self._repeats = self._repeats if again else 0
            return again
        self._awake = 0
        self._repeats += 1
        if self._knows_noise():
            return True
        # A camera with five frames a second that is read fifteen times a second repeats each frame twice.
        if self._repeats > SIGHT.long_freeze:
            self._noisy.append(False)
        return False

    def _knows_noise(self) -> bool:
        return len(self._noisy) >= SIGHT.least_frames and sum(self._noisy) > SIGHT.mostly * len(self._noisy)

    def _partly_repeated(self, apart: NDArray[np.float32], grey: NDArray[np.uint8]) -> bool:
        """Whether two neighbouring bands without noise have always had some so far, and are not black."""
        living = (apart > SIGHT.differs).any(axis=1)
        if not living.all() and self._bands_known >= SIGHT.least_frames and self._partly < SIGHT.longest_tear:
            level = cv2.resize(grey, (1, _BANDS), interpolation=cv2.INTER_AREA)[:, 0]
            dead = ~living & (self._bands_alive >= SIGHT.always) & (level > SIGHT.black)
            if (dead[1:] & dead[:-1]).any():
                self._partly += 1
                return True
        self._partly = 0 if living.all() else self._partly
        self._bands_known = min(self._bands_known + 1, SIGHT.memory)
        self._bands_alive += (living - self._bands_alive) / self._bands_known
        return False


def _apart(grey: NDArray[np.uint8], before: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Mean difference of two frames in grey levels, tile by tile (bands, across)."""
    differs = cv2.absdiff(grey, before).astype(np.float32)
    return np.asarray(cv2.resize(differs, (_ACROSS, _BANDS), interpolation=cv2.INTER_AREA), np.float32)


def _tiles(apart: NDArray[np.float32]) -> int:
    """How many of the 4 x 4 tiles of the whole picture differ."""
    return int(np.count_nonzero(apart.reshape(_ACROSS, -1, _ACROSS).mean(axis=1) > SIGHT.differs))
