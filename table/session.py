"""A sitting: events go into the journal first, then into the rules; whoever listens gets the new view.

What is on screen or in the lamps can always be rebuilt by folding the journal once more (`resume`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from table.errors import StammtischError
from table.journal import Entry, Event, Journal
from table.rules.events import EventError
from table.rules.referee import Referee
from table.rules.view import View

log = logging.getLogger(__name__)

Listener = Callable[[View], None]

SILENT = ("hand", "too-dark")
"""Kinds that change nothing in the game: undo passes over them."""

TOLD = ("say", "card", "die", "collected", "touch", "turned", "shown", "throw", "round", "end")
"""Kinds that people may tell the table themselves."""


class SessionError(StammtischError):
    """A request that cannot be met as the game stands; the text is for the person who asked."""


class Session:
    """One game in one journal. `begin` a new one or `resume` the last, then `add` events."""

    def __init__(
        self,
        journal: Journal,
        referee: Callable[[], Referee] = Referee,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._journal = journal
        self._new_referee = referee
        self._referee = referee()
        self._clock = clock
        self._listeners: list[Listener] = []
        self.game: int | None = None
        self.entries: list[Entry] = []
        self.choked: tuple[int, ...] = ()
        """Ids of events the rules failed on: kept in the journal, passed over in the fold."""
        self.view = self._referee.view()

    # --- which game ----------------------------------------------------------------------------------

    def begin(self, opening: Sequence[Event]) -> None:
        """Begin a new game with its `game` (and `round`, `say` …) lines.

        Raises:
            SessionError: the lines make no sense; the old game then stays.
            JournalError: it cannot be written down.
        """
        trial = self._new_referee()
        for number, event in enumerate(opening, 1):
            _add(trial, event, number)
        self.game = self._journal.new_game(self._clock())
        self._clear()
        for event in opening:
            self._append(event)
        self._tell()

    def resume(self) -> bool:
        """Take up the newest game of the journal; False where there is none or it is over."""
        games = self._journal.games()
        if not games:
            return False
        self.game = games[-1]
        self._clear()
        self.entries = list(self._journal.events(self.game))
        self._fold_all()
        self._tell()
        return bool(self.entries) and not self.view.finished

    def again(self) -> int:
        """Begin a new game with the same people, house rules and agreed rounds; return its number.

        Raises:
            SessionError: there was no game yet.
            JournalError: it cannot be written down.
        """
        now = standing(self.entries)
        for entry in self.entries:
            event = now.get(entry.id, entry.event)
            if event is not None and event["kind"] == "game":
                self.begin([event])
                assert self.game is not None
                return self.game
        raise SessionError("there was no game yet; begin one first")

    def prune(self, keep_games: int) -> int:
        """Let the journal forget all but the newest games; return how many went."""
        return self._journal.prune(keep_games)

    # --- what happens --------------------------------------------------------------------------------

    def add(self, event: Event, crop: bytes | None = None) -> int:
        """Write one event down, fold it, tell everybody; return its id.

        What the rules add by themselves is written down with it: the `round` line before the next
        round's first event, and corrections of doubts to which the cards leave one answer.
        `crop` is a JPEG of what the eye was not sure of.

        Raises:
            SessionError: it makes no sense in this game; then nothing has changed.
            JournalError: it could not be written; then nothing has changed.
        """
        if self.game is None:
            raise SessionError("no game has begun; begin one first")
        opening = self._asked(event)
        if opening is not None:
            self._append({**opening, "source": "rules"})
        number = self._append(event, crop)
        self._settle()
        self._tell()
        return number

    def _asked(self, event: Event) -> Event | None:
        """Whether the rules can read the event at all, and the `round` line that is due before it."""
        try:
            self._referee.check({**event, "id": len(self.entries) + 1})
            return self._referee.next_round(event)
        except EventError as wrong:
            raise SessionError(str(wrong)) from None

    def _settle(self) -> None:
        """Write down what the cards decide by themselves; what fails is tried again after the next event."""
        try:
            while corrections := self._referee.settle_by_rules():  # one answer may leave one for the next
                choked = self.choked
                for correction in corrections:
                    self._append(correction)
                if self.choked != choked:
                    return
        except Exception:
            log.exception("what is in doubt could not be settled; it stays open")

    def correct(self, of: int, event: Event | None) -> int:
        """Say what really happened instead of event `of`; None = it never happened (G-10).

        Raises:
            SessionError: there is no such event, or the new one makes no sense in its place.
            JournalError: it could not be written.
        """
        return self.add({"kind": "correction", "of": of, "event": event, "source": "touch"})

    def undo(self) -> Entry:
        """Take back the last thing that still holds; return what was taken back.

        A correction that named another card is taken back to what stood there before; an undone event
        stays undone, so that undo can go on further back.

        Raises:
            SessionError: there is nothing to take back.
        """
        now = standing(self.entries)
        for entry in reversed(self.entries):
            event = now.get(entry.id, entry.event)
            if event is None or event["kind"] in SILENT or event.get("source") == "rules":
                continue  # what the rules inferred falls with what they inferred it from
            if event["kind"] == "correction" and event["event"] is None:
                continue
            if event["kind"] == "game":
                break
            self.correct(entry.id, None)
            return entry
        raise SessionError("there is nothing to undo; the game has just begun")

    def tell(self, event: Event) -> int:
        """Note what a person tells the table: a word that was said, a card or die it did not see.

        Raises:
            SessionError: the table does not take that from people.
            JournalError: it could not be written.
        """
        if event.get("kind") not in TOLD:
            raise SessionError(f"{event.get('kind')!r} cannot be told; known: {', '.join(TOLD)}")
        return self.add({**event, "source": "touch"})

    def say(self, seat: str | None, what: str) -> int:
        """Note what a player said (CONTRACTS 4, `say`)."""
        event = {"kind": "say", "what": what}
        return self.tell(event if seat is None else {**event, "seat": seat})

    # --- who wants to know ---------------------------------------------------------------------------

    def listen(self, listener: Listener) -> None:
        """Call `listener` with the view now and after every event."""
        self._listeners.append(listener)
        listener(self.view)

    def result(self) -> dict[str, Any]:
        """The result so far, as `replay --json` prints it."""
        return self._referee.result()

    def crop(self, number: int) -> bytes | None:
        """The JPEG beside an event of this game, None where there is none."""
        return None if self.game is None else self._journal.crop(self.game, number)

    # --- inside --------------------------------------------------------------------------------------

    def _clear(self) -> None:
        self.entries, self.choked = [], ()
        self._referee = self._new_referee()

    def _append(self, event: Event, crop: bytes | None = None) -> int:
        assert self.game is not None
        wall = self._clock()
        number = self._journal.append(self.game, event, wall, crop)
        self.entries.append(Entry(number, event, wall, crop is not None))
        if not self._fold(self.entries[-1]):
            self._fold_all()
        return number

    def _fold(self, entry: Entry) -> bool:
        """Hand one event to the rules. A fault in them must not end the evening: note it and go on."""
        try:
            _add(self._referee, entry.event, entry.id)
        except Exception as wrong:
            log.error("the rules failed on event %d and go on without it: %r", entry.id, wrong)
            self.choked = (*self.choked, entry.id)
            return False
        return True

    def _fold_all(self) -> None:
        """Fold from the first event; anew whenever one chokes, for it may have left half its marks."""
        whole = False
        while not whole:
            self._referee = self._new_referee()
            whole = all(self._fold(entry) for entry in self.entries if entry.id not in self.choked)

    def _tell(self) -> None:
        self.view = self._referee.view()
        for listener in self._listeners:
            listener(self.view)


def _add(referee: Referee, event: Event, number: int) -> None:
    try:
        referee.add({**event, "id": number})
    except EventError as wrong:
        raise SessionError(f"event {number}: {wrong}") from None


def standing(entries: Sequence[Entry]) -> dict[int, Event | None]:
    """What stands in the place of each corrected event, after all corrections of corrections (G-10).

    None = it never happened. Events that nobody corrected are not in it.
    """
    now: dict[int, Event | None] = {}
    for entry in reversed(entries):  # the latest word wins, so it must be heard first
        event = now.get(entry.id, entry.event)
        if event is None:
            continue
        if event["kind"] == "correction":
            now.setdefault(event["of"], event["event"])
        elif entry.event["kind"] == "correction":  # a correction corrected to a plain event: same place
            now.setdefault(entry.event["of"], event)
    return now
