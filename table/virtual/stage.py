"""What lies on the virtual table, and the motions of hands that change it, all in virtual seconds."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from vision.layout import Point
from vision.synthetic.scene import Arm, CardLying, Scene
from vision.synthetic.shapes import DieLying

BACK = "back"
"""Name of the face that every card shows while it lies face down."""

_OUTSIDE_MM = 260.0
"""How far beyond the mat's edge a hand waits: out of the picture."""
_HELD_MM = 20.0
"""How high a hand carries things."""
_SHOWN_IN_PILE = 3
"""Number of cards of a pile that are drawn: only the top ones can be seen."""


@dataclass
class Stage:
    """Cards and dice as they lie, and what the one moving hand holds."""

    cards: list[CardLying] = field(default_factory=list)
    pile: list[CardLying] = field(default_factory=list)
    dice: dict[str, DieLying] = field(default_factory=dict)
    held: list[CardLying] = field(default_factory=list)
    """Relative to the finger tips, as if the arm pointed to +y."""
    held_die: DieLying | None = None

    def scene(self, arm: Arm | None = None) -> Scene:
        """The stage as a scene, with the moving hand where it is now."""
        lying = (*self.pile[-_SHOWN_IN_PILE:], *self.cards)
        dice = tuple(self.dice.values())
        if arm is None:
            return Scene(lying, dice)
        turn = _heading(arm)
        carried = tuple(
            replace(
                card,
                center_mm=_ahead(arm.tip_mm, turn, card.center_mm),
                yaw_deg=card.yaw_deg + math.degrees(turn) - 90,
                z_mm=_HELD_MM,
            )
            for card in self.held
        )
        held_dice: tuple[DieLying, ...] = ()
        if self.held_die is not None:
            below = _ahead(arm.tip_mm, turn, (0.0, -14.0))
            held_dice = (replace(self.held_die, center_mm=below, z_mm=_HELD_MM / 2),)
        return Scene(lying, dice, (arm,), carried, held_dice)


StageChange = Callable[[Stage], None]


@dataclass(frozen=True, slots=True)
class Waypoint:
    """Where finger tips are `at_s` seconds after the start of the motion, and what they do there."""

    at_s: float
    tip_mm: Point
    does: StageChange | None = None


@dataclass(frozen=True, slots=True)
class Motion:
    """One hand's path over the table; without `from_mm` it is nobody's hand: a pause."""

    waypoints: tuple[Waypoint, ...]
    from_mm: Point | None = None

    @property
    def lasts_s(self) -> float:
        """Seconds from start to end."""
        return self.waypoints[-1].at_s

    def arm(self, t_s: float) -> Arm | None:
        """The arm `t_s` seconds after the start; speeds up and slows down between waypoints."""
        if self.from_mm is None:
            return None
        points = self.waypoints
        i = min(max(bisect_right([p.at_s for p in points], t_s), 1), len(points) - 1)
        a, b = points[i - 1], points[i]
        share = min(1.0, max(0.0, (t_s - a.at_s) / max(b.at_s - a.at_s, 1e-6)))
        share = share * share * (3 - 2 * share)
        tip = (
            a.tip_mm[0] + (b.tip_mm[0] - a.tip_mm[0]) * share,
            a.tip_mm[1] + (b.tip_mm[1] - a.tip_mm[1]) * share,
        )
        return Arm(self.from_mm, tip)

    def changes(self, after_s: float, until_s: float) -> list[StageChange]:
        """What is done later than `after_s` and not later than `until_s`."""
        return [p.does for p in self.waypoints if p.does is not None and after_s < p.at_s <= until_s]


def pause(seconds: float) -> Motion:
    """A motion with nobody's hand over the table."""
    return Motion((Waypoint(0.0, (0.0, 0.0)), Waypoint(seconds, (0.0, 0.0))))


def reach(enters_from_mm: Point, steps: list[tuple[float, Point, StageChange | None]]) -> Motion:
    """A hand comes in, makes its steps (seconds after the one before, tips, change) and leaves."""
    x, y = enters_from_mm
    far = math.hypot(x, y)
    outside = (x + x / far * _OUTSIDE_MM, y + y / far * _OUTSIDE_MM)
    away = (x + x / far * _OUTSIDE_MM * 0.75, y + y / far * _OUTSIDE_MM * 0.75)
    waypoints, t = [Waypoint(0.0, away)], 0.0
    for seconds, tip, does in steps:
        t += seconds
        waypoints.append(Waypoint(t, tip, does))
    waypoints.append(Waypoint(t + 0.5, away))
    return Motion(tuple(waypoints), outside)


def tip_for(from_mm: Point, center_mm: Point, ahead_mm: float) -> Point:
    """Where the finger tips are when a thing at `center_mm` lies `ahead_mm` before them."""
    away = math.dist(from_mm, center_mm)
    share = (away - ahead_mm) / away
    return (
        from_mm[0] + (center_mm[0] - from_mm[0]) * share,
        from_mm[1] + (center_mm[1] - from_mm[1]) * share,
    )


def _heading(arm: Arm) -> float:
    return math.atan2(arm.tip_mm[1] - arm.from_mm[1], arm.tip_mm[0] - arm.from_mm[0])


def _ahead(tip_mm: Point, heading: float, offset_mm: Point) -> Point:
    """A place given relative to the tips, as if the arm pointed to +y."""
    ux, uy = math.cos(heading), math.sin(heading)
    return (
        tip_mm[0] + offset_mm[1] * ux + offset_mm[0] * uy,
        tip_mm[1] + offset_mm[1] * uy - offset_mm[0] * ux,
    )
