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
"""Margin below which no camera decides alone, however well it sees: printed lines are no sharper."""

ROUNDING = 0.075
"""Radius of a die's worn corners over its edge: what stands over the line is the round corner."""

_FALLEN_MM = 1.5
"""How far inside a hole's edge the middle of a die must be seen to have fallen."""
_DIRECTIONS = 32
_KINDS = (*BETTER, "hole")
_STEP_MM = 1.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Every zone kind under a foot, sorted; the best of them; how far the foot is from another verdict.

    `counts_as` is None where no scoring zone is touched; `margin_mm` is cut at `FAR_MM`.
    """

    touches: tuple[str, ...]
    counts_as: str | None
    margin_mm: float

    def on_the_line(self, error_mm: float = 0.0) -> bool:
        """Whether a shift within measuring error would change what the die counts as."""
        return self.margin_mm < max(ON_THE_LINE_MM, error_mm)


class Field:
    """The zones of one layout, ready to be asked about feet.

    Holes are known but never counted: an edge over a hole changes nothing.
    """

    def __init__(self, layout: Layout) -> None:
        self.edge_mm = layout.die_edge_mm or 16.0
        self.holes = tuple(zone for zone in layout.zones if zone.kind == "hole")
        self.size_mm = layout.size_mm
        self._bets = layout.bets
        self._holes = [_closed(hole) for hole in self.holes]
        self._rims = [_sides(hole) for hole in self._holes]
        zones = [(_KINDS.index(z.kind), _closed(z)) for z in layout.zones if z.kind in _KINDS]
        self._ranks = np.array([rank for rank, _ in zones], np.intp)
        # The sides of all polygons in one list: a die asks about a few hundred at once.
        self._of = np.repeat(np.arange(len(zones)), [len(polygon) - 1 for _, polygon in zones])
        self._sides = np.concatenate([_sides(polygon) for _, polygon in zones] or [np.zeros((0, 2, 2))])

    def judge(self, center_mm: Point, yaw_deg: float) -> Verdict:
        """The verdict on a flat die's foot: its middle (x, y) and its turn, counter-clockwise."""
        half = self.edge_mm / 2
        c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
        everywhere = (self._sides - center_mm) @ np.array([[c, -s], [s, c]])
        crossings = np.bincount(self._of, _beyond(everywhere, np.zeros((1, 2)))[0], len(self._ranks))
        within = crossings % 2 == 1
        reach = half * 2**0.5 + FAR_MM
        near = ((everywhere.min(axis=1) <= reach) & (everywhere.max(axis=1) >= -reach)).all(axis=1)
        sides, of = everywhere[near], self._of[near]
        hit = within.copy()
        hit[of[_crossed(sides, np.zeros((1, 2)), half)[0]]] = True
        ranks = sorted(set(self._ranks[hit].tolist()))
        best = ranks[0] if ranks and ranks[0] < len(BETTER) else len(BETTER)
        # Nearer to a better zone, or out of the best one: whichever comes first.
        better = self._ranks[of] < best
        margin = min(FAR_MM, _apart(sides[better], half))
        if best < len(BETTER):
            own = np.nonzero(self._ranks == best)[0]
            # Within `half` the foot's middle stays under it: a zone that holds the middle cannot be left.
            if not within[own].any() or margin > half:
                margin = _leaving([everywhere[self._of == k] for k in own if hit[k]], half, margin)
        touches = tuple(sorted(_KINDS[rank] for rank in ranks))
        return Verdict(touches, BETTER[best] if best < len(BETTER) else None, margin)

    def bet_under(self, center_mm: Point) -> str | None:
        """The bet tile (A..H) that holds a point at the rim's height, None beside all of them."""
        for bet in self._bets:
            x, y = center_mm[0] - bet.center_mm[0], center_mm[1] - bet.center_mm[1]
            if max(abs(x), abs(y)) <= bet.size_mm / 2:
                return bet.kind
        return None

    def in_box(self, center_mm: Point) -> bool:
        """Whether a point of the floor lies within the printed field."""
        return abs(center_mm[0]) <= self.size_mm[0] / 2 and abs(center_mm[1]) <= self.size_mm[1] / 2

    def over_hole(self, center_mm: Point) -> bool:
        """Whether a die with its middle there has fallen in: one that still lies stands over the rim."""
        at = np.asarray(center_mm) + _FALLEN_MM * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
        return any(bool((_beyond(rim, at).sum(axis=1) % 2 == 1).all()) for rim in self._rims)

    def within_hole(self, points: Floats) -> bool:
        """Whether all points (n, 2) lie in one hole, to `_FALLEN_MM`: what fell in is framed by its edge."""
        return any(
            all(cv2.pointPolygonTest(hole.astype(np.float32), (x, y), True) > -_FALLEN_MM for x, y in points)
            for hole in self._holes
        )


