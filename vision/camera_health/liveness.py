"""Whether a camera still gives pictures of its own, or repeats one: noise is never the same twice.

A sensor's noise differs all over the picture from frame to frame, even after a JPEG or a film removed most
of it; in a repeated picture nothing differs. A film without noise, or a drawn table, repeats
itself whenever nothing happens: there a repeated picture proves nothing, so noise is learnt first.

A decoder that has lost data repeats the rest of an older frame, whole rows of it, below what it could still
read: such rows are as much a repeated picture as all of them.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_health.parameters import SIGHT

_ROWS = 3
"""Stride of the rows that are compared: every third tells as much."""
_BANDS, _ACROSS = 12, 4
"""Number of horizontal bands in which the picture is judged, and of tiles in each."""


class Liveness:
    """Compares each frame with the one before."""

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._noisy: deque[bool] = deque(maxlen=SIGHT.memory)
        self._bands_known = 0
        self._bands_alive: NDArray[np.float64] = np.zeros(_BANDS)
        self._partly = 0
        self._awake = 0
        self._repeats = 0

    def repeated(self, grey: NDArray[np.uint8], quiet: bool) -> bool:
        """Take in a frame in grey (h, w), noise included; return whether it repeats the last and should not.

        It is also True where only whole rows are repeated. `quiet`: nothing stirs in it, so that all
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
        """Whether a frame is another picture than the last one taken in, at least by its noise."""
        before, now = self._last, grey[::_ROWS]
        return before is not None and before.shape == now.shape and _tiles(_apart(now, before)) > SIGHT.dead

    def _wholly_repeated(self, differ: int, quiet: bool) -> bool:
        if differ > SIGHT.dead:
            if quiet:
                self._noisy.append(differ >= SIGHT.alive)
            self._awake += 1
            # One picture that a film's encoder has refreshed is no sign of life.
            again = self._repeats >= SIGHT.long_freeze and self._awake < 2
            self._repeats = self._repeats if again else 0
            return again
        self._awake = 0
        self._repeats += 1
        if self._knows_noise():
            return True
        # A camera of five pictures a second that is read fifteen times gives each of them three times.
        if self._repeats > SIGHT.long_freeze:
            self._noisy.append(False)
        return False

    def _knows_noise(self) -> bool:
        return len(self._noisy) >= SIGHT.least_frames and sum(self._noisy) > SIGHT.mostly * len(self._noisy)

    def _partly_repeated(self, apart: NDArray[np.float32], grey: NDArray[np.uint8]) -> bool:
        """Whether neighbouring bands that always had noise, and are not black, have none."""
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
    """Grey levels by which two frames differ on average, tile by tile (bands, across)."""
    differs = cv2.absdiff(grey, before).astype(np.float32)
    return np.asarray(cv2.resize(differs, (_ACROSS, _BANDS), interpolation=cv2.INTER_AREA), np.float32)


def _tiles(apart: NDArray[np.float32]) -> int:
    """How many of 4 x 4 tiles differ."""
    return int(np.count_nonzero(apart.reshape(_ACROSS, -1, _ACROSS).mean(axis=1) > SIGHT.differs))
