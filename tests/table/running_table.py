"""The whole runtime with stand-ins for everything on a cable: camera, eye, board."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware_bridge.errors import BoardLostError
from firmware_bridge.lamps import RGB
from table import camera_watch
from table import runtime as runtime_module
from table.camera_watch import Watching
from table.journal import Journal
from table.live import Table
from table.rules.events import Event
from table.rules.view import View
from table.runtime import Runtime
from table.session import Session
from table.settings import default_lamps
from vision.errors import SourceError
from vision.frame import Frame
from vision.sightings import CardDown, Guess, Picture, Sighting

SEATS = ("S1", "S2", "S3")
OPENING = [
    Event("game", {"game": "dubbe", "seats": list(SEATS), "players": ["Anna", "Bernd", "Carla"]}),
    Event("round", {"dealer": "S3"}),
    Event("die", {"colour": "red", "value": 1, "spot": "aagewwer"}),
]
SQUARE = ((0.0, 0.0), (59.0, 0.0), (59.0, 91.0), (0.0, 91.0))


def down(card: str, seat: str, key: int = 1, sure: bool = True) -> CardDown:
    crop = np.full((91, 59, 3), 200, np.uint8)
    return CardDown(0.0, key, (Guess(card, 0.9),), sure, SQUARE, seat, seat, crop)


class PlainEars:
    """Turns every card sighting into an event at once, an unsure one into a doubt."""

    def hear(self, sighting: Sighting, view: View) -> Sequence[Event]:
        if not isinstance(sighting, CardDown):
            return []
        if not sighting.sure:
            return [Event("unsure", {"seat": sighting.zone, "candidates": [["red-6", 0.5], ["red-9", 0.4]]})]
        return [Event("card", {"seat": sighting.zone, "card": sighting.guesses[0].name})]

    def written(self, _event: Event, number: int, game: int) -> None:
        pass

    def close(self) -> Sequence[Event]:
        return []


class Film:
    """A camera whose frames the test supplies; a frame may be an error."""

    def __init__(self) -> None:
        self.frames: deque[Any] = deque()
        self.damaged = False
        """Whether its pictures cannot be decoded."""
        self.usual: Any = ()
        """What a frame shows when the test supplied no other."""
        self.share_seen: float | None = None
        self.opened = self.closed = 0
        self.refuses = False
        self.zero = 0.0
        self._t = 0.0

    def open(self) -> Film:
        if self.refuses:
            raise SourceError("usb:0: there is no such camera; plug it in")
        self.opened += 1
        self._t = 0.0
        return self

    def read(self) -> tuple[Picture | Frame, float] | None:
        time.sleep(0.002)
        self._t += 0.1
        frame = self.frames.popleft() if self.frames else self.usual
        if isinstance(frame, Exception):
            raise frame
        if frame is None:
            return None
        self.showing = frame
        return Frame(jpeg=b"\xff\xd8 \xff\xd9") if self.damaged else np.zeros((4, 4, 3), np.uint8), self._t

    def close(self) -> None:
        self.closed += 1


class Sees:
    """An eye that sees whatever the film contains."""

    def __init__(self, film: Film) -> None:
        self._film = film
        self.times: list[float] = []

    def see(self, picture: Picture | Frame, t: float) -> Sequence[Sighting]:
        self.times.append(t)
        shown, self._film.showing = self._film.showing, ()
        if isinstance(shown, BaseException):
            raise shown
        for sighting in shown:
            if isinstance(sighting, BaseException):
                raise sighting
        return shown


class Lamps:
    """A board that remembers what it showed, and loses its cable on demand."""

    def __init__(self) -> None:
        self.shown: list[tuple[RGB, ...]] = []
        self.opened = 0
        self.unplugged = False
        self.odd: Exception | None = None
        self.pressed = 0

    def take_presses(self) -> int:
        pressed, self.pressed = self.pressed, 0
        return pressed

    def open(self) -> Lamps:
        if self.unplugged:
            raise BoardLostError("there is no lamp board; plug it in")
        self.opened += 1
        return self

    @property
    def status(self) -> None:
        return None

    def show(self, colours: Sequence[RGB]) -> None:
        if self.unplugged:
            raise BoardLostError("the lamp board is gone; plug it in")
        if self.odd:
            raise self.odd
        self.shown.append(tuple(colours))

    def close(self) -> None:
        pass


class Running:
    """The whole runtime in a thread of its own, with stand-ins for everything on a cable."""

    def __init__(self, journal: Journal) -> None:
        self.film, self.lamps = Film(), Lamps()
        self.session = Session(journal)
        self.session.begin(OPENING)
        self.table = Table(self.session, PlainEars(), default_lamps(SEATS))
        self.eye = Sees(self.film)
        self.runtime = Runtime(self.table, Watching(self.film.open, self.eye), self.lamps.open)
        self.error: BaseException | None = None

    def start(self, *services: Callable[[], Any]) -> None:
        def run() -> None:
            try:
                self.runtime.run(*services)
            except BaseException as wrong:
                self.error = wrong

        self.thread = threading.Thread(target=run)
        self.thread.start()

    def stop(self) -> None:
        self.runtime.stop()
        self.thread.join(60)
        assert not self.thread.is_alive()

    def until(self, true: Callable[[], Any], seconds: float = 60.0) -> None:
        deadline = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < deadline, f"never came: {self.table.health}"
            time.sleep(0.005)

    def feels(self, part: str) -> str:
        return str(getattr(self.table.health, part).what)


def tricks(running: Running) -> list[str | None]:
    return [p.card for p in running.session.view.trick]


@contextmanager
def impatient(base: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A running table that retries after moments, its journal in the folder `base`."""
    monkeypatch.setattr(camera_watch, "RETRY_S", 0.05)
    monkeypatch.setattr(runtime_module, "END_S", 0.05)
    monkeypatch.setattr(runtime_module, "KEEP_ALIVE_S", 0.05)
    with Journal.open(base / "evening.sqlite") as journal:
        running = Running(journal)
        yield running
        if running.thread.is_alive():
            running.stop()
