"""Four DoppelX fields of our own design: zones, holes, tags and bets, the source of print and table file.

A field is a square of blue ground (1x) with shapes on it; a shape may lie inside another, never across
its edge. The better of two neighbouring zones owns the white line between them (X-16), so the line is inside
its polygon. Designs are drawn for 280 mm and scaled.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from table.printables.drawing import PrintError, arc, turned
from table.printables.plan import DIE_EDGE_MM
from vision.box.field import BETTER
from vision.imgproc.polygons import joined
from vision.layout import Bet, Layout, Point, Tag, Zone

DESIGN_MM = 280.0
SMALLEST_MM, LARGEST_MM = 200.0, 400.0
TAG_MM = 24.0
FRAME_TAG, FIELD_TAG = 10, 14
"""First tag of a bought box's frame, and of field I; field II has the next four, and so on."""
BET_MM = 60.0
RIM_MM = 45.0
"""Usual height of a box's rim above its floor."""
LINE_MM = 1.6
"""Width of a white line."""
BETS = "ABCDEFGH"

_HALF = DESIGN_MM / 2
_OFF_RIM = 25.0
"""Distance of a tag's centre outside the floor's edge: on the rim, clear of the wall's shadow."""
_BET_OFF_RIM = 32.0
_HOLE_MM = 17.0


@dataclass(frozen=True, slots=True)
class Shape:
    """One zone of a design: its kind, outline (counter-clockwise), inner shapes, place of its label.

    `on_rim`: the outline is open, with its first and last point on the field's edge.
    """

    kind: str
    outline: tuple[Point, ...]
    inner: tuple[Shape, ...] = ()
    on_rim: bool = False
    label_mm: Point | None = None


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """One field: its name I to IV, its layout, its scaled shapes, whether it is played with the spinner."""

    name: str
    layout: Layout
    shapes: tuple[Shape, ...]
    rim_mm: float
    spinner: bool

    @property
    def file_name(self) -> str:
        """Stem of the field's file names, such as `doppelx-I-280`."""
        return f"doppelx-{self.name}-{self.layout.size_mm[0]:g}"


def plan_field(
    name: str, size_mm: float = DESIGN_MM, rim_mm: float = RIM_MM, bets: str = "ABCD"
) -> FieldPlan:
    """Plan field I, II, III or IV with an edge of `size_mm` in a box whose rim is `rim_mm` high.

    Raises:
        PrintError: the field is unknown, the size unplayable, or a bet does not exist.
    """
    if name not in FIELDS:
        raise PrintError(f"there is no field {name!r}; there are {', '.join(FIELDS)}")
    if not SMALLEST_MM <= size_mm <= LARGEST_MM:
        raise PrintError(f"a field measures {SMALLEST_MM:g} to {LARGEST_MM:g} mm, not {size_mm:g}")
    _check_rim(rim_mm)
    if len(bets) > 4 or len(set(bets)) != len(bets) or not set(bets) <= set(BETS):
        raise PrintError(f"up to four different bets of {BETS} lie round a field, not {bets!r}")
    scale = size_mm / DESIGN_MM
    shapes = tuple(_scaled(shape, scale) for shape in _DESIGNS[name])
    off = size_mm / 2 + _BET_OFF_RIM
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    # Each field has its own tags: with the wrong table file the table is not found, rather than misread.
    first = FIELD_TAG + 4 * FIELDS.index(name)
    layout = Layout(
        kind="field",
        size_mm=(size_mm, size_mm),
        tags=rim_tags((size_mm, size_mm), rim_mm, first),
        zones=_zones(shapes, size_mm / 2),
        bets=tuple(
            Bet(kind, (x * off, y * off, rim_mm), BET_MM) for kind, (x, y) in zip(bets, corners, strict=False)
        ),
        die_edge_mm=DIE_EDGE_MM,
    )
    return FieldPlan(name, layout, shapes, rim_mm, name in ("III", "IV"))


def plan_frame(size_mm: Point = (DESIGN_MM, DESIGN_MM), rim_mm: float = RIM_MM) -> Layout:
    """The layout of a bought box with this floor: our four tags on its rim, and nothing else known yet.

    Raises:
        PrintError: no box has a rim of this height.
    """
    _check_rim(rim_mm)
    return Layout("field", size_mm, rim_tags(size_mm, rim_mm), die_edge_mm=DIE_EDGE_MM)


