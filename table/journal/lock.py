"""The writer's lock, and in the same small file the witness: how far the journal and its games had come.

The witness is not forced to disk; after a power cut it may be behind the journal, but never ahead. If it
knows of more than the journal holds, something was lost.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from table.catalogue import fact
from table.errors import system_reason
from table.journal.file import JournalError, JournalHeldError, make_folder, refused_by_disk

_WITNESS = re.compile(r"^ *\d+ *\n *(\d+) +(\d+) +(\d+) *\n")
_EARLIER = re.compile(r"^(\d+)((?: \d+:\d+)+)\n")
_BEGIN = 42
"""Length of the first two lines in bytes; after them come the earlier games: checksum, GAME:ID …"""
_OF_DISKS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""Errors of a disk, not of a path."""
_MOST = 1000
"""Most earlier games that are remembered."""


class Witness(NamedTuple):
    """The last line that was written: which journal, which game, which id."""

    identity: int
    game: int
    id: int
    earlier: tuple[tuple[int, int], ...] = ()
    """(game, id of its last line) of the games before, as far as this lock file saw them end."""

    @property
    def last(self) -> tuple[int, int]:
        """Game and id of the last line."""
        return self.game, self.id


class Lock:
    """The lock on a journal, held until `close`. The kernel releases it however the process dies.

    The lock is a separate file: closing any descriptor of the database itself would drop SQLite's own locks
    (https://sqlite.org/howtocorrupt.html, 2.2).
    """

    def __init__(self, path: Path) -> None:
        """Take the lock.

        Raises:
            JournalHeldError: another process holds the lock.
            OSError: the place cannot be written.
        """
        self._file = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(self._file, 20, 0).decode("ascii", "replace").split("\n")[0].strip() or "unknown"
            os.close(self._file)
            raise JournalHeldError(
                f"{path}: another table is writing this journal (process {owner}); "
                "stop it or choose another file with --journal"
            ) from None
        except OSError:  # a file system without locks
            os.close(self._file)
            raise
        self.witness = self._read()
        self.note(self.witness)

    def note(self, witness: Witness | None) -> None:
        """Record how far the journal has come, and who writes it; on a full disk the record is lost."""
        before, self.witness = self.witness, witness
        identity, game, number = (witness or (0, 0, 0))[:3]
        if witness is not None and before is not None and before.identity == identity:
            ended = () if game <= before.game else (before.last,)
            self.witness = witness = witness._replace(earlier=(*before.earlier, *ended)[-_MOST:])
        text = f"{os.getpid():<10}\n{identity:>10} {game:>9} {number:>9}\n"
        with suppress(OSError):
            os.pwrite(self._file, text.encode(), 0)  # of fixed length: needs no truncation, is never missing
            if before is None or witness is None or before.earlier != witness.earlier:
                os.ftruncate(self._file, _BEGIN)
                os.pwrite(self._file, _written(witness), _BEGIN)

    def lies_at(self, path: Path) -> bool:
        """Whether the locked file is still the one beside the journal."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(self._file), os.stat(f"{path}.lock"))
        return False

    def forget(self, before: int, after: int = 0) -> None:
        """Forget the games between `after` and `before`, both exclusive: they are about to be dropped."""
        if (witness := self.witness) is not None:
            kept = tuple(one for one in witness.earlier if one[0] >= before or one[0] <= after)
            self.witness = None
            self.note(witness._replace(earlier=kept))

    def close(self) -> None:
        """Let another process write the journal; a second call does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _read(self) -> Witness | None:
        try:
            text = os.pread(self._file, 100_000, 0).decode("ascii", "replace")
        except OSError:
            return None
        found = _WITNESS.match(text)
        if found is None or found[2] == "0":
            return None
        identity, game, number = map(int, found.groups())
        games = _EARLIER.match(text[_BEGIN:])
        if games is None or int(games[1]) != crc32(f"{identity}{games[2]}".encode()):
            return Witness(identity, game, number)
        pairs = (pair.split(":") for pair in games[2].split())
        return Witness(identity, game, number, tuple((int(one), int(last)) for one, last in pairs))


def _written(witness: Witness | None) -> bytes:
    if witness is None or not witness.earlier:
        return b""
    games = "".join(f" {game}:{number}" for game, number in witness.earlier)
    return f"{crc32(f'{witness.identity}{games}'.encode())}{games}\n".encode()


def writer(path: Path) -> int | None:
    """Id of the process that now writes a journal (0 = unknown); None if there is none. Changes nothing."""
    try:
        file = os.open(f"{os.path.realpath(path)}.lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.pread(file, 20, 0).decode("ascii", "replace").split("\n")[0].strip()
        return int(owner) if owner.isdigit() else 0
    finally:
        os.close(file)
    return None


def take_lock(path: Path) -> Lock:
    """Take the lock of a journal; make its folder if there is none.

    Raises:
        JournalError: another process holds the lock, or the place cannot be written.
    """
    try:
        make_folder(path.parent)
        return Lock(path)
    except OSError as wrong:
        if wrong.errno in _OF_DISKS and (why := refused_by_disk(path)) is not None:
            raise JournalError(fact("journal.at", path=str(path), why=why)) from None
        why = fact("journal.place", why=system_reason(wrong))
        raise JournalError(fact("journal.at", path=str(path), why=why)) from None
