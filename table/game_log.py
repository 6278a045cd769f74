"""A recorded game: events go into the journal, then into the rules, then to its listeners.

Screen and lamps can always be rebuilt by folding the journal again (`resume`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from table.catalogue import Fact, fact
from table.equipment import Equipment
from table.errors import StammtischError
from table.fold import Fold, lines_before
from table.journal import Checkpointing, Entry, Journal, JournalError, Line
from table.rules.events import Event, EventError
from table.rules.playable import Playable
from table.rules.referee import Referee
from table.rules.sayings import Saying
from table.rules.view import View
from table.standing import pictured

log = logging.getLogger(__name__)

_AHEAD_S = 86400.0
"""How far a picture's time may be ahead of the clock, which is now and then set back a little."""

ViewListener = Callable[[View], None]


class SessionError(StammtischError):
    """A request that the current game cannot meet; the fact is for the person who asked."""

    def __init__(self, why: Fact) -> None:
        super().__init__(why)


class GameLog:
    """One game in one journal, folded. `begin` a new one or `resume` the last, then `add` events."""

    def __init__(
        self,
        journal: Journal,
        referee: Callable[[], Referee] = Referee,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`clock` measures elapsed time; `wall`, which may be set back, gives the times shown to people."""
        self._journal = journal
        self._fold = Fold(referee)
        self._clock, self._wall = clock, wall
        self._written_at: dict[int, float] = {}
        self._moved_at = clock()
        self._checkpointing = Checkpointing(journal, clock)
        self._listeners: list[ViewListener] = []
        self.game: int | None = None
        self.entries: list[Entry] = []
        self.glimpse: Callable[[], bytes | None] = lambda: None
        """A JPEG of the table with the last card seen, to accompany a doubt about an unseen card."""
        self.equipment = Equipment()
        """What the table has to play with; a game that this does not suit is refused."""
        self.others = 0
        """Number of the last game that belongs to other people; `prune` drops no game up to this number."""
        self.owed: Fact | None = None
        """Why the consequences of the last line could not be written yet; None: nothing is owed."""
        self.view = self._fold.referee.view()

    # --- which game ----------------------------------------------------------------------------------

    @property
    def journal_path(self) -> Path:
        """Path of the journal file."""
        return self._journal.path

    def begin(self, opening: Sequence[Event]) -> None:
        """Begin a new game with its `game` (and `round`, `say` …) lines.

        Raises:
            SessionError: the lines make no sense, or cards or dice do not suit them; the old game then stays.
            JournalError: the game cannot be written down; the old game then stays.
        """
        wall = self._wall()
        # A line copied from another journal may resume a game that this journal does not have.
        self._begin([Line(event.without("resumes"), wall) for event in opening])

    def _begin(self, lines: Sequence[Line]) -> None:
        """Begin a game with lines that carry their own times and pictures."""
        lines = [line._replace(event=line.event.numbered(None)) for line in lines]  # the journal assigns ids
        self._try([line.event for line in lines])
        started = lines[0].wall if lines else self._wall()
        self.game = self._journal.take_over(lines, started)
        self.entries = [
            Entry(number, line.event, line.wall, line.crop is not None)
            for number, line in enumerate(lines, 1)
        ]
        self._written_at.clear()
        self.owed = None
        self._moved_at = self._clock()
        self._fold.begin(self.entries)
        self.equipment.prepare(self._fold.referee.view())
        self._tell()

    def _try(self, opening: Sequence[Event]) -> None:
        """Raise SessionError if a game cannot begin with these lines."""
        trial = self._fold.new_referee()
        for number, event in enumerate(opening, 1):
            try:
                trial.add(event.numbered(number))
            except EventError as wrong:
                raise SessionError(fact("opening.line", n=number, why=wrong.fact)) from None
        try:
            self.equipment.suits(trial.view())
        except SessionError:
            raise
        except StammtischError as wrong:
            raise SessionError(wrong.fact) from None

    def resume(self) -> bool:
        """Resume the newest game of the journal; return False if there is none or it is over.

        Dulle and Doppelkopf end when somebody says so (`end` after a round), not after every round.
        """
        games = self._journal.games()
        if not games:
            return False
        self.game = games[-1]
        self.entries = list(self._journal.events(self.game))
        self._written_at.clear()
        self.owed = None
        self._moved_at = self._clock()
        self._fold.begin(self.entries)
        self._tell()
        return bool(self.entries) and not self.view.over

    @property
    def choked(self) -> tuple[int, ...]:
        """Ids of the events that the rules failed on: kept in the journal, skipped in the fold."""
        return self._fold.choked

    def prune(self, keep_games: int) -> int:
        """Drop all but the newest games and those up to `others` from the journal; return how many went."""
        return self._journal.prune(keep_games, self.others)

    @property
    def lost(self) -> Fact | None:
        """What the journal lost to the disk before this start; None if it was intact."""
        return self._journal.lost

    @property
    def apart(self) -> Fact | None:
        """Why the game stands in memory for now; None where it stands in the table's own journal."""
        return self._journal.apart

    def tend(self) -> None:
        """Write what is owed, and checkpoint the journal's main file while nobody waits; call it often.

        A user who copies that file alone, or loses the -wal beside it, then has all but the current round.

        Raises:
            JournalError: the disk is full or broken; nothing is lost.
        """
        if self.owed is not None and self._follow(self._complete):
            self._tell()
        view = self.view
        over = view.phase in ("settled", "finished")
        self._checkpointing.tend((self.game, view.round, over, view.box and view.box.throw))

    # --- what happens --------------------------------------------------------------------------------

    def add(self, event: Event, crop: bytes | None = None) -> int:
        """Write one event, fold it and call the listeners; return its id.

        The lines that the rules add are written with it: the `round` line before the next round's first
        event, doubts about cards that nobody saw, and corrections of doubts to which the cards leave only
        one answer. Lines that cannot be written after the event are owed until `tend` writes them.
        `crop` is a JPEG of what the eye was not sure of.

        Raises:
            SessionError: the event makes no sense in this game; nothing has changed.
            JournalError: the event could not be written and may be added again.
        """
        if self.game is None:
            raise SessionError(fact("session.no-game"))
        event = event.numbered(None)  # the journal numbers it
        checked = self._check(event)
        self._append_all(lines_before(self._fold.referee, checked))
        number = self._append(event, crop, checked)
        self._follow(self._complete)
        self._tell()
        return number

    def write(self, lines: Iterable[Event]) -> None:
        """Write lines that the rules produced, all of them before what follows from them.

        Raises:
            JournalError: not all of them could be written.
        """
        for line in lines:
            self._append(line)
        self._follow(self._complete)
        self._tell()

    def _follow(self, step: Callable[[], None]) -> bool:
        """Write what follows from lines already written; return False if that failed and is now owed.

        Raising instead would make the caller add those lines again, and the game would have them twice.
        """
        try:
            step()
        except JournalError as wrong:
            if self.owed is None:
                log.warning("%s: what follows from the last line waits", wrong)
            self.owed = wrong.fact
            return False
        return True

    def _complete(self) -> None:
        self._hold_places()
        self._settle()
        self.owed = None

    def _check(self, event: Event) -> Event:
        """Parse the event once for all later steps; raise SessionError if the rules cannot read it."""
        try:
            return self._fold.referee.check(event.numbered(len(self.entries) + 1))
        except EventError as wrong:
            raise SessionError(wrong.fact) from None

    def close_gaps(self) -> None:
        """Write a doubt for every unseen card, since nothing more comes in this round."""
        self._fold.referee.conclude()
        if self._hold_places():
            self._settle()
        self._tell()  # the conclusion may change the view without adding a line

    def _hold_places(self) -> bool:
        """Write a doubt for every card that surely fell unseen; return whether there was one."""
        unwritten = self._fold.referee.unwritten()
        self._append_all(unwritten)
        return bool(unwritten)

    def _settle(self) -> None:
        """Write the answers that the cards alone decide; if the rules fail, try again after the next event.

        Raises:
            JournalError: an answer could not be written.
        """
        try:
            # One answer may decide the next doubt.
            while corrections := self._fold.referee.settle_by_rules():
                choked = self.choked
                for correction in corrections:
                    self._append(correction)
                if self.choked != choked:
                    return
        except JournalError:
            raise
        except Exception:
            log.exception("what is in doubt could not be settled; it stays open")

    # --- who wants to know ---------------------------------------------------------------------------

    def listen(self, listener: ViewListener) -> None:
        """Call `listener` with the view now and after every event."""
        self._listeners.append(listener)
        listener(self.view)

    def result(self) -> dict[str, Any]:
        """The result so far, as `replay --json` prints it."""
        return self._fold.referee.result()

    def may_say(self, seat: str) -> tuple[Saying, ...]:
        """What a seat may say now, and until when."""
        return self._fold.referee.may_say(seat)

    def may_play(self, seat: str, instead_of: int | None = None) -> Playable | None:
        """Cards that a seat may lay now, or could have laid instead of an earlier event; None: no trick."""
        return self._fold.referee.may_play(seat, instead_of)

    def crop(self, number: int) -> bytes | None:
        """The JPEG kept with an event of this game, or with its correction; None if there is none."""
        held = pictured(self.entries, number)
        return None if self.game is None or held is None else self._journal.crop(self.game, held)

    def forget_pictures(self, older_s: float) -> int:
        """Drop pictures older than `older_s`, and those from the future, which a wrong clock dated.

        Pictures of open doubts in this game stay, whatever the clock says, unless none are to be kept.
        Return the number of dropped pictures.
        """
        now = self._wall()
        open_doubts = self.view.doubts if older_s > 0 else ()
        numbers = [pictured(self.entries, doubt.event) for doubt in open_doubts]
        spared = self.game or 0, [number for number in numbers if number is not None]
        return self._journal.forget_pictures(now - older_s, now + _AHEAD_S, spared)

    def kept_crop(self, game: int, number: int) -> bytes | None:
        """The JPEG kept with an event of any game that the journal still has."""
        return self._journal.crop(game, number)

    # --- inside --------------------------------------------------------------------------------------

    def age_s(self, entry: Entry) -> float:
        """Seconds since this table wrote a line; infinite for a line from before it started."""
        return self._clock() - self._written_at.get(entry.id, float("-inf"))

    @property
    def quiet_s(self) -> float:
        """Seconds since a game was begun or resumed or a line was written."""
        return self._clock() - self._moved_at

    def _append_all(self, lines: Sequence[Event]) -> None:
        """Append lines that the rules produced; a doubt gets a picture of the table (`glimpse`)."""
        picture = self.glimpse() if any(line.kind == "unsure" for line in lines) else None
        for line in lines:
            self._append(line, picture if line.kind == "unsure" else None)

    def _append(self, event: Event, crop: bytes | None = None, checked: Event | None = None) -> int:
        assert self.game is not None
        wall = self._wall()
        number = self._journal.append(self.game, event, wall, crop)
        self._written_at[number] = self._moved_at = self._clock()
        self._checkpointing.wrote()
        self.entries.append(Entry(number, event, wall, crop is not None))
        self._fold.add(self.entries, checked)
        return number

    def _tell(self) -> None:
        self.view = self._fold.referee.view()
        for listener in self._listeners:
            listener(self.view)
