"""Places beside a dice box that never come to rest: a telephone plays a film, a candle burns.

With them, waiting until all is still would never end. Hands and dice stir a place for a moment; a place that
stirs again and again is ignored until it rests. No place over the box is ever ignored, because a die may
roll there at any time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.box.frame_diff import grown
from vision.box.motion_parameters import BOX_MOTION

_Times = NDArray[np.float64]


class RestlessPlaces:
    """Tracks for each place of the small copies since when it has stirred again and again."""

    def __init__(self) -> None:
        self._last: _Times | None = None
        self._since: _Times = np.zeros((0, 0))
        self._places: Mask | None = None

    def see(self, moved: Mask, t: float) -> None:
        """Take in the mask (h, w) of what differs at `t` seconds from the frame before."""
        if self._last is None or self._last.shape != moved.shape:
            self._last, self._since = np.full(moved.shape, -np.inf), np.zeros(moved.shape)
        stirred, known = grown(moved), self._places
        pause_s: float | _Times = BOX_MOTION.restless_pause_s
        if known is not None and known.shape == moved.shape:
            pause_s = np.where(known, BOX_MOTION.restless_end_s, pause_s)
        np.copyto(self._since, t, where=t - self._last > pause_s)
        np.copyto(self._last, t, where=stirred)
        places = (self._last - self._since >= BOX_MOTION.restless_s) & (t - self._last <= pause_s)
        self._places = places if places.any() else None

    @property
    def known(self) -> bool:
        """Whether any place stirs again and again."""
        return self._places is not None

    def beside(self, news: Mask, box: Mask) -> Mask:
        """Remove places that never rest, except those of the `box`, from the mask `news` (h, w)."""
        if self._places is None or self._places.shape != news.shape:
            return news
        return np.asarray(news & (box | ~grown(self._places)))
