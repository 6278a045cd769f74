"""The table under `stammtisch torture`: a process with journal, rules, page, lamps and a camera.

It plays a given log, event after event, and prints the number of each confirmed event. After a kill, the next
process goes on where the journal ends. An ailing part is reported as `ails PART WHAT`.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from firmware_bridge.link import Link
from firmware_bridge.transports.loopback import Loopback
from table.camera_watch import Watching
from table.journal import Journal, JournalError
from table.live import HearsNothing, Table
from table.rules.events import Event
from table.runtime import Runtime
from table.session import Session
from table.settings import default_lamps
from table.web import Page, PageAddress
from vision.errors import SourceError
from vision.frame import Frame
from vision.sightings import Picture, SightBack, Sighting, SightLost

JOURNAL, SCRIPT = "evening.sqlite", "script.json"

PACE_S = 0.002

WORD_S = 15.0
"""How long the page may take to report an ailing part; after that it counts as not reported."""

AILS = {
    "camera stalls": ("camera", "lost"),
    "camera is unplugged": ("camera", "lost"),
    "camera is covered": ("sight", "covered"),
    "camera freezes": ("sight", "frozen"),
    "lamp board is unplugged": ("board", "lost"),
    "lamp board hangs": ("board", "lost"),
    "disk is full": ("journal", "stuck"),
}
"""Part and state that the page must report for each fault before the game is over."""


def told(events: Sequence[Event]) -> list[Event]:
    """The events that are not from the rules, which add theirs again in a new fold."""
    return [event for event in events if event.get("source") != "rules"]


def play(folder: Path, fault: str) -> None:
    """Play the script to its end, from where the journal ends; may be called again after a kill."""
    script = [Event.from_dict(plain) for plain in json.loads((folder / SCRIPT).read_text("utf-8"))]
    jump = int(time.time() * 1000) % 200_000_000 - 100_000_000 if fault == "clock jumps" else 0
    with Journal.open(folder / JOURNAL) as journal:
        if journal.lost:
            print(f"lost {journal.lost}", flush=True)
        games = journal.games()
        known = told([entry.event for entry in journal.events(games[-1])]) if games else []
        if len(known) < len(script):
            session = Session(journal, wall=lambda: time.time() + jump)
            if known:
                session.resume()
            else:
                session.begin(script[:1])
            _run(session, script, fault)
    print("done", flush=True)


def _run(session: Session, script: Sequence[Event], fault: str) -> None:
    wire = Loopback()
    table = Table(session, HearsNothing(), default_lamps(session.view.seats))
    said: set[tuple[str, str]] = set()

    def heard() -> None:
        for part, state in table.health.troubles():
            if (part, state.what) not in said:
                said.add((part, state.what))
                print(f"ails {part} {state.what}", flush=True)

    table.watch(heard)
    camera = HurtCamera(fault)
    link = HurtWire(wire, fault)
    page = Page(table, PageAddress(0))
    print(f"page {page.port}", flush=True)
    runtime = Runtime(table, Watching(lambda: camera, camera), lambda: Link.open(link))

    async def guests() -> None:
        with _full_disk(session.journal_path, fault) as room:
            for event in script[len(told([entry.event for entry in session.entries])) :]:
                while True:
                    try:
                        print(session.add(event), flush=True)
                        break
                    except JournalError as wrong:
                        table.ail("journal", "stuck", wrong.fact)
                        await asyncio.sleep(0.02)
                        room()
                await asyncio.sleep(PACE_S)
        until = time.monotonic() + WORD_S
        while fault in AILS and AILS[fault] not in said and time.monotonic() < until:
            await asyncio.sleep(0.02)
        runtime.stop()
        await asyncio.Event().wait()

    runtime.run(page.serve, guests)


@contextmanager
def _full_disk(journal: Path, fault: str) -> Iterator[Any]:
    """Let the journal's files grow by no more than one page; the yielded call makes room again."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    if fault == "disk is full":
        sizes = (Path(f"{journal}{end}") for end in ("", "-wal"))
        most = max(file.stat().st_size for file in sizes if file.exists())
        resource.setrlimit(resource.RLIMIT_FSIZE, (most + 4096, hard))
    try:
        yield room
    finally:
        room()


class HurtCamera:
    """A camera and its eye, which fail after 0.2 s if that is the fault."""

    def __init__(self, fault: str) -> None:
        self._fault, self._began, self._frames = fault, time.monotonic(), 0

    def read(self) -> tuple[Picture | Frame, float] | None:
        """A grey frame; late, or none at all (SourceError), if that is the fault."""
        time.sleep(0.02)
        self._frames += 1
        hurt = time.monotonic() - self._began > 0.2
        if hurt and self._fault == "camera stalls":
            time.sleep(2.5)
        if hurt and self._fault == "camera is unplugged":
            raise SourceError("usb:0: the camera is gone; check its cable")
        return np.full((36, 64, 3), 128, np.uint8), self._frames * 0.02

    def see(self, _picture: Picture | Frame, t: float) -> Sequence[Sighting]:
        """The sightings of camera health for such frames: lost and back in turn."""
        why = {"camera is covered": "covered", "camera freezes": "frozen"}.get(self._fault)
        if why is None or self._frames % 10:
            return ()
        back = not self._frames % 20
        return (SightBack(t, t - 0.2, why),) if back else (SightLost(t, t, why),)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class HurtWire:
    """The cable to a board in memory; pulled, or silent, for some seconds if that is the fault."""

    def __init__(self, wire: Loopback, fault: str) -> None:
        self._wire, self._fault, self._began = wire, fault, time.monotonic()
        self.name = wire.name

    def __call__(self) -> HurtWire:
        """Open the port again."""
        return self

    def _hurt(self) -> bool:
        return 0.3 < (time.monotonic() - self._began) % 6 < 4

    def write(self, data: bytes) -> None:
        """Write `data` to the board."""
        self._wire.plugged = not (self._fault == "lamp board is unplugged" and self._hurt())
        if not (self._fault == "lamp board hangs" and self._hurt()):
            self._wire.write(data)

    def read(self, patience_s: float) -> bytes:
        """The board's answers."""
        return self._wire.read(patience_s)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def live(folder: Path, fault: str, said: Connection, complaints: Connection) -> None:
    """Run `play` with these two ends of pipes as stdout and stderr; the target of a new process."""
    for end, channel in ((said, 1), (complaints, 2)):
        os.dup2(end.fileno(), channel)
        end.close()
    play(folder, fault)
