"""Dice before and after a blind time: which of them landed unseen.

A die counts as seen if it lies as in the last picture before the gap, or came to its place once the eye saw
again. Every other die came during the gap, and whether by throw or by hand is unknown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice.found import FoundDie
from vision.sightings import SightBack

Copy = NDArray[np.uint8]
"""A small copy of a picture, (h, w) or (h, w, 3)."""
Differs = Callable[[Copy, Copy], NDArray[np.bool_]]
"""A function of two copies of one size: the mask (h, w) of where the second differs, apart from light."""

NO_THROW_S = 1.0
"""Longest gap too short to pick dice up, throw them and have them rest: only part of a throw fits into it."""
_KEPT_S = 1.2
"""How long copies are kept: longer than a cover takes to slide over the lens, so that one is unaffected."""
_EVERY_S, _MOST = 0.2, 16
"""Time between the copies kept after a gap, and their largest number: an arm hides different parts in
each."""
_LOOKS_OTHER = 0.3
"""Share of a die's place above which it differs so much that the die was not there yet."""


class Gaps:
    """Keeps small copies of the pictures before and after the gaps since dice were last read."""

    def __init__(self, differs: Differs) -> None:
        self._differs = differs
        self._seen: deque[tuple[float, Copy]] = deque()
        self._left: Copy | None = None
        self._back: list[tuple[float, Copy]] = []
        self._rolled = False
        self.length_s = 0.0
        """How long the eye was blind since dice were last read, in total; 0.0: not at all."""

    def show(self, copy: Copy, t: float) -> None:
        """Take in a frame in which the table is seen."""
        backs = self._back
        if self.length_s and not self._rolled and (not backs or t - backs[-1][0] >= _EVERY_S):
            backs.append((t, copy))
            del backs[: len(backs) - _MOST]
        self._seen.append((t, copy))
        while self._seen[0][0] < t - _KEPT_S:
            self._seen.popleft()

    def note(self, back: SightBack) -> None:
        """Note that the eye sees again, from the next frame that is shown."""
        if not self.length_s:
            before = [copy for t, copy in self._seen if t < back.since]
            self._left = before[-1] if before else None
        self._seen.clear()
        self._back, self._rolled = [], False
        self.length_s += back.t - back.since

    def roll(self) -> None:
        """Note that something moves by itself: dice that land from now on are seen landing."""
        self._rolled = True

    def close(self) -> None:
        """Close the gap: dice were read, so all that lie there are known."""
        self._left, self._back, self._rolled = None, [], False
        self.length_s = 0.0

    def unseen(self, found: list[FoundDie], copy: Copy, width_px: int, *, moved: bool = False) -> list[bool]:
        """Which dice of a picture `width_px` wide landed unseen.

        `moved`: the camera or the box moved during the gap, so that places cannot be compared.
        """
        if not self.length_s:
            return [False] * len(found)
        scale = copy.shape[1] / width_px
        before = [] if self._left is None or moved else [self._left]
        lay = self._lay(before, found, copy, scale)
        stood = self._lay([back for _, back in self._back], found, copy, scale) if self._rolled else None
        return [not lay[k] and (stood is None or stood[k]) for k in range(len(found))]

    def _lay(self, then: Sequence[Copy], found: list[FoundDie], copy: Copy, scale: float) -> list[bool]:
        """Which dice already lay there in one of the copies `then`."""
        news = [self._differs(before, copy) for before in then if before.shape == copy.shape]
        return [any(not _shows(each, die, scale) for each in news) for die in found]


def _shows(news: NDArray[np.bool_], found: FoundDie, scale: float) -> bool:
    """Whether a die's place looks different."""
    (x, y), half = (v * scale for v in found.at_px), 0.5 * found.edge_px * scale
    place = news[max(0, int(y - half)) : int(y + half) + 1, max(0, int(x - half)) : int(x + half) + 1]
    return bool(place.size == 0 or place.mean() > _LOOKS_OTHER)
