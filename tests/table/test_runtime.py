"""The running table: cables are pulled, eyes stumble, disks fill up; the game is kept and goes on."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from table import runtime as runtime_module
from table.errors import StammtischError
from table.journal import Journal, JournalError
from table.live import Table
from table.markers import DOUBT, OFF, PERIOD_S
from table.newest import Newest
from table.rules.events import Event
from table.rules.referee import Referee
from table.rules.view import View
from table.runtime import Runtime
from table.session import Session
from table.settings import Lamp, LampPlan, default_lamps
from tests.table.running_table import OPENING, SEATS, PlainEars, Running, down, tricks
from vision.errors import SourceError, TagsNotFoundError
from vision.sightings import CardDown, LightFine, LightPoor, SightBack, Sighting, SightLost


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr(runtime_module, "RETRY_S", 0.05)
    monkeypatch.setattr(runtime_module, "KEEP_ALIVE_S", 0.05)
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        running = Running(journal)
        yield running
        if running.thread.is_alive():
            running.stop()


def test_a_card_goes_from_the_camera_to_the_rules_and_to_the_lamps(running: Running) -> None:
    running.start()
    running.until(lambda: running.lamps.shown)
    turn = {x.seat: x.index for x in default_lamps(SEATS).lamps if x.shows == "turn"}
    running.until(lambda: running.lamps.shown[-1][turn["S2"]] != OFF)
    running.film.frames.append([down("red-7", "S2")])
    running.until(lambda: tricks(running) == ["red-7"])
    running.until(lambda: running.lamps.shown[-1][turn["S3"]] != OFF)
    assert running.lamps.shown[-1][turn["S2"]] == OFF
    running.stop()
    assert set(running.lamps.shown[-1]) == {OFF}, "the lamps go dark at closing time"
    assert running.film.closed == 1


def test_a_doubt_is_kept_with_its_crop(running: Running) -> None:
    running.film.frames.append([down("red-6", "S2", sure=False)])
    running.start()
    running.until(lambda: running.session.view.doubts)
    crop = running.session.crop(4)
    assert crop is not None
    assert crop.startswith(b"\xff\xd8")


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


def test_a_camera_that_hangs_is_called_lost_and_is_fine_when_it_goes_on(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime_module, "STALL_S", 0.2)
    hanging = threading.Event()
    read = running.film.read

    def slow_read() -> Any:
        hanging.wait()
        return read()

    hanging.set()
    running.film.read = slow_read  # type: ignore[method-assign]
    running.start()
    running.until(lambda: running.feels("camera") == "fine")
    hanging.clear()
    running.until(lambda: running.feels("camera") == "lost")
    hanging.set()
    running.until(lambda: running.feels("camera") == "fine")


def test_an_eye_that_looks_long_is_no_lost_camera(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_module, "STALL_S", 0.1)
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
    time.sleep(0.3)  # three times as long as a camera may be silent
    assert running.feels("camera") == "fine"
    done.set()


def test_an_eye_that_stumbles_loses_one_frame(running: Running, caplog: pytest.LogCaptureFixture) -> None:
    running.film.frames.extend([[ValueError("a fault in the eye")], [down("red-7", "S2")]])
    with caplog.at_level(logging.CRITICAL):
        running.start()
        running.until(lambda: tricks(running) == ["red-7"])
    assert running.feels("camera") == "fine"


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
    """The firmware's fail-safe darkens lamps whose host is silent."""
    running.start()
    running.until(lambda: any(a == b for a, b in itertools.pairwise([*running.lamps.shown])))


def test_a_table_without_a_board_plays_all_the_same(running: Running) -> None:
    running.runtime = Runtime(running.table, running.film.open, running.eye, board=None)
    running.film.frames.append([down("red-7", "S2")])
    running.start()
    running.until(lambda: tricks(running) == ["red-7"])
    assert running.feels("board") == "none"


