"""The journal's file: its tables, its permissions, and SQLite's errors in words for people."""

from __future__ import annotations

import errno
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from table.catalogue import Fact, fact
from table.errors import StammtischError

FORM = 2
"""Version of the tables below, kept in SQLite's `user_version`; form 1 had no seals."""

MARK = 0x53544D54  # "STMT": SQLite's application_id distinguishes our file from another program's.

PAGE = 1024
"""Page size in bytes. One event changes a page or two, so small pages write least (0.7 MB a round of Dubbe;
1.9 MB with SQLite's default of 4096)."""

TABLES = """
CREATE TABLE journal (
    identity INTEGER NOT NULL,         -- by chance; bound into every seal
    open     INTEGER NOT NULL          -- 1 while a table writes: what came last is then in the -wal file
) STRICT;
CREATE TABLE games (
    id      INTEGER PRIMARY KEY,
    started REAL NOT NULL              -- seconds since 1970
) STRICT;
CREATE TABLE events (
    place INTEGER PRIMARY KEY,         -- game * 2^32 + id: lines stand in their order, and need no index
    game  INTEGER NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    id    INTEGER NOT NULL,            -- 1, 2, 3 … without a gap: the line number of the log
    wall  REAL    NOT NULL,            -- seconds since 1970, for people only
    json  TEXT    NOT NULL,
    seal  INTEGER                      -- entry.seal; NULL: nobody vouches for this line
) STRICT;
CREATE TABLE crops (
    game INTEGER NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    id   INTEGER NOT NULL,
    jpeg BLOB    NOT NULL,
    seal INTEGER,
    PRIMARY KEY (game, id)
) STRICT;
CREATE TRIGGER events_only_grow BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER last_game_stays BEFORE DELETE ON games WHEN OLD.id = (SELECT max(id) FROM games)
    BEGIN SELECT RAISE(ABORT, 'the last game is never pruned'); END;
"""


class JournalError(StammtischError):
    """The journal cannot be opened, read or written; nothing that was written before is lost."""


class JournalHeldError(JournalError):
    """Another process writes the journal: a table is already running, and this one is not needed."""


class JournalNewerError(JournalError):
    """A newer program wrote the journal: this one must not play on without it."""


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents, for their owner only; existing folders stay unchanged."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        with suppress(FileExistsError):
            each.mkdir(mode=0o700)


def create(path: Path) -> sqlite3.Connection:
    """Make the file, or fill an empty one, and connect. Only its owner may read it: it has guests' names.

    SQLite gives -wal and -shm the permissions of the main file.
    """
    made = False
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        made = True
    try:
        base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except BaseException:
        if made:
            path.unlink(missing_ok=True)
        raise
    try:
        base.execute(f"PRAGMA page_size = {PAGE}")
        base.execute("PRAGMA auto_vacuum = INCREMENTAL")
        _set_up(base)
        # One script, one transaction: a kill in the middle leaves an empty file, which is filled next time.
        base.executescript(
            f"BEGIN; {TABLES} INSERT INTO journal VALUES ({secrets.randbits(31)}, 0);"
            f"PRAGMA application_id = {MARK}; PRAGMA user_version = {FORM}; COMMIT;"
        )
    except BaseException:
        base.close()
        if made:  # on a full disk the next start would take an empty file for a lost journal
            for end in ("", "-wal", "-shm", "-journal"):
                Path(f"{path}{end}").unlink(missing_ok=True)
        raise
    return base


def connect(path: Path) -> sqlite3.Connection:
    """Open a file for writing that was found intact."""
    base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        _set_up(base)
    except BaseException:
        base.close()
        raise
    return base


class Rights(NamedTuple):
    """Who may read and write a file: its mode, its owner and its group."""

    mode: int
    owner: int
    group: int


