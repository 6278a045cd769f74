"""How a round may really have been played when its log is not tidy: cards missed, repeated or misreported.

Where somebody seems to play out of turn, or twice, either a player or the table was at fault: the table
missed a card, or reported one twice, late or for the wrong seat. `Courses` keeps the explanations with the
fewest faults side by side. Only what all of the best have in common may be held against a player
(events.md#doubts: a finding never rests on what may have happened unseen).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from table.rules.course import CHEAP, CLOSE, END, Course, Edit
from table.rules.events import Event
from table.rules.likely_courses import LikelyCourses
from table.rules.order import UNSEEN, Order
from table.rules.tricks import TrickRound

FRONT = 8
"""Number of alternatives that are followed where several cards in a row may have been missed."""


@dataclass(frozen=True, slots=True)
class _Costs:
    """What each departure from a tidy log costs a course; one fault of a player costs 1."""

    fault: float = 1.0
    """A card missed in plain view, reported twice, or reported for the wrong seat."""
    odd_after_gap: float = 0.1
    """A player's fault with a card that nobody saw fall (`after_gap`), in place of `fault`."""
    late: float = 0.5
    """A card reported after its turn."""
    told_late: float = -0.25
    """The same tapped by a person, or seen after a gap: negative, since missing the card has cost already."""
    filled: float = 0.05
    """As `told_late`, for a card missed at next to no cost: a card that fits in turn was played in turn."""
    at_once: float = -0.9
    """The second of two cards within `AT_ONCE_S` fell first: one half under a hand is read later."""
    unsure_dealer: float = 0.1
    """A dealer whom nobody named."""
    blind: float = 0.01
    """A card missed while nothing could be seen."""
    empty: float = 0.2
    """A missed card of a trick that was only seen being taken."""
    trick: float = 1.5
    """The most that a whole trick missed at once costs."""
    last: float = 0.6
    """A missed card of the last trick."""
    taken: float = 0.5
    """A trick taken away before it seemed complete."""
    guessed: float = 0.1
    """A card whose seat the table guessed wrongly: hardly anything."""


_COST = _Costs()
_ANY_NUMBER = 1000
"""Number of cards that may fall in a time of unknown length: more than any round has."""
QUICKEST_S = 0.7
"""Shortest time between two played cards."""
AT_ONCE_S = 0.5
"""Cards reported within this time of each other may have been played in the other order."""
TrickRoundOpener = Callable[[str | None], TrickRound]


class _Told(NamedTuple):
    """A card as its line reports it: the line's number, whose card it was, its name, the event."""

    number: int
    seat: str | None
    name: str
    event: Event

    @property
    def guessed(self) -> bool:
        """Whether the camera saw the card but its seat is a guess."""
        event = self.event
        return bool(event.kind == "card" and event.get("inferred") and event.get("source") == "camera")

    def among(self, course: Course) -> tuple[tuple[str, str], ...]:
        """Return the seen cards of a course including this one, each as (seat, name)."""
        return course.fallen + (((self.seat or "", self.name),) if self.name != UNSEEN else ())