def test_cards_wait_while_the_disk_is_full_and_none_is_lost(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = Journal.append
    room = threading.Event()

    def full(journal: Journal, *arguments: Any) -> int:
        if not room.is_set():
            raise JournalError("the disk is full; free some space, then it goes on by itself")
        return append(journal, *arguments)

    monkeypatch.setattr(Journal, "append", full)
    running.film.frames.extend([[down("red-7", "S2", 1)], [down("red-9", "S3", 2)]])
    running.start()
    running.until(lambda: running.feels("journal") == "stuck")
    assert "disk is full" in str(running.table.health.journal.detail)
    assert tricks(running) == []
    room.set()
    running.until(lambda: tricks(running) == ["red-7", "red-9"])
    running.until(lambda: running.feels("journal") == "fine")


def test_a_sighting_that_makes_no_sense_is_passed_over_and_said(running: Running) -> None:
    running.film.frames.extend([[down("red-7", "S9", 1)], [down("red-9", "S2", 2)]])
    running.start()
    running.until(lambda: tricks(running) == ["red-9"])
    assert running.feels("rules") == "refused"
    assert "S9" in str(running.table.health.rules.detail)


class Deaf(PlainEars):
    """Ears with a fault: they fall over the red seven."""

    def hear(self, sighting: Sighting, view: View) -> Sequence[Event]:
        if isinstance(sighting, CardDown) and sighting.guesses[0].name == "red-7":
            raise ZeroDivisionError
        return super().hear(sighting, view)


class Hasty(Referee):
    """Rules with a fault before an event is written down."""

    def next_round(self, event: Any) -> Event | None:
        if event.get("card") == "red-7":
            raise ZeroDivisionError
        return super().next_round(event)


@pytest.mark.parametrize(("ears", "rules"), [(Deaf, Referee), (PlainEars, Hasty)])
def test_a_fault_of_our_own_costs_one_sighting_and_is_said(
    tmp_path: Path, ears: type[PlainEars], rules: type[Referee]
) -> None:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        session = Session(journal, rules)
        session.begin(OPENING)
        table = Table(session, ears())
        table.hear(down("red-7", "S2", 1))
        assert table.health.rules.what == "refused"
        table.hear(down("red-9", "S2", 2))
        table.tick()
        assert [play.card for play in session.view.trick] == ["red-9"]


def test_a_service_that_fails_ends_the_table_with_its_error(running: Running) -> None:
    async def page() -> None:
        raise StammtischError("the page cannot be shown")

    running.start(page)
    running.thread.join(60)
    assert isinstance(running.error, StammtischError)
    assert running.film.closed == 1


def test_services_are_ended_cleanly_when_the_table_stops(running: Running) -> None:
    said: list[str] = []

    async def page() -> None:
        said.append("open")
        try:
            await asyncio.Event().wait()
        finally:
            said.append("closed")

    running.start(page)
    running.until(lambda: said == ["open"])
    running.stop()
    assert said == ["open", "closed"]
    assert running.error is None


def test_poor_light_is_said_and_forgotten_when_it_is_better(tmp_path: Path) -> None:
    now = [100.0]
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        table = Table(Session(journal), PlainEars(), clock=lambda: now[0])
        table.hear(LightPoor(1.0, "too dark to read brown and red apart"))
        assert table.health.light.what == "poor"
        now[0] += 600
        table.tick()
        assert table.health.light.what == "poor", "as long as it lasts"
        table.hear(LightFine(601.0))
        assert table.health.light.what == "fine"


@pytest.mark.parametrize("why", ["covered", "dark", "frozen", "moved", "gone"])
def test_lost_sight_is_said_for_as_long_as_it_lasts(tmp_path: Path, why: str) -> None:
    now = [100.0]
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        plan = LampPlan((Lamp(0, "turn", "S1"),), 1)
        table = Table(Session(journal), PlainEars(), plan, clock=lambda: now[0])
        now[0] = 10 * PERIOD_S
        assert table.lamps() == (OFF,)
        table.hear(SightLost(1.3, 1.0, why))
        assert table.lamps() == (DOUBT,)
        now[0] += 600
        table.tick()
        table.ail("camera", "fine")
        assert [(part, state.what) for part, state in table.health.troubles()] == [("sight", why)]
        table.hear(SightBack(601.0, 1.0, why))
        assert not table.health.troubles()
        assert {table.lamps() for now[0] in range(1000, 1030)} == {(OFF,)}


def test_only_the_newest_picture_waits_for_the_board() -> None:
    place = Newest[int]()
    for n in range(5):
        place.put(n)
    assert place.take(0.0) == 4
    assert place.take(0.01, unlike=4) == 4, "after a while the same again: the keep-alive"
    threading.Timer(0.05, place.put, [5]).start()
    assert place.take(5.0, unlike=4) == 5


ENDLESS = """
import sys, time
import numpy as np
from table.journal import Journal
from table.live import Table
from table.runtime import Runtime
from table.session import Session

class Camera:
    def read(self):
        time.sleep(0.01)
        return np.zeros((4, 4, 3), np.uint8), 0.0
    def close(self):
        print("camera closed", flush=True)

class Eye:
    def see(self, picture, t):
        return []

class Ears:
    def hear(self, sighting, view):
        return []
    def close(self):
        return []

async def page():
    print("open", flush=True)
    import asyncio
    await asyncio.Event().wait()

with Journal.open(sys.argv[1]) as journal:
    session = Session(journal)
    Runtime(Table(session, Ears()), Camera, Eye()).run(page)
print("journal closed", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_table_ends_cleanly_on_ctrl_c_and_when_the_system_shuts_down(tmp_path: Path, number: int) -> None:
    # Tests that run under nohup, or behind a shell, inherit signals that are ignored.
    table = subprocess.Popen(
        ["env", "--default-signal=INT,HUP", sys.executable, "-c", ENDLESS, str(tmp_path / "e.sqlite")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert table.stdout is not None
    assert table.stdout.readline() == "open\n"
    os.kill(table.pid, number)
    said, _ = table.communicate(timeout=60)
    assert said == "camera closed\njournal closed\n"
    assert table.returncode == 0


def test_a_table_that_was_started_with_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    table = subprocess.Popen(
        ["nohup", sys.executable, "-c", ENDLESS, str(tmp_path / "e.sqlite")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert table.stdout is not None
    assert table.stdout.readline() == "open\n"
    os.kill(table.pid, signal.SIGHUP)
    os.kill(table.pid, signal.SIGTERM)
    said, _ = table.communicate(timeout=60)
    assert said == "camera closed\njournal closed\n"


def test_a_button_at_the_board_takes_back_the_last_thing(running: Running) -> None:
    """The first of the four buttons; what it did stands in the journal like everything else."""
    running.film.frames.extend([[down("red-7", "S2", 1)]])
    running.start()
    running.until(lambda: tricks(running) == ["red-7"])
    running.lamps.pressed = 0b0001
    running.until(lambda: tricks(running) == [])
    running.lamps.pressed = 0b0010  # nothing waits for a nod: nothing happens
    running.until(lambda: running.lamps.pressed == 0)
    assert running.feels("rules") == "fine"
