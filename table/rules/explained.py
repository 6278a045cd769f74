"""A round's lines, folded in every course that the round may have taken: see `round_fold`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from table.rules.audit import AUDITED
from table.rules.course import CLOSE, Course, Courses, Edit, arranged
from table.rules.events import Event
from table.rules.games import GAMES, Round
from table.rules.order import DISORDER
from table.rules.readings import MISSED, SURE, UNPLACED, UNREAD, Reading, Row, Telling
from table.rules.setup import Setup
from table.rules.tricks import TrickRound

DUTIES = AUDITED - DISORDER - {"foreign_card"}
WATCHED = DISORDER | DUTIES | {"missing_card"}
"""Findings that a card nobody saw may explain as well."""
_PLAIN = frozenset({"card", "collected", "touch", "die", "hand", "too-dark", "throw"})
_MARKS = frozenset({"before", "inferred", "after_gap"})
_MOST = 8
"""So many courses are told; beyond that nothing is proven by the order of the cards."""


@dataclass(slots=True)
class Slot:
    """A place in the log: the event that stands there after all corrections (None: it never happened)."""

    id: int
    first: Event
    event: Event | None
    concluded: bool = False
    """The rules put in what stands there."""


Key = tuple[str | None, tuple[Edit, ...]]


class Explained:
    """A round's slots folded; `before` is what the round before it handed on."""

    def __init__(self, setup: Setup, number: int, before: Any, first: Slot) -> None:
        self.setup, self.number, self.before = setup, number, before
        self.game = GAMES[setup.game]
        self.pack = self.game.pack(setup)
        self.slots: list[Slot] = [first]
        self._concluded = self._next_began = False
        self.fold()

    # In ---------------------------------------------------------------------------------------------------

    def fold(self) -> None:
        """Fold all slots anew."""
        self._dealers = self._may_deal()
        self._courses: Courses | None = None
        self._known = 0
        self._plainly: Round | None = None
        """A round in one course and one reading, with nothing odd and nothing open."""
        self._rows_so_far: list[Row] = []
        self._sceptics: dict[Key, tuple[int, Telling]] = {}
        rows = self._rows()
        plain = Telling(lambda: self.open(None), self.pack, rows)
        self._told: dict[Key, Telling] = {(self._usual, ()): plain}
        self.tellings: list[tuple[Key, Telling]] = [((self._usual, ()), plain)]
        if self._concluded:
            plain.conclude()
        if self._odd(plain, any(event.kind == "blind" for _, event, _ in rows)):
            self._explain()

    @property
    def _usual(self) -> str | None:
        return self._dealers[0] if self._dealers else None

    def _may_deal(self) -> tuple[str, ...]:
        """Return who may have dealt, the likeliest first; nobody where it was said, or nobody deals."""
        start = self.slots[0].event
        assert start is not None
        dealer = start.get("dealer")
        if self.game.next_dealer(self.setup, self.before) is None:
            return ()
        if dealer is not None and not start.get("inferred"):
            return ()
        dealer = dealer or self.game.next_dealer(self.setup, self.before)
        return (str(dealer), *(seat for seat in self.setup.seats if seat != dealer))

    def open(self, dealer: str | None) -> Round:
        """Open the round, with this dealer if one is given."""
        start = self.slots[0].event
        assert start is not None
        if dealer is not None:
            start = Event(start.kind, {**start.fields, "dealer": dealer}, start.id)
        return self.game.open_round(self.setup, self.number, start, self.before)

    def _rows(self) -> list[Row]:
        """Return the round's events in their places: a card told later may say before which line it fell."""
        rows: list[Row] = []
        placed: dict[int, list[Row]] = {}
        ids = {slot.id for slot in self.slots}
        for slot in self.slots[1:]:
            if slot.event is None:
                continue
            row = (slot.id, slot.event, _trust(slot))
            before = slot.first.get("before")
            if isinstance(before, int) and before in ids and before < slot.id:
                placed.setdefault(before, []).append(row)
            else:
                rows.append(row)
        if not placed:
            return rows
        return [each for row in rows for each in (*placed.pop(row[0], ()), row)] + [
            row for left in placed.values() for row in left
        ]

    def add(self, slot: Slot) -> None:
        """Fold one more slot."""
        self.slots.append(slot)
        event = slot.event
        if event is None:
            return
        opened, number = self._plainly, slot.id
        if (
            opened is not None
            and not opened.over
            and event.kind in _PLAIN
            and _MARKS.isdisjoint(event.fields)
        ):
            self._rows_so_far.append((number, event, SURE))  # almost always
            opened.add(number, event)
            if len(opened.findings) != self._known and self._odd(self.tellings[0][1], False):
                self._explain()
            return
        self._add_with_care(slot, event)

    def _add_with_care(self, slot: Slot, event: Event) -> None:
        if slot.first.get("before") is not None:
            self.fold()
            return
        row = (slot.id, event, _trust(slot))
        plain = self._told[self._usual, ()]
        after = event.kind == "card" and plain.readings[0].round.over
        plain.add(*row)
        if self._courses is not None:
            self._follow(row)
        elif self._odd(plain, event.kind == "blind" or after):
            self._explain()
        opened = plain.readings[0].round
        simple = self._courses is None and len(plain.readings) == 1 and not plain.doubts
        begun = opened.begun if isinstance(opened, TrickRound) else True
        self._plainly, self._rows_so_far = (opened if simple and begun else None), plain.rows

    def conclude(self, next_began: bool = False) -> None:
        """The next round has begun, or the log is at its end: nothing more comes."""
        if self._concluded and self._next_began == next_began:
            return
        self._concluded, self._next_began = True, next_began or self._next_began
        plain = self._told[self._usual, ()]
        plain.conclude()
        if self._courses is not None or self._odd(plain, self._ragged(plain)):
            self._explain()

    def at_its_end(self, event: Event) -> bool:
        """Tell whether a round short of a card is over: its last trick was taken and this is not late."""
        opened = self.best.round
        if not isinstance(opened, TrickRound) or opened.over or not opened.trick:
            return False
        last = opened.hand_size
        if len(opened.tricks) != last - 1 or (last, "taken_early") not in {one[:2] for one in opened.remarks}:
            return False
        absent = set(opened.seats) - {opened.seats[play.seat] for play in opened.trick}
        if event.kind in ("card", "unsure"):
            return len(absent) == 1 and len(opened.seats) > 2 and event.seat not in absent
        return True

    def _ragged(self, plain: Telling) -> bool:
        """Tell whether cards of a round that is at its end are missing."""
        opened = plain.best.round
        return isinstance(opened, TrickRound) and opened.begun and not opened.over

    def _odd(self, plain: Telling, otherwise: bool) -> bool:
        """Tell whether the log as it stands says something that may be the table's fault."""
        opened = plain.best.round
        if not isinstance(opened, TrickRound):
            return False
        found = opened.findings
        if len(found) == self._known and not otherwise:
            return False
        self._known = len(found)
        return otherwise or any(one.finding in WATCHED for one in found)

    # Courses ----------------------------------------------------------------------------------------------

    def _explain(self) -> None:
        """Look for the courses that the round may have taken."""
        self._plainly = None
        self._courses = Courses(self._trick_round, self._dealers)
        for number, event, _ in self._rows():
            self._courses.add(number, event)
        self._choose()

    def _trick_round(self, dealer: str | None) -> TrickRound:
        opened = self.open(dealer)
        assert isinstance(opened, TrickRound)
        return opened

    def _follow(self, row: Row) -> None:
        assert self._courses is not None
        self._courses.add(row[0], row[1])
        if row[1].kind not in ("hand", "too-dark"):
            for key, telling in self._told.items():
                if key != (self._usual, ()):
                    telling.add(*row)
        self._choose()

    def _choose(self) -> None:
        """Tell the likeliest courses; the one that accuses fewest is shown."""
        assert self._courses is not None
        best = self._courses.best(self._concluded, self._next_began)
        if not best:
            return
        near = [course for course in best if course.cost <= best[0].cost + CLOSE]
        self.crowded = len(near) > _MOST
        told = [(course, self._tell((course.dealer, course.edits), course)) for course in near[:_MOST]]
        told.sort(key=lambda one: (bool(one[0].edits), len(one[1].best.round.findings), len(one[0].edits)))
        if told[0][0].edits and (innocent := [one for one in told if not one[1].best.round.findings]):
            told = innocent  # nobody is accused by any of these, nor is by all of them
        self.tellings = [((course.dealer, course.edits), telling) for course, telling in told]
        kept = {key for key, _ in self.tellings} | {(self._usual, ())}
        self._told = {key: telling for key, telling in self._told.items() if key in kept}

    crowded = False
    """There are too many courses to follow: nothing is proven by the order of play."""

    def _tell(self, key: Key, course: Course) -> Telling:
        telling = self._told.get(key)
        if telling is None:
            rows = arranged(course, self._rows())
            telling = self._told[key] = Telling(lambda: self.open(course.dealer), self.pack, rows)
            if self._concluded:
                telling.conclude()
        elif self._concluded and not telling.concluded:
            telling.conclude()
        return telling

    @property
    def main(self) -> Telling:
        """The likeliest course."""
        return self.tellings[0][1]

    @property
    def best(self) -> Reading:
        """The most plausible reading of the likeliest course."""
        return self.main.best


def _trust(slot: Slot) -> str:
    """Tell how surely the card and the seat of a slot's event were seen or said."""
    event = slot.event
    assert event is not None
    if event.kind not in ("card", "unsure"):
        return SURE
    fields = event.fields
    if fields.get("after_gap"):
        return UNPLACED
    if slot.first.get("reason") == "missed" and (slot.concluded or event.kind == "unsure"):
        return MISSED
    if event.kind == "unsure" or slot.concluded:
        return UNREAD
    return UNPLACED if fields.get("inferred") else SURE
