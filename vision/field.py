"""What lies under a die: its foot against the zones of a dice field, seen from straight above (X-15, X-16).

Pure geometry in the field's millimetres. The white line belongs to the better zone and is inside that
zone's polygon, so touching a polygon is all there is to ask. A foot is the square under a flat die.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout, Point, Zone

Floats = NDArray[np.float64]

BETTER = ("3x", "2x", "1x", "X", "-1")
"""Zone kinds, the better one first (X-15)."""
FAR_MM = 8.0
"""Margins are measured up to here; beyond, nobody argues."""
ON_THE_LINE_MM = 1.0
"""Margin below which a camera that sees a foot to about half a millimetre must not decide alone."""

ROUNDING = 0.075
"""Radius of a die's worn corners over its edge: what stands over the line is the round corner."""

_FALLEN_MM = 1.5
"""How far inside a hole's edge the middle of a die must be seen to have fallen."""
_DIRECTIONS = 32
_STEP_MM = 1.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Every zone kind under a foot, sorted; the best of them; how far the foot is from another verdict.

    `counts_as` is None where no scoring zone is touched; `margin_mm` is cut at `FAR_MM`.
    """

    touches: tuple[str, ...]
    counts_as: str | None
    margin_mm: float

    @property
    def on_the_line(self) -> bool:
        """Whether a shift within measuring error would change what the die counts as."""
        return self.margin_mm < ON_THE_LINE_MM


class Field:
    """The zones of one layout, ready to be asked about feet.

    Holes are known but never counted: an edge over a hole changes nothing.
    """

    def __init__(self, layout: Layout) -> None:
        self.edge_mm = layout.die_edge_mm or 16.0
        self.holes = tuple(zone for zone in layout.zones if zone.kind == "hole")
        self._size = layout.size_mm
        self._bets = layout.bets
        self._kinds: list[tuple[str, list[Floats]]] = [
            (kind, [_closed(zone) for zone in layout.zones if zone.kind == kind]) for kind in BETTER
        ]
        self._holes = [_closed(hole) for hole in self.holes]

    def judge(self, center_mm: Point, yaw_deg: float) -> Verdict:
        """The verdict on a flat die's foot: its middle (x, y) and its turn, counter-clockwise."""
        local = [(kind, self._near(polygons, center_mm, yaw_deg)) for kind, polygons in self._kinds]
        half = self.edge_mm / 2
        here = np.zeros((1, 2))
        touched = [kind for kind, polygons in local if _touched(polygons, here, half)[0]]
        best = touched[0] if touched else None
        if _touched(self._near(self._holes, center_mm, yaw_deg), here, half)[0]:
            touched.append("hole")
        return Verdict(tuple(sorted(touched)), best, _margin(local, half))

    def bet_under(self, center_mm: Point) -> str | None:
        """The bet tile (A..H) that holds a point at the rim's height, None beside all of them."""
        for bet in self._bets:
            x, y = center_mm[0] - bet.center_mm[0], center_mm[1] - bet.center_mm[1]
            if max(abs(x), abs(y)) <= bet.size_mm / 2:
                return bet.kind
        return None

    def in_box(self, center_mm: Point) -> bool:
        """Whether a point of the floor lies within the printed field."""
        return abs(center_mm[0]) <= self._size[0] / 2 and abs(center_mm[1]) <= self._size[1] / 2

    def over_hole(self, center_mm: Point) -> bool:
        """Whether a die with its middle there has fallen in: one that still lies stands over the rim."""
        x, y = center_mm
        at = np.array(
            [
                (x + dx, y + dy)
                for dx, dy in ((_FALLEN_MM, 0), (-_FALLEN_MM, 0), (0, _FALLEN_MM), (0, -_FALLEN_MM))
            ]
        )
        return any(bool(_inside(hole, at).all()) for hole in self._holes)

    def within_hole(self, points: Floats) -> bool:
        """Whether all points (n, 2) lie in one hole, to `_FALLEN_MM`: what fell in is framed by its edge."""
        return any(
            all(cv2.pointPolygonTest(hole.astype(np.float32), (x, y), True) > -_FALLEN_MM for x, y in points)
            for hole in self._holes
        )

    def _near(self, polygons: Sequence[Floats], center_mm: Point, yaw_deg: float) -> list[Floats]:
        """The polygons in the foot's own frame, those left out that no shift up to `FAR_MM` reaches."""
        c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
        turn = np.array([[c, -s], [s, c]])
        reach = self.edge_mm * 0.7072 + FAR_MM
        near = []
        for polygon in polygons:
            shifted = polygon - center_mm
            if (shifted.min(axis=0) <= reach).all() and (shifted.max(axis=0) >= -reach).all():
                near.append(np.asarray(shifted @ turn))
        return near


