"""The record of one game: its events in their slots, folded round by round with all corrections.

`Referee` derives what follows from it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, Self

from table.catalogue import fact
from table.rules.corrections import Corrections
from table.rules.events import Event, EventError, checked
from table.rules.games import GAMES, Game, Round
from table.rules.opening import check_seats, open_game
from table.rules.round_fold import RoundFold, Slot
from table.rules.setup import Setup
from table.rules.undisputed import tapped

_BETWEEN = frozenset({"hand", "too-dark", "blind", "correction", "end"})
"""Kinds that may occur where no game has begun."""
_OF_ONE_GAME = frozenset({"say", "die", "turned", "shown", "throw"})
"""Kinds that mean something else, or nothing, in another game."""


class GameRecord:
    """Takes in events; a correction replaces what was at an earlier id, and its round is folded anew."""

    def __init__(self) -> None:
        self.setup: Setup | None = None
        self._next = 1
        self._slots: dict[int, Slot] = {}
        self._corrections = Corrections()
        self._rounds: list[RoundFold] = []
        self._round_of: dict[object, RoundFold] = {}
        self._tapped = False
        """Whether somebody reported or corrected something on a page."""

    def check(self, event: Event | Mapping[str, Any]) -> Event:
        """Return the event, numbered, if `add` would take it, otherwise raise EventError. Changes nothing."""
        if not isinstance(event, Event):
            event = checked(event, self._next)
        elif event.id is None:
            event = event.numbered(self._next)
        number = event.id
        assert number is not None
        if number < self._next and (number in self._slots or number in self._corrections):
            raise EventError(fact("rules.id", id=number))
        self._check_sense(event)
        return event

    def _check_sense(self, event: Event) -> None:
        kind = event.kind
        if kind == "correction":
            self._check_correction(event)
        elif kind == "game":
            open_game(event)
        elif self.setup is None:
            if kind not in _BETWEEN:
                raise EventError(fact("rules.before", kind=kind))
        else:
            check_seats(event, self.setup)

    def _check_correction(self, event: Event) -> None:
        of, inner = event.get("of"), event.instead
        known = of in self._slots or of in self._corrections
        if not known or of == event.id:
            raise EventError(fact("rules.no-event", of=str(of)))
        if inner is None:
            if of in self._slots and self._slots[of].first.kind == "game":
                raise EventError(fact("rules.game-line"))
            return
        if inner.kind == "correction" and of not in self._corrections:
            raise EventError(fact("rules.only-correction", of=str(of)))
        target = self._corrections.target(of)
        is_game = target in self._slots and self._slots[target].first.kind == "game"
        if is_game != (inner.kind == "game"):
            raise EventError(fact("rules.game-to-game"))
        self._check_sense(inner if inner.id is not None else inner.numbered(of))
        if is_game and self.setup is not None:
            self._check_other_game(open_game(inner), self.setup)

    def _check_other_game(self, other: Setup, setup: Setup) -> None:
        """Refuse another game if lines so far have a meaning only in this one: it would misjudge them."""
        if set(other.seats) != set(setup.seats):
            raise EventError(fact("rules.other-seats"))
        events = (slot.event for slot in self._slots.values() if slot.event is not None)
        told = next((event for event in events if event.kind in _OF_ONE_GAME), None)
        if other.game != setup.game and told is not None:
            title, kind = GAMES[setup.game].title, told.kind
            raise EventError(fact("rules.other-game", n=told.id or 0, kind=kind, game=title))

    def add(self, event: Event | Mapping[str, Any]) -> int:
        """Fold one event and return its id. Raises EventError, and changes nothing, if it makes no sense."""
        event = self.check(event)
        number, kind = event.id, event.kind
        assert number is not None
        self._next = (number if number > self._next else self._next) + 1
        self._tapped = self._tapped or tapped(event)
        if kind == "correction":
            for target in self._corrections.add(event):
                self._mend(target)
            return number
        if kind == "game":
            self._begin(event)
        slot = self._slots[number] = Slot(number, event, event)
        self._place(slot)
        return number

    def read(self, log: Iterable[Event | Mapping[str, Any]]) -> None:
        """Fold a log as `add` would fold each of its events, but corrected events only once, as they end up.

        Raises EventError for the first event that makes no sense; the referee cannot be used after that.
        """
        fresh: dict[int, Slot] = {}
        older: set[int] = set()
        for event in map(self.check, log):
            assert event.id is not None
            self._next = (event.id if event.id > self._next else self._next) + 1
            self._tapped = self._tapped or tapped(event)
            if event.kind == "correction":
                for target in self._corrections.add(event):
                    if target in fresh:
                        self._stands(fresh[target])
                    else:
                        older.add(target)
                continue
            if event.kind == "game":
                self._begin(event)
                fresh.clear()
                older.clear()
            fresh[event.id] = self._slots[event.id] = Slot(event.id, event, event)
        for slot in fresh.values():
            self._place(slot)
        for target in older:
            self._mend(target)

    def _stands(self, slot: Slot) -> None:
        """Set a slot to what is there after all corrections."""
        slot.event = self._corrections.standing(slot.id, slot.first)
        slot.concluded = self._corrections.by_rules(slot.id)
        if slot.event is not None and slot.event.kind == "game":
            self.setup = open_game(slot.event)

    def fork(self) -> Self:
        """Return a referee of the same game for a trial: it is valid until this one changes.

        Rounds without additions or corrections are not folded again.
        """
        twin = type(self)()
        twin.setup, twin._next, twin._corrections = self.setup, self._next, self._corrections.copy()
        twin._tapped = self._tapped
        twin._slots = {number: copy.copy(slot) for number, slot in self._slots.items()}
        for fold in self._rounds:
            forked = fold.fork([twin._slots[slot.id] for slot in fold.slots])
            twin._rounds.append(forked)
            twin._round_of |= {slot.id: forked for slot in fold.slots}
        return twin

    def _begin(self, event: Event) -> None:
        """Begin a new game: what was before is over and forgotten."""
        self.setup = open_game(event)
        self._slots.clear()
        self._corrections = Corrections()
        self._rounds.clear()
        self._round_of.clear()

    def _place(self, slot: Slot) -> None:
        """Put a slot at the end of its round."""
        event = slot.event
        begins = event is not None and event.kind == "round"
        if begins and self.setup is not None and not (self._rounds and self._rounds[-1].unbegun()):
            early: list[Slot] = []
            if self._rounds:
                early = self._rounds[-1].give_up_opening()
                self._rounds[-1].conclude(next_began=True)
            before = self._rounds[-1].best.round.handed_on() if self._rounds else None
            fold = RoundFold(self.setup, len(self._rounds) + 1, before, slot)
            self._rounds.append(fold)
            for word in early:
                fold.add(word)
                self._round_of[word.id] = fold
        elif self._rounds:
            before = slot.first.fields.get("before")
            fold = self._rounds[-1] if before is None else self._round_before(before)
            fold.add(slot)
            if fold is not self._rounds[-1]:
                self._hand_on(fold)
        else:
            return
        self._round_of[slot.id] = fold

    def _round_before(self, line: object) -> RoundFold:
        """Return the round to which a card before a line belongs; a round's own line ends the one before."""
        at = next((at for at, fold in enumerate(self._rounds) if fold is self._round_of.get(line)), -1)
        ends = at > 0 and self._rounds[at].slots[0].id == line
        return self._rounds[at - 1 if ends else at]

    def _mend(self, target: int) -> None:
        """Bring the slot that a correction reaches up to date, and fold what depends on it."""
        slot = self._slots[target]
        before = slot.event
        self._stands(slot)
        kinds = {event.kind if event is not None else None for event in (before, slot.event)}
        if "game" in kinds:
            self._rebuild(0)
        elif "round" in kinds and len(kinds) > 1:
            self._rebuild(self._rounds.index(self._round_of[target]) - 1 if target in self._round_of else 0)
        elif slot.id in self._round_of:
            fold = self._round_of[slot.id]
            fold.fold()
            self._hand_on(fold)

    def _hand_on(self, mended: RoundFold) -> None:
        """Fold the rounds after a mended one anew, as long as what the earlier one passes on has changed."""
        for earlier, later in pairwise(self._rounds[self._rounds.index(mended) :]):
            handed = earlier.best.round.handed_on()
            if later.before == handed:
                return
            later.before = handed
            later.fold()

    def _rebuild(self, first: int) -> None:
        """Fold anew from a round on: a correction changed the bounds of rounds, or the game's own line."""
        again = [slot for fold in self._rounds[first:] for slot in fold.slots] if first > 0 else None
        del self._rounds[max(first, 0) :]
        for slot in again or list(self._slots.values()):
            self._round_of.pop(slot.id, None)
            self._place(slot)

    def conclude(self) -> None:
        """Note that nothing more comes in this round: the log is at its end, or the next round begins."""
        if self._rounds:
            self._rounds[-1].conclude()

    @property
    def _game(self) -> Game:
        assert self.setup is not None
        return GAMES[self.setup.game]

    def _played(self) -> list[Round]:
        return [fold.best.round for fold in self._rounds]
