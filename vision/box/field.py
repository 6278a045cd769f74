"""The zones under a die: its foot compared with the polygons of a dice field (X-15, X-16).

Pure geometry in the field's millimetres. The white line belongs to the better zone and is inside that
zone's polygon, so only contact with polygons need be tested. A foot is the square under a flat die.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64
from vision.layout import Layout, Point, Zone

BETTER = ("3x", "2x", "1x", "X", "-1")
"""Zone kinds, the better one first (X-15)."""
FAR_MM = 8.0
"""Upper limit of measured margins: nobody argues about larger ones."""
ON_THE_LINE_MM = 1.0
"""Margin below which no camera decides alone, however sharp: printed lines are no sharper themselves."""

ROUNDING = 0.075
"""Radius of a die's worn corners over its edge: the foot ends at the round corner, not at the square's."""

_FALLEN_MM = 1.5
"""Distance inside a hole's edge at which the middle of a fallen die must be seen."""
_FALLEN = ((_FALLEN_MM, 0.0), (-_FALLEN_MM, 0.0), (0.0, _FALLEN_MM), (0.0, -_FALLEN_MM))
_CELL_MM = 16.0
"""Side of the grid cells that share one list of nearby sides, to save time."""
_DIRECTIONS = 32
"""Directions all round in which the end of a zone is sought."""
_KINDS = (*BETTER, "hole")
_STEP_MM = 1.0
"""Step along a direction: a larger one is faster, but coarser than the floor's own pixels."""
_PARTS = np.arange(1, 9) / 8
"""Parts of a step tried at once to narrow down the first change."""


@dataclass(frozen=True, slots=True)
class FootVerdict:
    """All zone kinds under a foot, sorted; the best of them; the shift that would change the verdict.

    `counts_as` is None where no scoring zone is touched; `margin_mm` is at most `FAR_MM`.
    """

    touches: tuple[str, ...]
    counts_as: str | None
    margin_mm: float

    def on_the_line(self, error_mm: float = 0.0) -> bool:
        """Whether a shift within the measurement error would change what the die counts as."""
        return self.margin_mm < max(ON_THE_LINE_MM, error_mm)


