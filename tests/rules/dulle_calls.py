"""What the tests of calls and of Stoß share."""

from __future__ import annotations


def first(cards: str, count: int) -> str:
    return " ".join(cards.split()[:count])
