"""Whose turn it is in a trick game: what lies there, who has shown how many cards, and who may play now.

All mutable state is flat lists, dicts and sets of immutable values, so that a copy is cheap.
"""

from __future__ import annotations

from typing import Self

from table.rules.cards import Family
from table.rules.contracts import Play, Trick
from table.rules.evidence import Duty, Evidence
from table.rules.trick_game import TrickGame
from table.rules.trust import Trust

_MUTABLE = frozenset({list, dict, set, Evidence})
"""Types that a copy must copy; a lookup by exact type is several times faster than `isinstance`."""


class Turns(Trust, TrickGame):
    """The state of a round of tricks, and whose turn it is."""

    def __init__(
        self, family: Family, pack: dict[str, int], seats: tuple[str, ...], hand_size: int, dealer: str
    ) -> None:
        self.family, self.pack, self.seats, self.hand_size = family, pack, seats, hand_size
        self.dealer = dealer
        self.evidence = Evidence(seats)
        self.trust_all()
        self.leader = 0
        """The seat that must lead the current trick, or had to."""
        self.trick: list[Play] = []
        self.tricks: list[Trick] = []
        self.seen: dict[str, int] = {}
        self.spent: dict[int, int] = dict.fromkeys(range(len(seats)), 0)
        """Number of cards that each seat has shown."""
        self.aside: dict[tuple[int, str], int] = {}
        """Second cards of a trick, left out of it, that may be played later: (seat, card) → how often."""
        self.back: set[tuple[int, str]] = set()
        """(seat, card) laid aside and played later: the same card, or its twin while not all were seen."""
        self.collected_by: int | None = None
        """The seat that took the last finished trick away."""
        self.untaken: set[int] = set()
        """The tricks, from 1, whose taking nobody had reported when the next one was led."""
        self.begun = False
        self.over = False
        self.broken_off = False
        self.closed = False
        """Whether the group ended the game: `end` after a finished round."""
        self.remarks: list[tuple[int, str, str]] = []
        """(trick, what, of whom or what): what the table points out without accusing anybody."""
        self._short: Turns | None = None
        self._orderly = True
        """Whether the current trick has been played in turn so far."""
        self.last_said: tuple[str | None, str | None, int] | None = None
        """The last word: (seat, what, number of cards its player had shown)."""

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin.restore(self)
        return twin

    def restore(self, kept: Turns) -> None:
        """Continue from the state of the copy `kept`, which is not changed."""
        state = vars(self)
        for name, value in vars(kept).items():
            state[name] = value.copy() if type(value) in _MUTABLE else value

    def duties(self, seat: int) -> tuple[Duty, ...]:
        """Return what a seat owes to the current trick."""
        if not self.trick or self.exempt(seat):
            return ()
        return self.contract().duties(self.trick)

    def due(self) -> tuple[int, ...]:
        """Return who may play now without being out of turn; the first is the one whose turn it is."""
        if self.over:
            return ()
        if not self.trick:
            rivals = self._rivals() if self.tricks else ()
            return (*self._able(self.leader, set()), *rivals)
        if self._orderly:
            seat = (self.trick[-1].seat + 1) % len(self.seats)
            if self.spent[seat] < self.hand_size and not (self.back and self._may_be_out(seat)):
                return (seat,)
        played = {play.seat for play in self.trick}
        begun = self._able(self.trick[0].seat, played)
        # After a wrong lead both orders are in turn: the one it began and the one that should have been.
        return tuple(dict.fromkeys((*begun, *self._able(self.leader, played))))

    def _able(self, start: int, played: set[int]) -> tuple[int, ...]:
        """Return who is next from `start` on.

        A seat that has shown all its cards is skipped, but may still play one that it laid aside; a seat that
        may have shown them all may be skipped.
        """
        seat = self._next(start, played)
        if not self._may_be_out(seat):
            return (seat,)
        without = played | {other for other in self.spent if self._may_be_out(other)}
        able = self._next(start, without)
        if able in without:
            return (seat,)
        return (able, seat) if self.spent[seat] >= self.hand_size else (seat, able)

    def _may_be_out(self, seat: int) -> bool:
        """Return whether a seat has shown all its cards, or may have, where two of its cards are alike."""
        if not self.back:
            return self.spent[seat] >= self.hand_size
        equals = sum(who == seat and self.seen[name] < self.pack[name] for who, name in self.back)
        return self.spent[seat] + equals >= self.hand_size

    def _rivals(self) -> set[int]:
        """Return who else may have won the last trick while nobody has said what is trump."""
        last, open_ = self.tricks[-1], self.possible_contracts()
        return (
            {last.plays[meant.winner(last.plays)].seat for meant in open_} - {last.winner} if open_ else set()
        )

    def _next(self, start: int, without: set[int]) -> int:
        """Return the first seat from `start` on, clockwise, that is not among those; `start` if all are."""
        if start not in without:
            return start
        count = len(self.seats)
        return next((seat for n in range(count) if (seat := (start + n) % count) not in without), start)

    def turn(self) -> str | None:
        """Return the seat whose card is awaited."""
        return None if self.over else self.seats[self.due()[0]]

    def due_to_lead(self) -> str | None:
        """Return the seat that must lead the open trick, whoever did; None when the round is over."""
        return None if self.over else self.seats[self.leader]

    def fallen(self) -> int:
        """Return the number of cards in tricks."""
        return sum(len(trick.plays) for trick in self.tricks) + len(self.trick)

    def played(self, seat: int) -> int:
        """Return the number of cards a seat no longer holds: one laid aside is in its hand again."""
        return self.spent[seat] - sum(count for (whose, _), count in self.aside.items() if whose == seat)
