"""The virtual dice box: whole games with a perfect eye, drawn dice with the real one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from table.interpret import Interpreter
from table.journal import Journal
from table.live import Table
from table.rules.events import Event
from table.session import Session
from table.virtual.box import BoxHands, Fallen, Fate, Throwers, box_painter, die_lying, plan_box
from table.virtual.box_evening import BoxEvening
from table.virtual.camera import VirtualTable
from table.virtual.tonight import Tonight
from table.web.state import state
from vision.box.field import Field
from vision.sightings import DieSeen, Picture, ThrowSeen
from vision.synthetic.scene import Scene

PLAN, LAYOUT = plan_box()
LATE_FRAMES = 12
BLANK = np.zeros((2, 2, 3), np.uint8)


class PerfectEye:
    """Takes the painter's place and reads the dice from the scene itself, once for each rest."""

    def __init__(self) -> None:
        self._field = Field(LAYOUT)
        self._last: Scene | None = None
        self.doubts = False
        self._still = 0
        self._rolled = False
        self._said: object = None

    def render(self, scene: Scene, seed: int) -> Picture:
        self._rolled = self._rolled or bool(self._last and len(self._moved(scene)) > 0)
        self._still = self._still + 1 if scene == self._last and not scene.arms else 0
        self._last = scene
        return BLANK

    def _moved(self, scene: Scene) -> list[str]:
        assert self._last is not None
        old = {die.ground: die.center_mm for die in self._last.dice}
        return [die.top for die in scene.dice if old.get(die.ground, die.center_mm) != die.center_mm]

    def look(self, t: float, colours: dict[tuple[int, int, int], str]) -> ThrowSeen | None:
        if self._last is None or self._still not in (2, LATE_FRAMES):  # just at rest, or long at rest
            return None
        if self._still == 2 and self._said == self._last.dice:
            return None
        self._said = self._last.dice
        dice = []
        for die in self._last.dice:
            x, y = die.center_mm
            on_tile = die.z_mm > 20
            verdict = self._field.judge((x, y), die.yaw_deg)
            bet = self._field.bet_under((x, y)) if on_tile else None
            dice.append(
                DieSeen(
                    colours[die.ground],
                    die.top,
                    (x, y),
                    die.yaw_deg,
                    f"bet:{bet}" if bet else "field",
                    () if bet else verdict.touches,
                    None if bet else verdict.counts_as,
                )
            )
        if self.doubts:
            dice = [replace(die, face=None, doubt=("face",)) if die.colour == "blue" else die for die in dice]
        rolled, self._rolled = self._rolled, False
        return ThrowSeen(t, tuple(dice), rolled=rolled, rest_s=self._still / 15)


class Pub:
    """An evening at the box without pictures."""

    def __init__(self, path: Path, players: int = 4, **more: Any) -> None:
        self.journal, self.now = Journal.open(path), 0.0
        self.session, self.throwers, self.lines = Session(self.journal), Throwers(), list[str]()
        tonight = Tonight("doppelx", players, seed=3, **more)
        self.evening = BoxEvening(
            self.session, self.throwers, LAYOUT, tonight, tell=self.lines.append, clock=lambda: self.now
        )
        self.eye = PerfectEye()
        hands = BoxHands(PLAN, self.evening.colours, 1)
        dice, bets, self.said = self.evening.take_up()
        self.lay = dice
        self.table = VirtualTable(self.eye, hands, self.throwers, hands.opening(dice, bets))
        self.house = Table(self.session, Interpreter(LAYOUT))
        names = (*self.evening.colours, "white")
        self.names = {die_lying(Fallen(c, "1", (0, 0), 0), 16).ground: c for c in names}

    def play(self, throws: int) -> bool:
        """Go on until so many throws are recorded; False when the evening is over."""
        for frame in range(20_000):
            if len(self.lines) >= throws:
                return True
            self.table.frame()
            if (seen := self.eye.look(frame / 15, self.names)) is not None:
                self.house.hear(seen)
            if not self.evening.tend():
                return False
        raise AssertionError(f"only {len(self.lines)} throws: {self.lines}")


@pytest.fixture
def pub(tmp_path: Path) -> Iterator[Pub]:
    opened = Pub(tmp_path / "demo.sqlite", limit=1)
    yield opened
    opened.journal.close()


def test_a_whole_game_is_thrown_to_its_end_and_every_throw_counts_as_it_fell(pub: Pub) -> None:
    """X-06 to X-29: opening, turns, dice taken back, bets; whoever reaches the limit wins."""
    assert not pub.play(1000)
    assert pub.evening.differences == 0
    assert all("(as it fell)" in line for line in pub.lines[:-1]), pub.lines
    assert "is won by" in pub.lines[-1]
    view = pub.session.view
    assert view.finished
    assert view.findings == ()
    assert max(view.points.values()) >= 50


