"""A table wakes: the lamps show it, the journal is examined, the page comes up, the camera comes last."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.lamps import DARK
from table.camera_watch import Watching
from table.devices import SightingSource
from table.errors import StammtischError
from table.journal import Journal
from table.runtime import Runtime
from table.settings import default_lamps
from table.waking import STEP_S, Waking, picture
from tests.table.running_table import Lamps, Running, down

PLAN = default_lamps(("S1", "S2", "S3"))


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        running = Running(journal)
        yield running
        running.stop()


class Closes(Lamps):
    """A board that records whether it was closed."""

    closed = False

    def close(self) -> None:
        self.closed = True


def shown(lamps: Lamps) -> tuple[tuple[int, int, int], ...]:
    """The first picture on the lamps."""
    deadline = time.monotonic() + 60
    while not lamps.shown:
        assert time.monotonic() < deadline, "the lamps stay dark"
        time.sleep(0.005)
    return lamps.shown[0]


def test_one_dim_light_runs_along_the_chain() -> None:
    lit = [
        [n for n, colour in enumerate(picture(PLAN, t * STEP_S)) if colour != DARK] for t in (0.5, 1.5, 2.5)
    ]
    assert lit == [[0], [1], [2]]
    assert max(picture(PLAN, 0.0)[0]) < 100, "as by night: whoever wakes is not blinded"


def test_the_lamps_wake_before_anybody_looks_at_the_journal_and_go_over_without_a_dark_moment() -> None:
    lamps = Lamps()
    with Waking(lamps.open, PLAN) as waking:
        assert sum(colour != DARK for colour in shown(lamps)) == 1  # before the journal is examined
        assert waking.board is not None
        assert waking.board() is lamps
        awake = len(lamps.shown)
    assert lamps.opened == 1, "the same board, still open"
    assert len(lamps.shown) == awake, "the runtime's from now on"


def test_a_board_that_comes_later_is_opened_by_whoever_wants_it_then() -> None:
    lamps = Lamps()
    lamps.unplugged = True
    with Waking(lamps.open, PLAN) as waking:
        assert waking.board is not None
        waking._thread.join(60)
        lamps.unplugged = False
        assert waking.board() is lamps
    assert Waking(None, PLAN).board is None


def test_where_the_start_fails_the_lamps_go_dark() -> None:
    lamps = Lamps()

    def start() -> None:
        with Waking(lamps.open, PLAN):
            shown(lamps)
            raise StammtischError("the port is taken")

    with pytest.raises(StammtischError):
        start()
    assert set(lamps.shown[-1]) == {DARK}


def test_a_board_that_fails_otherwise_than_boards_do_is_closed_and_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    at_once, later = Closes(), Closes()
    at_once.odd = ZeroDivisionError()
    with Waking(at_once.open, PLAN) as waking:
        waking._thread.join(60)
    with Waking(later.open, PLAN):
        shown(later)
        later.odd = ZeroDivisionError()
    assert at_once.closed
    assert later.closed
    assert [each.exc_info and each.exc_info[0] for each in caplog.records] == 2 * [ZeroDivisionError]


def test_the_page_does_not_wait_for_the_eye(running: Running) -> None:
    learning, learnt = threading.Event(), threading.Event()

    def learn() -> SightingSource:
        learning.set()
        assert learnt.wait(60)
        return running.eye

    running.film.frames.append([down("red-7", "S2")])
    running.runtime = Runtime(running.table, Watching(running.film.open, None, learn), running.lamps.open)
    running.start()
    assert learning.wait(60)
    running.until(lambda: running.runtime.pulse.rate_hz("loop"))
    assert running.feels("camera") == "starting"
    learnt.set()
    running.until(lambda: running.session.view.trick)
    assert running.feels("camera") == "fine"


def test_a_fault_in_learning_costs_the_eye_and_not_the_evening(running: Running) -> None:
    def learn() -> SightingSource:
        raise ZeroDivisionError

    running.runtime = Runtime(running.table, Watching(running.film.open, None, learn), running.lamps.open)
    running.start()
    running.until(lambda: running.feels("camera") == "unread")
    assert "ZeroDivisionError" in str(running.table.health.camera.detail)
    running.until(lambda: running.lamps.shown)
