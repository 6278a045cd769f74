"""The hands over one table, including those that have gone, for as long as they may be asked for."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.mat.hand import Hand
from vision.mat.hand_parameters import HANDS


class HandRegister:
    """Every hand by its number: those present with their places, those that have gone without."""

    def __init__(self) -> None:
        self.now: list[Hand] = []
        """The hands now over the table."""
        self._past: dict[int, Hand] = {}
        self._gone_t: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self.now) + len(self._past)

    def by_number(self, number: int) -> Hand | None:
        """The hand of that number; None if it is forgotten."""
        return next((hand for hand in self.now if hand.number == number), self._past.get(number))

    def seat_of(self, number: int) -> str | None:
        """The seat of a hand; None if several are equally likely or none is known."""
        seats = self.seats_of(number)
        return seats[0] if len(seats) == 1 else None

    def seats_of(self, number: int) -> tuple[str, ...]:
        """The seats that a hand may have come from, the likeliest first."""
        hand = self.by_number(number)
        return hand.seats if hand is not None else ()

    def seats_at(self, number: int, t: float) -> tuple[str, ...]:
        """The seats whose hands may have been in a hand's piece at `t`, the likeliest first."""
        hand = self.by_number(number)
        return hand.seats_at(t) if hand is not None else ()

    def came_t(self, number: int) -> float:
        """When a hand came; a forgotten hand came before any time that is asked for."""
        hand = self.by_number(number)
        return hand.since_t if hand is not None else -math.inf

    def there_since(self, t: float) -> frozenset[int]:
        """The numbers of the hands that are there or left at `t` or later."""
        gone = (number for number, gone_t in self._gone_t.items() if gone_t >= t)
        return frozenset(gone).union(hand.number for hand in self.now)

    def lately(self, t: float) -> frozenset[int]:
        """The numbers of the hands that are there or left a moment ago."""
        return self.there_since(t - HANDS.lately_s)

    def end(self, hand: Hand) -> None:
        """Note that the hand left when it was last seen."""
        self.drop(hand)
        self._gone_t[hand.number] = hand.seen_t

    def drop(self, hand: Hand) -> None:
        """Stop following the hand; when it left is not recorded."""
        self.now = [other for other in self.now if other is not hand]
        self._past[hand.number] = replace(hand, mask=np.zeros((0, 0), np.bool_), touch=None)

    def drop_all(self) -> None:
        """Forget which hands came and which left when."""
        for hand in self.now:
            self.drop(hand)
        self._gone_t.clear()

    def forget_old(self, last: NDArray[np.int32]) -> None:
        """Forget hands that have gone, except the newest and those that were `last` over a place."""
        if len(self._past) < 2 * HANDS.remembered:
            return
        needed = {*map(int, np.unique(last)), *sorted(self._past)[-HANDS.remembered :]}
        self._past = {number: hand for number, hand in self._past.items() if number in needed}
        self._gone_t = {number: t for number, t in self._gone_t.items() if number in needed}
