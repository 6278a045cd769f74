"""The order of play alone: whose turn it is whatever the cards are, and how far from tidy a log is.

An `Order` is a round without its game: seats, tricks and leaders, as in `tricks.TrickRound`. It also accepts
cards that nobody saw; the seat that leads after such a trick is assumed to have won it, where that is
possible.
"""

from __future__ import annotations

from typing import Self

from table.rules.contracts import Contract
from table.rules.evidence import Duty, Evidence
from table.rules.tricks import TrickRound

UNSEEN = "?"
"""The name of a card that nobody saw."""
DISORDER: frozenset[str] = frozenset({"out_of_turn", "wrong_lead", "two_cards", "duplicate_card"})
"""Findings against a player that may equally be the table's fault: a card missed or reported twice."""
_CHANGES = ("evidence", "trick", "tricks", "seen", "spent", "aside", "back", "remarks")


class _Disorder(Evidence):
    """Counts faults of order, at most one per card. Every course has a copy, so it holds next to nothing."""

    def __init__(self) -> None:
        self.faults = 0
        self._last, self._unseen = -1, False

    def copy(self) -> _Disorder:
        twin = object.__new__(_Disorder)
        twin.faults, twin._last, twin._unseen = self.faults, self._last, self._unseen
        return twin

    def accuse_card(self, finding: str, rule: str, seat: int, event: int, about: int | None = None) -> None:
        if event == self._last or (not event and self._unseen):
            return
        self._last, self._unseen = event, self._unseen or not event
        self.faults += finding in DISORDER

    def show(self, seat: int, card: int, event: int) -> None:
        """Do nothing: nobody claims anything here."""


class Order(TrickRound):
    """Whose turn it is; `add` is never called, only `fall` and `miss`."""

    evidence: _Disorder

    def __init__(self, opened: TrickRound) -> None:
        super().__init__(opened.family, opened.pack, opened.seats, opened.hand_size, opened.dealer)
        self.evidence = _Disorder()
        self.leader = opened.leader
        self.tables: tuple[Contract, ...] = ()
        """The contracts that may be in force, the likeliest first."""

    def copy(self) -> Self:
        """Return an independent copy of what `fall` and `miss` change."""
        twin = object.__new__(type(self))
        state = vars(twin)
        state.update(vars(self))
        for name in _CHANGES:
            state[name] = state[name].copy()
        return twin

    def duties(self, seat: int) -> tuple[Duty, ...]:
        """Return no duties: what a seat owes says nothing about the order."""
        return ()

    def contract(self) -> Contract:
        """Return the likeliest contract."""
        return self.tables[0]

    def possible_contracts(self) -> tuple[Contract, ...]:
        """Return the contracts that may be in force."""
        return self.tables

    def _rivals(self) -> set[int]:
        """Return who else may have won the last trick: under another contract, or by an unseen card."""
        last = self.tricks[-1]
        if last.plays[0].name == UNSEEN:
            won = {play.seat for play in last.plays}
        else:
            won = {last.plays[meant.winner(last.plays)].seat for meant in self.tables}
            won |= {play.seat for play in last.plays if play.name == UNSEEN}
        return won - {last.winner}

    def _new(self, event: int, seat: int, name: str) -> bool:
        if name == UNSEEN:
            self.spent[seat] += 1
            return False
        return super()._new(event, seat, name)

    def fall(self, event: int, seat_name: str | None, name: str) -> int:
        """Play a card; return how many irregularities it shows."""
        if seat_name is not None and seat_name not in self.seats:
            return 1
        faults, remarked = self.evidence.faults, len(self.remarks)
        seat = None if seat_name is None else self.seats.index(seat_name)
        if seat is not None and self.tricks and not self.trick and not self.over:
            self._lead_by(seat)
        full = seat is not None and self.spent[seat] >= self.hand_size and (seat, name) not in self.aside
        self.card(event, seat_name, name)
        odd = self.evidence.faults - faults + len(self.remarks) - remarked
        return odd or int(full)

    def miss(self, seat: int) -> None:
        """Play a card that nobody saw."""
        if self.tricks and not self.trick:
            self._lead_by(seat)
        self.card(0, self.seats[seat], UNSEEN)

    def _lead_by(self, seat: int) -> None:
        """Assume that the seat that leads next has won the trick, if it can have."""
        if seat in self._rivals():
            self.leader = seat
