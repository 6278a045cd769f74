"""The virtual dice box: field, rim, dice of our own drawing, and hands that throw, take back and bet."""

from __future__ import annotations

import math
import random
from collections import deque
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2

from table.printables import render
from table.printables.field_plan import FieldPlan, plan_field
from table.printables.fields import draw_flat
from table.printables.marks import INKS, on
from table.virtual.deeds import Wait
from table.virtual.stage import Motion, Stage, StageChange, pause, reach
from vision.box.dice_set import FACES
from vision.box.field import Field
from vision.layout import CameraModel, Layout, Point
from vision.synthetic.box import BoxPainter
from vision.synthetic.scene import Scene, ViewPoint
from vision.synthetic.shapes import DieLying
from vision.synthetic.table import Flat

VIEW = ViewPoint(size_px=(1280, 960), f_px=1650.0, eye_mm=(10.0, -26.0, 800.0))
BOARD, BETS = "I", "ABCD"
WHITE = "white"
_PX_PER_MM = 3.0
_CLEAR_MM = 26.0
"""Shortest distance between the middles of two dice at rest: they do not overlap."""
_WALL_MM = 14.0
_ROLL = 11
"""Number of steps of a rolling die."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """How a die came to rest: the truth that the eye is compared with."""

    colour: str
    face: str
    center_mm: Point
    yaw_deg: float


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """A player throws these dice; they come to rest as given."""

    seat: str
    dice: tuple[Fallen, ...]


@dataclass(frozen=True, slots=True)
class TakeDice:
    """A player takes these dice out of the box."""

    seat: str
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayBet:
    """A player lays a die on a bet tile."""

    seat: str
    colour: str
    bet: str


BoxDeed = ThrowDice | TakeDice | LayBet | Wait


def plan_box() -> tuple[FieldPlan, Layout]:
    """The field that is played on, and its layout with the virtual camera's lens."""
    plan = plan_field(BOARD, bets=BETS)
    width, height = VIEW.size_px
    lens = CameraModel(f_px=VIEW.f_px, center_px=(width / 2 - 0.5, height / 2 - 0.5))
    return plan, replace(plan.layout, camera=lens)


