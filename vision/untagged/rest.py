"""When the picture comes to rest: the moments worth a long look, for a camera that nobody registered.

A small grey copy of every frame is compared with the one before; what all pixels change alike (exposure,
flicker) does not count. `vision.untagged.throws` has a finer clock of its own: dice rest for moments only.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import Picture

REST_S = 0.4
"""How long nothing may move: a hand that lays a card down rests on it for less."""
_WIDTH = 160
_JUMP = 14
_MOVING = 0.0015
_NEWS = 0.003

Grey = NDArray[np.uint8]


class Rest:
    """The state between frames. Pure: the caller brings pictures and times, in order."""

    def __init__(self) -> None:
        self._last: Grey | None = None
        self._judged: Grey | None = None
        self._since: float | None = None

    def reached(self, picture: Picture, t: float) -> bool:
        """Whether with this frame (h, w, 3) BGR a new still picture has come about; each is told once."""
        grey = _small(picture)
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


def share_changed(one: Grey, two: Grey) -> float:
    """Share of the pixels that changed beside what all of them changed."""
    change = two.astype(np.int16) - one
    return float((np.abs(change - int(np.median(change))) > _JUMP).mean())


def _small(picture: Picture) -> Grey:
    height, width = picture.shape[:2]
    size = (_WIDTH, max(1, round(height * _WIDTH / width)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (3, 3), 0), np.uint8)
