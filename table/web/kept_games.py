"""The games in the journal, read and folded in a thread: the table's loop never waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table.catalogue import Language
from table.fold import Fold
from table.journal import Entry, JournalReader
from table.rules.games import GAMES
from table.rules.referee import Referee
from table.rules.view import View
from table.rules.words import colour, guest, names
from table.session import Session

MOST_AHEAD = 50
"""Most lines that a step forward adds to the last fold; a longer step is folded from the first line."""

MOST_KEPT = 4
"""Number of older games that stay in memory, folded; the small summaries of all games stay as well."""


@dataclass(frozen=True, slots=True)
class GameTold:
    """A game: its lines, and the rules' view and result of them."""

    game: int
    entries: Sequence[Entry]
    view: View
    result: dict[str, Any]

    @property
    def rounds_over(self) -> list[Mapping[str, Any]]:
        """The ledgers of the rounds that are over."""
        return [entry for entry in self.result["rounds"] if entry["complete"] or entry.get("broken_off")]

    @property
    def players(self) -> dict[str, str]:
        """The names by seat, as people gave them."""
        return dict(zip(self.view.seats, self.view.players, strict=True))

    def called(self, language: Language) -> dict[str, str]:
        """What to call the person at each seat; at the dice box people are called after their dice."""
        told = names(self.players)
        say = colour if self.view.box else guest
        return {seat: say(name, language) for seat, name in told.items()}


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in a list: `began` and `ended` in seconds since 1970, `open` = number of open doubts.

    `boxed`: it is played in a dice box, and its players are called after their dice.
    """

    game: int
    began: float
    ended: float
    kind: str | None
    seats: tuple[str, ...]
    players: tuple[str, ...]
    rounds: int
    points: dict[str, int]
    winners: tuple[str, ...]
    open: int
    boxed: bool
    title: str
    over: bool
    """Whether the game is over."""


class KeptGames:
    """Reads one journal for the page: one request at a time, in a thread with its own connection."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._one_at_a_time = asyncio.Lock()
        self._summaries: dict[int, GameSummary] = {}
        self._games: dict[int, GameTold] = {}
        self._stepped: tuple[int, int, Fold] | None = None

    def now(self) -> GameTold | None:
        """The current game; None if there is none."""
        session = self._session
        if session.game is None:
            return None
        return GameTold(session.game, session.entries, session.view, session.result())

    async def game(self, number: int) -> GameTold | None:
        """A game as it is now; None if the journal has none with this number.

        Raises:
            JournalError: the journal cannot be read.
        """
        if number == self._session.game:
            return self.now()
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._game, self._session.journal_path, number)

    async def moment(self, number: int, event: int) -> GameTold | None:
        """A game as it was when its line `event` was written; None if there is no such line.

        Raises:
            JournalError: the journal cannot be read.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._moment, self._session.journal_path, number, event)

    async def summaries(self, before: int | None, limit: int) -> tuple[list[GameSummary], int]:
        """The newest games before `before`, newest first, and the number of still older ones.

        Raises:
            JournalError: the journal cannot be read.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(
                self._list, self._session.journal_path, self._session.game, before, limit
            )

    # --- in the thread -------------------------------------------------------------------------------

    def _game(self, place: Path, number: int) -> GameTold | None:
        if number not in self._games:
            entries = _lines(place, number)
            if not entries:
                return None
            while len(self._games) >= MOST_KEPT:
                del self._games[next(iter(self._games))]
            self._games[number] = _folded(number, entries)
        return self._games[number]

    def _moment(self, place: Path, number: int, event: int) -> GameTold | None:
        kept = self._games.get(number)
        entries = kept.entries if kept is not None else _lines(place, number)
        if not 1 <= event <= len(entries):
            return None
        before = entries[:event]
        fold = self._step(number, before)
        return GameTold(number, before, fold.referee.view(), {})

    def _step(self, number: int, entries: Sequence[Entry]) -> Fold:
        """Fold lines, adding to the last fold for a short step forward; otherwise from the first line."""
        game, stood, fold = self._stepped or (0, 0, None)
        if fold is not None and game == number and 0 <= len(entries) - stood <= MOST_AHEAD:
            for many in range(stood + 1, len(entries) + 1):
                fold.add(entries[:many])
        else:
            fold = Fold(Referee)
            fold.begin(entries)
        self._stepped = (number, len(entries), fold)
        return fold

    def _list(
        self, place: Path, running: int | None, before: int | None, limit: int
    ) -> tuple[list[GameSummary], int]:
        with JournalReader.open(place) as journal:
            games = [game for game in journal.counted() if before is None or game < before]
            shown = games[::-1][:limit]
            for game in shown:
                if game == running or game not in self._summaries:
                    entries = list(journal.events(game))
                    if entries:
                        self._summaries[game] = _summary(_folded(game, entries))
        found = [self._summaries[game] for game in shown if game in self._summaries]
        if running is not None:
            self._summaries.pop(running, None)  # the running game's summary will change
        return found, len(games) - len(shown)


def _lines(place: Path, number: int) -> list[Entry]:
    with JournalReader.open(place) as journal:
        return list(journal.events(number))


def _folded(number: int, entries: Sequence[Entry]) -> GameTold:
    fold = Fold(Referee)
    fold.begin(entries)
    return GameTold(number, entries, fold.referee.view(), fold.referee.result())


def _summary(told: GameTold) -> GameSummary:
    view = told.view
    return GameSummary(
        told.game,
        told.entries[0].wall,
        told.entries[-1].wall,
        view.game,
        view.seats,
        view.players,
        sum(bool(entry["complete"]) for entry in told.result["rounds"]),
        view.points,
        view.winners,
        len(view.doubts),
        view.box is not None,
        GAMES[view.game].title if view.game else "",
        view.over,
    )