def _margin(local: list[tuple[str, list[Floats]]], half: float) -> float:
    """How far the foot may move in any direction before its best zone changes.

    Directions are tried all round in steps, then the first change is narrowed down.
    """
    angles = np.arange(_DIRECTIONS) * 2 * math.pi / _DIRECTIONS
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    lengths = np.arange(0.0, FAR_MM + _STEP_MM / 2, _STEP_MM)
    shifts = (lengths[:, None, None] * ways).reshape(-1, 2)
    ranks = _ranks(local, shifts, half).reshape(len(lengths), -1)
    changed = ranks != ranks[0, 0]
    first = np.where(changed.any(axis=0), changed.argmax(axis=0), len(lengths))
    nearest = int(first.min())
    if nearest == len(lengths):
        return FAR_MM
    # Only the directions that changed first can hold the least distance.
    ways = ways[first == nearest]
    low = np.full(len(ways), lengths[nearest - 1])
    high = np.full(len(ways), lengths[nearest])
    for _ in range(6):
        middle = (low + high) / 2
        other = _ranks(local, middle[:, None] * ways, half) != ranks[0, 0]
        high, low = np.where(other, middle, high), np.where(other, low, middle)
    return float(high.min())


def _ranks(local: list[tuple[str, list[Floats]]], shifts: Floats, half: float) -> NDArray[np.intp]:
    """For each shift (n, 2) the place of the best touched kind in `BETTER`, its length if none."""
    best = np.full(len(shifts), len(local), np.intp)
    open_ = np.arange(len(shifts))
    for rank, (_, polygons) in enumerate(local):
        hit = _touched(polygons, shifts[open_], half)
        best[open_[hit]] = rank
        open_ = open_[~hit]
    return best


def _touched(polygons: Sequence[Floats], shifts: Floats, half: float) -> NDArray[np.bool_]:
    """Whether an upright die's foot of half edge `half`, moved by each shift, touches any polygon."""
    hit = np.zeros(len(shifts), bool)
    for polygon in polygons:
        hit |= _inside(polygon, shifts)
        hit |= _crossed(polygon, shifts, half)
    return hit


def _crossed(polygon: Floats, shifts: Floats, half: float) -> NDArray[np.bool_]:
    """Whether an edge of the polygon enters the foot round each shift (Cyrus and Beck, 1978).

    The foot is the square cut by a slanting line at each corner, where the round corner ends.
    """
    corner = half * (2**0.5 - ROUNDING * 2 * (2**0.5 - 1))
    reach = half + float(np.abs(shifts).max(initial=0.0))
    low, high = np.minimum(polygon[:-1], polygon[1:]), np.maximum(polygon[:-1], polygon[1:])
    near = ((low <= reach) & (high >= -reach)).all(axis=1)
    if not near.any():
        return np.zeros(len(shifts), bool)
    start = polygon[:-1][near][None] @ _AXES - (shifts @ _AXES)[:, None]
    along = (np.diff(polygon, axis=0)[near] @ _AXES)[None]
    limit = np.array([half, half, corner, corner]) + 1e-9
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (-limit - start) / along, (limit - start) / along
    flat = np.abs(along) < 1e-12
    outside = flat & (np.abs(start) > limit)
    enter = np.where(flat, -np.inf, np.minimum(one, two)).max(axis=2)
    leave = np.where(flat, np.inf, np.maximum(one, two)).min(axis=2)
    meets = (np.maximum(enter, 0.0) <= np.minimum(leave, 1.0)) & ~outside.any(axis=2)
    return np.asarray(meets.any(axis=1))


_AXES = np.array([[1.0, 0.0, 0.5**0.5, 0.5**0.5], [0.0, 1.0, 0.5**0.5, -(0.5**0.5)]])


def _inside(polygon: Floats, points: Floats) -> NDArray[np.bool_]:
    """Whether each point lies within a closed polygon (crossing number)."""
    x, y = points[:, :1], points[:, 1:]
    x0, y0 = polygon[:-1, 0], polygon[:-1, 1]
    x1, y1 = polygon[1:, 0], polygon[1:, 1]
    spans = (y0 > y) != (y1 > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return np.asarray((spans & (x < cut)).sum(axis=1) % 2 == 1)


def _closed(zone: Zone) -> Floats:
    """The zone's polygon with its first point repeated at the end."""
    corners = np.asarray(zone.polygon_mm, np.float64)
    return np.concatenate([corners, corners[:1]])