class Field:
    """The zones of one layout, prepared for judging feet.

    Holes are listed but never count: an edge over a hole changes nothing.
    """

    def __init__(self, layout: Layout) -> None:
        self.edge_mm = layout.edge_mm
        self.holes = tuple(zone for zone in layout.zones if zone.kind == "hole")
        self.size_mm = layout.size_mm
        self._bets = layout.bets
        self._holes = [_closed(hole).astype(np.float32) for hole in self.holes]
        zones = [(_KINDS.index(z.kind), _closed(z)) for z in layout.zones if z.kind in _KINDS]
        self._ranks = np.array([rank for rank, _ in zones], np.intp)
        self._outlines = [
            (polygon.astype(np.float32), (*polygon.min(axis=0).tolist(), *polygon.max(axis=0).tolist()))
            for _, polygon in zones
        ]
        # The sides of all polygons in one array; `_near` caches, for each cell, those that a foot may reach.
        self._of = np.repeat(np.arange(len(zones)), [len(polygon) - 1 for _, polygon in zones])
        self._sides = np.concatenate([_sides(polygon) for _, polygon in zones] or [np.zeros((0, 2, 2))])
        self._low, self._high = self._sides.min(axis=1), self._sides.max(axis=1)
        self._near: dict[tuple[int, int], NDArray[np.intp]] = {}

    def judge(self, center_mm: Point, yaw_deg: float) -> FootVerdict:
        """Judge a flat die's foot, from its middle (x, y) and its turn, counter-clockwise."""
        half = self.edge_mm / 2
        c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
        x, y = center_mm
        within = np.array(
            [
                x0 <= x <= x1 and y0 <= y <= y1 and _holds(outline, center_mm)
                for outline, (x0, y0, x1, y1) in self._outlines
            ],
            bool,
        )
        around = self._around(center_mm)
        turn = np.array([[c, -s], [s, c]])
        sides, of = (self._sides[around] - center_mm) @ turn, self._of[around]
        hit = within.copy()
        hit[of[_crossed(sides, np.zeros((1, 2)), half)[0]]] = True
        ranks = sorted(set(self._ranks[hit].tolist()))
        best = ranks[0] if ranks and ranks[0] < len(BETTER) else len(BETTER)
        # The margin is the distance to a better zone or out of the best one, whichever is less.
        better = self._ranks[of] < best
        margin = min(FAR_MM, _apart(sides[better], half))
        if best < len(BETTER):
            own = np.nonzero(self._ranks == best)[0]
            # A shift of at most `half` keeps the middle's place under the foot: its zone cannot be left.
            if not within[own].any() or margin > half:
                polygons = [(self._sides[self._of == k] - center_mm) @ turn for k in own if hit[k]]
                margin = _leaving(polygons, half, margin)
        touches = tuple(sorted(_KINDS[rank] for rank in ranks))
        return FootVerdict(touches, BETTER[best] if best < len(BETTER) else None, margin)

    def bet_under(self, center_mm: Point) -> str | None:
        """The bet tile (A..H) that holds a point at the rim's height; None beside all tiles."""
        for bet in self._bets:
            x, y = center_mm[0] - bet.center_mm[0], center_mm[1] - bet.center_mm[1]
            if max(abs(x), abs(y)) <= bet.size_mm / 2:
                return bet.kind
        return None

    def in_box(self, center_mm: Point) -> bool:
        """Whether a point of the floor lies within the printed field."""
        return abs(center_mm[0]) <= self.size_mm[0] / 2 and abs(center_mm[1]) <= self.size_mm[1] / 2

    def over_hole(self, center_mm: Point) -> bool:
        """Whether a die's middle is well inside a hole: one that still lies flat has it over the floor."""
        x, y = center_mm
        round_ = [(x + dx, y + dy) for dx, dy in _FALLEN]
        return any(all(_holds(hole, at) for at in round_) for hole in self._holes)

    def within_hole(self, points: Float64) -> bool:
        """Whether all points (n, 2) lie in one hole, to within `_FALLEN_MM`: its edge frames a fallen die."""
        return any(
            all(cv2.pointPolygonTest(hole, (x, y), True) > -_FALLEN_MM for x, y in points)
            for hole in self._holes
        )

    def _around(self, center_mm: Point) -> NDArray[np.intp]:
        """Indices of the sides near enough for a foot there, the same for all feet in one grid cell."""
        cell = (math.floor(center_mm[0] / _CELL_MM), math.floor(center_mm[1] / _CELL_MM))
        if cell not in self._near:
            reach = self.edge_mm * 0.5**0.5 + FAR_MM
            first = np.array(cell) * _CELL_MM
            near = (self._low <= first + (_CELL_MM + reach)) & (self._high >= first - reach)
            self._near[cell] = np.flatnonzero(near.all(axis=1))
        return self._near[cell]


def _holds(outline: NDArray[np.float32], point: Point) -> bool:
    """Whether a closed polygon (n, 2) holds a point."""
    return float(cv2.pointPolygonTest(outline, point, False)) > 0


def _apart(sides: Float64, half: float) -> float:
    """Least distance between an upright foot at 0 and sides (n, 2, 2) that it does not touch; inf if none."""
    if not len(sides):
        return math.inf
    return min(_to_segments(half * _FOOT, sides), _to_segments(sides[:, 0], half * _FOOT_SIDES))


def _to_segments(points: Float64, segments: Float64) -> float:
    """Least distance between points (n, 2) and segments (m, 2, 2)."""
    start, along = segments[:, 0], segments[:, 1] - segments[:, 0]
    gap = points[:, None] - start
    share = np.einsum("ijk,jk->ij", gap, along) / np.maximum(np.einsum("jk,jk->j", along, along), 1e-12)
    gap -= np.minimum(np.maximum(share, 0.0), 1.0)[..., None] * along
    return math.sqrt(np.einsum("ijk,ijk->ij", gap, gap).min())


