"""Cables are pulled, drivers fail, cameras hang: the running table reports it and goes on."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.transports.loopback import SILENCE_S
from table.camera_watch import Watching
from table.newest import Newest
from table.runtime import KEEP_ALIVE_S, STALL_S, Runtime
from table.settings import default_lamps
from tests.table.pin_house import HandClock
from tests.table.running_table import SEATS, Running, down, impatient, tricks
from vision.cameras import OnDemand
from vision.cameras.pi import PiCamera
from vision.errors import SourceError, TagsNotFoundError


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    with impatient(tmp_path, monkeypatch) as running:
        yield running


def test_the_camera_is_unplugged_and_plugged_in_again(running: Running) -> None:
    running.film.frames.append([down("red-7", "S2")])
    running.start()
    running.until(lambda: tricks(running) == ["red-7"])
    running.film.refuses = True
    running.film.frames.append(SourceError("usb:0: the camera is gone; check its cable"))
    running.until(lambda: running.feels("camera") == "lost")
    assert "gone" in str(running.table.health.camera.detail)
    assert tricks(running) == ["red-7"], "the game is kept"
    running.film.frames.append([down("red-9", "S3", 2)])
    running.film.refuses = False
    running.until(lambda: tricks(running) == ["red-7", "red-9"])
    assert running.feels("camera") == "fine"
    running.stop()
    assert running.film.opened == running.film.closed == 2
    assert running.eye.times == sorted(running.eye.times), "the eye's time never runs back"
    assert len(set(running.eye.times)) == len(running.eye.times)


def test_drivers_may_throw_what_they_like(running: Running, caplog: pytest.LogCaptureFixture) -> None:
    running.film.frames.extend([OSError("the bus is gone"), [down("red-7", "S2")]])
    running.lamps.odd = OSError("input/output error")
    with caplog.at_level(logging.CRITICAL):
        running.start()
        running.until(lambda: running.feels("board") == "lost")
        running.until(lambda: tricks(running) == ["red-7"])
        running.lamps.odd = None
        running.until(lambda: running.feels("board") == "fine")


def test_a_camera_that_hangs_is_called_lost_and_is_fine_when_it_goes_on(running: Running) -> None:
    clock = HandClock()
    running.runtime = Runtime(running.table, Watching(running.film.open, running.eye), clock=clock)
    hangs, goes_on = threading.Event(), threading.Event()
    read = running.film.read

    def slow_read() -> Any:
        if not goes_on.is_set():
            hangs.set()
        goes_on.wait()
        return read()

    goes_on.set()
    running.film.read = slow_read  # type: ignore[method-assign]
    running.start()
    running.until(lambda: running.feels("camera") == "fine")
    goes_on.clear()
    hangs.wait()
    clock.now += 2 * STALL_S
    running.until(lambda: running.feels("camera") == "lost")
    goes_on.set()
    running.until(lambda: running.feels("camera") == "fine")


def test_a_pi_camera_that_falls_silent_does_not_outlive_the_table(running: Running, tmp_path: Path) -> None:
    """`rpicam-vid` would keep the camera, and the next start would find it in use."""
    program, told = tmp_path / "rpicam-vid", tmp_path / "pid"
    program.write_text(f"#!/bin/sh\necho $$ > {told}\nprintf '\\377\\330 \\377\\331'\nexec sleep 600\n")
    program.chmod(0o755)
    running.film.showing = ()
    watching = Watching(lambda: OnDemand(PiCamera(0, str(program))), running.eye)
    running.runtime = Runtime(running.table, watching)
    running.start()
    running.until(lambda: running.feels("camera") == "fine")
    process = int(told.read_text())
    running.stop()
    running.until(lambda: not Path(f"/proc/{process}").exists(), seconds=3.0)
    assert running.feels("camera") != "lost", "nothing is wrong with it"


def test_an_eye_that_looks_long_is_no_lost_camera(running: Running) -> None:
    clock = HandClock()
    running.runtime = Runtime(running.table, Watching(running.film.open, running.eye), clock=clock)
    looking, done = threading.Event(), threading.Event()
    see = running.eye.see

    def slow_see(picture: Any, t: float) -> Any:
        looking.set()
        done.wait()
        return see(picture, t)

    running.start()
    running.until(lambda: running.feels("camera") == "fine")
    running.eye.see = slow_see  # type: ignore[method-assign]
    looking.wait()
    for _ in range(2):  # the first turn of the loop has ended once the second begins
        clock.now += 2 * STALL_S
        running.until(lambda: "loop" not in running.runtime.pulse.still(STALL_S))
    assert running.feels("camera") == "fine"
    done.set()


def test_tags_that_are_covered_are_said(running: Running) -> None:
    running.film.usual = [TagsNotFoundError("tag 3 is hidden")]
    running.start()
    running.until(lambda: running.feels("camera") == "blind")
    assert "tag 3" in str(running.table.health.camera.detail)
    running.film.usual = ()
    running.until(lambda: running.feels("camera") == "fine")


def test_the_end_of_a_film_is_not_the_end_of_the_page(running: Running) -> None:
    running.film.frames.extend([[down("red-7", "S2")], None])
    running.start()
    running.until(lambda: running.feels("camera") == "ended")
    assert running.thread.is_alive()
    assert tricks(running) == ["red-7"]


def test_the_board_is_unplugged_and_gets_the_whole_picture_again(running: Running) -> None:
    running.start()
    running.until(lambda: running.feels("board") == "fine")
    running.lamps.unplugged = True
    running.until(lambda: running.feels("board") == "lost")
    running.film.frames.append([down("red-7", "S2")])
    running.until(lambda: tricks(running) == ["red-7"])
    running.lamps.shown.clear()
    running.lamps.unplugged = False
    running.until(lambda: running.lamps.shown)
    assert len(running.lamps.shown[0]) == default_lamps(SEATS).count
    running.until(lambda: running.feels("board") == "fine")
    assert running.lamps.opened == 2


def test_a_quiet_board_hears_from_us_often_enough(running: Running) -> None:
    """The firmware darkens the lamps of a silent host; the table writes more than twice in that time."""
    assert KEEP_ALIVE_S < SILENCE_S / 2
    running.start()
    running.until(lambda: any(a == b for a, b in itertools.pairwise([*running.lamps.shown])))


def test_a_table_without_a_board_plays_all_the_same(running: Running) -> None:
    running.runtime = Runtime(running.table, Watching(running.film.open, running.eye), board=None)
    running.film.frames.append([down("red-7", "S2")])
    running.start()
    running.until(lambda: tricks(running) == ["red-7"])
    assert running.feels("board") == "none"


def test_only_the_newest_picture_waits_for_the_board() -> None:
    place = Newest[int]()
    for n in range(5):
        place.put(n)
    assert place.take(0.0) == 4
    assert place.take(0.01, unlike=4) == 4, "after a while the same again: the keep-alive"
    threading.Timer(0.05, place.put, [5]).start()
    assert place.take(5.0, unlike=4) == 5


def test_a_button_at_the_board_takes_back_the_last_thing(running: Running) -> None:
    """The first of the four buttons; its action is in the journal like any other."""
    running.film.frames.extend([[down("red-7", "S2", 1)]])
    running.start()
    running.until(lambda: tricks(running) == ["red-7"])
    running.lamps.pressed = 0b0001
    running.until(lambda: tricks(running) == [])
    running.lamps.pressed = 0b0010  # no question is open, so nothing happens
    running.until(lambda: running.lamps.pressed == 0)
    assert running.feels("rules") == "fine"