def _check_rim(rim_mm: float) -> None:
    if not 0 <= rim_mm <= 120:
        raise PrintError(f"a rim is 0 to 120 mm high, not {rim_mm:g}")


def rim_tags(size_mm: Point, rim_mm: float, first: int = FRAME_TAG) -> tuple[Tag, Tag, Tag, Tag]:
    """The four tags of a box: left, top, right, bottom, at the middle of each side and the rim's height."""
    x, y = size_mm[0] / 2 + _OFF_RIM, size_mm[1] / 2 + _OFF_RIM
    return (
        Tag(first, (-x, 0.0, rim_mm), TAG_MM),
        Tag(first + 1, (0.0, y, rim_mm), TAG_MM),
        Tag(first + 2, (x, 0.0, rim_mm), TAG_MM),
        Tag(first + 3, (0.0, -y, rim_mm), TAG_MM),
    )


def closed(shape: Shape, half_mm: float) -> tuple[Point, ...]:
    """The shape's whole outline; that of a shape on the rim is closed along the field's edge."""
    if not shape.on_rim:
        return shape.outline
    corners = _corners_between(shape.outline[-1], shape.outline[0], half_mm)
    return (*shape.outline, *corners)


def _zones(shapes: Sequence[Shape], half_mm: float) -> tuple[Zone, ...]:
    ground = joined(_ground(shapes, half_mm), [shape.outline for shape in shapes if not shape.on_rim])
    zones = [_zone("1x", ground)]
    waiting = list(shapes)
    while waiting:
        shape = waiting.pop(0)
        outline = closed(shape, half_mm)
        zones.append(_zone(shape.kind, joined(outline, [inner.outline for inner in shape.inner])))
        waiting += shape.inner
    order = [*BETTER, "hole"]
    return tuple(sorted(zones, key=lambda zone: order.index(zone.kind)))


def _zone(kind: str, polygon: np.ndarray) -> Zone:
    return Zone(kind, tuple((round(float(x), 2), round(float(y), 2)) for x, y in polygon))


def _ground(shapes: Sequence[Shape], half_mm: float) -> list[Point]:
    """The field's square without the shapes on its rim, counter-clockwise."""
    chains = sorted(
        (shape.outline[::-1] for shape in shapes if shape.on_rim), key=lambda c: _way(c[0], half_mm)
    )
    points: list[Point] = []
    for chain, following in zip(chains, [*chains[1:], chains[0]], strict=True):
        points += [*chain, *_corners_between(chain[-1], following[0], half_mm)]
    return points


def _way(point: Point, half_mm: float) -> float:
    """Position of a point along the edge, counter-clockwise from the lower right corner, 0 to 4."""
    x, y = point[0] / half_mm, point[1] / half_mm
    if x > 1 - 1e-6:
        return (y + 1) / 2
    if y > 1 - 1e-6:
        return 1 + (1 - x) / 2
    if x < -1 + 1e-6:
        return 2 + (1 - y) / 2
    return 3 + (x + 1) / 2


def _corners_between(start: Point, end: Point, half_mm: float) -> list[Point]:
    """The field's corners between two points of its edge, counter-clockwise."""
    a, b = _way(start, half_mm), _way(end, half_mm)
    b += 4 if b <= a else 0
    corners = ((half_mm, -half_mm), (half_mm, half_mm), (-half_mm, half_mm), (-half_mm, -half_mm))
    return [corners[i % 4] for i in range(math.floor(a) + 1, math.ceil(b))]


def _scaled(shape: Shape, scale: float) -> Shape:
    def points(line: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x * scale, y * scale) for x, y in line)

    label = points((shape.label_mm,))[0] if shape.label_mm else None
    inner = tuple(_scaled(each, scale) for each in shape.inner)
    return Shape(shape.kind, points(shape.outline), inner, shape.on_rim, label)


def _disc(kind: str, x: float, y: float, r: float, *inner: Shape, label: Point | None = None) -> Shape:
    steps = max(24, round(r))
    ring = [2 * math.pi * i / steps for i in range(steps)]
    return Shape(kind, tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in ring), inner, label_mm=label)


def _even(kind: str, at: Point, r: float, n: int, turn: float = 0.0, *inner: Shape) -> Shape:
    """A regular polygon of n corners; `turn` in degrees is the direction of the first one."""
    x, y = at
    ring = [math.radians(turn + 360 * i / n) for i in range(n)]
    return Shape(kind, tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in ring), inner)


