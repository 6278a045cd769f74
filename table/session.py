"""A sitting: what people at the table do with the recorded game.

They enter what the camera cannot perceive, correct what it misread, undo and redo, and go on. All of this
becomes lines of the journal, like everything else that happens.
"""

from __future__ import annotations

from collections.abc import Sequence

from table.catalogue import Fact, fact
from table.foresight import Consequences, foresee, taken_back, unfounded
from table.game_log import GameLog, SessionError
from table.input_policy import refusal, untold
from table.journal import Entry, Line
from table.rules.events import Event
from table.rules.undisputed import Accusation
from table.standing import begun_by_hand, deeds, joined, last_hand, same_again
from table.undoing import redoable, redone, undoable

__all__ = ["Session", "SessionError"]

TWICE_S = 3.0
"""Two equal taps within this time, by one guest or two, count as one: one next round, or one end."""


class Session(GameLog):
    """One game in one journal, and what people enter about it."""

    def again(self) -> int:
        """Begin a new game with the same people, house rules and agreed rounds; return its number.

        Raises:
            SessionError: there was no game yet.
            JournalError: the game cannot be written down.
        """
        opening = same_again(self.entries)
        if not opening:
            raise SessionError(fact("session.no-game-yet"))
        return self.start(opening)

    def start(self, opening: Sequence[Event]) -> int:
        """Begin another game at the request of somebody at the table; return its number.

        Raises:
            SessionError: the lines make no sense, or cards or dice do not suit them; the old game then stays.
            JournalError: the game cannot be written down; the old game then stays.
        """
        try:
            self.begin([opening[0].having(source="touch"), *opening[1:]])
        except SessionError as wrong:  # "event 1" means nothing to somebody who tapped a button
            inside = wrong.fact.args.get("why") if wrong.fact.args.get("n") == 1 else None
            raise SessionError(inside if isinstance(inside, Fact) else wrong.fact) from None
        assert self.game is not None
        return self.game

    def rejoin(self) -> int:
        """Continue the game before this one, which was begun by mistake, with what was noted since.

        The journal only grows, so the continued game is a new one that begins with the lines of the old one.
        Return its number.

        Raises:
            SessionError: nobody began this game from page or board, or the last one was pruned.
            JournalError: the game cannot be written down.
        """
        last = self._last_game() if begun_by_hand(self.entries) else None
        if last is None:
            raise SessionError(fact("rules.game-line"))
        assert self.game is not None
        first, *further = joined(self._told(last), self._told(self.game))
        self._begin([first._replace(event=first.event.having(resumes=last)), *further])
        return self.game

    def _told(self, game: int) -> list[Line]:
        """A game's lines as the journal has them."""
        return [
            Line(entry.event, entry.wall, self._journal.crop(game, entry.id) if entry.crop else None)
            for entry in self._journal.events(game)
        ]

    def _last_game(self) -> int | None:
        """The game before this one; None if there is none.

        If this game continues an earlier one, those between were begun by mistake, so the game before the
        earlier one is returned.
        """
        first, line = self.game or 0, self.entries[0]
        while (earlier := line.event.resumes) is not None and earlier < first:
            first = earlier
            line = next(self._journal.events(first), line)
        return max((game for game in self._journal.games() if game < first), default=None)

    def add(self, event: Event, crop: bytes | None = None) -> int:
        """As `GameLog.add`; if the eye takes an event back, what the rules wrote because of it goes, too."""
        number = super().add(event, crop)
        if event.kind == "correction" and event.get("source") == "camera":
            self._after(event)
        return number

    def _after(self, correction: Event) -> None:
        if correction.instead is None:
            self._follow(self._close_empty_round)
        self._follow(self._take_back_unfounded)

    def correct(self, of: int, event: Event | None, agreed: Sequence[Accusation] = ()) -> int:
        """Replace event `of` by what really happened; None = it never happened (G-10).

        `agreed`: the accusations that follow, if somebody was shown them and confirmed them.

        Raises:
            SessionError: there is no such event, or the new one makes no sense in its place.
            JournalError: the correction could not be written.
        """
        if of == 1 and event is None:
            return self.rejoin()
        line = _agreed(self.correction(of, event), agreed)
        number = self.add(line)
        self._after(line)
        return number

    def correction(self, of: int, event: Event | None) -> Event:
        """The line that `correct` would write.

        Raises:
            SessionError: people may not enter the new event.
        """
        if event is not None and (why := refusal(event, self.view)) is not None:
            raise SessionError(why)
        return Event("correction", {"of": of, "event": event, "source": "touch"})

    def undo(self, agreed: Sequence[Accusation] = ()) -> Entry:
        """Take back the last entry that still holds; return it.

        Undoing a correction that named another card restores what was there before; an undone event
        stays undone, so that undo can go on further back.

        Raises:
            SessionError: there is nothing to take back.
            JournalError: the correction could not be written.
        """
        entry = undoable(self.entries)
        if entry is None:
            raise SessionError(fact("session.undo"))
        self.correct(entry.id, None, agreed)
        return entry

    def redo(self, agreed: Sequence[Accusation] = ()) -> Entry:
        """Bring back what was last taken back; return the undo entry that no longer holds.

        Raises:
            SessionError: nothing was taken back, or something else was played or said since.
            JournalError: the correction could not be written.
        """
        entry = redoable(self.entries)
        if entry is None:
            raise SessionError(fact("session.redo"))
        for of in redone(self.entries, entry):
            self.add(_agreed(self.correction(of, None), agreed))
        self._follow(self._take_back_unfounded)
        return entry

    def _take_back_unfounded(self) -> None:
        """Take back what the rules wrote because of a line that no longer holds."""
        if gone := unfounded(self._fold.referee, self.entries):
            self.write(map(taken_back, gone))

    def foresee(self, *further: Event) -> Consequences:
        """Return what would follow if these events were written, without writing them.

        Raises:
            SessionError: there is no game, or the first event makes no sense in it.
        """
        if self.game is None:
            raise SessionError(fact("session.no-game"))
        self._check(further[0])
        return foresee(self._fold.referee, self.entries, self.view, further)

    def _close_empty_round(self) -> None:
        """Take back a round that the rules opened for an event since taken back: it did not begin either."""
        last = next(deeds(self.entries), None)
        if last is not None and last[1].kind == "round" and last[1].get("source") == "rules":
            self.add(Event("correction", {"of": last[0].id, "event": None, "source": "rules"}))

    def tell(self, event: Event, agreed: Sequence[Accusation] = (), seen: int = 0) -> int:
        """Note what a person enters: words spoken at the table, or a card or die that the camera missed.

        `seen`: the newest line that the person had before him.

        Raises:
            SessionError: people may not enter this event, or it was entered just now.
            JournalError: the event could not be written.
        """
        return self.add(_agreed(self.line_for(event, seen), agreed))

    def line_for(self, event: Event, seen: int = 0) -> Event:
        """The line that `tell` would write.

        Raises:
            SessionError: people may not enter this event, or it was entered just now.
        """
        if (why := untold(event, self.view)) is not None:
            raise SessionError(why)
        self._check(event)
        last = next((deed for deed in deeds(self.entries) if deed[1].get("source") != "rules"), None)
        same = last is not None and event.kind in ("round", "end") and last[1].kind == event.kind
        # A guest who saw that the first tap broke off the round, and taps again, means to end the evening.
        further = event.kind == "end" and last is not None and last[0].id <= seen and not self.view.over
        if same and not further and last is not None and self.age_s(last[0]) < TWICE_S:
            raise SessionError(fact("session.twice"))
        return event.having(source="touch")

    def go_on(self) -> int:
        """Do the one thing other than a card that the table waits for: see `Table.press`.

        Raises:
            SessionError: the table waits for nothing of that kind.
            JournalError: the event could not be written.
        """
        view = self.view
        offender = next((p.seat for p in view.prompts if p.what == "offence?"), None)
        if offender is not None and (hand := last_hand(self.entries, offender)) is not None:
            return self.correct(hand, None)
        if view.over:
            return self.again()
        if view.phase in ("settled", "finished"):
            return self.add(Event("round", {"source": "button"}))
        raise SessionError(fact("session.button"))

    def say(self, seat: str | None, what: str) -> int:
        """Note what a player said (events.md#sayings, `say`)."""
        return self.tell(Event("say", {"what": what} | ({} if seat is None else {"seat": seat})))


def _agreed(line: Event, accusations: Sequence[Accusation]) -> Event:
    """The line, with the accusations that somebody agreed to; an `agreed` field sent by a page is dropped."""
    line = line.without("agreed")
    return line.having(agreed=[list(one) for one in accusations]) if accusations else line
