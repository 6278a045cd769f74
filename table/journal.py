"""The journal: every table event, written to disk before anything else happens with it.

SQLite in WAL mode with `synchronous=FULL`: what `append` has returned survives a pulled plug
(https://sqlite.org/pragma.html#pragma_synchronous). The journal only grows; a correction is a new
event. One process writes, any number may read.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table.errors import StammtischError

Event = dict[str, Any]
"""One table event in the words of CONTRACTS 4."""

SCHEMA = 1
"""Version of the tables below, kept in SQLite's `user_version`."""

_MARK = 0x53544D54  # "STMT": SQLite's application_id tells our file from another program's database.

_TABLES = """
CREATE TABLE games (
    id      INTEGER PRIMARY KEY,
    started REAL NOT NULL              -- seconds since 1970
) STRICT;
CREATE TABLE events (
    game INTEGER NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    id   INTEGER NOT NULL,             -- 1, 2, 3 … without a gap: the line number of the log
    wall REAL    NOT NULL,             -- seconds since 1970
    json TEXT    NOT NULL,
    PRIMARY KEY (game, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE crops (
    game INTEGER NOT NULL,
    id   INTEGER NOT NULL,
    jpeg BLOB    NOT NULL,
    PRIMARY KEY (game, id),
    FOREIGN KEY (game, id) REFERENCES events(game, id) ON DELETE CASCADE
) STRICT;
CREATE TRIGGER events_only_grow BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER last_game_stays BEFORE DELETE ON games WHEN OLD.id = (SELECT max(id) FROM games)
    BEGIN SELECT RAISE(ABORT, 'the last game is never pruned'); END;
"""


class JournalError(StammtischError):
    """The journal cannot be opened, read or written; nothing that was written before is lost."""


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
            lock = _lock(path)
        except OSError as wrong:
            raise JournalError(
                f"{path}: the journal cannot be written there ({_reason(wrong)}); "
                "choose another place with --journal"
            ) from None
        try:
            with _told(path):
                base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
                try:
                    _prepare(path, base)
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
        with _told(path):
            base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
            try:
                _check(path, base)
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
        with _told(self.path):
            return tuple(row[0] for row in self._base.execute("SELECT id FROM games ORDER BY id"))

    def new_game(self, wall: float | None = None) -> int:
        """Begin a game; its events are counted from 1. Return its number."""
        with _told(self.path):
            cursor = self._base.execute(
                "INSERT INTO games (started) VALUES (?)", (time.time() if wall is None else wall,)
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def prune(self, keep_games: int) -> int:
        """Drop whole old games, keep the newest `keep_games` (at least one); return how many went."""
        with _told(self.path):
            gone = self._base.execute(
                "DELETE FROM games WHERE id NOT IN (SELECT id FROM games ORDER BY id DESC LIMIT ?)",
                (max(1, keep_games),),
            ).rowcount
            if gone:
                # Without this the file keeps its greatest size for ever: an unattended demo must not grow.
                self._base.execute("PRAGMA incremental_vacuum")
                self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return gone

    # --- events --------------------------------------------------------------------------------------

    def append(self, game: int, event: Event, wall: float | None = None, crop: bytes | None = None) -> int:
        """Write one event, with a JPEG of what is in doubt beside it; return its id once it is on the disk.

        Raises:
            JournalError: the disk is full or broken; the event is then not in the journal at all.
        """
        line = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        with _told(self.path), _whole(self._base):
            row = self._base.execute("SELECT coalesce(max(id), 0) FROM events WHERE game = ?", (game,))
            number = int(row.fetchone()[0]) + 1
            self._base.execute(
                "INSERT INTO events (game, id, wall, json) VALUES (?, ?, ?, ?)",
                (game, number, time.time() if wall is None else wall, line),
            )
            if crop is not None:
                self._base.execute(
                    "INSERT INTO crops (game, id, jpeg) VALUES (?, ?, ?)", (game, number, crop)
                )
        return number

    def events(self, game: int) -> Iterator[Entry]:
        """All events of one game in order."""
        with _told(self.path):
            rows = self._base.execute(
                "SELECT e.id, e.json, e.wall, c.id IS NOT NULL FROM events e "
                "LEFT JOIN crops c ON c.game = e.game AND c.id = e.id WHERE e.game = ? ORDER BY e.id",
                (game,),
            ).fetchall()
        for number, line, wall, crop in rows:
            yield Entry(number, json.loads(line), wall, bool(crop))

    def crop(self, game: int, number: int) -> bytes | None:
        """The JPEG beside an event, None where there is none."""
        with _told(self.path):
            row = self._base.execute(
                "SELECT jpeg FROM crops WHERE game = ? AND id = ?", (game, number)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def check(self) -> None:
        """Prove the file whole: SQLite's own check, and every game counted without a gap.

        Raises:
            JournalError: what is broken.
        """
        with _told(self.path):
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


def _lock(path: Path) -> int:
    """Take the writer's lock. The kernel lets go of it when the process dies, however it dies.

    A file of its own: closing any descriptor of the database itself would drop SQLite's own locks
    (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.read(lock, 20).decode("ascii", "replace").strip() or "unknown"
        os.close(lock)
        raise JournalError(
            f"{path}: another table is writing this journal (process {owner}); "
            "stop it or choose another file with --journal"
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def _prepare(path: Path, base: sqlite3.Connection) -> None:
    base.execute("PRAGMA busy_timeout = 5000")
    base.execute("PRAGMA foreign_keys = ON")
    if base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        base.execute("PRAGMA auto_vacuum = INCREMENTAL")
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = FULL")
        # One script, one transaction: a kill in the middle leaves an empty file, which is made anew.
        base.executescript(
            f"BEGIN; {_TABLES} PRAGMA application_id = {_MARK}; PRAGMA user_version = {SCHEMA}; COMMIT;"
        )
        return
    _check(path, base)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")


def _check(path: Path, base: sqlite3.Connection) -> None:
    if base.execute("PRAGMA application_id").fetchone()[0] != _MARK:
        raise JournalError(
            f"{path}: this is another program's database, not a journal; choose another file with --journal"
        )
    version = base.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        raise JournalError(
            f"{path}: written by a newer stammtisch (journal form {version}, this program knows {SCHEMA}); "
            "update this program or choose another file with --journal"
        )


@contextmanager
def _whole(base: sqlite3.Connection) -> Iterator[None]:
    """All or nothing."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise


_REMEDIES: dict[int, str] = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space, then it goes on by itself",
    sqlite3.SQLITE_NOTADB: "this is not a journal; choose another file with --journal",
    sqlite3.SQLITE_CORRUPT: "the journal is damaged; keep a copy of it and start a new one with --journal",
    sqlite3.SQLITE_READONLY: "the journal may not be written; check the rights of the file and its folder",
    sqlite3.SQLITE_CANTOPEN: "the journal cannot be opened; check the path and its rights",
    sqlite3.SQLITE_BUSY: "another program holds the journal; close it, then it goes on by itself",
    sqlite3.SQLITE_IOERR: "the disk does not answer as it should; check cable and disk",
}


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into one sentence for people."""
    try:
        yield
    except sqlite3.Error as wrong:
        primary = getattr(wrong, "sqlite_errorcode", 0) & 0xFF
        said = _REMEDIES.get(primary, f"the journal cannot be used ({wrong}); check the file")
        raise JournalError(f"{path}: {said}") from wrong


def _reason(wrong: OSError) -> str:
    return wrong.strerror or str(wrong)
