"""Reads a journal; `journal` has its one writer."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

from table.journal.entry import Entry
from table.journal.file import JournalError, as_journal_errors, check_kind, connect_read_only
from table.journal.inspection import inspect


def file_at(path: Path) -> os.stat_result | None:
    """The `stat` of the file at a path; None if there is none."""
    try:
        return path.stat()
    except OSError:
        return None


class JournalReader:
    """A journal file opened for reading, also while a table writes it."""

    def __init__(self, path: Path, base: sqlite3.Connection) -> None:
        self.path = path
        self._base = base
        self._file = file_at(path)
        """The file as last seen: somebody may remove it or put another one in its place."""

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open for reading, also while a table is writing it.

        Raises:
            JournalError: there is no such file, or it is no journal that this version can read.
        """
        if not (path := Path(path)).is_file():
            raise JournalError(f"{path}: there is no such journal; check the path")
        if not path.stat().st_size and not Path(f"{path}-wal").exists():
            raise JournalError(f"{path}: this file is empty, not a journal; `run` begins one in it")
        with as_journal_errors(path):
            base = connect_read_only(path)
            try:
                check_kind(path, base)
            except BaseException:
                base.close()
                raise
        return cls(path, base)

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def in_place(self) -> bool:
        """Whether the open file is still at its path."""
        return self._is_this(file_at(self.path))

    def _is_this(self, found: os.stat_result | None) -> bool:
        return found is not None and self._file is not None and os.path.samestat(found, self._file)

    def games(self) -> tuple[int, ...]:
        """Numbers of all games in the journal, oldest first."""
        with as_journal_errors(self.path):
            return tuple(row[0] for row in self._base.execute("SELECT id FROM games ORDER BY id"))

    def counted(self) -> tuple[int, ...]:
        """Numbers of the games that count, oldest first.

        A game that resumes an earlier one replaces it and all games in between.
        """
        with as_journal_errors(self.path):
            rows = self._base.execute(
                "SELECT g.id, e.json FROM games g JOIN events e ON e.place = (g.id << 32) + 1 "
                "WHERE e.json LIKE '%\"resumes\"%'"
            ).fetchall()
        gone: set[int] = set()
        for game, line in rows:
            with suppress(ValueError):  # a damaged line replaces no game
                first = Entry.read(1, json.loads(line), 0.0).event.resumes
                gone.update(range(game if first is None else first, game))
        return tuple(game for game in self.games() if game not in gone)

    def events(self, game: int) -> Iterator[Entry]:
        """All events of one game in order."""
        with as_journal_errors(self.path):
            rows = self._base.execute(
                "SELECT e.id, e.json, e.wall, c.id IS NOT NULL FROM events e "
                "LEFT JOIN crops c ON c.game = e.game AND c.id = e.id WHERE e.game = ? ORDER BY e.id",
                (game,),
            ).fetchall()
        for number, line, wall, crop in rows:
            try:
                event = json.loads(line)
            except ValueError:
                raise JournalError(
                    f"{self.path}: event {number} of game {game} is damaged; start the table again: it "
                    "puts this file aside and goes on with what can be read"
                ) from None
            yield Entry.read(number, event, wall, bool(crop))

    def after(self, game: int, number: int, limit: int) -> list[tuple[int, Entry]]:
        """Up to `limit` lines after line `number` of a game, and of later games, each with its game."""
        with as_journal_errors(self.path):
            rows = self._base.execute(
                "SELECT game, id, json, wall FROM events WHERE place > ? ORDER BY place LIMIT ?",
                ((game << 32) + number, limit),
            ).fetchall()
        return [(row[0], Entry.read(row[1], json.loads(row[2]), row[3])) for row in rows]

    def crop(self, game: int, number: int) -> bytes | None:
        """The JPEG stored with an event; None if there is none."""
        with as_journal_errors(self.path):
            row = self._base.execute(
                "SELECT jpeg FROM crops WHERE game = ? AND id = ?", (game, number)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def check(self) -> None:
        """Check the file: SQLite's own check, every line as it was written, every game without a gap.

        Raises:
            JournalError: the journal is damaged; the message says how.
        """
        if faults := inspect(self.path, own=False).faults:
            raise JournalError(
                f"{self.path}: the journal is damaged ({faults[0]}); the next start puts it aside and "
                "goes on with what can be read"
            )
