"""What cards mean under an announcement: follow classes, strengths, duties, who wins a trick (G-04)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from table.rules.evidence import Duty


class Play(NamedTuple):
    """A played card: the event that reports it, the seat's number, the card's name and number (or -1)."""

    event: int
    seat: int
    name: str
    card: int


class Trick(NamedTuple):
    """A finished trick."""

    plays: tuple[Play, ...]
    winner: int


@cache
def follow(members: int) -> tuple[Duty, ...]:
    """Return the single duty to play one of `members` (a bit mask) if the seat holds any."""
    return (Duty("revoke", "G-03", members),)


@dataclass(frozen=True)
class Contract:
    """What cards mean under one announcement, as tables by card number (G-04).

    `class_of[card]` is the follow class, `members[class]` its cards as bits, `strength[class led][card]` who
    beats whom (0 cannot win). Of two equally strong cards the first wins, unless the card is in `later_wins`.
    """

    name: str
    class_of: tuple[int, ...]
    members: tuple[int, ...]
    strength: tuple[tuple[int, ...], ...]
    later_wins: int = 0

    def duties(self, trick: Sequence[Play]) -> tuple[Duty, ...]:
        """Return what the next seat owes to a trick that has been led: to follow, nothing else."""
        led = trick[0].card
        return () if led < 0 else follow(self.members[self.class_of[led]])

    def winner(self, trick: Sequence[Play]) -> int:
        """Return the winning card's place in the trick."""
        led = trick[0].card
        if led < 0:  # a card of no known class: nobody can follow it, so it wins what it led
            return 0
        strength = self.strength[self.class_of[led]]
        best, most = 0, strength[led]
        for place in range(1, len(trick)):
            card = trick[place].card
            power = strength[card] if card >= 0 else 0
            if power > most or (power == most > 0 and self.later_wins >> card & 1):
                best, most = place, power
        return best
