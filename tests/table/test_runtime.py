"""The running table: eyes fail, disks fill up, light goes; the game is kept and goes on."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from table.errors import StammtischError
from table.interpret import Interpreter
from table.journal import Journal, JournalError
from table.live import Table
from table.markers import DOUBT, OFF, PERIOD_S
from table.rules.events import Event
from table.rules.referee import Referee
from table.rules.view import View
from table.session import Session
from table.settings import Lamp, LampPlan, default_lamps
from tests.table.running_table import OPENING, SEATS, PlainEars, Running, down, impatient, tricks
from tests.vision.evening import LAYOUT
from vision.sightings import (
    CardDown,
    FieldClear,
    FieldCovered,
    LightFine,
    LightPoor,
    SightBack,
    Sighting,
    SightLost,
)


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    with impatient(tmp_path, monkeypatch) as running:
        yield running


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


def test_a_table_that_has_ended_may_be_ended_once_more(running: Running) -> None:
    running.start()
    running.until(lambda: running.lamps.shown)
    running.stop()
    running.stop()
    assert running.error is None


def test_a_doubt_is_kept_with_its_crop(running: Running) -> None:
    running.film.frames.append([down("red-6", "S2", sure=False)])
    running.start()
    running.until(lambda: running.session.view.doubts)
    crop = running.session.crop(4)
    assert crop is not None
    assert crop.startswith(b"\xff\xd8")


def test_an_eye_that_stumbles_loses_one_frame(running: Running, caplog: pytest.LogCaptureFixture) -> None:
    running.film.frames.extend([[ValueError("a fault in the eye")], [down("red-7", "S2")]])
    with caplog.at_level(logging.CRITICAL):
        running.start()
        running.until(lambda: tricks(running) == ["red-7"])
    assert running.feels("camera") == "fine"


def test_a_damaged_picture_costs_no_card_that_was_seen_before_it(running: Running) -> None:
    running.film.damaged = True
    running.film.frames.append([down("red-7", "S2"), down("red-9", "S3", 2)])
    running.start()
    running.until(lambda: tricks(running) == ["red-7", "red-9"])
    assert running.table.frame() is None, "there is nothing to show"


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
    """Faulty ears: they fail on the red seven."""

    def hear(self, sighting: Sighting, view: View) -> Sequence[Event]:
        if isinstance(sighting, CardDown) and sighting.guesses[0].name == "red-7":
            raise ZeroDivisionError
        return super().hear(sighting, view)


class Hasty(Referee):
    """Faulty rules that fail before an event is written."""

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


def test_what_lies_over_cards_is_said_while_it_lies_there(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        table = Table(Session(journal), PlainEars())
        table.hear(FieldCovered(1.0))
        assert [(part, state.what) for part, state in table.health.troubles()] == [("mat", "covered")]
        assert not table.health.sightless, "the rest of the table is seen"
        table.hear(FieldClear(16.0))
        assert not table.health.troubles()


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


def test_another_table_begins_with_sight_and_light_and_that_the_last_was_not_seen_is_kept(
    tmp_path: Path,
) -> None:
    """Whoever has set the table up again sees at once that all is well; the unseen time is recorded."""
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        session = Session(journal)
        session.begin(OPENING)
        table = Table(session, Interpreter(LAYOUT))
        table.ail("camera", "fine")
        table.hear_all([LightPoor(3.0, "too dark", {"white": 20}), SightLost(5.0, 4.7, "moved")])
        assert table.health.sightless
        table.rearrange(PlainEars(), None)
        assert (table.health.sight.what, table.health.light.what) == ("fine", "fine")
        assert not table.health.sightless
        assert session.entries[-1].event.kind == "blind"


def test_a_table_that_is_stopped_before_it_runs_ends_at_once(running: Running) -> None:
    running.runtime.stop()
    running.start()
    running.thread.join(10)
    assert not running.thread.is_alive()
    assert running.error is None
