"""What can be concluded about hidden hands: private, for the operator, never in the View (G-14).

The claims that plays make are believed as long as nothing refutes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from table.rules.tricks import TrickRound

ASIDE = "aside"
"""The holder of cards that are dealt to nobody (D-08)."""


@dataclass(frozen=True)
class Knowledge:
    """Per seat what it has shown and what it cannot hold; per unseen card who may still hold it (G-01)."""

    shown: dict[str, frozenset[str]]
    lacks: dict[str, frozenset[str]]
    may_hold: dict[str, frozenset[str]]

    def forced(self) -> dict[str, str]:
        """Return the cards that only one hand can still hold (G-12)."""
        return {card: next(iter(seats)) for card, seats in self.may_hold.items() if len(seats) == 1}


def known(opened: TrickRound) -> Knowledge:
    """Return what somebody with a perfect memory would know about a round."""
    shown: dict[str, set[str]] = {seat: set() for seat in opened.seats}
    for play in (*(play for trick in opened.tricks for play in trick.plays), *opened.trick):
        shown[opened.seats[play.seat]].add(play.name)
    for seat, card in opened.aside:
        shown[opened.seats[seat]].add(card)
    void = opened.evidence.void
    pack = opened.family.mask(opened.pack)
    lacks = {
        name: frozenset(opened.family.listed(void.get(seat, 0) & pack))
        for seat, name in enumerate(opened.seats)
    }
    able = [name for seat, name in enumerate(opened.seats) if opened.spent[seat] < opened.hand_size]
    if sum(opened.pack.values()) > opened.hand_size * len(opened.seats):
        able.append(ASIDE)
    may_hold = {
        card: frozenset(seat for seat in able if card not in lacks.get(seat, ()))
        for card, count in opened.pack.items()
        if opened.seen.get(card, 0) < count
    }
    return Knowledge({seat: frozenset(cards) for seat, cards in shown.items()}, lacks, may_hold)


def legality(opened: TrickRound) -> dict[int, Literal["sure", "assumed", "impossible"]]:
    """Return for every played card, by its event, whether it was legal (G-02).

    "assumed": only if the seat really could not do its duty, which nothing has refuted so far.
    """
    claimed = {claim.event for claims in opened.evidence.claims.values() for claim in claims}
    plays = (*(play for trick in opened.tricks for play in trick.plays), *opened.trick)
    return {
        play.event: "impossible"
        if play.event in opened.evidence.offended
        else "assumed"
        if play.event in claimed
        else "sure"
        for play in plays
    }
