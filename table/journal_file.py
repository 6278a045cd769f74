"""The journal's file: its tables, the writer's lock, and what SQLite complains of in words for people."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from table.errors import StammtischError

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


def lock_file(path: Path) -> int:
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


def prepare(path: Path, base: sqlite3.Connection) -> None:
    """Set a connection up for writing; an empty file gets its tables. Raises as `check_kind`."""
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
    check_kind(path, base)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")


def check_kind(path: Path, base: sqlite3.Connection) -> None:
    """Raises JournalError where the file is another program's, or of a newer one of ours."""
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
def whole(base: sqlite3.Connection) -> Iterator[None]:
    """One transaction: all that is written inside, or nothing."""
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
def told(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into one sentence for people."""
    try:
        yield
    except sqlite3.Error as wrong:
        primary = getattr(wrong, "sqlite_errorcode", 0) & 0xFF
        said = _REMEDIES.get(primary, f"the journal cannot be used ({wrong}); check the file")
        raise JournalError(f"{path}: {said}") from wrong


def reason(wrong: OSError) -> str:
    """What the system says, without its number."""
    return wrong.strerror or str(wrong)
