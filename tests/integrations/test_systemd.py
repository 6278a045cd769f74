"""systemd is told that the table is alive only while camera, lamp board and loop are."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from table.camera_watch import Watching
from table.integrations.systemd import Systemd
from table.journal import Journal
from table.runtime import Runtime
from tests.table.running_table import Running
from vision.errors import SilentCameraError, SourceError

PATIENCE_S = 30.0


class Watched:
    """A running table whose time the test moves, and the socket of systemd."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        self.now = 1000.0
        self.house = Running(journal)
        self.runtime = Runtime(
            self.house.table,
            Watching(self.house.film.open, self.house.eye),
            self.house.lamps.open,
            clock=lambda: self.now,
        )
        self.house.runtime = self.runtime
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind(str(folder / "notify"))
        self._ear.settimeout(10)
        self._systemd = Systemd(
            self.house.table,
            self.runtime.pulse,
            {"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": str(int(PATIENCE_S * 1e6))},
        )

    def hears(self) -> str:
        self._systemd.tell()
        return self._ear.recv(500).decode()

    def later(self) -> None:
        """From now on only progress after this moment counts."""
        self.now += PATIENCE_S

    def until_still(self, *parts: str) -> None:
        self.house.until(lambda: self.runtime.pulse.still(PATIENCE_S / 3) == parts)

    def start(self) -> None:
        """Start with a camera that delivers frames and a board that shows them."""
        self.house.start()
        self.house.until(lambda: self.house.eye.times and self.house.lamps.shown)

    @contextmanager
    def hung(self, driver: object, call: str, part: str) -> Iterator[str]:
        """Make a driver's call hang until the end of the block; yield what systemd then receives."""
        hanging, goes_on = threading.Event(), threading.Event()
        answers = getattr(driver, call)

        def hangs(*given: object) -> object:
            hanging.set()
            goes_on.wait(60)
            return answers(*given)

        setattr(driver, call, hangs)
        assert hanging.wait(60)
        self.later()
        try:
            self.until_still(part)
            yield self.hears()
        finally:
            goes_on.set()

    def pull(self, part: str, told: SourceError | None = None) -> None:
        """Pull the cable of camera or board; `told` is the camera driver's error."""
        if part == "board":
            self.house.lamps.unplugged = True
        else:
            self.house.film.refuses = True
            self.house.film.frames.append(told or SourceError("usb:0: the camera is gone; plug it in again"))
        self.house.until(lambda: self.house.feels(part) == "lost")

    def close(self) -> None:
        self.house.stop()
        self._ear.close()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        table = Watched(tmp_path, journal)
        yield table
        table.close()


def test_a_table_that_gets_on_is_left_in_peace(watched: Watched) -> None:
    watched.start()
    for _ in range(3):
        watched.later()
        watched.until_still()
        assert watched.hears().startswith("WATCHDOG=1\nSTATUS=")


def test_a_camera_that_hangs_in_its_driver_ends_the_feeding_until_it_gives_frames(watched: Watched) -> None:
    watched.start()
    with watched.hung(watched.house.film, "read", "camera") as said:
        assert "WATCHDOG" not in said
        assert said.startswith("STATUS=camera: no sign of life")
    watched.until_still()
    assert watched.hears().startswith("WATCHDOG=1")


def test_a_lamp_board_that_hangs_in_its_driver_ends_the_feeding_until_it_answers(watched: Watched) -> None:
    watched.start()
    with watched.hung(watched.house.lamps, "show", "board") as said:
        assert "WATCHDOG" not in said
    watched.until_still()
    assert watched.hears().startswith("WATCHDOG=1")


@pytest.mark.parametrize("part", ["board", "camera"])
def test_a_cable_that_was_pulled_has_no_table_started_anew(watched: Watched, part: str) -> None:
    watched.start()
    watched.pull(part)
    for _ in range(3):
        watched.later()
        watched.until_still()
        assert watched.hears().startswith(f"WATCHDOG=1\nSTATUS={part} lost")


def test_a_lost_board_at_whose_return_the_driver_hangs_ends_the_feeding(watched: Watched) -> None:
    watched.start()
    watched.pull("board")
    with watched.hung(watched.runtime, "_open_board", "board") as said:
        assert "WATCHDOG" not in said


def test_a_camera_that_fell_silent_ends_the_feeding_though_its_thread_looks_for_it(watched: Watched) -> None:
    """Its hanging driver still holds the device."""
    watched.start()
    watched.pull("camera", SilentCameraError("usb:0: no picture for 5 seconds; check its cable"))
    watched.later()
    watched.until_still("camera")
    assert "WATCHDOG" not in watched.hears()
    watched.house.film.refuses = False
    watched.until_still()
    assert watched.hears().startswith("WATCHDOG=1")


def test_a_loop_that_hangs_ends_the_feeding(watched: Watched) -> None:
    watched.start()
    with watched.hung(watched.house.table, "tick", "loop") as said:
        assert "WATCHDOG" not in said


def test_a_camera_and_a_board_that_were_never_there_keep_nobody_from_playing(watched: Watched) -> None:
    watched.house.film.refuses = watched.house.lamps.unplugged = True
    watched.house.start()
    watched.house.until(lambda: watched.house.feels("camera") == "lost")
    watched.house.until(lambda: watched.house.feels("board") == "lost")
    watched.later()
    watched.until_still()
    assert watched.hears().startswith("WATCHDOG=1\nSTATUS=camera lost, board lost")


def test_a_camera_whose_picture_shows_no_table_still_gives_frames(watched: Watched) -> None:
    from vision.errors import VisionError

    watched.house.film.usual = (VisionError("no tag is seen"),)
    watched.house.start()
    watched.house.until(lambda: watched.house.feels("camera") == "blind" and watched.house.lamps.shown)
    watched.later()
    watched.until_still()
    assert watched.hears().startswith("WATCHDOG=1\nSTATUS=camera blind")


def test_a_film_that_is_over_is_not_waited_for(watched: Watched) -> None:
    watched.house.film.frames.extend([(), None])
    watched.house.start()
    watched.house.until(lambda: watched.house.feels("camera") == "ended" and watched.house.lamps.shown)
    watched.later()
    watched.until_still()
    assert watched.hears().startswith("WATCHDOG=1")
