"""Terz, Halber and Belle: what a hand holds, whose melds count (J-03 to J-18, JA-3, JA-4, JA-13, JA-17)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from table.rules.cards import RANKS, SUITS

TERZ, HALBER = 3, 4
WORDS: dict[str, int] = {"terz": TERZ, "halber": HALBER}
VALUE: dict[int, int] = {TERZ: 20, HALBER: 50}
"""Augen of the melds (J-04, J-05)."""


class Meld(NamedTuple):
    """A sequence that a seat announces: how many cards up to `top`, e.g. `Meld(0, 3, "HK", 7)`."""

    seat: int
    length: int
    top: str
    event: int

    @property
    def said(self) -> str:
        """What was said: `terz:HK`."""
        return f"{'terz' if self.length == TERZ else 'halber'}:{self.top}"

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards, lowest first; none when there is no such sequence (J-03)."""
        at = RANKS.index(self.top[1]) + 1 if self.top[1] in RANKS else 0
        if at < self.length:
            return ()
        return tuple(self.top[0] + rank for rank in RANKS[at - self.length : at])

    @property
    def value(self) -> int:
        """The Augen that the meld counts."""
        return VALUE[self.length]


def held(hand: Iterable[str]) -> tuple[tuple[int, str], ...]:
    """Return the most valuable melds (length, top card) of a hand, no card used twice (JA-3)."""
    cards, found = set(hand), []
    for suit in SUITS:
        run: list[str] = []
        for rank in (*RANKS, None):
            if rank is not None and suit + rank in cards:
                run.append(suit + rank)
            else:
                found += _cut(run)
                run = []
    return tuple(found)


def _cut(run: Sequence[str]) -> list[tuple[int, str]]:
    """Cut a sequence from its top: 5 and 6 make a Halber, 7 a Halber and a Terz, 8 two Halbe."""
    found = []
    while len(run) >= TERZ:
        length = min(len(run), HALBER)
        found.append((length, run[-1]))
        run = run[:-length]
    return found


def disjoint(melds: Sequence[Meld]) -> tuple[Meld, ...]:
    """Return those melds of one seat that share no card and are worth most together (JA-3)."""
    choices = (chosen for size in range(len(melds), 0, -1) for chosen in combinations(melds, size))
    return max(
        (chosen for chosen in choices if not _share(chosen)),
        key=lambda chosen: sum(meld.value for meld in chosen),
        default=(),
    )


def _share(melds: Sequence[Meld]) -> bool:
    cards = [card for meld in melds for card in meld.cards]
    return len(set(cards)) < len(cards)


def best(melds: Iterable[Meld], trump: str | None, first: Callable[[Meld], int]) -> Meld | None:
    """Return the meld that beats all others (J-09 to J-12); `first(meld)` is lower for the first player."""
    return max(
        melds,
        key=lambda meld: (meld.length, RANKS.index(meld.top[1]), meld.top[0] == trump, -first(meld)),
        default=None,
    )


class MeldContest(NamedTuple):
    """How melds are compared: trump, who was `first` (lower), whose melds add up, what if there is no trick.

    `partners(seat)` are the seats whose melds add up, the seat itself included. If the best meld's holder has
    no trick, no meld counts, or the `next_best` does (JA-17).
    """

    trump: str | None
    first: Callable[[Meld], int]
    partners: Callable[[int], Collection[int]]
    next_best: bool = False


def counted(
    melds: Sequence[Meld], contest: MeldContest, may_count: Callable[[int], bool]
) -> tuple[Meld, ...]:
    """Return the melds that count: all melds of the best one's holder and his partners (J-13 to J-16).

    `may_count(seat)` says whether a seat has the trick that it needs.
    """
    trump, first, partners, next_best = contest
    left = list(melds)
    while (winner := best(left, trump, first)) is not None:
        side = partners(winner.seat)
        if may_count(winner.seat):
            mine = (
                disjoint([meld for meld in left if meld.seat == seat]) for seat in side if may_count(seat)
            )
            return tuple(meld for melds in mine for meld in melds)
        if not next_best:
            return ()
        left = [meld for meld in left if meld.seat != winner.seat]
    return ()