def box_painter(plan: FieldPlan, view: ViewPoint = VIEW) -> BoxPainter:
    """A painter with our own field, as it is printed, under a camera that sees the whole box."""
    flat = draw_flat(plan)
    top = render(flat, _PX_PER_MM)
    middle = (top.shape[1] // 2, top.shape[0] // 2)
    half = round(plan.layout.size_mm[0] / 2 * _PX_PER_MM)
    floor = top[middle[1] - half : middle[1] + half, middle[0] - half : middle[0] + half]
    return BoxPainter(Flat(top, flat.size_mm), Flat(floor, plan.layout.size_mm), plan.rim_mm, view)


def enrolment_stills(painter: BoxPainter, colours: tuple[str, ...], edge_mm: float, folder: Path) -> None:
    """Write one picture per die and face, and one of the empty box: what a person takes to enrol dice."""
    cv2.imwrite(str(folder / "empty.png"), painter.render(Scene(), 0))
    for i, colour in enumerate((*colours, WHITE)):
        for j, face in enumerate(FACES):
            die = die_lying(Fallen(colour, face, (-8.0, -18.0), 11.0 * j), edge_mm)
            cv2.imwrite(str(folder / f"{colour}-{face}.png"), painter.render(Scene(dice=(die,)), i * 4 + j))


def die_lying(fallen: Fallen, edge_mm: float, z_mm: float = 0.0) -> DieLying:
    """A die to be drawn."""
    ink = INKS[fallen.colour]
    rest = [face for face in FACES if face != fallen.face]
    return DieLying(
        fallen.face,
        fallen.center_mm,
        fallen.yaw_deg,
        (ink[2], ink[1], ink[0]),
        (on(ink)[2], on(ink)[1], on(ink)[0]),
        edge_mm,
        z_mm,
        (rest[0], rest[1], fallen.face, rest[2]),
    )


class Fate:
    """Where dice fall, by chance from a seed."""

    def __init__(self, layout: Layout, seed: str) -> None:
        self._field, self._chance = Field(layout), random.Random(seed)
        self._reach = layout.size_mm[0] / 2 - _WALL_MM

    def fall(self, colours: tuple[str, ...], lying: list[Point]) -> tuple[Fallen, ...]:
        """Let dice come to rest on the floor: beside each other, beside what lies there, beside the holes."""
        places = list(lying)
        fallen = []
        for colour in colours:
            at = self._place(places)
            places.append(at)
            face = self._chance.choice(FACES)
            fallen.append(Fallen(colour, face, at, self._chance.uniform(0.0, 90.0)))
        return tuple(fallen)

    def _place(self, taken: list[Point]) -> Point:
        while True:
            at = (self._chance.uniform(-1, 1) * self._reach, self._chance.uniform(-1, 1) * self._reach)
            free = all(math.dist(at, other) > _CLEAR_MM for other in taken)
            if free and not self._field.over_hole(at):
                return at


class BoxHands:
    """Turns deeds into motions over the box (the dice game's `MatHands`)."""

    def __init__(self, plan: FieldPlan, colours: tuple[str, ...], seed: int) -> None:
        self._edge = plan.layout.edge_mm
        self._rim = plan.rim_mm
        self._chance = random.Random(seed)
        self._bets = {bet.kind: (bet.center_mm[0], bet.center_mm[1]) for bet in plan.layout.bets}
        turn = [math.radians(-90 - 360 * i / len(colours)) for i in range(len(colours))]
        self._from = {c: (215 * math.cos(a), 215 * math.sin(a)) for c, a in zip(colours, turn, strict=True)}

    def opening(self, dice: dict[str, Fallen], bets: dict[str, str]) -> Stage:
        """The box at the beginning or after a power cut: dice by colour as they lie, bets by colour."""
        stage = Stage()
        stage.dice = {colour: die_lying(fallen, self._edge) for colour, fallen in dice.items()}
        for colour, bet in bets.items():
            stage.dice[colour] = self._on_tile(colour, bet)
        return stage

    def motions(self, deed: BoxDeed, stage: Stage) -> list[Motion]:
        """The motions of a deed, given what lies in the box when it begins."""
        match deed:
            case ThrowDice():
                return [self._throw(deed), pause(1.2)]
            case TakeDice():
                return [self._take(deed, stage), pause(0.7)]
            case LayBet():
                return [self._bet(deed), pause(0.7)]
            case Wait():
                return [pause(deed.seconds)]

    def _throw(self, deed: ThrowDice) -> Motion:
        enters = self._from[deed.seat]
        edge = (enters[0] * 0.72, enters[1] * 0.72)
        steps: list[tuple[float, Point, StageChange | None]] = [(0.45, edge, None), (0.15, edge, None)]
        for k in range(1, _ROLL + 1):
            steps.append((0.07, edge if k < 4 else enters, self._rolled(deed.dice, enters, k)))
        return reach(enters, steps)

    def _rolled(self, dice: tuple[Fallen, ...], enters: Point, step: int) -> StageChange:
        """The dice on their way, slower and slower; at the last step as they come to rest."""
        share = 1 - (1 - step / _ROLL) ** 2
        shown = []
        for fallen in dice:
            start = (enters[0] * 0.5, enters[1] * 0.5)
            at = tuple(a + (b - a) * share for a, b in zip(start, fallen.center_mm, strict=True))
            rest = step == _ROLL
            face = fallen.face if rest else self._chance.choice(FACES)
            yaw = fallen.yaw_deg if rest else self._chance.uniform(0, 90)
            z = 0.0 if rest else 14.0 * abs(math.sin(3 * math.pi * share)) * (1 - share)
            shown.append(die_lying(Fallen(fallen.colour, face, (at[0], at[1]), yaw), self._edge, z))
        colours = [fallen.colour for fallen in dice]

        def roll(stage: Stage) -> None:
            stage.dice |= dict(zip(colours, shown, strict=True))

        return roll

    def _take(self, deed: TakeDice, stage: Stage) -> Motion:
        enters = self._from[deed.seat]
        steps: list[tuple[float, Point, StageChange | None]] = []
        at = enters
        for colour in deed.colours:
            if colour not in stage.dice:
                continue
            goal = stage.dice[colour].center_mm
            steps += [(0.3 + math.dist(at, goal) / 900, goal, None), (0.15, goal, _without(colour))]
            at = goal
        return reach(enters, steps or [(0.1, enters, None)])

    def _bet(self, deed: LayBet) -> Motion:
        enters, goal = self._from[deed.seat], self._bets[deed.bet]
        laid = self._on_tile(deed.colour, deed.bet)

        def lay(stage: Stage) -> None:
            stage.dice[deed.colour] = laid

        return reach(enters, [(0.4 + math.dist(enters, goal) / 900, goal, None), (0.2, goal, lay)])

    def _on_tile(self, colour: str, bet: str) -> DieLying:
        x, y = self._bets[bet]
        at = (x + self._chance.uniform(-8, 8), y + self._chance.uniform(-8, 8))
        fallen = Fallen(colour, self._chance.choice(FACES), at, self._chance.uniform(0, 90))
        return die_lying(fallen, self._edge, self._rim)


def _without(colour: str) -> StageChange:
    def take(stage: Stage) -> None:
        stage.dice.pop(colour, None)

    return take


@dataclass
class Throwers:
    """The company at the box: does what it is given (`sit`), then waits. `next` belongs to the camera."""

    deeds: deque[BoxDeed] = field(default_factory=deque)
    waiting: bool = True

    def sit(self, deeds: list[BoxDeed]) -> None:
        """Do these deeds; callable from any thread."""
        self.waiting = False
        self.deeds.extend(deeds)

    def next(self) -> list[BoxDeed]:
        """What is done next."""
        if self.deeds:
            return [self.deeds.popleft()]
        self.waiting = True
        return [Wait(0.2)]
