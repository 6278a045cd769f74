"""A journal in memory for a table whose own cannot be opened: a disk that is full or read-only, lost rights.

It takes over the game that was played, as far as that can still be read, and outlives the process, not the
computer. What was played in it goes into the table's own journal as soon as that can be opened again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from table.catalogue import Fact
from table.journal.entry import Line
from table.journal.file import JournalError
from table.journal.journal import Journal
from table.journal.reader import JournalReader

log = logging.getLogger(__name__)

_MEMORY = Path("/dev/shm")
"""A file system in memory; it can be written whatever has become of the disk."""

_NAME = "evening.sqlite"

_BEFORE = "before.sqlite"
"""The copy of the table's own journal while it is read."""


def stand_in(path: Path, why: Fact) -> Journal:
    """Open the journal that stands in for the one at `path`, which cannot be opened because of `why`.

    Raises:
        JournalError: there is no room in memory either.
    """
    try:
        folder = _folder(path)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not _ours(folder):
            folder = Path(tempfile.mkdtemp())
    except OSError as wrong:
        raise JournalError(why) from wrong
    journal = Journal.open(folder / _NAME)
    journal.apart = why
    try:
        if not journal.games():
            _go_on(journal, path)
    except BaseException:
        journal.close()
        raise
    return journal


def _go_on(journal: Journal, path: Path) -> None:
    """Take over the newest game of the journal at `path`, as far as it can still be read."""
    copy = journal.path.with_name(_BEFORE)
    try:
        for end in ("", "-wal"):  # SQLite reads no -wal on a disk that has no room for its index
            if Path(f"{path}{end}").exists():
                shutil.copyfile(f"{path}{end}", f"{copy}{end}")
        with JournalReader.open(copy) as own:
            game = max(own.games(), default=None)
            lines = [] if game is None else list(_lines(own, game))
        if lines:
            first = lines[0].event.having(resumes=game)
            journal.take_over([lines[0]._replace(event=first), *lines[1:]], lines[0].wall)
    except (JournalError, OSError) as wrong:
        log.warning("%s: what was played cannot be shown: %s", path, wrong)
    finally:
        for end in ("", "-wal", "-shm"):
            Path(f"{copy}{end}").unlink(missing_ok=True)


def bring_home(own: Journal) -> int:
    """Take what was played in a stand-in over into the table's own journal; return the number of its games.

    Raises:
        JournalError: it cannot be written; the stand-in then stays.
    """
    folder = _folder(own.path)
    if not folder.is_dir() or not _ours(folder):
        return 0
    brought = 0
    try:
        with JournalReader.open(folder / _NAME) as apart:
            for game in apart.counted():
                lines = list(_lines(apart, game))
                if lines and _is_news(own, lines):
                    own.take_over(_known(own, lines), lines[0].wall)
                    brought += 1
    except JournalError as wrong:
        if (folder / _NAME).exists():
            raise
        log.warning("%s", wrong)  # it was never filled
    shutil.rmtree(folder, ignore_errors=True)
    return brought


def _folder(path: Path) -> Path:
    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:16]
    return _MEMORY / f"stammtisch-{os.geteuid()}-{name}"


def _ours(folder: Path) -> bool:
    """Whether this is a folder of this user, into which nobody else could lay anything."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def _lines(journal: JournalReader, game: int) -> Iterator[Line]:
    for entry in journal.events(game):
        yield Line(entry.event, entry.wall, journal.crop(game, entry.id) if entry.crop else None)


def _is_news(own: JournalReader, lines: list[Line]) -> bool:
    """Whether more stands in these lines than in the game of the own journal that they continue."""
    before = lines[0].event.resumes
    return before not in own.games() or len(lines) > sum(1 for _ in own.events(before))


def _known(own: JournalReader, lines: list[Line]) -> list[Line]:
    """The lines, naming no game that the own journal does not have."""
    if lines[0].event.resumes in own.games():
        return lines
    return [lines[0]._replace(event=lines[0].event.without("resumes")), *lines[1:]]
