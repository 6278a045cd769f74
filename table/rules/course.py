"""One way in which a round may have gone where its log is not tidy, and the log that it would have had.

`courses` finds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from table.rules.events import Event
from table.rules.order import Order

CLOSE = 0.3
"""Difference of cost below which courses are equally likely."""
CHEAP = 0
"""Marks a missed card that costs next to nothing, see `Edit`."""
END = 0
"""Stands for a line number: after the last line."""


class Edit(NamedTuple):
    """One respect in which the log differs from what happened.

    `what`: `miss` a card of `seat` before line `at`, `twice` (line `at` says nothing new), `seat` (the card
    of line `at` is `seat`'s), `late` (line `at` is the missed card number `of`). `of` of a `miss` is
    `CHEAP` where nothing could be seen, or nobody saw the trick.
    """

    what: str
    at: int
    seat: str = ""
    of: int = -1


@dataclass(slots=True)
class Course:
    """One way in which the round may have gone."""

    order: Order
    cost: float = 0.0
    edits: tuple[Edit, ...] = ()
    dealer: str | None = None
    blind: int = 0
    """Number of cards that may have fallen unseen since the last one."""
    taken: bool = False
    """Whether the current trick was taken away: any further card of it is late."""
    collected: int = -1
    """Number of tricks when somebody last took one."""
    empty: bool = False
    """Whether somebody took a trick although no card was seen since the last one was taken."""
    fallen: tuple[tuple[str, str], ...] = ()
    """(seat, card) of every card that was seen."""

    def after(
        self, order: Order, cost: float, edits: tuple[Edit, ...], fallen: tuple[tuple[str, str], ...]
    ) -> Course:
        """Return the course one card later; `dataclasses.replace` would take longer than all the rest."""
        return Course(order, cost, edits, self.dealer, collected=self.collected, fallen=fallen)

    def missed(self) -> Iterator[tuple[int, Edit]]:
        """Yield the cards that nobody saw and nobody reported later, with their numbers."""
        told = {edit.of for edit in self.edits if edit.what == "late"}
        for number, edit in enumerate(self.edits):
            if edit.what == "miss" and number not in told:
                yield number, edit

    def untold(self) -> int:
        """Return how many cards were neither seen nor reported, or were reported for the wrong seat."""
        return sum(1 for _ in self.missed()) + sum(edit.what == "seat" for edit in self.edits)


def arranged(course: Course, rows: Sequence[tuple[int, Event, str]]) -> Iterator[tuple[int, Event, str]]:
    """Yield a round's events as a course has them: (id, event, how sure it is, see `readings`).

    A card that nobody saw is an `unsure` with a negative id.
    """
    before: dict[int, list[int]] = {}
    for number, edit in enumerate(course.edits):
        if edit.what == "miss":
            before.setdefault(edit.at, []).append(number)
    late = {edit.of: edit.at for edit in course.edits if edit.what == "late"}
    gone = {edit.at for edit in course.edits if edit.what in ("twice", "late")}
    seats = {edit.at: edit.seat for edit in course.edits if edit.what == "seat"}
    told = {number: event for number, event, _ in rows if number in gone}

    def missed(at: int) -> Iterator[tuple[int, Event, str]]:
        for number in before.get(at, ()):
            if number in late:
                yield late[number], told[late[number]], "unplaced"
            else:
                edit = course.edits[number]
                yield -number - 1, Event("unsure", {"seat": edit.seat, "candidates": ()}), "missed"

    for number, event, trust in rows:
        yield from missed(number)
        if number in seats:
            yield number, Event(event.kind, {**event.fields, "seat": seats[number]}, number), "unplaced"
        elif number not in gone:
            yield number, event, trust
    yield from missed(END)
