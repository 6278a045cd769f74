"""Whether a camera still gives pictures of its own, or repeats one: noise is never the same twice.

A sensor's noise differs all over the picture from frame to frame, even after a JPEG or a film has taken most
of it away; of a picture that is repeated nothing differs. A film without noise, or a drawn table, repeats
itself whenever nothing happens: there a repeated picture says nothing, so noise is learnt first.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

_ROWS = 3
"""Every third row tells as much."""
_TILES = (4, 4)
_DIFFERS = 0.03
"""Grey levels by which a tile of two frames differs on average where there is any noise."""
_ALIVE, _DEAD = 9, 2
"""Of 16 tiles so many differ at least in a picture with noise (13 were measured), so many at most in a
repeated one."""
_MEMORY, _LEAST = 100, 15
_MOSTLY = 0.5
_LONG = 4


class Liveness:
    """Holds each frame against the one before."""

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._noisy: deque[bool] = deque(maxlen=_MEMORY)
        self._awake = 0
        self._repeats = 0

    def repeated(self, grey: NDArray[np.uint8], quiet: bool) -> bool:
        """Take in a frame in grey (h, w), noise left in; whether it repeats the last one and should not.

        `quiet`: nothing stirs in it, so that what differs is noise.
        """
        grey = grey[::_ROWS]
        before, self._last = self._last, grey
        if before is None or before.shape != grey.shape:
            return False
        apart = cv2.resize(cv2.absdiff(grey, before).astype(np.float32), _TILES, interpolation=cv2.INTER_AREA)
        differ = int(np.count_nonzero(apart > _DIFFERS))
        if differ > _DEAD:
            if quiet:
                self._noisy.append(differ >= _ALIVE)
            self._awake += 1
            # One picture that a film's encoder has refreshed is no sign of life.
            again = self._repeats >= _LONG and self._awake < 2
            self._repeats = self._repeats if again else 0
            return again
        self._awake = 0
        if not self._repeats and not self._knows_noise():
            self._noisy.append(False)
            return False
        self._repeats += 1
        return True

    def _knows_noise(self) -> bool:
        return len(self._noisy) >= _LEAST and sum(self._noisy) > _MOSTLY * len(self._noisy)
