"""Shapes for `vision.synthetic.table`: the faces of a die, the outline of a hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vision.arrays import Float64
from vision.layout import Point

BGR = tuple[int, int, int]

PIP_SHARE = 0.1
"""Radius of a pip in edges of its die."""
_STEP = 0.26
"""Offset of the outer pips from the middle of a face along its edges, in edges of the die."""
_PIPS: dict[str, tuple[Point, ...]] = {
    "1": ((0, 0),),
    "2": ((-1, 1), (1, -1)),
    "3": ((-1, 1), (0, 0), (1, -1)),
    "4": ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    "5": ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    "6": ((-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (1, -1)),
}
_CIRCLE = [(math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * math.pi, 12, endpoint=False)]


@dataclass(frozen=True, slots=True)
class DieLying:
    """A die with its top face, "1" to "6" or "X"; `sides` are the four faces round it.

    `ground` and `ink` are its colours (BGR); `z_mm` is its height above the mat, as of a die in a hand.
    """

    top: str
    center_mm: Point
    yaw_deg: float
    ground: BGR
    ink: BGR
    edge_mm: float = 16.0
    z_mm: float = 0.0
    sides: tuple[str, str, str, str] = ("2", "3", "5", "4")


@dataclass(frozen=True, slots=True)
class DrawnFace:
    """One face in space: centre and outward normal (3,), brightness, and its shapes (n, 3) with colours."""

    center_mm: Float64
    normal: Float64
    shade: float
    shapes: tuple[tuple[Float64, BGR], ...]


def six_sided(top: int) -> tuple[str, str, str, str]:
    """The four side faces of a die with pips, opposite faces adding up to seven."""
    one, other = [v for v in (1, 2, 3) if v not in (top, 7 - top)]
    return (str(one), str(other), str(7 - one), str(7 - other))


def die_faces(die: DieLying) -> list[DrawnFace]:
    """The top and side faces, sides first, so that the top is drawn over their upper edges."""
    turn = math.radians(die.yaw_deg)
    x = np.array([math.cos(turn), math.sin(turn), 0.0])
    y = np.array([-math.sin(turn), math.cos(turn), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    frames = [(x, y, 0.62), (y, -x, 0.78), (-x, -y, 0.55), (-y, x, 0.5)]
    faces = [
        _face(die, name, _Side(out, across, up), shade)
        for name, (out, across, shade) in zip(die.sides, frames, strict=True)
    ]
    return [*faces, _face(die, die.top, _Side(up, x, y), 1.0)]


class _Side(NamedTuple):
    """Unit vectors (3,) of a die's side: its outward normal, and the two directions along its edges."""

    out: Float64
    u: Float64
    v: Float64


def _face(die: DieLying, name: str, side: _Side, shade: float) -> DrawnFace:
    e, (out, u, v) = die.edge_mm, side
    center = np.array([*die.center_mm, die.z_mm + e / 2]) + out * e / 2

    def shape(points: list[Point]) -> Float64:
        return np.array([center + (a * u + b * v) * e for a, b in points])

    shapes = [(shape([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]), die.ground)]
    if name == "X":
        near, far = 0.2, 0.33
        for flip in (1, -1):
            bar = [(-far, -near), (-near, -far), (far, near), (near, far)]
            shapes.append((shape([(a * flip, b) for a, b in bar]), die.ink))
    else:
        for px, py in _PIPS[name]:
            ring = [(px * _STEP + PIP_SHARE * c, py * _STEP + PIP_SHARE * s) for c, s in _CIRCLE]
            shapes.append((shape(ring), die.ink))
    return DrawnFace(center, out, shade, tuple(shapes))


def arm_outlines(from_mm: Point, tip_mm: Point) -> list[tuple[list[Point], float, str]]:
    """Sleeve, wrist, thumb, fingers and palm of a hand: outline, height above the mat in mm, part.

    Later parts cover earlier ones; the longest finger ends at `tip_mm`.
    """
    away = np.array(tip_mm) - np.array(from_mm)
    reach = float(np.linalg.norm(away)) or 1.0
    u = away / reach
    v = np.array([-u[1], u[0]])

    def at(along: float, across: float) -> Point:
        x, y = np.array(tip_mm) + u * along + v * across
        return (float(x), float(y))

    def capsule(start: Point, end: Point, width: float) -> list[Point]:
        (a, b), (c, d) = start, end
        heading = math.atan2(d - b, c - a)
        round_end = [heading - math.pi / 2 + i * math.pi / 8 for i in range(9)]
        return [
            *(at(c + width / 2 * math.cos(t), d + width / 2 * math.sin(t)) for t in round_end),
            *(at(a - width / 2 * math.cos(t), b - width / 2 * math.sin(t)) for t in round_end),
        ]

    far = -reach - 260.0
    sleeve = [at(far, -48), at(-205, -40), at(-205, 40), at(far, 48)]
    parts = [
        (sleeve, 45.0, "sleeve"),
        (capsule((-210, 0), (-120, 0), 58), 40.0, "skin"),
        (capsule((-130, -22), (-72, -50), 22), 22.0, "skin"),
    ]
    for across, tip, width in ((-30, -22, 17), (-10, -8, 18), (11, -9, 18), (31, -26, 16)):
        parts.append((capsule((-95, across * 0.9), (tip, across), width), 18.0, "skin"))
    parts.append((capsule((-128, 0), (-96, 0), 76), 32.0, "skin"))
    return parts
