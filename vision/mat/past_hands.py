"""Hands that have gone: asked for by number as long as something may ask, forgotten afterwards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.mat.hand import Hand

KEPT = 256
"""So many of the newest are kept, whatever they were over: those of a game of cards and more.

A table that stands for weeks sees hundreds of thousands, of about a kilobyte each.
"""


class PastHands:
    """The hands that have gone, without their places, and when they went."""

    def __init__(self) -> None:
        self._hands: dict[int, Hand] = {}
        self._gone_t: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self._hands)

    def by_number(self, number: int) -> Hand | None:
        """That hand; None where it has not gone or is forgotten."""
        return self._hands.get(number)

    def remember(self, hand: Hand) -> None:
        """The hand is not followed any more; when it went, nobody knows."""
        self._hands[hand.number] = replace(hand, mask=np.zeros((0, 0), np.bool_), touch=None)

    def end(self, hand: Hand) -> None:
        """The hand has gone, when it was seen last."""
        self.remember(hand)
        self._gone_t[hand.number] = hand.seen_t

    def forget_times(self) -> None:
        """Nobody knows any more which hands went when."""
        self._gone_t.clear()

    def gone_since(self, t: float) -> frozenset[int]:
        """The numbers of those that went then or later."""
        return frozenset(number for number, gone_t in self._gone_t.items() if gone_t >= t)

    def forget_old(self, last: NDArray[np.int32]) -> None:
        """Forget all but the newest `KEPT` and those that were over a place `last`."""
        if len(self._hands) < 2 * KEPT:
            return
        needed = {*map(int, np.unique(last)), *sorted(self._hands)[-KEPT:]}
        self._hands = {number: hand for number, hand in self._hands.items() if number in needed}
        self._gone_t = {number: t for number, t in self._gone_t.items() if number in needed}
