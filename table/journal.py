"""The journal: every table event, written to disk before anything else happens with it.

SQLite in WAL mode with `synchronous=FULL`: what `append` has returned survives a pulled plug
(https://sqlite.org/pragma.html#pragma_synchronous). The journal only grows; a correction is a new
event. One process writes, any number may read.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table.journal_file import JournalError, check_kind, lock_file, prepare, reason, told, whole

__all__ = ["Entry", "Event", "Journal", "JournalError"]

Event = dict[str, Any]
"""One table event in the words of CONTRACTS 4."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: `wall` in seconds since 1970; `crop`: a picture lies beside it."""

    id: int
    event: Event
    wall: float
    crop: bool = False


class Journal:
    """One journal file. Open it with `Journal.open` to write, `Journal.read_only` to look."""

    def __init__(self, path: Path, base: sqlite3.Connection, lock: int | None) -> None:
        self.path = path
        self._base = base
        self._lock = lock

    @classmethod
    def open(cls, path: str | Path) -> Journal:
        """Open for writing; make the file where there is none.

        Raises:
            JournalError: another process writes it, it is not a journal, it is newer than this program,
                or the place cannot be written.
        """
        path = Path(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = lock_file(path)
        except OSError as wrong:
            raise JournalError(
                f"{path}: the journal cannot be written there ({reason(wrong)}); "
                "choose another place with --journal"
            ) from None
        try:
            with told(path):
                base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
                try:
                    prepare(path, base)
                except BaseException:
                    base.close()
                    raise
        except BaseException:
            os.close(lock)
            raise
        return cls(path, base, lock)

    @classmethod
    def read_only(cls, path: str | Path) -> Journal:
        """Open for reading, also while a table is writing it.

        Raises:
            JournalError: there is no such file, or it is not a journal of this version.
        """
        path = Path(path)
        if not path.is_file():
            raise JournalError(f"{path}: there is no such journal; check the path")
        with told(path):
            base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
            try:
                check_kind(path, base)
            except BaseException:
                base.close()
                raise
        return cls(path, base, None)

    def close(self) -> None:
        """Close the file and let another process write it."""
        self._base.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- games ---------------------------------------------------------------------------------------

    def games(self) -> tuple[int, ...]:
        """Numbers of all games kept, oldest first."""
        with told(self.path):
            return tuple(row[0] for row in self._base.execute("SELECT id FROM games ORDER BY id"))

    def new_game(self, wall: float | None = None, opening: Sequence[Event] = ()) -> int:
        """Begin a game with its first events, counted from 1; all of it or nothing. Return its number.

        Raises:
            JournalError: the disk is full or broken; then the newest game is still the old one.
        """
        now = time.time() if wall is None else wall
        with told(self.path), whole(self._base):
            game = self._base.execute("INSERT INTO games (started) VALUES (?)", (now,)).lastrowid
            assert game is not None
            for number, event in enumerate(opening, 1):
                self._note(game, number, event, now)
        return game

    def prune(self, keep_games: int) -> int:
        """Drop whole old games, keep the newest `keep_games` (at least one); return how many went."""
        with told(self.path):
            gone = self._base.execute(
                "DELETE FROM games WHERE id NOT IN (SELECT id FROM games ORDER BY id DESC LIMIT ?)",
                (max(1, keep_games),),
            ).rowcount
            if gone:
                # Without this the file keeps its greatest size for ever: an unattended demo must not grow.
                # As a script: `execute` takes one step of it, and a step frees one page.
                self._base.executescript("PRAGMA incremental_vacuum")
                self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return gone

    # --- events --------------------------------------------------------------------------------------

    def append(self, game: int, event: Event, wall: float | None = None, crop: bytes | None = None) -> int:
        """Write one event, with a JPEG of what is in doubt beside it; return its id once it is on the disk.

        Raises:
            JournalError: the disk is full or broken; the event is then not in the journal at all.
        """
        with told(self.path), whole(self._base):
            row = self._base.execute("SELECT coalesce(max(id), 0) FROM events WHERE game = ?", (game,))
            number = int(row.fetchone()[0]) + 1
            self._note(game, number, event, time.time() if wall is None else wall)
            if crop is not None:
                self._base.execute(
                    "INSERT INTO crops (game, id, jpeg) VALUES (?, ?, ?)", (game, number, crop)
                )
        return number

    def _note(self, game: int, number: int, event: Event, wall: float) -> None:
        """One line, inside the caller's transaction."""
        line = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        self._base.execute(
            "INSERT INTO events (game, id, wall, json) VALUES (?, ?, ?, ?)", (game, number, wall, line)
        )

    def events(self, game: int) -> Iterator[Entry]:
        """All events of one game in order."""
        with told(self.path):
            rows = self._base.execute(
                "SELECT e.id, e.json, e.wall, c.id IS NOT NULL FROM events e "
                "LEFT JOIN crops c ON c.game = e.game AND c.id = e.id WHERE e.game = ? ORDER BY e.id",
                (game,),
            ).fetchall()
        for number, line, wall, crop in rows:
            yield Entry(number, json.loads(line), wall, bool(crop))

    def crop(self, game: int, number: int) -> bytes | None:
        """The JPEG beside an event, None where there is none."""
        with told(self.path):
            row = self._base.execute(
                "SELECT jpeg FROM crops WHERE game = ? AND id = ?", (game, number)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def check(self) -> None:
        """Prove the file whole: SQLite's own check, and every game counted without a gap.

        Raises:
            JournalError: what is broken.
        """
        with told(self.path):
            said = [row[0] for row in self._base.execute("PRAGMA integrity_check")]
            if said != ["ok"]:
                raise JournalError(
                    f"{self.path}: the journal is damaged ({said[0]}); keep a copy and start a new one"
                )
            gap = self._base.execute(
                "SELECT game FROM events GROUP BY game HAVING min(id) <> 1 OR max(id) <> count(*)"
            ).fetchone()
            if gap:
                raise JournalError(f"{self.path}: game {gap[0]} has a gap; keep a copy and start a new one")
