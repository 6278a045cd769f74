"""Checks whether a journal is intact, at every start and in `doctor`; changes nothing."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from table.catalogue import Fact, fact
from table.errors import system_reason
from table.journal.entry import seal, seal_crop, sound
from table.journal.file import (
    FORM,
    MARK,
    PAGE,
    TABLES,
    JournalError,
    as_journal_errors,
    check_kind,
    connect_read_only,
    os_reason,
)
from table.journal.lock import Witness

log = logging.getLogger(__name__)

_NO_DAMAGE = (
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
)
"""Errors that say nothing about the contents of the file."""

_TRACES = (b'"kind":', b"the journal only grows", b"CREATE TABLE events")


@dataclass(frozen=True, slots=True)
class Findings:
    """What an inspection found. `faults` is empty if the file is intact."""

    faults: tuple[Fact, ...] = ()
    old_form: bool = False
    """Intact, but with the form or page size of an earlier program."""
    empty: bool = False
    """The file is empty, and no witness knows of any content: it becomes a new journal."""
    torn: bool = False
    """Intact, but a table was writing it, and the -wal file with the last lines is missing."""
    identity: int = 0
    last: tuple[int, int] = (0, 0)
    """Game and id of the last line."""
    ends: tuple[tuple[int, int], ...] = ()
    """(game, id of its last line) of every game."""


def inspect(path: Path, witness: Witness | None = None, own: bool = True) -> Findings:
    """Check that a journal, together with its -wal, is intact.

    `own`: nobody else has it open, not even in this process. Otherwise it is read through SQLite only, as
    closing the file ourselves would drop SQLite's locks (https://sqlite.org/howtocorrupt.html, 2.2).

    Raises:
        JournalError: the file is not a journal, was written by a newer program, or may not be read.
    """
    if path.exists() and not path.is_file():
        why = fact("journal.folder") if path.is_dir() else fact("journal.no-file")
        raise JournalError(fact("journal.at", path=str(path), why=why))
    size, wal = _size(path), _size(Path(f"{path}-wal"))
    if not size:
        return _nothing_there(path, bool(wal), witness)
    if own:
        _refuse_strangers(path)
    try:
        with closing(connect_read_only(path)) as base:
            check_kind(path, base)
            base.execute("BEGIN")  # a consistent state, even while a table writes
            findings = _look(base, bool(wal))
        if own and _may_only_be_read(path):
            return Findings((fact("journal.fault.pages"),))
        if own and wal and not findings.faults:
            findings = _without_wal(path, findings)
    except sqlite3.Error as wrong:
        if getattr(wrong, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _NO_DAMAGE:
            with as_journal_errors(path):
                raise
        log.info("%s", wrong)
        return Findings((fact("journal.fault.pages"),))
    except (UnicodeDecodeError, OverflowError) as wrong:  # a text column with invalid contents
        log.info("%s", wrong)
        return Findings((fact("journal.fault.texts"),))
    if witness is not None and witness.identity == findings.identity and not findings.faults:
        if witness.last > findings.last:
            game, number = findings.last
            short = fact("journal.fault.short", n=number, game=game, last=witness.id, lastgame=witness.game)
            return Findings((short,))
        if (less := _short_game(witness, dict(findings.ends))) is not None:
            return Findings((less,))
        if witness.last == findings.last:
            return replace(findings, torn=False)
    return findings


def _short_game(witness: Witness, ends: dict[int, int]) -> Fact | None:
    """The fault if a game before the newest one once had more lines than now; None if not."""
    for game, number in witness.earlier:
        if (last := ends.get(game, 0)) < number:
            return fact("journal.fault.ended", game=game, n=last, last=number)
    return None


def _may_only_be_read(path: Path) -> bool:
    """Whether the header asks programs not to write: SQLite never sets that, so the header is damaged.

    Byte 18 is the file format write version, 1 or 2 (https://sqlite.org/fileformat.html, 1.3.3).
    """
    with path.open("rb") as file:
        return file.read(19)[18:] not in (b"\x01", b"\x02")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
    except OSError as wrong:
        raise JournalError(
            f"{path}: the journal cannot be read ({os_reason(wrong)}); choose another place"
        ) from None


def _nothing_there(path: Path, wal: bool, witness: Witness | None) -> Findings:
    if wal:
        return Findings((fact("journal.fault.onlywal"),))
    if witness is not None:
        return Findings((fact("journal.fault.was", n=witness.id, game=witness.game),))
    return Findings(empty=path.exists())


def _refuse_strangers(path: Path) -> None:
    """Raise JournalError for a file that was never a journal, such as a letter or a picture."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
            if head.startswith(b"SQLite format 3\0") or int.from_bytes(head[68:72]) == MARK:
                return
            data = head + file.read()
    except OSError as wrong:
        why = fact("journal.unread", why=system_reason(wrong))
        raise JournalError(fact("journal.at", path=str(path), why=why)) from None
    wal = Path(f"{path}-wal")
    ours = any(trace in data for trace in _TRACES) and b"\0" in data  # a text log has no zero bytes
    if not ours and any(data) and not wal.exists():
        raise JournalError(f"{path}: this is not a journal; choose another file")


def _look(base: sqlite3.Connection, wal: bool) -> Findings:
    head = [base.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    if head[0] != MARK or not 1 <= head[1] <= FORM:
        return Findings((fact("journal.fault.head"),))
    said = [str(row[0]) for row in base.execute("PRAGMA integrity_check(3)")]
    if said != ["ok"]:
        log.info("%s", said[0])
        return Findings((fact("journal.fault.pages"),))
    form, page = head[1], base.execute("PRAGMA page_size").fetchone()[0]
    if form == FORM and _tables(base) != _expected():
        return Findings((fact("journal.fault.tables"),))
    rows = base.execute("SELECT identity, open FROM journal").fetchall() if form == FORM else [(0, 0)]
    if len(rows) != 1:
        return Findings((fact("journal.fault.identity"),))
    identity, is_open = rows[0]
    fault = next(_faulty_lines(base, identity, form), None) or next(_faulty_crops(base, identity, form), None)
    ends = base.execute("SELECT game, max(id) FROM events GROUP BY game ORDER BY game").fetchall()
    return Findings(
        () if fault is None else (fault,),
        old_form=form != FORM or page != PAGE,
        torn=bool(is_open) and not wal,
        identity=identity,
        last=ends[-1] if ends else (0, 0),
        ends=tuple(ends),
    )


def _tables(base: sqlite3.Connection) -> set[str]:
    told = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    return {row[0] for row in base.execute(told)}


def _expected() -> set[str]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(TABLES)
        return _tables(fresh)


def _faulty_lines(base: sqlite3.Connection, identity: int, form: int) -> Iterator[Fact]:
    """A fault for every line with a broken seal, that is no event, or that follows a gap."""
    seals = "seal" if form == FORM else "NULL"
    before = (0, 0)
    for game, number, wall, line, kept in base.execute(
        f"SELECT game, id, wall, json, {seals} FROM events ORDER BY game, id"
    ):
        if number != (before[1] + 1 if game == before[0] else 1):
            yield fact("journal.fault.gap", n=number, game=game)
        before = (game, number)
        fine = sound(line) if kept is None else kept == seal(identity, game, number, wall, line)
        if not fine:
            yield fact("journal.fault.changed", n=number, game=game)
    strays = "SELECT game FROM events EXCEPT SELECT id FROM games"
    for (game,) in base.execute(strays):
        yield fact("journal.fault.unlisted", game=game)


def _faulty_crops(base: sqlite3.Connection, identity: int, form: int) -> Iterator[Fact]:
    if form == FORM:
        for game, number, jpeg, kept in base.execute("SELECT game, id, jpeg, seal FROM crops"):
            if kept is not None and kept != seal_crop(identity, game, number, jpeg):
                yield fact("journal.fault.crop", n=number, game=game)
    for game, number in base.execute("SELECT game, id FROM crops EXCEPT SELECT game, id FROM events"):
        yield fact("journal.fault.stray", n=number, game=game)


def _without_wal(path: Path, findings: Findings) -> Findings:
    """Add a fault if the -wal is another journal's: SQLite would apply it all the same and ruin the file.

    A main file alone may be unreadable in the middle of a checkpoint; then it proves nothing. But whatever it
    holds must be in the whole, too.
    """
    try:
        with closing(connect_read_only(path, without_wal=True)) as alone:
            last = alone.execute("SELECT game, id FROM events ORDER BY game DESC, id DESC LIMIT 1").fetchone()
            row = alone.execute("SELECT identity FROM journal").fetchone() if not findings.old_form else None
    except (sqlite3.Error, UnicodeDecodeError):
        return findings
    strange = row is not None and row[0] != findings.identity
    if strange or tuple(last or (0, 0)) > findings.last:
        return Findings((fact("journal.fault.wal"),))
    return findings