def put_back(base: sqlite3.Connection, path: Path, rights: Rights) -> None:
    """Write what an open connection holds to a path whose file is gone; completely, or not at all.

    The new file gets the permissions of the lost one, or only its mode if just root could change the owner.
    """
    pages, page = (base.execute(f"PRAGMA {each}").fetchone()[0] for each in ("page_count", "page_size"))
    if (
        room(path) < pages * page + _LEAST_ROOM
    ):  # `put_back` is retried at each line: do not fill up a full disk again and again
        raise JournalError(fact("journal.at", path=str(path), why=fact("journal.full")))
    part = path.with_name(f"{path.name}.rescued-part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            base.backup(copy)
        with suppress(PermissionError):  # FAT has no permissions, and only root may change an owner
            part.chmod(rights.mode)
            os.chown(part, rights.owner, rights.group)
        for beside in (f"{part}-wal", f"{part}-shm", f"{path}-wal", f"{path}-shm"):
            Path(beside).unlink(missing_ok=True)  # an old -wal must never lie beside a new file
        part.rename(path)
    except BaseException:
        for end in ("", "-journal", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{part}{end}").unlink(missing_ok=True)
        raise


def _set_up(base: sqlite3.Connection) -> None:
    base.execute("PRAGMA busy_timeout = 5000")
    base.execute("PRAGMA foreign_keys = ON")
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")


def connect_read_only(path: Path, without_wal: bool = False) -> sqlite3.Connection:
    """Open for reading: neither the file nor its -wal is changed. `without_wal`: the main file alone."""
    how = "immutable=1" if without_wal else "mode=ro"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None)


def check_kind(path: Path, base: sqlite3.Connection) -> None:
    """Raise JournalError if the file is another program's or was written by a newer version of this one."""
    version = base.execute("PRAGMA user_version").fetchone()[0]
    ours = base.execute("PRAGMA application_id").fetchone()[0] == MARK
    if not ours and not _looks_ours(base):
        raise JournalError(f"{path}: this is another program's database, not a journal; choose another file")
    if ours and FORM < version < 1000:  # a higher number means a damaged file header
        raise JournalNewerError(
            f"{path}: written by a newer stammtisch (journal format {version}, this program knows {FORM}); "
            "update this program or choose another file"
        )


def _looks_ours(base: sqlite3.Connection) -> bool:
    told = "SELECT count(*) FROM sqlite_master WHERE name IN ('games', 'events', 'crops', 'events_only_grow')"
    return bool(base.execute(told).fetchone()[0] == 4)


class SealedLine(NamedTuple):
    """A row of the table `events`: game, number in it, seconds since 1970, the event as JSON, its seal."""

    game: int
    number: int
    wall: float
    line: str
    seal: int


def write_line(base: sqlite3.Connection, line: SealedLine) -> None:
    """Insert one line into the table `events`, inside the caller's transaction."""
    row = (line.game << 32 | line.number, *line)
    base.execute("INSERT INTO events (place, game, id, wall, json, seal) VALUES (?, ?, ?, ?, ?, ?)", row)


@contextmanager
def transaction(base: sqlite3.Connection) -> Iterator[None]:
    """One transaction: everything written inside the block is kept, or nothing."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise


_REMEDIES: dict[int, Fact] = {
    sqlite3.SQLITE_FULL: fact("journal.full"),
    sqlite3.SQLITE_NOTADB: fact("journal.strange"),
    sqlite3.SQLITE_CORRUPT: fact("journal.damaged"),
    sqlite3.SQLITE_READONLY: fact("journal.read-only"),
    sqlite3.SQLITE_CANTOPEN: fact("journal.unopened"),
    sqlite3.SQLITE_BUSY: fact("journal.busy"),
    sqlite3.SQLITE_IOERR: fact("journal.disk"),
}


_OF_DISKS = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""Codes that SQLite also returns if a disk has no room for the index of the -wal file, or is read-only."""

_LONGEST = 480
"""Longest path in bytes: SQLite 3.40 opens up to 504, and repaired files have longer names beside it."""

_LEAST_ROOM = 1 << 16
"""Bytes that the disk must have free: the index of the -wal takes half of them."""


def of_disk(path: Path) -> Fact | None:
    """Why the disk that holds `path`, or would hold it, cannot be written; None if it can."""
    if not hasattr(os, "statvfs"):
        return None
    try:
        disk = os.statvfs(next(each for each in (path, *path.absolute().parents) if each.exists()))
    except OSError:
        return None
    if disk.f_flag & os.ST_RDONLY:
        return fact("journal.locked")
    if room(path) < _LEAST_ROOM:
        return fact("journal.full")
    return fact("journal.inodes") if disk.f_files and not disk.f_favail else None


def refused_by_disk(path: Path) -> Fact | None:
    """As `of_disk`, after a refusal: a trial also finds a quota, which SQLite takes for a broken disk."""
    if (why := of_disk(path)) is not None or not hasattr(os, "O_TMPFILE"):
        return why
    try:
        trial = os.open(path.absolute().parent, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        try:
            os.write(trial, bytes(_LEAST_ROOM))
        finally:
            os.close(trial)  # the trial file has no name, so closing it deletes it
    except OSError as wrong:
        return fact("journal.quota") if wrong.errno == errno.EDQUOT else None
    return None


def room(path: Path) -> int:
    """Free bytes on the disk that holds `path`, or would hold it. Raises OSError."""
    disk = os.statvfs(next(each for each in (path, *path.absolute().parents) if each.exists()))
    return disk.f_bavail * disk.f_frsize


_AT_START: dict[str, Fact] = {
    "journal.full": fact("journal.full.start"),
    "journal.busy": fact("journal.busy.start"),
    "journal.inodes": fact("journal.inodes.start"),
    "journal.quota": fact("journal.quota.start"),
}


def at_start(wrong: JournalError) -> JournalError:
    """The error reworded for a table that is still starting: it will not try again by itself."""
    why = wrong.fact.args.get("why")
    if not isinstance(why, Fact) or (said := _AT_START.get(why.code)) is None:
        return wrong
    return JournalError(replace(wrong.fact, args={**wrong.fact.args, "why": said}))


def while_running(wrong: JournalError) -> Fact:
    """What `at_start` says, for a table that looks again by itself."""
    why = wrong.fact.args.get("why")
    said = next((code for code, start in _AT_START.items() if start == why), None)
    return wrong.fact if said is None else replace(wrong.fact, args={**wrong.fact.args, "why": Fact(said)})


@contextmanager
def as_journal_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into a JournalError: one sentence for people."""
    try:
        yield
    except sqlite3.Error as wrong:
        primary = getattr(wrong, "sqlite_errorcode", 0) & 0xFF
        why = _REMEDIES.get(primary) or fact("journal.unusable", why=str(wrong))
        if primary in _OF_DISKS:
            why = refused_by_disk(path) or why
        long = len(os.fsencode(path.absolute()))
        if primary == sqlite3.SQLITE_CANTOPEN and long > _LONGEST:
            why = fact("journal.long", n=long, most=_LONGEST)
        raise JournalError(fact("journal.at", path=str(path), why=why)) from wrong


def os_reason(wrong: OSError) -> str:
    """The system's reason, without its number."""
    return wrong.strerror or str(wrong)
