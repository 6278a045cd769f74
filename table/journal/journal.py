"""The journal that a table writes.

SQLite in WAL mode with `synchronous=FULL`: an event survives a pulled plug once `append` has returned
(https://sqlite.org/pragma.html#pragma_synchronous). The journal only grows; a correction is a new
event. One process writes, any number may read.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path

from table.catalogue import Fact, fact
from table.errors import system_reason
from table.journal.entry import Line, seal, seal_crop
from table.journal.file import (
    JournalError,
    Rights,
    SealedLine,
    as_journal_errors,
    at_start,
    connect,
    create,
    put_back,
    refused_by_disk,
    transaction,
    write_line,
)
from table.journal.inspection import inspect
from table.journal.lock import Lock, Witness, take_lock
from table.journal.reader import JournalReader, file_at
from table.journal.recovery import Mended, mend
from table.rules.events import Event

log = logging.getLogger(__name__)

_UNHURRIED = frozenset({"hand"})
"""Kinds that change nothing in the game, half of all lines: they are forced to disk with the next event."""
_WHOLE = Mended()


def _rights(found: os.stat_result | None) -> Rights:
    """The permissions of a file; if it is unknown, those of a file for its owner only."""
    if found is None:
        return Rights(0o600, -1, -1)
    return Rights(found.st_mode & 0o777, found.st_uid, found.st_gid)


class Journal(JournalReader):
    """A journal file that this process alone writes. Open it with `Journal.open`."""

    def __init__(self, path: Path, base: sqlite3.Connection, lock: Lock, mended: Mended = _WHOLE) -> None:
        super().__init__(path, base)
        self.lost, self.renewed = mended
        """What the disk damaged, and where a file of an older form is kept, each in a sentence, or None."""
        self.apart: Fact | None = None
        """Why this is a stand-in in memory; None for the table's own journal."""
        self.unsettled = False
        """Whether some lines are only in the -wal file; see `settle`."""
        self._lock: Lock | None = lock
        """None once the journal is closed."""
        self._hurried = True
        self._counts: dict[int, int] = {}
        self._identity = base.execute("SELECT identity FROM journal").fetchone()[0]
        self._mark_open(True)
        self.settle()
        self._witness(*self._last())

    @classmethod
    def open(cls, path: str | Path) -> Journal:
        """Open for writing; make the file if there is none.

        The file is checked first. A damaged one is kept aside, its readable part continues in a new one, and
        `lost` says what is missing.

        Raises:
            JournalError: another process writes the journal, the file is not a journal or is newer than this
                program, or the place cannot be written.
        """
        path = Path(os.path.realpath(path))
        # `os.path` also answers for a folder that may not be searched; `take_lock` then says why.
        if os.path.exists(path) and not os.path.isfile(path):
            inspect(path)  # reports what it is instead
        new_lock = not os.path.exists(f"{path}.lock")
        try:
            lock = take_lock(path)
        except JournalError as wrong:
            raise at_start(wrong) from wrong.__cause__
        try:
            mended = mend(path, lock.witness)
            with as_journal_errors(path):
                base = connect(path) if path.exists() and path.stat().st_size else create(path)
                try:
                    return cls(path, base, lock, mended)
                except BaseException:
                    base.close()
                    raise
        except BaseException as wrong:
            why = refused_by_disk(path) if isinstance(wrong, OSError) else None  # before closing frees room
            lock.close()
            if new_lock:
                Path(f"{path}.lock").unlink(missing_ok=True)  # leave nothing beside a file that is no journal
            if isinstance(wrong, OSError):
                if why is not None:
                    raise at_start(JournalError(fact("journal.at", path=str(path), why=why))) from None
                why = fact("journal.unused", why=system_reason(wrong))
                raise JournalError(fact("journal.at", path=str(path), why=why)) from None
            if isinstance(wrong, JournalError):
                raise at_start(wrong) from wrong.__cause__
            raise

    def close(self) -> None:
        """Close the file and let another process write it."""
        if self._lock is not None:
            with suppress(JournalError):  # on a full disk the next start treats it as after a power cut
                self._keep_in_place()
                self._mark_open(False)
            self._base.close()
            self._lock.close()
            self._lock = None
        self._base.close()

    def settle(self) -> None:
        """Bring the main file up to date with the -wal file, which may get lost.

        Call this when a round is over and when nothing happens, not between two events: it costs as much as
        writing two or three of them.

        Raises:
            JournalError: the disk is full or broken; nothing is lost.
        """
        with as_journal_errors(self.path):
            self._hurry(True)
            busy, frames, done = self._base.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self.unsettled = bool(busy) or done < frames

    def _mark_open(self, is_open: bool) -> None:
        with as_journal_errors(self.path):
            self._hurry(True)
            self._base.execute("UPDATE journal SET open = ?", (is_open,))

    def _keep_in_place(self) -> None:
        """Put the file back if somebody has removed it: SQLite's open file still holds all of it.

        Raises:
            JournalError: another file lies there, or this one cannot be put back; SQLite still holds it.
        """
        if self._lock is None:
            return
        if self._is_this(found := file_at(self.path)):
            self._file = found  # its permissions may have changed
            return
        if found is not None:
            raise JournalError(fact("journal.at", path=str(self.path), why=fact("journal.replaced")))
        try:
            lock = self._lock if self._lock.lies_at(self.path) else take_lock(self.path)
            try:
                self._put_back()
            except BaseException:
                if lock is not self._lock:
                    lock.close()
                raise
        except OSError as wrong:
            why = refused_by_disk(self.path) or fact("journal.unusable", why=system_reason(wrong))
            raise JournalError(fact("journal.at", path=str(self.path), why=why)) from wrong
        if lock is not self._lock:
            lock.note(self._lock.witness)  # carries over the earlier games, too
            self._lock.close()
            self._lock = lock
        self._hurried = True
        self._witness(*self._last())
        log.warning("%s: the journal was removed while the table was writing it; it is put back", self.path)

    def _put_back(self) -> None:
        with as_journal_errors(self.path):
            put_back(self._base, self.path, _rights(self._file))
            self._file = file_at(self.path)
            self._base.close()  # before opening the new file: closing deletes the -wal of this name
            self._base = connect(self.path)

    def _last(self) -> tuple[int, int]:
        row = self._base.execute("SELECT game, id FROM events ORDER BY game DESC, id DESC LIMIT 1").fetchone()
        return row or (0, 0)

    def _witness(self, game: int, number: int) -> None:
        if self._lock is not None:
            self._lock.note(Witness(self._identity, game, number))

    def _hurry(self, hurried: bool) -> None:
        """Set whether the next transaction is forced to disk before it returns."""
        if hurried != self._hurried:
            self._base.execute(f"PRAGMA synchronous = {'FULL' if hurried else 'NORMAL'}")
            self._hurried = hurried

    # --- games ---------------------------------------------------------------------------------------

    def new_game(self, wall: float | None = None, opening: Sequence[Event] = ()) -> int:
        """Begin a game with its first events, numbered from 1; all or nothing. Return the game's number.

        Raises:
            JournalError: the disk is full or broken; the newest game is still the old one.
        """
        now = time.time() if wall is None else wall
        return self.take_over([Line(event, now) for event in opening], now)

    def take_over(self, lines: Sequence[Line], started: float) -> int:
        """Begin a game with lines that carry their own times and pictures; otherwise as `new_game`."""
        self._keep_in_place()
        with as_journal_errors(self.path):
            self._hurry(True)
            with transaction(self._base):
                game = self._base.execute("INSERT INTO games (started) VALUES (?)", (started,)).lastrowid
                assert game is not None
                for number, line in enumerate(lines, 1):
                    self._note(game, number, line)
            self._written(game, len(lines))
        return game

    def prune(self, keep_games: int, after: int = 0) -> int:
        """Drop whole old games, but keep the newest `keep_games` (at least one) and those up to `after`.

        Return the number of dropped games.
        """
        with as_journal_errors(self.path):
            kept = "SELECT min(id) FROM (SELECT id FROM games ORDER BY id DESC LIMIT ?)"
            (oldest,) = self._base.execute(kept, (max(1, keep_games),)).fetchone()
            if self._lock is not None and oldest is not None:
                self._lock.forget(oldest, after)
            told = "DELETE FROM games WHERE id < ? AND id > ?"
            gone = self._base.execute(told, (oldest, after)).rowcount
            if gone:
                # Otherwise the file never shrinks. As a script, because one step of `execute` frees one page.
                self._base.executescript("PRAGMA incremental_vacuum")
                self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return gone

    # --- events --------------------------------------------------------------------------------------

    def append(self, game: int, event: Event, wall: float | None = None, crop: bytes | None = None) -> int:
        """Write one event, with a JPEG of what is in doubt; return its id.

        The event is then on disk, except for kinds that change nothing (`hand`): those follow with the next.

        Raises:
            JournalError: the disk is full or broken; the event is not in the journal at all.
        """
        self._keep_in_place()
        with as_journal_errors(self.path):
            self._hurry(event.kind not in _UNHURRIED or crop is not None)
            with transaction(self._base):
                number = self._count(game) + 1
                self._note(game, number, Line(event, time.time() if wall is None else wall, crop))
            self._written(game, number)
        return number

    def _note(self, game: int, number: int, line: Line) -> None:
        """Write one line and its picture, inside the caller's transaction."""
        plain = line.event.to_dict()
        text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        if not text.isprintable():  # a lone surrogate cannot be encoded as UTF-8, so escape it
            text = json.dumps(plain, separators=(",", ":"))
        said = (game, number, float(line.wall), text)
        write_line(self._base, SealedLine(*said, seal(self._identity, *said)))
        if line.crop is not None:
            self._base.execute(
                "INSERT INTO crops (game, id, jpeg, seal) VALUES (?, ?, ?, ?)",
                (game, number, line.crop, seal_crop(self._identity, game, number, line.crop)),
            )

    def _count(self, game: int) -> int:
        """Number of lines of a game, cached: only this process adds any."""
        if game not in self._counts:
            told = "SELECT coalesce(max(id), 0) FROM events WHERE game = ?"
            self._counts[game] = int(self._base.execute(told, (game,)).fetchone()[0])
        return self._counts[game]

    def _written(self, game: int, number: int) -> None:
        self.unsettled = True
        self._counts[game] = number
        self._witness(game, number)

    def forget_pictures(
        self, before_wall: float, after_wall: float = inf, spared: tuple[int, Collection[int]] = (0, ())
    ) -> int:
        """Drop the pictures of lines written before `before_wall` or after `after_wall` (seconds since 1970).

        `spared` (a game and its line numbers) keep theirs. Return the number of dropped pictures.
        """
        game, numbers = spared
        with as_journal_errors(self.path):
            self._base.execute("PRAGMA secure_delete = ON")  # no trace of a dropped picture may remain
            return self._base.execute(
                "DELETE FROM crops WHERE NOT (game = ? AND id IN (SELECT value FROM json_each(?))) "
                "AND EXISTS (SELECT 1 FROM events e WHERE e.game = crops.game AND e.id = crops.id "
                "AND (e.wall < ? OR e.wall > ?))",
                (game, json.dumps([*numbers]), before_wall, after_wall),
            ).rowcount