def _leaving(polygons: Sequence[Float64], half: float, most: float) -> float:
    """How far, up to `most`, the foot may move in any direction before it touches none of the polygons.

    Directions are tried all round in steps, then the first change is narrowed down.
    """
    # Sides above, below or left of all shifted feet touch none, and do not count in the test for inside.
    reach = half * 2**0.5 + most
    low, high = np.array([-reach, -reach]), np.array([np.inf, reach])
    polygons = [
        sides[((sides.min(axis=1) <= high) & (sides.max(axis=1) >= low)).all(axis=1)] for sides in polygons
    ]
    angles = np.arange(_DIRECTIONS) * 2 * math.pi / _DIRECTIONS
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    lengths = np.linspace(0.0, most, max(1, math.ceil(most / _STEP_MM)) + 1)[1:]
    left = ~_touched(polygons, (lengths[:, None, None] * ways).reshape(-1, 2), half)
    left = left.reshape(len(lengths), -1)
    first = np.where(left.any(axis=0), left.argmax(axis=0), len(lengths))
    nearest = int(first.min())
    if nearest == len(lengths):
        return most
    # Only the directions that changed first can hold the least distance.
    ways = ways[first == nearest]
    far, step = float(lengths[nearest]), float(lengths[0])
    for _ in range(2):
        tried = far - step + step * _PARTS
        away = ~_touched(polygons, (tried[:, None, None] * ways).reshape(-1, 2), half)
        far = float(tried[int(away.reshape(len(tried), -1).any(axis=1).argmax())])
        step /= len(tried)
    return far


def _touched(polygons: Sequence[Float64], shifts: Float64, half: float) -> NDArray[np.bool_]:
    """Whether an upright die's foot of half edge `half`, moved by each shift, touches any polygon."""
    hit = np.zeros(len(shifts), bool)
    reach = half * 2**0.5 + float(np.abs(shifts).max())
    for sides in polygons:
        hit |= _beyond(sides, shifts).sum(axis=1) % 2 == 1
        near = sides[(sides.min(axis=1) <= reach).all(axis=1)]
        hit |= _crossed(near, shifts, half).any(axis=1)
    return hit


def _crossed(sides: Float64, shifts: Float64, half: float) -> NDArray[np.bool_]:
    """Whether each side (n, 2, 2) meets the foot at each shift (m, 2): (m, n) (Cyrus and Beck, 1978).

    The foot is a square cut by a slanting line at each corner, where the round corner ends.
    """
    # Axis by axis, so that compared values lie in contiguous rows.
    start = _AXES.T @ sides[:, 0].T
    along = _AXES.T @ (sides[:, 1] - sides[:, 0]).T
    flat = np.abs(along) < 1e-12
    start = start[:, None] - (_AXES.T @ shifts.T)[..., None]
    limit = half * _WIDE + 1e-9
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (-limit - start) / along[:, None], (limit - start) / along[:, None]
    enter, leave = np.minimum(one, two), np.maximum(one, two)
    if flat.any():
        beside = np.abs(start) > limit
        enter = np.where(flat[:, None], np.where(beside, np.inf, -np.inf), enter)
        leave = np.where(flat[:, None], np.inf, leave)
    return np.asarray(np.maximum(enter.max(axis=0), 0.0) <= np.minimum(leave.min(axis=0), 1.0))


_AXES = np.array([[1.0, 0.0, 0.5**0.5, 0.5**0.5], [0.0, 1.0, 0.5**0.5, -(0.5**0.5)]])
_SLANT = 2**0.5 - ROUNDING * 2 * (2**0.5 - 1)
_WIDE = np.array([1.0, 1.0, _SLANT, _SLANT])[:, None, None]
"""How far the foot reaches along each of the axes, over half an edge."""
_CUT = 1 - 2 * ROUNDING * (2 - 2**0.5)
_FOOT = np.array(
    [[1, _CUT], [_CUT, 1], [-_CUT, 1], [-1, _CUT], [-1, -_CUT], [-_CUT, -1], [_CUT, -1], [1, -_CUT]]
)
"""The corners (8, 2) of an upright foot of half edge 1, in order: a square cut by a line at each corner."""
_FOOT_SIDES = np.stack([_FOOT, np.roll(_FOOT, -1, axis=0)], axis=1)


def _beyond(sides: Float64, points: Float64) -> NDArray[np.bool_]:
    """Whether each side (n, 2, 2) lies right of each point (m, 2): (m, n); an odd number means inside."""
    x, y = points[:, :1], points[:, 1:]
    (x0, y0), (x1, y1) = sides[:, 0].T, sides[:, 1].T
    spans = (y0 > y) != (y1 > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return np.asarray(spans & (x < cut))


def _closed(zone: Zone) -> Float64:
    """Close the zone's polygon: repeat its first point at the end."""
    corners = np.asarray(zone.polygon_mm, np.float64)
    return np.concatenate([corners, corners[:1]])


def _sides(polygon: Float64) -> Float64:
    """The sides (n, 2, 2) of a closed polygon (n + 1, 2)."""
    return np.stack([polygon[:-1], polygon[1:]], axis=1)
