"""`stammtisch torture`: subject a table to every fault of a night in a pub, and count what is lost.

A table in a separate process (`torture_table`) plays a log of each game: journal, rules, page, lamps
and a camera whose pictures mean nothing. Afterwards the journal must hold every event once, in order, and the
points must be those of the undisturbed log.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import socket
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import IO, Any

from table.cli import numbers
from table.cli.ordeal import Ordeal
from table.cli.torture_table import AILS, JOURNAL, SCRIPT, live, told
from table.errors import StammtischError, UsageError
from table.fold import Fold
from table.journal import Journal
from table.rules import games
from table.rules.events import Event
from table.rules.referee import Referee

GAMES = tuple(games.GAMES)

CUTS = ("kill -9", "power cut between two writes", "database is damaged")
"""Faults that end the table's process."""

FAULTS = (*CUTS, "database is locked", "clock jumps", "web clients never read", *AILS)

_FORKSERVER = multiprocessing.get_context("forkserver")
"""Tables fork from a process that has loaded the program, since loading takes longer than a table's life."""
_FORKSERVER.set_forkserver_preload(["table.cli.torture_table"])

_UPGRADE = (
    "GET /live HTTP/1.1",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
)

PATIENCE_S = 60.0

MOST_STARTS = 60

MOST_GAMES = 20
"""Most games per fault: a game may be over before the fault strikes."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument(
        "--faults",
        type=numbers.from_one,
        metavar="N",
        default=len(FAULTS) * 2,
        help="how many (default: %(default)s)",
    )
    parser.add_argument("--kind", metavar="NAME", help=f"only this one: {', '.join(FAULTS)}")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        default=1,
        help="seed of the moments at which faults happen (default: 1)",
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the results as HTML")


def run(options: argparse.Namespace) -> int:
    """Cause the faults and count; return 0 if nothing was lost, doubled or miscounted."""
    if options.kind is not None and options.kind not in FAULTS:
        raise UsageError(f"--kind {options.kind}: unknown; known: {', '.join(FAULTS)}")
    _refuse_no_file(options.report)
    found: list[Ordeal] = []
    strikes = 0
    for ordeal in ordeals(options.faults, options.seed, options.kind):
        found.append(ordeal)
        strikes += ordeal.strikes
        mark = "ok  " if ordeal.well else "BAD "
        print(
            f"{mark} {ordeal.fault:<29}{ordeal.game:<12}{ordeal.strikes:>3} x  {ordeal.in_words}",
            flush=True,
        )
    lost, doubled = sum(each.lost for each in found), sum(each.doubled for each in found)
    miscounted = sum(not each.points_same for each in found)
    bad = sum(not each.well for each in found)
    print(f"{strikes} faults in {len(found)} games: {lost} events lost, {doubled} doubled, "
          f"{miscounted} wrong scores, {bad} games not as they should be")  # fmt: skip
    if options.report is not None:
        from table.cli.torture_page import page

        options.report.write_text(page(found), encoding="utf-8")
        print(f"report: {options.report}")
    return 1 if bad else 0


def _refuse_no_file(report: Path | None) -> None:
    """Raise StammtischError if the results cannot be written there, before minutes are spent."""
    if report is not None and report.is_dir():
        raise StammtischError(f"--report {report}: is a folder; give a file")
    if report is not None and not report.parent.is_dir():
        raise StammtischError(f"--report {report}: there is no such folder; make it, or give another file")


def ordeals(faults: int, seed: int, kind: str | None = None) -> Iterator[Ordeal]:
    """Cause `faults` faults in all, going through the kinds and the games in turn."""
    chance, number, strikes = random.Random(seed), 0, 0
    at_most = faults if kind else max(1, faults // len(FAULTS))  # so that every kind has its turn
    while strikes < faults and number < MOST_GAMES * faults:
        fault = kind or FAULTS[number % len(FAULTS)]
        ordeal = Ordeal(fault, GAMES[number % len(GAMES)])
        with tempfile.TemporaryDirectory(prefix="stammtisch-torture-") as folder:
            _undergo(ordeal, Path(folder), chance, min(at_most, faults - strikes))
        number += 1
        strikes += ordeal.strikes or not ordeal.well
        yield ordeal


def script(game: str, seed: int) -> list[Event]:
    """The log of one short game, played by the program's own players."""
    from table.rules import dice_evening, evening

    if games.boxed(game):
        opening = Event("game", {"game": game, "players": ["blue", "green", "red"]})
        return [*dice_evening.evening(opening, seed, rounds=1)]
    people = ["Anna", "Bernd", "Carla", "Dirk"][: max(games.GAMES[game].players)]
    seats = [f"S{number}" for number, _ in enumerate(people, 1)]
    opening = Event("game", {"game": game, "seats": seats, "players": people})
    return [*evening.evening(opening, seed, rounds=1)]