def _apart(sides: Floats, half: float) -> float:
    """Least distance between an upright foot and sides (n, 2, 2) that it does not touch; inf if none."""
    if not len(sides):
        return math.inf
    corners = _foot(half)
    ends = np.roll(corners, -1, axis=0)
    both = (_to_segments(corners, sides), _to_segments(sides[:, 0], np.stack([corners, ends], axis=1)))
    return float(min(both))


def _to_segments(points: Floats, segments: Floats) -> float:
    """Least distance between points (n, 2) and segments (m, 2, 2)."""
    start, along = segments[:, 0], segments[:, 1] - segments[:, 0]
    gap = points[:, None] - start
    share = (gap * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-12)
    gap -= share.clip(0.0, 1.0)[..., None] * along
    return float(np.sqrt((gap**2).sum(axis=2).min()))


def _leaving(polygons: Sequence[Floats], half: float, most: float) -> float:
    """How far, up to `most`, the foot may move in any direction before it touches none of the polygons.

    Directions are tried all round in steps, then the first change is narrowed down.
    """
    # Sides above, below and left of all shifted feet neither meet one nor tell in from out.
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
    high = np.full(len(ways), lengths[nearest])
    low = high - lengths[0]
    for _ in range(6):
        middle = (low + high) / 2
        away = ~_touched(polygons, middle[:, None] * ways, half)
        high, low = np.where(away, middle, high), np.where(away, low, middle)
    return float(high.min())


def _touched(polygons: Sequence[Floats], shifts: Floats, half: float) -> NDArray[np.bool_]:
    """Whether an upright die's foot of half edge `half`, moved by each shift, touches any polygon."""
    hit = np.zeros(len(shifts), bool)
    for sides in polygons:
        hit |= _beyond(sides, shifts).sum(axis=1) % 2 == 1
        hit |= _crossed(sides, shifts, half).any(axis=1)
    return hit


def _foot(half: float) -> Floats:
    """The corners (8, 2) of an upright foot: a square cut by a slanting line at each round corner."""
    cut = half * (1 - 2 * ROUNDING * (2 - 2**0.5))
    quarter = np.array([[half, cut], [cut, half]])
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    return np.concatenate([quarter @ np.linalg.matrix_power(turn, k) for k in range(4)])


def _crossed(sides: Floats, shifts: Floats, half: float) -> NDArray[np.bool_]:
    """Whether each side (n, 2, 2) enters the foot round each shift (m, 2): (m, n) (Cyrus and Beck, 1978).

    The foot is the square cut by a slanting line at each corner, where the round corner ends.
    """
    corner = half * (2**0.5 - ROUNDING * 2 * (2**0.5 - 1))
    start = sides[None, :, 0] @ _AXES - (shifts @ _AXES)[:, None]
    along = ((sides[:, 1] - sides[:, 0]) @ _AXES)[None]
    limit = np.array([half, half, corner, corner]) + 1e-9
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (-limit - start) / along, (limit - start) / along
    flat = np.abs(along) < 1e-12
    outside = flat & (np.abs(start) > limit)
    enter = np.where(flat, -np.inf, np.minimum(one, two)).max(axis=2)
    leave = np.where(flat, np.inf, np.maximum(one, two)).min(axis=2)
    meets = (np.maximum(enter, 0.0) <= np.minimum(leave, 1.0)) & ~outside.any(axis=2)
    return np.asarray(meets)


_AXES = np.array([[1.0, 0.0, 0.5**0.5, 0.5**0.5], [0.0, 1.0, 0.5**0.5, -(0.5**0.5)]])


def _beyond(sides: Floats, points: Floats) -> NDArray[np.bool_]:
    """Whether each side (n, 2, 2) lies right of each point (m, 2): (m, n); inside, an odd number does."""
    x, y = points[:, :1], points[:, 1:]
    (x0, y0), (x1, y1) = sides[:, 0].T, sides[:, 1].T
    spans = (y0 > y) != (y1 > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return np.asarray(spans & (x < cut))


def _closed(zone: Zone) -> Floats:
    """The zone's polygon with its first point repeated at the end."""
    corners = np.asarray(zone.polygon_mm, np.float64)
    return np.concatenate([corners, corners[:1]])


def _sides(polygon: Floats) -> Floats:
    """The sides (n, 2, 2) of a closed polygon (n + 1, 2)."""
    return np.stack([polygon[:-1], polygon[1:]], axis=1)
