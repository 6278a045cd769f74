"""A sitting: events go into the journal first, then into the rules; whoever listens gets the new view.

What is on screen or in the lamps can always be rebuilt by folding the journal once more (`resume`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from table import gaps
from table.errors import StammtischError
from table.fold import Fold
from table.foresight import Consequences, foresee
from table.journal import Entry, Event, Journal, Settling
from table.rules.events import EventError
from table.rules.referee import Referee
from table.rules.view import View
from table.standing import begun_by_hand, deeds, joined, last_hand, same_again
from table.told import refusal, untold
from table.undoing import redoable, redone, undoable

log = logging.getLogger(__name__)

Listener = Callable[[View], None]

TWICE_S = 3.0
"""Two guests who tap the same, or one who taps twice, mean one next round and one end."""


class SessionError(StammtischError):
    """A request that cannot be met as the game stands; the text is for the person who asked."""


class Session:
    """One game in one journal. `begin` a new one or `resume` the last, then `add` events."""

    def __init__(
        self,
        journal: Journal,
        referee: Callable[[], Referee] = Referee,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`clock` tells how much time has passed; `wall`, which may be set back, is written for people."""
        self._journal = journal
        self._fold = Fold(referee)
        self._clock, self._wall = clock, wall
        self._written_at: dict[int, float] = {}
        self._settling = Settling(journal, clock)
        self._listeners: list[Listener] = []
        self.game: int | None = None
        self.entries: list[Entry] = []
        self.glimpse: Callable[[], bytes | None] = lambda: None
        """A JPEG of the table with the last card that was seen, for the doubt about one that was not."""
        self.view = self._fold.referee.view()

    # --- which game ----------------------------------------------------------------------------------

    def begin(self, opening: Sequence[Event]) -> None:
        """Begin a new game with its `game` (and `round`, `say` …) lines.

        Raises:
            SessionError: the lines make no sense; the old game then stays.
            JournalError: it cannot be written down; the old game then stays.
        """
        trial = self._fold.new_referee()
        for number, event in enumerate(opening, 1):
            try:
                trial.add({**event, "id": number})
            except EventError as wrong:
                raise SessionError(f"event {number}: {wrong}") from None
        wall = self._wall()
        self.game = self._journal.new_game(wall, opening)
        self.entries = [Entry(number, event, wall) for number, event in enumerate(opening, 1)]
        self._written_at.clear()
        self._fold.begin(self.entries)
        self._tell()

    def resume(self) -> bool:
        """Take up the newest game of the journal; False where there is none or it is over.

        Dulle and Doppelkopf end when somebody says so (`end` after a round), not after every round.
        """
        games = self._journal.games()
        if not games:
            return False
        self.game = games[-1]
        self.entries = list(self._journal.events(self.game))
        self._written_at.clear()
        self._fold.begin(self.entries)
        self._tell()
        return bool(self.entries) and not self.view.over

    def again(self) -> int:
        """Begin a new game with the same people, house rules and agreed rounds; return its number.

        Raises:
            SessionError: there was no game yet.
            JournalError: it cannot be written down.
        """
        opening = same_again(self.entries)
        if not opening:
            raise SessionError("there was no game yet; begin one first")
        self.begin([{**opening[0], "source": "touch"}, *opening[1:]])
        assert self.game is not None
        return self.game

    def rejoin(self) -> int:
        """Another game was begun by mistake: the last one goes on, with all that was noted since.

        The journal only grows: it becomes a new game that begins with the lines of the old one. Return its
        number.

        Raises:
            SessionError: nobody began this game from page or board, or the last one is forgotten.
            JournalError: it cannot be written down.
        """
        games = self._journal.games()
        if self.game not in games[1:] or not begun_by_hand(self.entries):
            raise SessionError("the game line cannot be taken back; correct it to another game line")
        self.begin(joined(list(self._journal.events(games[games.index(self.game) - 1])), self.entries))
        return self.game

    @property
    def choked(self) -> tuple[int, ...]:
        """Ids of events the rules failed on: kept in the journal, passed over in the fold."""
        return self._fold.choked

    def prune(self, keep_games: int) -> int:
        """Let the journal forget all but the newest games; return how many went."""
        return self._journal.prune(keep_games)

    @property
    def lost(self) -> str | None:
        """What the disk did to the journal before this start, in one sentence; None where it was whole."""
        return self._journal.lost

    def tend(self) -> None:
        """Let the journal's main file catch up where that costs nobody time; call it often.

        Whoever copies that file alone, or loses the -wal beside it, then has all but the current round.

        Raises:
            JournalError: the disk is full or broken; nothing is lost by that.
        """
        view = self.view
        over = view.phase in ("settled", "finished")
        self._settling.tend((self.game, view.round, over, view.box and view.box.throw))

    # --- what happens --------------------------------------------------------------------------------

    def add(self, event: Event, crop: bytes | None = None) -> int:
        """Write one event down, fold it, tell everybody; return its id.

        What the rules add by themselves is written down with it: the `round` line before the next
        round's first event, and corrections of doubts to which the cards leave one answer.
        `crop` is a JPEG of what the eye was not sure of.

        Raises:
            SessionError: it makes no sense in this game; then nothing has changed.
            JournalError: it could not be written; then it may be added again.
        """
        if self.game is None:
            raise SessionError("no game has begun; begin one first")
        event = {key: value for key, value in event.items() if key != "id"}  # the journal counts
        self._check(event)
        self._fill_gaps(event)
        opening = self._fold.referee.next_round(event)
        if opening is not None:
            self._append({**opening, "source": "rules"})
        number = self._append(event, crop)
        self._settle()
        self._tell()
        return number

    def _check(self, event: Event) -> None:
        """Whether the rules can read the event at all."""
        try:
            self._fold.referee.check({**event, "id": len(self.entries) + 1})
        except EventError as wrong:
            raise SessionError(str(wrong)) from None

    def close_gaps(self) -> None:
        """Nothing more comes in this trick: hold the places of cards that nobody saw."""
        if self._fill_gaps({"kind": "round"}):
            self._settle()
            self._tell()

    def _fill_gaps(self, event: Event) -> bool:
        """A trick that was taken away short of a card gets a doubt in its place, before `event` is noted."""
        filling = gaps.filling(self.view, self.entries, event)
        if not filling:
            return False
        picture = self.glimpse()
        for each in filling:
            doubted = (each["event"] if each["kind"] == "correction" else each)["kind"] == "unsure"
            self._append(each, picture if doubted else None)
        self._settle()
        self._tell()
        return True

    def _settle(self) -> None:
        """Write down what the cards decide by themselves; what fails is tried again after the next event."""
        try:
            # One answer may leave one for the next.
            while corrections := self._fold.referee.settle_by_rules():
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
        if of == 1 and event is None:
            return self.rejoin()
        number = self.add(self.correction(of, event))
        if event is None:
            self._close_empty_round()
        return number

    def correction(self, of: int, event: Event | None) -> Event:
        """The line that `correct` would write.

        Raises:
            SessionError: the new event is none that people may tell.
        """
        if event is not None and (why := refusal(event, self.view)) is not None:
            raise SessionError(why)
        return {"kind": "correction", "of": of, "event": event, "source": "touch"}

    def undo(self) -> Entry:
        """Take back the last thing that still holds; return what was taken back.

        A correction that named another card is taken back to what stood there before; an undone event
        stays undone, so that undo can go on further back.

        Raises:
            SessionError: there is nothing to take back.
            JournalError: it could not be written.
        """
        entry = undoable(self.entries)
        if entry is None:
            raise SessionError("there is nothing to undo; the game has just begun")
        self.correct(entry.id, None)
        return entry

    def redo(self) -> Entry:
        """Bring back what was taken back last; return the taking back that holds no more.

        Raises:
            SessionError: nothing was taken back, or something else was played or said since.
            JournalError: it could not be written.
        """
        entry = redoable(self.entries)
        if entry is None:
            raise SessionError("there is nothing to bring back; correct the entry itself")
        for of in redone(self.entries, entry):
            self.add(self.correction(of, None))
        return entry

    def foresee(self, *further: Event) -> Consequences:
        """What would follow if these events were written; nothing is.

        Raises:
            SessionError: the first of them makes no sense in this game.
        """
        if self.game is None:
            raise SessionError("no game has begun; begin one first")
        self._check(further[0])
        return foresee(self._fold.new_referee, self.entries, self.view, further)

    def _close_empty_round(self) -> None:
        """A round that the rules opened for an event that is taken back was not begun either."""
        last = next(deeds(self.entries), None)
        if last is not None and last[1]["kind"] == "round" and last[1].get("source") == "rules":
            self.add({"kind": "correction", "of": last[0].id, "event": None, "source": "rules"})

    def tell(self, event: Event) -> int:
        """Note what a person tells the table: a word that was said, a card or die it did not see.

        Raises:
            SessionError: the table does not take that from people.
            JournalError: it could not be written.
        """
        return self.add(self.told(event))

    def told(self, event: Event) -> Event:
        """The line that `tell` would write.

        Raises:
            SessionError: the table does not take that from people, or it was told just now.
        """
        if (why := untold(event, self.view)) is not None:
            raise SessionError(why)
        self._check(event)
        last = next(deeds(self.entries), None)
        same = last is not None and event["kind"] in ("round", "end") and last[1]["kind"] == event["kind"]
        if same and last is not None and self._just_now(last[0]):
            raise SessionError("that was said just now; once is enough")
        return {**event, "source": "touch"}

    def _just_now(self, entry: Entry) -> bool:
        """Whether it was written in the last moment by this table."""
        return self._clock() - self._written_at.get(entry.id, float("-inf")) < TWICE_S

    def go_on(self) -> int:
        """Do the one thing that the table waits for without a card: see `Table.press`.

        Raises:
            SessionError: it waits for nothing of that kind.
            JournalError: it could not be written.
        """
        view = self.view
        offender = next((p.seat for p in view.prompts if p.what == "offence?"), None)
        if offender is not None and (hand := last_hand(self.entries, offender)) is not None:
            return self.correct(hand, None)
        if view.over:
            return self.again()
        if view.phase in ("settled", "finished"):
            return self.add({"kind": "round", "source": "button"})
        raise SessionError("nothing waits for a button now; play on")

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
        return self._fold.referee.result()

    def crop(self, number: int) -> bytes | None:
        """The JPEG beside an event of this game, or beside what put it there; None where there is none."""
        held = self.pictured(number)
        return None if self.game is None or held is None else self._journal.crop(self.game, held)

    def pictured(self, number: int) -> int | None:
        """The id beside which the picture of an event lies: its own, or that of its last correction."""
        for entry in reversed(self.entries):
            if entry.crop and (entry.id == number or entry.event.get("of") == number):
                return entry.id
        return None

    # --- inside --------------------------------------------------------------------------------------

    def _append(self, event: Event, crop: bytes | None = None) -> int:
        assert self.game is not None
        wall = self._wall()
        number = self._journal.append(self.game, event, wall, crop)
        self._written_at[number] = self._clock()
        self._settling.wrote()
        self.entries.append(Entry(number, event, wall, crop is not None))
        self._fold.add(self.entries)
        return number

    def _tell(self) -> None:
        self.view = self._fold.referee.view()
        for listener in self._listeners:
            listener(self.view)
