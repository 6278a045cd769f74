"""A round's lines, folded along every course that the round may have taken: see `round_fold`."""

from __future__ import annotations

import copy
from typing import Any, Self

from table.rules.audit import AUDITED
from table.rules.course import CLOSE, Course, arranged
from table.rules.courses import Courses
from table.rules.doubt_reading import DoubtReading
from table.rules.events import Event
from table.rules.games import GAMES, Round
from table.rules.hearsay import Hearsay
from table.rules.order import DISORDER
from table.rules.readings import SURE, ReadingFold, Row
from table.rules.setup import Setup
from table.rules.slots import PLAYED, Slot, in_order, round_line, trust_in
from table.rules.tellings import CourseKey, Tellings
from table.rules.tricks import TrickRound
from table.rules.view import Finding

DUTIES = AUDITED - DISORDER - {"foreign_card"}
WATCHED = DISORDER | DUTIES | {"missing_card"}
"""Findings for which a card that nobody saw may be another explanation."""
_PLAIN = frozenset({"card", "collected", "touch", "die", "hand", "too-dark", "throw"})
_MARKS = frozenset({"before", "inferred", "after_gap"})
_MOST = 8
"""Number of courses that are folded; if there are more, the order of the cards proves nothing."""
_CHAOS = 2.5
"""Cost above which a log proves nothing about the order of play."""
_SHAKY = 1.2
"""Cost above which more than one card went wrong, so that what a seat owed to a trick is not sure."""
_SEVERAL = 2.0
"""Cost of players' faults from which one more error of the table counts as equally likely."""
_MANY = 3
"""Number of missing or misplaced cards above which whose turn it was is not sure either."""


