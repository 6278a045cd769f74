"""Klapper-Jas's cards and tables: order, Augen, duties, dice (J-01 to J-03, J-23 to J-26, J-47, J-48)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from table.rules.cards import RANKS, SUITS, Family
from table.rules.evidence import Duty
from table.rules.tricks import Contract, Play

CARDS = Family(tuple(suit + rank for suit in SUITS for rank in ("2", "3", "4", "5", "6", *RANKS)))
"""52 names: the 32 of the pack, and the low ones that a pub keeps in the same box (G-I4)."""
PACK: dict[str, int] = dict.fromkeys((suit + rank for suit in SUITS for rank in RANKS), 1)
"""The 32 cards (J-01)."""
HAND_SIZE: dict[int, int] = {2: 9, 3: 9, 4: 8}
"""Cards in a hand by number of players (J-28 to J-30)."""
PACKETS: dict[int, tuple[int, ...]] = {2: (3, 3, 3), 3: (3, 3, 3), 4: (3, 2, 3)}
"""Packets in which they are dealt (J-28 to J-30)."""
FIRST_LOOK = 6
"""Number of cards that may be looked at before the game is chosen, with two and three players (J-31)."""
GOAL = 12
"""Points at which a player wins (J-45)."""
BESSER = "C"
"""Besser is Kreuz (J-21)."""
LAST_TRICK = 10
BELLE = 20

_LOW = ("2", "3", "4", "5", "6")
PLAIN_ORDER: tuple[str, ...] = (*_LOW, "7", "8", "9", "J", "Q", "K", "T", "A")
"""Lowest first (J-01); cards that are not in the pack rank by their number."""
TRUMP_ORDER: tuple[str, ...] = (*_LOW, "7", "8", "Q", "K", "T", "A", "9", "J")
"""Lowest first: Ass, Mie, Jas at the top (J-02)."""
PLAIN_AUGEN: dict[str, int] = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_AUGEN: dict[str, int] = PLAIN_AUGEN | {"J": 20, "9": 14}
_TRUMP = 100


def augen(card: str, trump: str | None) -> int:
    """Return a card's Augen (J-01, J-02); 0 for a card not in the pack."""
    if card not in PACK:
        return 0
    return (TRUMP_AUGEN if card[0] == trump else PLAIN_AUGEN).get(card[1], 0)


@dataclass(frozen=True)
class KlapperContract(Contract):
    """Follow, otherwise trump, and beat the trumps in the trick (J-23 to J-26, JA-7).

    `trumps` are all trumps, `higher[card]` the trumps above one.
    """

    trumps: int = 0
    higher: tuple[int, ...] = ()
    undertrump: bool = True

    def duties(self, trick: Sequence[Play]) -> tuple[Duty, ...]:
        """Return what the next seat owes to the trick, strictest first."""
        led = trick[0].card
        if led < 0:
            return ()
        trumped = bool(self.trumps >> led & 1)
        return _owed(
            self.members[self.class_of[led]], self.trumps, self._above(trick), trumped, self.undertrump
        )

    def _above(self, trick: Sequence[Play]) -> int:
        """Return the trumps that beat all trumps in the trick."""
        above = self.trumps
        for play in trick:
            if play.card >= 0 and self.trumps >> play.card & 1:
                above &= self.higher[play.card]
        return above


@cache
def _owed(led: int, trumps: int, above: int, trump_led: bool, undertrump: bool) -> tuple[Duty, ...]:
    """Return the duties, strictest first; as bits: the led suit, all trumps, those `above` the trick."""
    follow = Duty("revoke", "J-23", led)
    if trump_led:
        return (Duty("overtrump_duty", "J-24", above), follow) if above else (follow,)
    if not trumps:
        return (follow,)
    trump = Duty("trump_duty", "J-23", trumps)
    if above == trumps:
        return (follow, trump)
    over = (Duty("overtrump_duty", "J-25", above),) if above else ()
    return (follow, *over, trump) if undertrump else (follow, *over)


@cache
def contract(trump: str | None, undertrump: bool = True) -> KlapperContract:
    """Return the tables for a trump suit, or for none while nobody has named one."""
    names = CARDS.names
    class_of = tuple(SUITS.index(name[0]) for name in names)
    power = [
        _TRUMP + TRUMP_ORDER.index(name[1]) if name[0] == trump else 1 + PLAIN_ORDER.index(name[1])
        for name in names
    ]
    strength = tuple(
        tuple(power[n] if power[n] >= _TRUMP or class_of[n] == led else 0 for n in range(len(names)))
        for led in range(len(SUITS))
    )
    members = tuple(CARDS.mask(name for name in names if name[0] == suit) for suit in SUITS)
    higher = tuple(
        sum(1 << m for m in range(len(names)) if power[m] > max(power[n], _TRUMP - 1))
        for n in range(len(names))
    )
    trumps = CARDS.mask(name for name in names if name[0] == trump)
    return KlapperContract(trump or "no trump", class_of, members, strength, 0, trumps, higher, undertrump)


class Score(NamedTuple):
    """How the dice of a player or party should lie: on the beer mat or beside it, and what they show."""

    on_mat: bool
    faces: tuple[int, ...]


def score_dice(points: int, dice: str = "one") -> Score:
    """Return the dice for a score (J-47, J-48, JA-12).

    One die counts up on the mat, 6 for nothing, then 1 to 5, and down beside it, 6 for six to 1 for eleven;
    from twelve on the game is won and it shows 6 again. Two dice lie beside the mat once there are points.
    """
    points = max(points, 0)
    if dice == "two":
        return Score(points == 0, (6, 6) if not points else (min(points, 6), *_second(points - 6)))
    if points >= GOAL:
        return Score(False, (6,))
    if points >= GOAL // 2:
        return Score(False, (GOAL - points,))
    return Score(True, (points or 6,))


def _second(points: int) -> tuple[int, ...]:
    return (min(points, 6),) if points > 0 else ()
