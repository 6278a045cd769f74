"""Where the table changed while nothing was seen, until it is known what that is.

What lies there came by no hand that anybody saw, and what is gone there was taken by none.
"""

from __future__ import annotations

import numpy as np

from vision.motion import Mask
from vision.scene import Scene

_MOSTLY = 0.3


class Unseen:
    """The places of one table; none until sight was lost once."""

    def __init__(self) -> None:
        self._places: Mask | None = None
        self._there: frozenset[int] = frozenset()
        self._fresh = False

    def begin(self) -> None:
        """Sight is back: what looks otherwise in the next frame changed unseen."""
        self._places, self._fresh = None, True

    def follow(self, scene: Scene) -> None:
        """Take in a frame: what looks as it did, or where a hand came since, is no such place any more."""
        strange = scene.changed | scene.hands.mask
        if self._fresh:
            self._places, self._fresh = strange, False
            # Who laid the card on which a hand lies when sight comes back, nobody knows either.
            self._there = frozenset(hand.number for hand in scene.hands.now)
            return
        if self._places is None:
            return
        self._places &= strange
        for hand in scene.hands.now:
            if hand.number not in self._there:
                self._places &= ~hand.mask
        if not self._places.any():
            self._places = None

    def holds(self, place: Mask) -> bool:
        """Whether a place (h, w) changed while nothing was seen."""
        size = int(np.count_nonzero(place))
        return self._places is not None and int((self._places & place).sum()) > _MOSTLY * max(1, size)