def _bar(
    kind: str, at: Point, size: Point, turn: float = 0.0, *inner: Shape, label: Point | None = None
) -> Shape:
    """A rectangle of this width and height, rotated by `turn` degrees about its centre."""
    w, h = size
    half = ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))
    return Shape(kind, turned(half, turn, at), inner, label_mm=label)


def _hole(x: float, y: float) -> Shape:
    return _disc("hole", x, y, _HOLE_MM)


def _rim(kind: str, side: int, *line: Point) -> Shape:
    """A shape on the rim, rotated by `side` quarter turns.

    Before that, its `line` runs from right to left on the lower edge, or from the right edge around the lower
    right corner.
    """
    return Shape(kind, turned(line, 90 * side), on_rim=True)


def _bay(kind: str, side: int, at: float, r: float) -> Shape:
    """A half disc on the rim."""
    return _rim(kind, side, *arc((at, -_HALF), (r, r), 0, 180))


_STAR = tuple(
    (r * math.cos(math.radians(22.5 * i)), r * math.sin(math.radians(22.5 * i)))
    for i, r in enumerate((64.0, 46.0) * 8)
)
_CAPSULE = turned(
    (*arc((84, 0), (30, 30), -90, 90), *arc((-84, 0), (30, 30), 90, 270)),
    -28,
)
_DESIGNS: dict[str, tuple[Shape, ...]] = {
    # I: gentle, with a star in the middle and good corners opposite each other.
    "I": (
        Shape("2x", _STAR, (_disc("3x", 0, 0, 23),), label_mm=(0, -40)),
        _even("3x", (-92, 58), 21, 4, 0),
        _even("3x", (92, -58), 21, 4, 0),
        *(_rim("2x", side, *arc((140, -140), (58, 58), 90, 180)) for side in (1, 3)),
        *(_rim("X", side, (140, -84), (106, -78), (78, -106), (84, -140)) for side in (0, 2)),
        _bay("-1", 0, -30, 24),
        _bay("-1", 2, -30, 24),
        _hole(-66, -78),
        _hole(66, 78),
        _hole(104, 6),
        _hole(-104, -6),
    ),
    # II: a slanting river with two islands and a whirlpool.
    "II": (
        Shape(
            "2x",
            _CAPSULE,
            (_even("3x", (46, -24.5), 20, 6, 2), _even("3x", (-74, 39.3), 20, 6, 2), _hole(-14, 7.4)),
            label_mm=(84, -45),
        ),
        _rim("3x", 1, (140, -92), (92, -140)),
        _rim("2x", 3, (140, -74), (100, -100), (74, -140)),
        _even("X", (52, 72), 32, 5, 90),
        _even("X", (-36, -78), 32, 7, 90),
        _disc("-1", -14, 98, 21),
        _disc("-1", 62, -104, 21),
        _bar("-1", (-112, -22), (34, 34), 20),
        _hole(112, 34),
        _hole(-86, 104),
    ),
    # III: a wide ring around the spinner; a thrower who misses it pays.
    "III": (
        _disc("2x", 0, 0, 96, _disc("1x", 0, 0, 50), _hole(51.6, 51.6), _hole(-51.6, -51.6), label=(0, -73)),
        _even("3x", (-104, 104), 22, 8, 22.5),
        _even("3x", (104, -104), 22, 8, 22.5),
        *(_rim("X", side, (140, -88), (112, -88), (88, -112), (88, -140)) for side in (1, 3)),
        *(_bay("-1", side, 0, 26) for side in (0, 1, 2, 3)),
    ),
    # IV: small islands of gold in narrow bars, a dead middle.
    "IV": (
        _even("X", (0, 0), 40, 4, 45),
        _bar(
            "2x", (0, 92), (150, 40), 0, _even("3x", (-48, 92), 16, 4, 45), _even("3x", (48, 92), 16, 4, 45)
        ),
        _bar("2x", (0, -92), (150, 40), 0, _even("3x", (0, -92), 16, 4, 45), label=(-40, -92)),
        _disc("3x", 66, 0, 15),
        _disc("3x", -66, 0, 15),
        *(_bay("-1", side, 0, 28) for side in (1, 3)),
        *(_rim("-1", side, (140, -96), (96, -140)) for side in (0, 2)),
        _even("X", (-108, -58), 22, 3, 90),
        _even("X", (108, 58), 22, 3, -90),
        _hole(-104, 58),
        _hole(104, -58),
        _hole(0, 52),
        _hole(0, -52),
    ),
}
FIELDS = tuple(_DESIGNS)
"""The names of our fields."""
