"""Description of a synthetic frame: camera, cards, dice, arms and light, in millimetres. Values only."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.arrays import Float64
from vision.layout import Point, Point3
from vision.synthetic.shapes import BGR, DieLying


@dataclass(frozen=True, slots=True)
class ViewPoint:
    """A pinhole camera above the table: its position and its target in mm; up in the picture is +y."""

    size_px: tuple[int, int] = (1280, 720)
    f_px: float = 1320.0
    eye_mm: Point3 = (14.0, -38.0, 800.0)
    looks_at_mm: Point = (0.0, 0.0)
    roll_deg: float = 0.6

    def matrix(self) -> Float64:
        """The projection (3, 4): homogeneous millimetres to homogeneous pixels."""
        eye = np.array(self.eye_mm)
        ahead = np.array([*self.looks_at_mm, 0.0]) - eye
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, (0.0, 1.0, 0.0))
        right /= np.linalg.norm(right)
        down = np.cross(ahead, right)
        roll = math.radians(self.roll_deg)
        right, down = (
            math.cos(roll) * right + math.sin(roll) * down,
            math.cos(roll) * down - math.sin(roll) * right,
        )
        rotation = np.stack([right, down, ahead])
        w, h = self.size_px
        lens = np.array([[self.f_px, 0, w / 2 - 0.5], [0, self.f_px, h / 2 - 0.5], [0, 0, 1.0]])
        return np.asarray(lens @ np.column_stack([rotation, -rotation @ eye]), dtype=np.float64)


OVERHEAD = ViewPoint()
"""A camera mounted as the README says: nearly above the centre."""


@dataclass(frozen=True, slots=True)
class CardLying:
    """A card with the name of its face; `yaw_deg` turns it counter-clockwise, 0 is upright for S1.

    `z_mm` is its height above the mat, as of a card in a hand.
    """

    face: str
    center_mm: Point
    yaw_deg: float = 0.0
    z_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Arm:
    """A forearm with a hand that reaches from `from_mm` (outside the mat) to its finger tips at `tip_mm`."""

    from_mm: Point
    tip_mm: Point
    skin: BGR = (128, 158, 206)
    sleeve: BGR = (74, 52, 46)


@dataclass(frozen=True, slots=True)
class Light:
    """The light: `level` 1 is well lit; `tint` gains of blue, green, red; `slope` gain per metre +x, +y."""

    level: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    slope: Point = (0.12, 0.2)


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a frame shows. `cards` lie in order, the last on top; `carried` ones are above them all."""

    cards: tuple[CardLying, ...] = ()
    dice: tuple[DieLying, ...] = ()
    arms: tuple[Arm, ...] = ()
    carried: tuple[CardLying, ...] = ()
    carried_dice: tuple[DieLying, ...] = ()
    light: Light = Light()