def points(events: Sequence[Event]) -> dict[str, Any]:
    """The points and winners of a log by the rules."""
    referee = Referee()
    for number, event in enumerate(events, 1):
        referee.add(event.numbered(number))
    return {key: referee.result()[key] for key in ("points", "winners")}


def _undergo(ordeal: Ordeal, folder: Path, chance: random.Random, most: int) -> None:
    log = script(ordeal.game, chance.randrange(1 << 30))
    (folder / SCRIPT).write_text(json.dumps([event.to_dict() for event in log]), "utf-8")
    confirmed = 0
    for start in range(MOST_STARTS):
        strikes = ordeal.fault in CUTS and ordeal.strikes < most and start < MOST_STARTS - 1
        confirmed, done = _live(ordeal, folder, chance, confirmed, strikes)
        if done:
            break
        if ordeal.wrong:
            return
    _judge(ordeal, folder / JOURNAL, log)


def _live(
    ordeal: Ordeal, folder: Path, chance: random.Random, confirmed: int, strikes: bool
) -> tuple[int, bool]:
    """Run one table process; return how many events it confirmed, and whether the game is over."""
    dies_after = chance.randrange(1, 30) if strikes else None
    guests: list[socket.socket] = []
    lines = 0
    with _table_process(folder, ordeal.fault) as (table, said, complaints):
        patience = threading.Timer(
            PATIENCE_S, table.kill
        )  # ends a table that hangs; it then counts as ended by itself
        patience.start()
        for line in said:
            word, _, rest = line.strip().partition(" ")
            if word.isdigit():
                confirmed, lines = int(word), lines + 1
            elif word in ("lost", "ails"):
                ordeal.said.append(line.strip())
            elif word == "page":
                guests = _strike_living(ordeal, folder / JOURNAL, int(rest))
            elif word == "done":
                table.join(PATIENCE_S)
                patience.cancel()
                _leave(guests)
                return confirmed, True
            if dies_after is not None and lines >= dies_after:
                time.sleep(chance.uniform(0, 0.01))
                break
        patience.cancel()
        table.kill()
        rest = said.read()
        complaint = complaints.read().strip()
    _leave(guests)
    numbers = [int(line) for line in rest.splitlines() if line.strip().isdigit()]
    if dies_after is None:
        ordeal.wrong = f"it ended by itself: {complaint.splitlines()[-1] if complaint else 'without a word'}"
        return confirmed, False
    ordeal.strikes += 1
    confirmed = max([confirmed, *numbers])
    _strike_dead(ordeal, folder / JOURNAL, chance)
    _look(ordeal, folder / JOURNAL, confirmed)
    return confirmed, False