class Courses:
    """The courses that a round may have taken, event by event.

    Args:
        opener: opens the round with a dealer; None: the dealer that its line names.
        dealers: who may have dealt, the likeliest first; empty where the line names him.
    """

    def __init__(self, opener: TrickRoundOpener, dealers: Sequence[str] = ()) -> None:
        self._shadows = {dealer: opener(dealer) for dealer in dealers or (None,)}
        self._likeliest = next(iter(self._shadows))
        self.alive: list[Course] = []
        self._blind = 0
        self._gap = 0
        """The line of the last gap."""
        self._seen_t: dict[int, float] = {}
        """When the camera saw the card of a line fall, in seconds."""

    # In ---------------------------------------------------------------------------------------------------

    def add(self, number: int, event: Event) -> None:
        """Extend all courses by one more event."""
        if event.kind in ("card", "unsure"):
            self._begin()
            self._note_time(number, event)
            shadow = self._shadows[self._likeliest]
            tables = shadow.possible_contracts() or (shadow.contract(),)
            for course in self.alive:
                course.order.tables = tables
            told = _Told(number, event.seat, event.card if event.kind == "card" else UNSEEN, event)
            likely = LikelyCourses(len(shadow.seats))
            for course in self.alive:
                likely.take(self._card(course, told, likely))
            self.alive = likely.courses()
        elif event.kind == "blind":
            unseen, self._gap = unseen_in(event), number
            self._blind += unseen  # before the first card
            self.alive = [replace(course, blind=course.blind + unseen) for course in self.alive]
        elif event.kind == "collected":
            self.alive = [self._take(course) for course in self.alive]
        if event.kind != "unsure":
            for shadow in self._shadows.values():
                shadow.add(number, event)

    def _note_time(self, number: int, event: Event) -> None:
        t = event.get("t")
        if event.get("source") == "camera" and isinstance(t, int | float):
            self._seen_t[number] = t

    def _at_once(self, one: int, other: int) -> bool:
        """Whether the camera reported two cards so close together that either may be the first."""
        times = self._seen_t.get(one), self._seen_t.get(other)
        return times[0] is not None and times[1] is not None and abs(times[1] - times[0]) <= AT_ONCE_S

    def _begin(self) -> None:
        if self.alive:
            return
        for dealer, shadow in self._shadows.items():
            cost = 0.0 if dealer == self._likeliest else _COST.unsure_dealer
            self.alive.append(Course(Order(shadow), cost, dealer=dealer, blind=self._blind))

    def _take(self, course: Course) -> Course:
        """Take the trick; as a rule nobody takes an unfinished one away (G-I8)."""
        order = course.order
        tricks = len(order.tricks)
        if len(order.trick) == 1 and course.collected < tricks and not course.blind and tricks:
            return replace(course, collected=tricks)  # the previous trick, reported only after the lead
        if order.trick:
            return replace(course, taken=True)
        return replace(course, collected=tricks, empty=course.empty or course.collected == tricks)

    # What a card may be -----------------------------------------------------------------------------------

    def _card(self, course: Course, told: _Told, likely: LikelyCourses) -> Iterator[Course]:
        number, seat, name, event = told
        if likely.none_at(course.cost + _COST.told_late):
            return
        order = course.order.copy()
        odd = order.fall(number, seat, name)
        weight = _COST.odd_after_gap if event.get("after_gap") else _COST.fault
        fallen = told.among(course)
        plain = course.after(order, course.cost + odd * weight, course.edits, fallen)
        if told.guessed:
            yield from self._anothers(course, told, likely)
        if course.taken:
            plain.cost += _COST.taken
        if event.get("source") == "rules" and event.get("reason") == "missed":
            plain.blind = course.blind  # a placeholder for a card that nobody saw shows nothing new
            yield plain
            return
        yield plain
        if seat is None or seat not in order.seats:
            return
        if course.blind or odd or course.cost < self.alive[0].cost + CLOSE:
            yield from self._missed(course, told, bool(odd), likely)
        if name == UNSEEN:
            return
        if odd:
            yield from self._mistold(course, told, likely)
        elif _just_fell(course, seat, name):  # its twin in turn, or the same card reported again
            yield replace(
                course, cost=course.cost + _COST.fault, edits=(*course.edits, Edit("twice", number))
            )
        for at, edit in course.missed():
            if edit.seat == seat:
                late = Edit("late", number, seat, at)
                # A card found after a gap may have been played in that gap, but not in an earlier one.
                late_told = event.get("source") == "touch" or (event.get("after_gap") and edit.at > self._gap)
                each = _COST.late
                if late_told:
                    each = _COST.filled if edit.of == CHEAP else _COST.told_late
                if edit.of != CHEAP and self._at_once(edit.at, number):
                    each = _COST.at_once
                yield replace(course, cost=course.cost + each, edits=(*course.edits, late), fallen=fallen)

    def _anothers(self, course: Course, told: _Told, likely: LikelyCourses) -> Iterator[Course]:
        """Yield the courses in which the guessed seat was wrong: in turn, or after cards that were missed."""
        if likely.none_at(course.cost + _COST.guessed):
            return
        for who in course.order.seats:
            if who == told.seat:
                continue
            edits = (*course.edits, Edit("seat", told.number, who))
            guess = replace(course, cost=course.cost + _COST.guessed, edits=edits)
            other = told._replace(seat=who)
            order = course.order.copy()
            odd = bool(order.fall(told.number, who, told.name))
            if not odd:
                yield guess.after(order, guess.cost + _COST.taken * course.taken, edits, other.among(course))
            if course.blind or odd:
                yield from self._missed(guess, other, odd, likely)

    def _missed(self, course: Course, told: _Told, odd: bool, likely: LikelyCourses) -> Iterator[Course]:
        """Yield the courses in which this card is in turn because cards before it were missed."""
        number, seat, name, _ = told
        assert seat is not None
        fallen = told.among(course)
        each = _COST.blind if course.blind else _COST.empty if course.empty else _COST.fault
        seats = len(course.order.seats)
        deepest = 2 * seats if odd else 1
        if course.blind:
            deepest = min(2 * seats, course.blind)
        whole = seats if odd and not course.order.trick else 0
        front: list[tuple[Order, tuple[Edit, ...]]] = [(course.order, ())]
        found = 0
        for depth in range(1, deepest + 1):
            cost = course.cost + (min(depth * each, _COST.trick) if depth == whole else depth * each)
            hopeless = likely.none_at(cost)  # so is every greater depth, except for a whole trick
            if hopeless and (depth >= whole or likely.none_at(course.cost + min(whole * each, _COST.trick))):
                return
            grown: list[tuple[Order, tuple[Edit, ...]]] = []
            for order, missed in front:
                for who in order.due() if not order.trick else order.due()[:1]:
                    twin = order.copy()
                    twin.miss(who)
                    edit = Edit("miss", number, order.seats[who], CHEAP if each < _COST.fault else -1)
                    grown.append((twin, (*missed, edit)))
            front = [(order, missed) for order, missed in grown if not order.over][:FRONT]
            if hopeless or (found and not course.blind and depth != whole):
                continue
            for order, missed in front:
                if order.seats.index(seat) in order.due():
                    twin = order.copy()
                    if not twin.fall(number, seat, name):
                        found += 1
                        yield course.after(twin, cost, course.edits + missed, fallen)
            if found and not course.blind and depth >= whole:
                return

    def _mistold(self, course: Course, told: _Told, likely: LikelyCourses) -> Iterator[Course]:
        """Yield the courses in which the card was reported twice, or for the wrong seat."""
        number, seat, name, _ = told
        assert seat is not None
        if likely.none_at(course.cost + _COST.fault):
            return
        if _may_be_twice(course, seat, name):
            yield replace(
                course, cost=course.cost + _COST.fault, edits=(*course.edits, Edit("twice", number))
            )
        for who in () if told.guessed else course.order.due():  # `_anothers` varies a guess
            other = course.order.seats[who]
            if other == seat:
                continue
            order = course.order.copy()
            if not order.fall(number, other, name):
                edits = (*course.edits, Edit("seat", number, other))
                yield course.after(order, course.cost + _COST.fault, edits, (*course.fallen, (other, name)))

    # Out --------------------------------------------------------------------------------------------------

    def best(self, ended: bool, next_began: bool) -> list[Course]:
        """Return the likeliest courses, the likeliest first; `ended`: nothing more comes in this round.

        `next_began`: the next round has begun, so that all cards of this one must have fallen.
        """
        finished = [self._end(course) for course in self.alive] if ended else self.alive
        likeliest = min(finished, key=lambda course: (course.cost, len(course.edits)), default=None)
        complete = next_began or (
            likeliest is not None and (likeliest.order.over or (ended and _nearly(likeliest)))
        )
        weighed = [
            replace(course, cost=course.cost + (self._short(course.order) if complete else 0))
            for course in finished
        ]
        weighed.sort(key=lambda course: (course.cost, len(course.edits)))
        return weighed

    def _end(self, course: Course) -> Course:
        """End the course: cards that are absent from the last trick were missed (G-12)."""
        order = course.order
        absent = len(order.seats) - len(order.trick)
        if order.over or not order.trick or len(order.tricks) != order.hand_size - 1 or order.aside:
            return course
        edits, order = course.edits, order.copy()
        for _ in range(absent):
            who = next(iter(order.due()), None)
            if who is None:
                break
            order.miss(who)
            edits = (*edits, Edit("miss", END, order.seats[who]))
        return replace(course, order=order, cost=course.cost + absent * _COST.last, edits=edits)

    def _short(self, order: Order) -> int:
        return order.hand_size * len(order.seats) - order.fallen() if not order.over else 0


def unseen_in(blind: Event) -> int:
    """Return how many cards may have been played while nothing was seen."""
    since, until = blind.get("t"), blind.get("until")
    if not isinstance(since, int | float) or not isinstance(until, int | float):
        return _ANY_NUMBER
    return 1 + int(max(0.0, until - since) / QUICKEST_S)


def _may_be_twice(course: Course, seat: str, name: str) -> bool:
    """Return whether a card may be a repetition: no copy is left, or this seat has just played one."""
    if sum(card == name for _, card in course.fallen) >= course.order.pack.get(name, 1):
        return True
    return _just_fell(course, seat, name)


def _just_fell(course: Course, seat: str, name: str) -> bool:
    return (seat, name) in course.fallen[-2 * len(course.order.seats) :]


def _nearly(course: Course) -> bool:
    """Return whether a round in which nothing more comes was played to its end, but for a trick or two.

    Its last trick may also lack a card: where cards were missed, a later trick stays open.
    """
    order = course.order
    return len(order.tricks) >= max(order.hand_size - 2, order.hand_size // 2)
