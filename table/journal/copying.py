"""Copies a journal into one file to take away, and restores such a file.

The copy is a journal like any other: its seals protect it line by line. It is made by SQLite's own backup
(https://sqlite.org/backup.html), so that the table may go on playing in the meantime.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from table.catalogue import fact
from table.journal.file import (
    FORM,
    JournalError,
    as_journal_errors,
    at_start,
    check_kind,
    connect_read_only,
    make_folder,
    of_disk,
    os_reason,
)
from table.journal.inspection import inspect
from table.journal.lock import Lock
from table.journal.recovery import finish, put_in_place, sync

_OF_WRITING = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
)
"""Errors that only the copy can cause: the journal itself is only read."""


def backup(source: Path, file: Path) -> str:
    """Copy a journal, also while a table writes it; return one sentence on what the copy contains.

    Raises:
        JournalError: there is no journal, it is damaged, or the copy cannot be written; no copy is left.
    """
    if not source.is_file():
        raise JournalError(f"{source}: there is no such journal; check the path")
    if file.exists():
        raise JournalError(f"{file}: already exists; choose another name")
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        _copy(source, part, file)
        findings = inspect(part)
        if findings.faults:
            raise JournalError(
                f"{source}: the journal is damaged ({findings.faults[0]}), no copy was made; start the "
                "table: it puts this file aside and goes on with what can be read"
            )
        sync(part)
        part.rename(file)
        sync(file.absolute().parent)
    except OSError as wrong:
        raise JournalError(f"{file}: cannot be written ({os_reason(wrong)}); choose another place") from None
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{part}{end}").unlink(missing_ok=True)
    return f"{file}: {_in_words(file)}, checked"


def _copy(source: Path, part: Path, file: Path) -> None:
    with as_journal_errors(source), closing(connect_read_only(source)) as base:
        check_kind(source, base)
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            with _blamed(file, _OF_WRITING):
                base.backup(copy)
            with _blamed(file):
                _as_one_file(copy)


def _as_one_file(copy: sqlite3.Connection) -> None:
    copy.execute("PRAGMA journal_mode = DELETE")  # one file, even on a read-only stick
    if copy.execute("PRAGMA user_version").fetchone()[0] == FORM:
        copy.execute("UPDATE journal SET open = 0")  # nobody writes the copy


@contextmanager
def _blamed(file: Path, codes: Collection[int] | None = None) -> Iterator[None]:
    """Report SQLite's errors with these codes (None: all) as errors of writing the copy."""
    try:
        yield
    except sqlite3.Error as wrong:
        code = getattr(wrong, "sqlite_errorcode", 0)
        if codes is not None and code not in codes:
            raise
        full = code == sqlite3.SQLITE_FULL or of_disk(file) == fact("journal.full")
        why = "the disk is full" if full else str(wrong)
        raise JournalError(f"{file}: cannot be written ({why}); choose another place") from None


def restore(file: Path, path: Path, begins_anew: Callable[[Path], None] = lambda _file: None) -> str:
    """Put a copy in a journal's place and keep the old journal beside it; return one sentence on both.

    The restored journal gets a new identity: a listener that knows the old one must not take its lines for
    the following ones. `begins_anew` is called with the copy before the replacement.

    Raises:
        JournalError: the copy is not a journal, is damaged or was written by a newer program, or a table is
            writing the journal.
    """
    file, path = file.absolute(), Path(os.path.realpath(path))
    if file.is_dir():
        raise JournalError(f"{file}: this is a folder; name the copy that stammtisch backup made")
    if not file.is_file():
        raise JournalError(f"{file}: there is no such file; check the path")
    if file.samefile(path) if path.exists() else False:
        raise JournalError(f"{file}: this is the journal itself; name the copy that stammtisch backup made")
    if path.exists() and not path.is_file():
        inspect(path)  # reports what it is instead
    findings = inspect(file)
    if findings.faults or findings.torn or findings.empty:
        bare = fact("journal.fault.empty") if findings.empty else fact("journal.fault.nowal")
        fault = next(iter(findings.faults), bare)
        raise JournalError(
            f"{file}: this copy is damaged ({fault}) and nothing was restored; use another one"
        )
    try:
        make_folder(path.parent)
        lock = Lock(path)
    except OSError as wrong:
        raise JournalError(f"{path}: cannot be written ({os_reason(wrong)}); check its rights") from None
    try:
        finish(path)
        begins_anew(file)
        aside = put_in_place(file, path)
        lock.note(None)  # the witness described the old journal
    except JournalError as wrong:
        raise at_start(wrong) from wrong.__cause__
    finally:
        lock.close()
    kept = f"; what was there is kept as {aside.name}" if aside is not None and aside.exists() else ""
    return f"{path}: {_in_words(path)}, restored from {file.name}{kept}"


def _in_words(path: Path) -> str:
    with as_journal_errors(path), closing(connect_read_only(path)) as base:
        games = base.execute("SELECT count(*) FROM games").fetchone()[0]
        lines = base.execute("SELECT count(*) FROM events").fetchone()[0]
    return f"{games} games, {lines} events"