def test_a_killed_game_goes_on_with_the_dice_that_lie_there(tmp_path: Path) -> None:
    first = Pub(tmp_path / "demo.sqlite")
    first.play(5)
    lay, points, throws = first.eye._last, first.session.view.points, first.session.view.box
    assert lay is not None
    assert throws is not None
    first.journal.close()
    second = Pub(tmp_path / "demo.sqlite")
    assert "goes on" in second.said
    assert second.session.view.points == points
    assert set(second.lay) <= {first.names[die.ground] for die in lay.dice}
    second.play(3)
    box = second.session.view.box
    assert box is not None
    assert box.throw == throws.throw + 3, "no throw is counted twice"
    assert second.evening.differences == 0
    second.journal.close()


@pytest.mark.parametrize("they_go_on", [False, True])
def test_a_game_that_somebody_breaks_off_is_thrown_no_further(tmp_path: Path, they_go_on: bool) -> None:
    """Whoever broke it off may begin the next round; else the guests clear the box and begin a new game."""
    pub = Pub(tmp_path / "demo.sqlite")
    pub.play(4)
    while not pub.throwers.waiting:
        pub.table.frame()
    pub.session.tell(Event("end"))
    assert pub.evening.tend()
    assert (pub.session.game, pub.throwers.waiting) == (1, True), "they wait for a word"
    if they_go_on:
        pub.session.tell(Event("round"))
    pub.now += 30.0
    pub.play(8)
    assert (pub.session.game, pub.session.view.round) == ((1, 2) if they_go_on else (2, 1))
    assert all("(as it fell)" in line or "broken off by somebody" in line for line in pub.lines), pub.lines
    assert sum("broken off" in line for line in pub.lines) == (not they_go_on)
    assert (pub.session.view.findings, pub.session.view.doubts, pub.evening.differences) == ((), (), 0)
    pub.journal.close()


def test_what_the_eye_is_in_doubt_of_is_told_by_a_tap_and_the_game_comes_to_its_end(pub: Pub) -> None:
    """The players see their dice and settle the doubt on the page, as guests do."""
    pub.eye.doubts = True
    assert not pub.play(1000)
    assert pub.evening.differences == 0
    assert any("set by a tap" in line for line in pub.lines)
    assert pub.session.view.doubts == ()
    assert "is won by" in pub.lines[-1]


def test_every_throw_keeps_its_picture_and_another_game_begins_with_the_same_player(pub: Pub) -> None:
    """Issue 6: the last throw with its picture; X-07."""
    dice = tuple(
        DieSeen(colour, "1", (40.0 * i, 0.0), 0.0, "field", ("1x",), "1x")
        for i, colour in enumerate(pub.evening.colours)
    )
    seen = ThrowSeen(1.0, dice, np.full((20, 30, 3), 90, np.uint8), rolled=True)
    pub.house.hear(seen)
    box = pub.session.view.box
    assert box is not None
    assert box.event is not None
    assert (pub.session.crop(box.event) or b"").startswith(b"\xff\xd8")
    shown = state(pub.house, "de")
    assert shown["crops"] == [box.event]
    assert shown["proof"][str(box.event)]["dice"][0]["colour"] == "blue"
    pub.session.again()
    assert pub.session.entries[1].event.to_dict() == {"kind": "round", "first": "blue"}


def test_dice_never_fall_on_each_other_nor_into_a_hole() -> None:
    fate, field = Fate(LAYOUT, "seed"), Field(LAYOUT)
    for _ in range(50):
        dice = fate.fall(("blue", "red", "green", "yellow", "white"), [(0.0, 0.0)])
        places = [die.center_mm for die in dice]
        assert all(np.hypot(x - a, y - b) > 26 for x, y in places for a, b in places if (x, y) != (a, b))
        assert not any(field.over_hole(place) for place in places)


def test_the_drawn_box_shows_its_tags_where_they_are() -> None:
    """The eye's own geometry finds rim and floor of the drawn box to within a third of a millimetre."""
    from vision.geometry import register

    painter = box_painter(PLAN)
    fit = register(painter.render(Scene(), 1), LAYOUT, LAYOUT.camera)
    assert len(fit.tags) == 4
    for x, y, z in ((0.0, 0.0, 0.0), (100.0, -90.0, 0.0), (172.0, 172.0, PLAN.rim_mm)):
        seen = fit.to_mm(painter.to_px([(x, y)], z), z)[0]
        assert np.hypot(seen[0] - x, seen[1] - y) < 0.35