@contextmanager
def _table_process(folder: Path, fault: str) -> Iterator[tuple[ForkServerProcess, IO[str], IO[str]]]:
    """Start a table's process; yield it and its stdout and stderr; kill it afterwards."""
    with ExitStack() as open_ends:
        ends = [_FORKSERVER.Pipe(duplex=False) for _ in range(2)]
        for heard, _ in ends:
            open_ends.callback(heard.close)
        table = _FORKSERVER.Process(target=live, args=(folder, fault, *(spoken for _, spoken in ends)))
        table.start()
        for _, spoken in ends:
            spoken.close()
        open_ends.callback(table.join)
        open_ends.callback(table.kill)
        said, complaints = (
            open_ends.enter_context(open(heard.fileno(), closefd=False, encoding="utf-8"))
            for heard, _ in ends
        )
        yield table, said, complaints


def _strike_living(ordeal: Ordeal, journal: Path, port: int) -> list[socket.socket]:
    """Cause the fault from outside while the table plays; return the connections to close afterwards."""
    guests: list[socket.socket] = []
    if ordeal.fault not in CUTS:
        ordeal.strikes += 1
    if ordeal.fault == "database is locked":
        with closing(sqlite3.connect(journal, isolation_level=None, timeout=5)) as base:
            for _ in range(3):
                base.execute("BEGIN IMMEDIATE")
                time.sleep(0.1)
                base.execute("ROLLBACK")
                time.sleep(0.02)
    if ordeal.fault == "web clients never read":
        call = "\r\n".join((*_UPGRADE, f"Host: localhost:{port}", "", ""))
        for _ in range(80):
            guest = socket.create_connection(("127.0.0.1", port), timeout=30)
            guest.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            with suppress(OSError):
                guest.sendall(call.encode())
            guests.append(guest)
    return guests


def _leave(guests: Sequence[socket.socket]) -> None:
    for guest in guests:
        guest.close()


def _strike_dead(ordeal: Ordeal, journal: Path, chance: random.Random) -> None:
    """Damage the files of a killed table, if that is the fault."""
    if not journal.exists():
        return
    wal = Path(f"{journal}-wal")
    if ordeal.fault == "power cut between two writes":
        # Data forced to the disk is there; of data being written any part may be: a torn tail.
        with wal.open("ab") as file:
            file.write(chance.randbytes(chance.randrange(1, 1500)))
        Path(f"{journal}-shm").unlink(missing_ok=True)
    elif ordeal.fault == "database is damaged":
        victim = chance.choice([file for file in (journal, wal) if file.exists() and file.stat().st_size])
        data = bytearray(victim.read_bytes())
        for _ in range(4):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        victim.write_bytes(data)


def _look(ordeal: Ordeal, journal: Path, confirmed: int) -> None:
    """Check that every confirmed event is there, or that the loss on a damaged disk is reported."""
    with Journal.open(journal) as kept:
        games = kept.games()
        there = len(list(kept.events(games[-1]))) if games else 0
        if len(games) > 1:
            ordeal.doubled += 1
        if there >= confirmed:
            return
        if ordeal.fault == "database is damaged" and kept.lost:
            ordeal.said.append(f"lost {kept.lost}")
        else:
            ordeal.lost += confirmed - there


def _judge(ordeal: Ordeal, journal: Path, log: Sequence[Event]) -> None:
    with Journal.open(journal) as kept:
        kept.check()
        entries = list(kept.events(kept.games()[-1]))
    events = told([entry.event for entry in entries])
    ordeal.doubled += max(0, len(events) - len(log))
    if events != list(log):
        ordeal.lost += sum(event not in events for event in log)
        ordeal.wrong = ordeal.wrong or "the journal is not the log"
    once, twice = _folded(entries), _folded(entries)  # folding a log twice must give the same game
    ordeal.points_same = once == twice == points(log)
    wanted = AILS.get(ordeal.fault)
    if wanted is not None and f"ails {' '.join(wanted)}" not in ordeal.said:
        ordeal.wrong = ordeal.wrong or f"the page did not say {wanted}"


def _folded(entries: Sequence[Any]) -> dict[str, Any]:
    fold = Fold(Referee)
    fold.begin(entries)
    return {key: fold.referee.result()[key] for key in ("points", "winners")}
