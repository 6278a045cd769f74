"""Keeping the score by touch, for a table that lacks something or whose starts fail repeatedly.

The page always comes up and names what is missing, with the remedy. Starts that end before the table has run
for a while are counted in a small file beside the journal; after several of them the next start leaves camera
and lamp board alone, since one of these may be the cause.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from firmware_bridge.errors import BridgeError
from table.catalogue import Fact, fact
from table.cli.real_table import PORT
from table.errors import StammtischError
from table.journal import JournalError, JournalHeldError, JournalNewerError
from table.web.pin import pin_place, read_pin
from table.whole_file import replace_whole
from vision.errors import VisionError

if TYPE_CHECKING:
    from table.equipment import Equipment
    from table.journal import Journal
    from table.rules.view import View
    from table.settings import TableFile

log = logging.getLogger(__name__)

LOOK_S = 5.0
"""Time between two looks at what could not be opened or read."""

PORTS = range(PORT, PORT + 10)
"""The page's ports where the wanted one cannot be had."""

FAILED = 3
"""Number of failed starts in a row after which the next one is a safe one."""

ROOM = 4
"""Free space that a journal needs before a stand-in's games are written to it, in sizes of the stand-in."""

PROVEN_S = 120.0
"""How long a start must last to have succeeded: four times the watchdog's patience."""

REFUSED = (StammtischError, VisionError, BridgeError, KeyboardInterrupt)
"""Exceptions that end a start with a sentence, or because somebody wanted it."""


class Starts:
    """Counts the starts of a table that were neither proven nor ended in order.

    A start that was refused with a sentence counts only with `again`: a service, which does not read it,
    starts the table again unchanged. A start that somebody ended never counts, nor does one whose journal
    another table writes: neither camera nor board is to blame.
    """

    def __init__(self, journal: Path, *, again: bool = False) -> None:
        self._file, self._again = Path(f"{journal}.starts"), again
        self.failed = self._read()
        self._new = not os.path.exists(self._file)  # also where its folder may not be searched
        self._write(self.failed + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: object, trace: object) -> None:
        if kind is None or not issubclass(kind, REFUSED) or self._read() != self.failed + 1:
            return
        if self._again and not issubclass(
            kind, (KeyboardInterrupt, JournalHeldError)
        ):  # the service starts the same once more
            return
        if self._new:
            with suppress(OSError):
                self._file.unlink()
        else:
            self._write(self.failed)

    @property
    def safe(self) -> Fact | None:
        """Why this start leaves camera and lamp board alone; None if it does not."""
        return fact("starts.safe", n=self.failed) if self.failed >= FAILED else None

    def mark_proven(self) -> None:
        """Record that this start succeeded."""
        self._write(0)

    async def serve(self) -> None:
        """Mark this start as proven after `PROVEN_S`; runs beside the table."""
        await asyncio.sleep(PROVEN_S)
        self.mark_proven()
        await asyncio.Event().wait()

    def _read(self) -> int:
        with suppress(OSError, ValueError):
            return max(0, int(self._file.read_text("ascii")))
        return 0

    def _write(self, count: int) -> None:
        with suppress(OSError):  # a disk that cannot be written is reported elsewhere
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_whole(self._file, f"{count}\n".encode())  # a half-written file would be a wrong count


def open_journal(place: Path) -> Journal:
    """Open the journal; as a service, where that fails, one that stands in for it until it can be opened.

    Raises:
        JournalError: it cannot be opened and a person reads that, another table writes it, or it is newer.
    """
    from table.integrations.systemd import under_systemd
    from table.journal import Journal, stand_in, while_running

    try:
        return Journal.open(place)
    except (JournalHeldError, JournalNewerError):
        raise
    except JournalError as wrong:
        if not under_systemd():
            raise
        log.warning("%s", wrong)
        return stand_in(while_running(wrong))


def end_stand_in(journal: Journal, place: Path) -> None:
    """Write the games of a stand-in, which is closed, into the journal at `place`; log if that fails."""
    from table.journal import JournalReader, bring_home

    if journal.apart is None:
        return
    try:
        with JournalReader.open(journal.path) as apart:
            games = bring_home(apart, place)
    except JournalError as wrong:
        log.warning("%s; until this computer is switched off the games are in %s", wrong, journal.path)
    else:
        if games:
            log.warning("%s: games played in memory that are written there now: %d", place, games)


def at_hand(place: Path, journal: Journal, wanted: str | None) -> Path:
    """The journal beside which PIN and admitted phones are kept.

    The table's own where a PIN is kept there already, unless the settings want (`wanted`) a certain one.
    """
    kept = journal.apart is not None and wanted is None and read_pin(pin_place(place)) is not None
    return place if kept else journal.path


async def once_possible(attempt: Callable[[], object], end: Callable[[], object]) -> None:
    """Call `end` once `attempt` raises no StammtischError any more: the next start does without a stopgap."""
    while True:
        await asyncio.sleep(LOOK_S)
        with suppress(StammtischError, OSError):
            await asyncio.to_thread(attempt)
            end()
            await asyncio.Event().wait()  # a service that returns would end the table before it has answered


def try_journal(place: Path, apart: Path) -> None:
    """Open the journal and close it again; there must be room for the games of the stand-in at `apart`.

    Raises:
        JournalError: it cannot be opened, or the disk is too full.
        OSError: the sizes cannot be read.
    """
    from table.journal import Journal, report_lost

    with Journal.open(place) as own:
        report_lost(own)
    games = sum(file.stat().st_size for file in apart.parent.iterdir())
    if shutil.disk_usage(place.parent).free < ROOM * games:
        raise JournalError(fact("journal.full"))


def try_port(listen: str, port: int) -> None:
    """Take the page's port and give it back. Raises PageError."""
    from table.web.port import bind

    bind(listen, port).close()


def free_port(listen: str) -> int:
    """One of the usual ports that is free at this address; 0, any free one, where none is."""
    from table.web.port import PageError

    for port in PORTS:
        with suppress(PageError):
            try_port(listen, port)
            return port
    return 0


def by_hand(table_file: TableFile) -> Equipment:
    """The equipment of a table that sees nothing: every card and die is entered by touch."""
    from table.equipment import Equipment
    from table.rules import games

    layout, boxed = table_file.layout, table_file.layout.kind == "field"
    if not layout.tags:  # nothing is known of this table, so any game suits
        return Equipment()

    def suits(view: View) -> None:
        if boxed != games.boxed(view.game):
            where, game = str(table_file.path), games.title(view.game)
            if boxed:
                raise StammtischError(fact("opening.mat", where=where, game=game))
            raise StammtischError(fact("opening.box", where=where, game=game))

    seats = () if boxed else tuple(seat.name for seat in layout.seats)
    return Equipment(seats, tuple(bet.kind for bet in layout.bets), suits=suits, layout=layout)


def reachable(listen: str) -> Fact | None:
    """Why the page cannot be served at this address now; None if it can."""
    from table.web.page import bind
    from table.web.port import PageError

    try:
        bind(listen, 0).close()
    except PageError:
        return fact("page.address", address=listen)
    return None