class Explained:
    """A round's folded slots; `before` is what the previous round passed on."""

    _found: list[Finding] | None

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
        self._shared = False
        kinds = {slot.event.kind for slot in self.slots[1:] if slot.event is not None}
        self._line_again = "round" in kinds and PLAYED.isdisjoint(kinds)
        """The round's line came again and nothing is played yet: words may be said anew."""
        self._dealers = self._may_deal()
        self._courses: Courses | None = None
        self._known = 0
        self._plainly: Round | None = None
        """A round in one course and one reading, with nothing odd and nothing open."""
        self._rows_so_far: list[Row] = []
        self._told = Tellings(self.open, self.pack)
        self._sceptics = Tellings(self.open, self.pack, sceptic=True)
        rows = self._rows()
        self._hearsay = Hearsay(self.open, self.pack)
        plain = self._plain = self._told.tell((None, ()), rows, concluded=False)
        """The log as it stands."""
        self._changed()
        if self._concluded:
            plain.conclude()
        ragged = self._concluded and self._ragged(plain)
        if self._odd(plain, ragged or any(event.kind == "blind" for _, event, _ in rows)):
            self._explain()

    def _may_deal(self) -> tuple[str, ...]:
        """Return who may have dealt, the likeliest first; empty where the dealer is named or nobody deals."""
        start = round_line(self.slots)
        dealer = start.get("dealer")
        if self.game.next_dealer(self.setup, self.before) is None:
            return ()
        if dealer is not None and not start.get("inferred"):
            return ()
        dealer = dealer or self.game.next_dealer(self.setup, self.before)
        return (str(dealer), *(seat for seat in self.setup.seats if seat != dealer))

    def open(self, dealer: str | None) -> Round:
        """Open the round, with `dealer` if one is given."""
        start = round_line(self.slots)
        if dealer is not None:
            start = Event(start.kind, {**start.fields, "dealer": dealer}, start.id)
        return self.game.open_round(self.setup, self.number, start, self.before)

    def _rows(self) -> list[Row]:
        return in_order(self.slots)

    def fork(self, slots: list[Slot]) -> Self:
        """Return a twin over equal slots, for a trial: it is valid until this one changes.

        Both share their folds until the twin is changed; then it is folded anew.
        """
        twin = copy.copy(self)
        twin.slots, twin._shared = slots, True
        return twin

    def add(self, slot: Slot) -> None:
        """Fold one more slot."""
        self.slots.append(slot)
        event = slot.event
        kind = None if event is None else event.kind
        if self._shared or self._line_again or kind == "round":
            self.fold()
            return
        if event is None:
            return
        opened, number = self._plainly, slot.id
        if opened is not None and not opened.over and kind in _PLAIN and _MARKS.isdisjoint(event.fields):
            self._rows_so_far.append((number, event, SURE))  # almost always
            opened.add(number, event)
            self._found = None  # every other conclusion still holds: there is one course
            if opened.odd != self._known and self._odd(self._plain, False):
                self._explain()
            return
        self._add_with_care(slot, event)

    def _add_with_care(self, slot: Slot, event: Event) -> None:
        if slot.first.get("before") is not None:
            self.fold()
            return
        row = (slot.id, event, trust_in(slot))
        self._changed()
        plain = self._plain
        after = event.kind == "card" and plain.readings[0].round.over
        plain.add(*row)
        if self._courses is not None:
            self._courses.add(row[0], row[1])
        elif self._odd(plain, event.kind == "blind" or after):
            self._explain()
        opened = plain.readings[0].round
        simple = self._courses is None and len(plain.readings) == 1 and not plain.doubts
        begun = opened.begun if isinstance(opened, TrickRound) else True
        self._plainly, self._rows_so_far = (opened if simple and begun else None), plain.rows

    def conclude(self, next_began: bool = False) -> None:
        """Note that the next round has begun, or the log is at its end: nothing more comes."""
        if self._concluded and self._next_began == next_began:
            return
        self._concluded, self._next_began = True, next_began or self._next_began
        if self._shared:
            self.fold()
        self._changed()
        plain = self._plain
        plain.conclude()
        if self._courses is not None or self._odd(plain, self._ragged(plain)):
            self._explain()

    def _ragged(self, plain: ReadingFold) -> bool:
        """Return whether a round that is at its end lacks cards."""
        opened = plain.best.round
        return isinstance(opened, TrickRound) and opened.begun and not opened.over

    def _odd(self, plain: ReadingFold, otherwise: bool) -> bool:
        """Return whether the log as it stands contains something that may be the table's fault."""
        opened = plain.best.round
        if not isinstance(opened, TrickRound):
            return False
        if opened.odd == self._known and not otherwise:
            return False
        self._known = opened.odd
        return otherwise or opened.strained > 0 or any(one.finding in WATCHED for one in opened.findings)

    # Courses ----------------------------------------------------------------------------------------------

    def _explain(self) -> None:
        """Find the courses that the round may have taken."""
        self._plainly = None
        self._courses = Courses(self._trick_round, self._dealers)
        for number, event, _ in self._rows():
            self._courses.add(number, event)
        self._changed()

    def _trick_round(self, dealer: str | None) -> TrickRound:
        opened = self.open(dealer)
        assert isinstance(opened, TrickRound)
        return opened

    def _changed(self) -> None:
        """Forget all conclusions. Courses are folded when somebody asks, not at every line."""
        self._likely: list[Course] | None = None
        self._first: tuple[CourseKey, ReadingFold] | None = None
        self._tellings: list[tuple[CourseKey, ReadingFold]] | None = None
        self._found = None

    def _near(self) -> list[Course]:
        """Return the likeliest courses, none where the log needs no explanation."""
        if self._likely is None:
            best = self._courses.best(self._concluded, self._next_began) if self._courses else []
            near = self._as_likely(best)
            worst = max((course.cost for course in near if course.edits), default=0.0)
            gone = max((course.untold() for course in near), default=0)
            self.crowded = len(near) > _MOST or worst > _CHAOS or gone > _MANY
            self.shaky = worst > _SHAKY or gone > 1
            self.erred = self.shaky and all(course.edits for course in near)
            self._likely = near[:_MOST]
            rows = self._rows() if near else []  # usually there is nothing to explain
            self._edited = {self._key(course): list(arranged(course, rows)) for course in self._likely}
            self._told.follow(self._edited, always=((None, ()),))
            self._sceptics.follow(self._edited)
        return self._likely

    def _as_likely(self, best: list[Course]) -> list[Course]:
        """Return the courses that are hardly less likely than the best one."""
        if not best:
            return []
        margin = CLOSE
        lacking = self._concluded and not best[0].order.over  # its low cost proves little
        if lacking or (not best[0].edits and best[0].cost >= _SEVERAL):
            margin += max(0.0, best[0].cost - 1.0)
        return [course for course in best if course.cost <= best[0].cost + margin]

    shaky = False
    """Whether more than one card went wrong: nobody is held to a duty."""
    erred = False
    """Whether, in addition, the table surely erred: who played which card is not sure."""
    crowded = False
    """Whether there are too many courses, or no likely one: the order of play proves nothing."""

    def _key(self, course: Course) -> CourseKey:
        usual = not self._dealers or course.dealer == self._dealers[0]
        return None if usual else course.dealer, course.edits

    def _tell(self, course: Course) -> tuple[CourseKey, ReadingFold]:
        key = self._key(course)
        return key, self._told.tell(key, self._edited[key], concluded=self._concluded)

    @property
    def first(self) -> tuple[CourseKey, ReadingFold]:
        """The likeliest course: the log as it stands if that is likely, else the one that accuses least."""
        if self._first is None:
            near = self._near()
            if not near:
                self._first = (None, ()), self._plain
            elif untouched := [course for course in near if not course.edits]:
                self._first = min(map(self._tell, untouched), key=_accusations)
            else:
                self._first = self._most_innocent(near)
        return self._first

    def _most_innocent(self, near: list[Course]) -> tuple[CourseKey, ReadingFold]:
        told = []
        for course in sorted(near, key=lambda course: len(course.edits)):
            told.append(self._tell(course))
            if not _accusations(told[-1]):
                return told[-1]
        return min(told, key=_accusations)

    @property
    def tellings(self) -> list[tuple[CourseKey, ReadingFold]]:
        """The likely courses, likeliest first; if the first is edited and accuses nobody, only such ones."""
        if self._tellings is None:
            first = self.first
            told = [first, *(one for one in map(self._tell, self._near()) if one[0] != first[0])]
            if first[0][1] and not _accusations(first):
                told = [one for one in told if not _accusations(one)]
            self._tellings = told
        return self._tellings

    @property
    def main(self) -> ReadingFold:
        """The fold of the likeliest course."""
        return self.first[1]

    @property
    def best(self) -> DoubtReading:
        """The most plausible reading of the likeliest course."""
        return self.main.best


def _accusations(told: tuple[CourseKey, ReadingFold]) -> int:
    return len(told[1].best.round.findings)
