"""The only source of chance in the rules: numbers from a seed, the same on every machine and Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

_MASK = (1 << 64) - 1
Element = TypeVar("Element")


class Chance:
    """SplitMix64 (Steele, Lea, Flood 2014): a small generator with a state of 64 bits."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def number(self) -> int:
        """Return 64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
        return mixed ^ mixed >> 31

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, all equally likely."""
        limit = (1 << 64) - (1 << 64) % bound
        while (number := self.number()) >= limit:
            pass
        return number % bound

    def shuffled(self, items: Iterable[Element]) -> list[Element]:
        """Return the items in random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
