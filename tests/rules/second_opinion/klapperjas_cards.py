"""The cards of Klapper-Jas: ranks, Augen, duties and melds, from the booklet's chapters 2 to 4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

SUITS = "CSHD"
IN_SEQUENCE = "789TJQKA"
PLAIN_UPWARDS = "789JQKTA"
TRUMP_UPWARDS = "78QKTA9J"
PLAIN_EYES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_EYES = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}
PACK = [suit + rank for suit in SUITS for rank in IN_SEQUENCE]
Fallen = list[tuple[str, str]]
"""Seat and card, in the order of play."""


def eyes(card: str, trump: str) -> int:
    return (TRUMP_EYES if card[0] == trump else PLAIN_EYES).get(card[1], 0)


def winner(fallen: Fallen, trump: str) -> str:
    """The highest trump, else the highest card of the led suit."""
    led = fallen[0][1][0]

    def strength(card: str) -> tuple[bool, int]:
        if card[0] == trump:
            return True, TRUMP_UPWARDS.index(card[1])
        return False, PLAIN_UPWARDS.index(card[1]) if card[0] == led else -1

    return max(fallen, key=lambda one: strength(one[1]))[0]


@dataclass(frozen=True)
class Owed:
    """A player's duties in a trick (J-23 to J-26, JA-7, JA-8)."""

    trump: str
    fallen: Fallen
    free_below: bool
    """Nobody need trump below a trump in the trick."""
    partner_leads: bool
    """The partner is winning the trick, which frees the player from trumping."""

    def allowed(self, hand: list[str]) -> list[str]:
        if not self.fallen:
            return hand
        led = self.fallen[0][1][0]
        lying = [TRUMP_UPWARDS.index(card[1]) for _, card in self.fallen if card[0] == self.trump]
        trumps = [card for card in hand if card[0] == self.trump]
        higher = [card for card in trumps if TRUMP_UPWARDS.index(card[1]) > max(lying, default=-1)]
        same = [card for card in hand if card[0] == led]
        if same:
            return (higher or same) if led == self.trump else same
        if self.partner_leads or (lying and self.free_below and not higher):
            return hand
        return higher or trumps or hand

    def refuted_by(self, card: str) -> dict[str, frozenset[str]]:
        """Cards that, held beside this one, would have had to be played instead, by the fault's name."""
        better = [other for other in PACK if other != card and card not in self.allowed([card, other])]
        if not better:
            return {}
        led = self.fallen[0][1][0]
        follows = frozenset(other for other in better if other[0] == led != card[0])
        # Where low trumps are free, only the higher ones were a duty.
        lying = any(other[0] == self.trump for _, other in self.fallen)
        higher = card[0] == self.trump or (lying and self.free_below)
        return {
            "revoke": follows,
            "overtrump_duty" if higher else "trump_duty": frozenset(better) - follows,
        }


@dataclass(frozen=True)
class Sequence:
    """A Terz or a Halber that a seat announces, by its highest card."""

    seat: str
    length: int
    top: str

    @property
    def worth(self) -> int:
        return 20 if self.length == 3 else 50

    @property
    def words(self) -> str:
        return f"{'terz' if self.length == 3 else 'halber'}:{self.top}"

    @property
    def cards(self) -> set[str]:
        last = IN_SEQUENCE.index(self.top[1])
        return {self.top[0] + rank for rank in IN_SEQUENCE[last - self.length + 1 : last + 1]}


def sequences(seat: str, hand: list[str]) -> Iterator[Sequence]:
    """What a hand can announce; long runs are split into Halbe from the top, then a Terz (JA-3)."""
    for suit in SUITS:
        row = "".join(rank if suit + rank in hand else " " for rank in IN_SEQUENCE)
        for run in row.split():
            while len(run) >= 3:
                length = min(len(run), 4)
                yield Sequence(seat, length, suit + run[-1])
                run = run[:-length]
