"""What a seat claims to hold, and the first event that proves it wrong (J-I4, J-I5, J-I6).

A seat that melds, calls Belle or swaps claims to hold certain cards. That is refuted when another seat shows
one of them, when one is known to lie elsewhere, or when the seat has too few cards left to show them all.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Holding:
    """ "I hold these cards": said by `seat` in `event`; `finding` and `rule` name the lie."""

    seat: int
    cards: tuple[str, ...]
    event: int
    finding: str
    rule: str


@dataclass(frozen=True, slots=True)
class Left:
    """What the table knows about a seat's hand: cards it has yet to show, and those misread so far."""

    unshown: int
    strange: int
    """Shown cards that cannot have been what they looked like: any card of the hand may be behind them."""


def refuted(holding: Holding, owner: dict[str, int], lies_elsewhere: frozenset[str], left: Left) -> bool:
    """Return whether a holding cannot be true; `owner` knows who has shown a card."""
    if not holding.cards:
        return True
    missing = 0
    for card in holding.cards:
        shown_by = owner.get(card)
        if shown_by is None:
            if card in lies_elsewhere:
                return True
            missing += 1
        elif shown_by != holding.seat:
            return True
    return missing > left.unshown + left.strange
