"""Places where something moves again and again but no card is ever found: a guest's cards held over the rim.

What sways there looks different at every search, so no search can be skipped as showing the same. After
several in vain the next ones wait, ever longer; what is laid beside such a place is searched as usual.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Mask
from vision.mat.candidate_parameters import CANDIDATES


class VainSearches:
    """How often, and when last, each cell of the coarse plan was searched in vain."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._vain = np.zeros(shape, np.uint8)
        self._last_t = np.full(shape, -np.inf, np.float32)

    def note_vain(self, place: Mask, t: float) -> None:
        """Note that no card was found there."""
        lately = self._lately(t)
        most = self._vain[place & lately].max(initial=0)
        self._vain[~lately] = 0
        self._vain[place] = min(int(most) + 1, np.iinfo(np.uint8).max)
        self._last_t[place] = t

    def note_found(self, place: Mask) -> None:
        """Note that a card was found there."""
        self._vain[place] = 0

    def waits(self, place: Mask, least_new: float, t: float) -> bool:
        """Whether a place is to be left alone for now; not if at least `least_new` of its cells are new."""
        known = place & (self._vain >= CANDIDATES.vain_after) & self._lately(t)
        if not known.any() or (place & ~known).sum() >= least_new:
            return False
        more = int(self._vain[known].max()) - CANDIDATES.vain_after
        pause_s = min(CANDIDATES.vain_pause_s * 2**more, CANDIDATES.vain_longest_s)
        return bool(t - self._last_t[known].max() < pause_s)

    def _lately(self, t: float) -> Mask:
        return np.asarray(t - self._last_t < CANDIDATES.vain_forget_s)
