"""The decoration of a mat, as if drawn with chalk: faces, a Dubbeglas, grapes, a pretzel, suits.

Chalk is only a little brighter than the ground and lies where no card or die has its place, so that the
camera sees cards, not pictures.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

from table.printables.drawing import BLACK, WHITE, Disc, Ink, PlainMark, Polygon, Stroke, Text, recast
from table.printables.plan import Area
from table.printables.suits import suit
from table.rules.cards import SUITS
from vision.layout import Point

GROUND: Ink = (44, 74, 70)
"""Dark enough that white cards stand out, and unlike every card colour."""
CHALK: Ink = (112, 142, 133)

_GLASS: Ink = (255, 240, 180)
_LINE = 0.02
"""Line width in a picture of width and height 1, centred on the origin."""
_LARGEST_MM, _SMALLEST_MM, _STEP_MM = 84, 36, 4
_APART_MM = 6.0
_FINEST_MM = 0.3


def chalked(marks: Iterable[PlainMark], scale: float, move_mm: Point) -> list[PlainMark]:
    """A coloured drawing in chalk: black shapes and those without outline are filled, white is ground."""
    return [_in_chalk(recast(mark, scale, 0.0, move_mm)) for mark in marks]


def _in_chalk(mark: PlainMark) -> PlainMark:
    """Recolour a mark in chalk, with no line thinner than a printer draws well."""
    match mark:
        case Polygon() | Disc():
            solid = mark.fill not in (None, WHITE) and (mark.line is None or mark.fill == BLACK)
            inside = mark.fill and (CHALK if solid else GROUND)
            width = max(mark.line_mm, _FINEST_MM)
            return replace(mark, fill=inside, line=mark.line and CHALK, line_mm=width)
        case Stroke():
            ink = GROUND if mark.ink == WHITE else CHALK
            return replace(mark, ink=ink, width_mm=max(mark.width_mm, _FINEST_MM))
        case Text():
            return replace(mark, ink=CHALK)


def ornaments(taken: Sequence[Area], size_mm: Point) -> list[PlainMark]:
    """Pictures on both sides of a mat of this size, as large as the `taken` places leave room for."""
    used = list(taken)
    marks: list[PlainMark] = []
    for side, picture in ((-1, _glass), (1, _grapes), (-1, _suits), (1, _pretzel)):
        area = _room(used, size_mm, side)
        if area is not None:
            used.append(area)
            marks += chalked(picture(), area.size_mm[0], area.center_mm)
    return marks


def _room(taken: Sequence[Area], size_mm: Point, side: int) -> Area | None:
    """The largest free square on this side of the middle; among equals the one nearest to the side's rim."""
    w, h = (s / 2 - _APART_MM for s in size_mm)
    for edge in range(_LARGEST_MM, _SMALLEST_MM - 1, -_STEP_MM):
        x = w - edge / 2
        while x > edge / 2:
            y = h - edge / 2
            while y > edge / 2 - h:
                area = Area((side * x, y), (edge, edge))
                if all(area.apart(other, _APART_MM) for other in taken):
                    return area
                y -= _STEP_MM
            x -= _STEP_MM
    return None


def _glass() -> list[PlainMark]:
    """A Dubbeglas: half a litre in a wide glass with dimples, with foam on top."""
    foam = [Disc((x, 0.40 + lift), 0.085, BLACK, BLACK, _LINE) for x, lift in
            ((-0.27, 0.0), (-0.13, 0.03), (0.02, 0.01), (0.16, 0.035), (0.28, 0.0))]  # fmt: skip
    wall = Polygon(((-0.36, 0.4), (0.36, 0.4), (0.27, -0.48), (-0.27, -0.48)), _GLASS, BLACK, _LINE)
    dimples = [
        Disc((column * (0.2 + 0.025 * row), 0.2 * row - 0.03), 0.07, _GLASS, BLACK, _LINE)
        for row in (-1, 0, 1)
        for column in (-1, 0, 1)
    ]
    return [*(Disc(each.center_mm, each.radius_mm, WHITE, BLACK, _LINE) for each in foam), wall, *dimples]


def _grapes() -> list[PlainMark]:
    """A bunch of grapes with a leaf: the Palatinate."""
    base, tips = (-0.06, 0.28), ((-0.26, 0.38), (-0.38, 0.28), (-0.32, 0.14))
    rim = (base, (-0.14, 0.46), tips[0], (-0.40, 0.44), tips[1], (-0.48, 0.18), tips[2], (-0.24, 0.04))
    leaf = Polygon((*rim, (-0.14, 0.14)), (80, 140, 60), BLACK, _LINE)
    veins = [Stroke((base, tip), BLACK, 0.7 * _LINE) for tip in ((-0.33, 0.34), (-0.2, 0.36), (-0.26, 0.16))]
    stalk = Stroke(((0.08, 0.26), (0.0, 0.36), (-0.04, 0.48)), BLACK, _LINE * 1.5)
    rows = ((0.16, 4), (0.01, 5), (-0.14, 4), (-0.28, 3), (-0.41, 1))
    berries = [
        Disc(((i - (many - 1) / 2) * 0.165 + 0.09, y), 0.088, (110, 50, 120), BLACK, _LINE)
        for y, many in reversed(rows)
        for i in range(many)
    ]
    return [stalk, *berries, leaf, *veins]


def _pretzel() -> list[PlainMark]:
    """A pretzel: a rope laid over itself twice."""
    half = (
        *((-0.30, -0.28), (-0.10, -0.12), (0.10, 0.08), (0.26, 0.24), (0.40, 0.22)),
        *((0.46, 0.06), (0.40, -0.14), (0.24, -0.32)),
    )
    rope = _smooth((*half, (0.0, -0.40), *((-x, y) for x, y in reversed(half))))
    salt = ((-0.41, 0.0), (-0.33, -0.17), (0.41, 0.0), (0.33, -0.17), (-0.12, -0.35), (0.12, -0.35))
    return [
        Stroke(rope, BLACK, 0.13),
        Stroke(rope, WHITE, 0.13 - 2 * _LINE),
        *(Disc(at, 0.017, BLACK) for at in salt),
    ]


def _smooth(points: Sequence[Point], times: int = 3) -> tuple[Point, ...]:
    """A line with its corners cut (Chaikin 1974); its ends stay."""
    for _ in range(times):
        cut = [points[0]]
        for (ax, ay), (bx, by) in itertools.pairwise(points):
            cut += [
                (0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by),
                (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by),
            ]
        points = [*cut, points[-1]]
    return tuple(points)


def _suits() -> list[PlainMark]:
    """The four suits, two by two."""
    places = ((-0.24, 0.24), (0.24, 0.24), (-0.24, -0.24), (0.24, -0.24))
    marks: list[PlainMark] = []
    for letter, at in zip(SUITS, places, strict=True):
        marks += [mark for mark in suit(letter, at, 0.34, BLACK) if isinstance(mark, PlainMark)]
    return marks
