"""A journal in memory for a table whose own cannot be opened: a disk that is full or read-only, lost rights.

It begins empty, because a file that cannot be opened cannot be checked either. When the table ends, its games
go into the table's own journal as new games, if that can be opened by then.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from table.catalogue import Fact, tell
from table.journal.entry import Line
from table.journal.file import JournalError
from table.journal.journal import Journal
from table.journal.reader import JournalReader

log = logging.getLogger(__name__)

_MEMORY = "/dev/shm"
"""A file system in memory; it can be written whatever has become of the disk."""

_OPENING = ("game", "round", "hand")
"""Lines of a game in which nothing was played yet."""


def stand_in(why: Fact) -> Journal:
    """Open an empty journal in memory; `why` says why the table's own cannot be opened.

    Raises:
        JournalError: there is no room in memory either; its text is `why`.
    """
    for place in (_MEMORY, None):
        with suppress(OSError, JournalError):
            folder = tempfile.mkdtemp(prefix="stammtisch-", dir=place)  # for its owner only
            journal = Journal.open(Path(folder) / "evening.sqlite")
            journal.apart = why
            return journal
    raise JournalError(why)


def bring_home(apart: JournalReader, place: Path) -> int:
    """Write the games of a stand-in into the journal at `place`, and delete it; return how many were written.

    A game in which nothing was played is left out: it would hide the evening that the table's own journal has
    to continue.

    Raises:
        JournalError: the journal cannot be opened or written. The stand-in stays where it is.
    """
    games = {game: list(_lines(apart, game)) for game in apart.games()}
    played = {game: lines for game, lines in games.items() if _was_played(lines)}
    if played:
        with Journal.open(place) as own:
            report_lost(own)
            _write(own, played)
    shutil.rmtree(apart.path.parent, ignore_errors=True)
    return len(played)


def _was_played(lines: list[Line]) -> bool:
    return any(line.event.kind not in _OPENING for line in lines)


def _write(own: Journal, games: Mapping[int, list[Line]]) -> None:
    """Write games by their number in the stand-in, which `resumes` names; here they get other numbers."""
    numbers: dict[int, int] = {}
    for game, lines in games.items():
        first = lines[0].event.without("resumes")
        before = numbers.get(lines[0].event.resumes or 0)
        if before is not None:
            first = first.having(resumes=before)
        numbers[game] = own.take_over([lines[0]._replace(event=first), *lines[1:]], lines[0].wall)


def report_lost(journal: Journal) -> None:
    """Log what the disk damaged; only the `Journal.open` that mends the file knows it."""
    if journal.lost is not None:
        log.warning("%s", tell(journal.lost))


def _lines(journal: JournalReader, game: int) -> Iterator[Line]:
    for entry in journal.events(game):
        yield Line(entry.event, entry.wall, journal.crop(game, entry.id) if entry.crop else None)
