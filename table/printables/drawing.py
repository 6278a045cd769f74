"""A drawing in millimetres: the one source that becomes both paper (PDF) and a picture (OpenCV).

Origin at the drawing's centre, x to the right, y up. Inks are (red, green, blue), 0..255 each. Later
marks lie over earlier ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from table.errors import StammtischError
from vision.layout import Point

Ink = tuple[int, int, int]
"""Red, green, blue, 0..255 each."""

BLACK: Ink = (0, 0, 0)
WHITE: Ink = (255, 255, 255)


class PrintError(StammtischError):
    """Something cannot be drawn or printed as requested; the text says what to change."""


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed shape, filled or outlined or both."""

    points_mm: tuple[Point, ...]
    fill: Ink | None = None
    line: Ink | None = None
    line_mm: float = 0.3


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, filled or outlined or both."""

    center_mm: Point
    radius_mm: float
    fill: Ink | None = None
    line: Ink | None = None
    line_mm: float = 0.3


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points with round ends and joints."""

    points_mm: tuple[Point, ...]
    ink: Ink = BLACK
    width_mm: float = 0.3


@dataclass(frozen=True, slots=True)
class Text:
    """A line of words; `height_mm` is that of a capital letter, `at_mm` is on the baseline.

    `turn_deg` rotates it counter-clockwise about `at_mm`.
    """

    at_mm: Point
    words: str
    height_mm: float
    ink: Ink = BLACK
    anchor: Literal["start", "middle", "end"] = "middle"
    turn_deg: float = 0.0
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """Another drawing, cropped to `window_mm` (x0, y0, x1, y1; None = all), with its origin at `at_mm`."""

    drawing: Drawing
    at_mm: Point
    window_mm: tuple[float, float, float, float] | None = None


PlainMark = Polygon | Disc | Stroke | Text
"""A mark that is not a drawing itself."""

Mark = PlainMark | Placed


@dataclass(frozen=True, slots=True)
class Drawing:
    """Marks on a sheet of `size_mm` (width, height) of the colour `ground`."""

    size_mm: Point
    marks: tuple[Mark, ...]
    ground: Ink = WHITE


def box(
    center_mm: Point,
    size_mm: Point,
    fill: Ink | None = None,
    line: Ink | None = None,
    line_mm: float = 0.3,
    corner_mm: float = 0.0,
) -> Polygon:
    """A rectangle, with rounded corners if `corner_mm` is given."""
    (x, y), (w, h) = center_mm, size_mm
    right, top = w / 2 - corner_mm, h / 2 - corner_mm
    points: list[Point] = []
    for sign_x, sign_y, start in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        corner = (x + sign_x * right, y + sign_y * top)
        points += arc(corner, (corner_mm, corner_mm), start, start + 90) if corner_mm else [corner]
    return Polygon(tuple(points), fill, line, line_mm)


def arc(center_mm: Point, radii_mm: Point, from_deg: float, to_deg: float) -> tuple[Point, ...]:
    """Points along an elliptical arc, counter-clockwise if `to_deg` is greater than `from_deg`."""
    steps = max(2, math.ceil(abs(to_deg - from_deg) / 12))
    turns = [math.radians(from_deg + (to_deg - from_deg) * i / steps) for i in range(steps + 1)]
    (x, y), (rx, ry) = center_mm, radii_mm
    return tuple((x + rx * math.cos(a), y + ry * math.sin(a)) for a in turns)


def turned(points_mm: Iterable[Point], turn_deg: float, move_mm: Point = (0.0, 0.0)) -> tuple[Point, ...]:
    """Points rotated counter-clockwise about the origin, then moved."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return tuple((c * x - s * y + move_mm[0], s * x + c * y + move_mm[1]) for x, y in points_mm)


def recast(
    mark: PlainMark, scale: float = 1.0, turn_deg: float = 0.0, move_mm: Point = (0.0, 0.0)
) -> PlainMark:
    """A mark scaled about the origin, rotated counter-clockwise, then moved."""

    def at(points: Iterable[Point]) -> tuple[Point, ...]:
        return turned(((x * scale, y * scale) for x, y in points), turn_deg, move_mm)

    match mark:
        case Polygon():
            return replace(mark, points_mm=at(mark.points_mm), line_mm=mark.line_mm * scale)
        case Disc():
            center, radius = at([mark.center_mm])[0], mark.radius_mm * scale
            return replace(mark, center_mm=center, radius_mm=radius, line_mm=mark.line_mm * scale)
        case Stroke():
            return replace(mark, points_mm=at(mark.points_mm), width_mm=mark.width_mm * scale)
        case Text():
            height, turn = mark.height_mm * scale, mark.turn_deg + turn_deg
            return replace(mark, at_mm=at([mark.at_mm])[0], height_mm=height, turn_deg=turn)


def laid_out(
    drawings: Sequence[Drawing], sheet_mm: Point, margin_mm: float = 10.0, gap_mm: float = 0.0
) -> list[Drawing]:
    """Arrange drawings of equal size on as few sheets as possible, row by row, in the middle of each sheet.

    Raises:
        PrintError: one of them is larger than the sheet.
    """
    if not drawings:
        return []
    w, h = (max(d.size_mm[i] for d in drawings) for i in (0, 1))
    columns, rows = (
        int((free - 2 * margin_mm + gap_mm + 1e-6) // (need + gap_mm))
        for free, need in zip(sheet_mm, (w, h), strict=True)
    )
    if columns < 1 or rows < 1:
        raise PrintError(
            f"a piece of {w:g}×{h:g} mm does not fit a sheet of {sheet_mm[0]:g}×{sheet_mm[1]:g} mm; "
            "choose a larger sheet"
        )
    pages = []
    for first in range(0, len(drawings), columns * rows):
        marks: list[Mark] = []
        for i, drawing in enumerate(drawings[first : first + columns * rows]):
            x = (i % columns - (columns - 1) / 2) * (w + gap_mm)
            y = ((rows - 1) / 2 - i // columns) * (h + gap_mm)
            marks.append(Placed(drawing, (x, y)))
        pages.append(Drawing(sheet_mm, tuple(marks)))
    return pages
