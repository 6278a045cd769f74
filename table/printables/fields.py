"""Draws DoppelX fields, the tags of a box's rim and the bet tiles."""

from __future__ import annotations

import numpy as np

from table.catalogue import Language, text
from table.printables.drawing import (
    BLACK,
    WHITE,
    Disc,
    Drawing,
    Ink,
    Mark,
    Placed,
    Polygon,
    Stroke,
    Text,
    box,
    laid_out,
)
from table.printables.field_plan import LINE_MM, FieldPlan, Shape, closed
from table.printables.marks import INKS, die_face, number, on, ruler, tag
from table.printables.pieces import A4_UPRIGHT, DOPPELX_DICE, DOPPELX_FACES
from table.printables.plan import Area
from vision.box.field import BETTER
from vision.imgproc.polygons import inset
from vision.layout import Layout, Point, Tag

ZONE_INKS: dict[str, Ink] = {
    "1x": INKS["blue"],
    "2x": INKS["red"],
    "3x": INKS["yellow"],
    "X": (92, 92, 96),
    "-1": (56, 24, 84),
    "hole": (14, 14, 16),
}
"""Ink of each kind of zone."""
LARGEST_STICKER_MM = 29.0
"""Edge of the largest die whose six stickers lie side by side on A4."""
_BLEED = 6.0
_BETS: dict[str, tuple[str, Ink]] = {
    "A": ("+5", INKS["purple"]),
    "B": ("+2", ZONE_INKS["hole"]),
    "C": ("+3", ZONE_INKS["2x"]),
    "D": ("+4", ZONE_INKS["3x"]),
    "E": ("+2", ZONE_INKS["X"]),
    "F": ("+1", ZONE_INKS["1x"]),
    "G": ("+5", INKS["green"]),
    "H": ("+5", INKS["orange"]),
}
"""What each bet pays (X-24) and its ink; the catalogue says what for."""


def draw_field(plan: FieldPlan, language: Language = "en") -> Drawing:
    """The floor of the box with crop marks; holes are printed dark, to be cut out or left as they are."""
    w, h = plan.layout.size_mm
    marks: list[Mark] = [_floor(plan), *_frame(plan.layout.size_mm), *_notes(plan, language)]
    return Drawing((w + 2 * _BLEED + 4, h + 2 * _BLEED + 16), tuple(marks), WHITE)


def draw_flat(plan: FieldPlan, language: Language = "de", noted: bool = False) -> Drawing:
    """Field, tags and bets on one large sheet as the table file has them, for a game without a box.

    A camera straight above a box sees the same. `noted`: with a ruler and a note on how to print.
    """
    layout = plan.layout
    reach = [abs(c) + t.size_mm * 2 / 3 for t in layout.tags for c in t.center_mm[:2]]
    reach += [abs(c) + b.size_mm / 2 for b in layout.bets for c in b.center_mm[:2]]
    size = 2 * max(reach) + 6
    marks: list[Mark] = [_floor(plan)]
    for each in layout.tags:
        marks += tag(each.id, each.center_mm[:2], each.size_mm)
    for bet in layout.bets:
        marks += _bet(bet.kind, bet.center_mm[:2], bet.size_mm, language)
    if noted:
        # Below the lower tag if there are bets, which leave a strip free; otherwise in the empty corner.
        x, y = (0.0, -size / 2 + 10) if layout.bets else (-layout.size_mm[0] / 2 + 25, -size / 2 + 10)
        words = text("paper.mat.note", language, name=plan.file_name)
        marks += [*ruler((x - 50, y), BLACK), Text((x, y - 5), words, 1.8, BLACK)]
    return Drawing((size, size), tuple(marks), (150, 142, 128))


def tag_places(layout: Layout) -> list[Area]:
    """The tags with their white rims and some paper around: no cut may go through these places."""
    return [Area(each.center_mm[:2], (each.size_mm * 4 / 3 + 4,) * 2) for each in layout.tags]


def tag_sheets(layout: Layout, language: Language = "en") -> list[Drawing]:
    """A4 pages of the tags of a box's rim, each on a tab that says in `language` where to glue it."""
    names = _sides(layout.tags)
    tabs = []
    for each in layout.tags:
        w, h = each.size_mm * 4 / 3 + 24, each.size_mm * 4 / 3 + 26
        x, y, z = each.center_mm
        marks: list[Mark] = [box((0, 0), (w, h), None, BLACK, 0.2), *tag(each.id, (0, 1), each.size_mm)]
        marks.append(Stroke(((-2, h / 2 - 5), (0, h / 2 - 2), (2, h / 2 - 5)), BLACK, 0.4))
        marks.append(Text((0, h / 2 - 9), text("paper.tag.up", language), 2.0, BLACK))
        side = text(f"paper.side.{names[each.id]}", language)
        marks.append(
            Text((0, -h / 2 + 7), text("paper.tag", language, n=each.id, side=side), 2.4, BLACK, bold=True)
        )
        where = text("paper.tag.at", language, x=f"{x:g}", y=f"{y:g}", z=f"{z:g}")
        marks.append(Text((0, -h / 2 + 2.5), where, 2.0, BLACK))
        tabs.append(Drawing((w + 4, h + 4), tuple(marks)))
    pages = laid_out(tabs, A4_UPRIGHT, gap_mm=4)
    note = text("paper.tag.glue", language)
    first = pages[0]
    marks_ = (*first.marks, *ruler((-50, -120), BLACK), Text((0, -128), note, 2.2, BLACK))
    return [Drawing(first.size_mm, marks_), *pages[1:]]


def bet_sheets(size_mm: float, language: Language = "de") -> list[Drawing]:
    """A4 pages of the eight bet tiles A to H, which are to lie at the height of the rim."""
    drawn = [_bet(kind, (0, 0), size_mm, language) for kind in _BETS]
    tiles = [Drawing((size_mm + 4, size_mm + 4), tuple(marks)) for marks in drawn]
    return laid_out(tiles, A4_UPRIGHT, gap_mm=4)


def sticker_sheets(edge_mm: float) -> list[Drawing]:
    """A4 pages of square stickers for nine blank dice: a row of six faces for each colour."""
    inner = edge_mm - 1.5  # a sticker ends before the die's worn corner
    rows = []
    for colour in DOPPELX_DICE:
        marks: list[Mark] = []
        for i, face in enumerate(DOPPELX_FACES):
            marks += die_face(face, ((i - 2.5) * (edge_mm + 2), 0), inner, INKS[colour])
        rows.append(Drawing((6 * (edge_mm + 2) + 4, edge_mm + 4), tuple(marks)))
    return laid_out(rows, A4_UPRIGHT, gap_mm=2)


def _floor(plan: FieldPlan) -> Placed:
    """The printed floor, cropped at its edge."""
    w, h = plan.layout.size_mm
    marks: list[Mark] = []
    for shape in plan.shapes:
        marks += _shape(shape, "1x", w / 2)
    if plan.spinner:
        marks.append(Disc((0, 0), 17, None, (150, 170, 210), 0.5))
    return Placed(Drawing((w, h), tuple(marks), ZONE_INKS["1x"]), (0, 0))


def _shape(shape: Shape, under: str, half_mm: float) -> list[Mark]:
    """A zone with its white line, which is on the better zone's side, and its inner shapes."""
    outline = np.array(_over_the_edge(shape, half_mm) if shape.on_rim else shape.outline)
    better = _rank(shape.kind) < _rank(under)
    line = 0.0 if shape.kind == "hole" else LINE_MM
    wide, narrow = (outline, inset(outline, line)) if better else (inset(outline, -line), outline)
    marks: list[Mark] = [Polygon(_points(wide), WHITE)] if line else []
    marks.append(Polygon(_points(narrow), ZONE_INKS[shape.kind]))
    for inner in shape.inner:
        marks += _shape(inner, shape.kind, half_mm)
    if shape.kind != "hole":
        x, y = shape.label_mm or _middle(closed(shape, half_mm))
        words = "−1" if shape.kind == "-1" else shape.kind
        marks.append(Text((x, y - 2.5), words, 5.0, _label_ink(shape.kind), bold=True))
    return marks


def _over_the_edge(shape: Shape, half_mm: float) -> list[Point]:
    """The outline of a shape on the rim, extended past the floor's edge, so that no line runs along it."""
    line = np.array(shape.outline)
    ends = [one + (one - near) / np.linalg.norm(one - near) * 8 for one, near in (line[:2], line[:-3:-1])]
    corners = [(x * 1.2, y * 1.2) for x, y in closed(shape, half_mm)[len(line) :]]
    return [*_points(np.array([ends[0], *line, ends[1]])), *corners]


def _rank(kind: str) -> int:
    return BETTER.index(kind) if kind in BETTER else len(BETTER)


def _middle(outline: tuple[Point, ...]) -> Point:
    """The centroid of an outline."""
    here = np.array(outline)
    after = np.roll(here, -1, axis=0)
    weight = here[:, 0] * after[:, 1] - after[:, 0] * here[:, 1]
    x, y = ((here + after) * weight[:, None]).sum(axis=0) / (3 * weight.sum())
    return (float(x), float(y))


def _label_ink(kind: str) -> Ink:
    return {"1x": (120, 160, 226), "3x": (150, 96, 10)}.get(kind, WHITE)


def _points(line: np.ndarray) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in line)


def _bet(kind: str, center_mm: Point, size_mm: float, language: Language) -> list[Mark]:
    pays, ink = _BETS[kind]
    words = text(f"paper.bet.{kind}", language)
    (x, y), k = center_mm, size_mm / 60
    marks: list[Mark] = [
        box(center_mm, (size_mm, size_mm), WHITE, (120, 120, 120), 0.2),
        box(center_mm, (size_mm - 4 * k, size_mm - 4 * k), ink, corner_mm=3 * k),
        Text((x - 24 * k, y + 17 * k), kind, 8 * k, on(ink), "start", bold=True),
        Text((x, y - 2 * k), words, 4 * k, on(ink), bold=True),
    ]
    marks += number(int(pays[1:]), (x + 18 * k, y - 18 * k), 10 * k, on(ink))
    marks.append(Text((x + 7 * k, y - 21 * k), "+", 7 * k, on(ink), bold=True))
    return marks


def _frame(size_mm: Point) -> list[Mark]:
    """Crop marks at the corners, outside the floor."""
    x, y = size_mm[0] / 2, size_mm[1] / 2
    lines: list[Mark] = []
    for i in (-1, 1):
        for j in (-1, 1):
            lines.append(Stroke(((i * (x + 1.5), j * y), (i * (x + _BLEED), j * y)), BLACK, 0.15))
            lines.append(Stroke(((i * x, j * (y + 1.5)), (i * x, j * (y + _BLEED))), BLACK, 0.15))
    return lines


def _notes(plan: FieldPlan, language: Language) -> list[Mark]:
    w, h = plan.layout.size_mm
    words = text("paper.field", language, name=plan.name, mm=f"{w:g}")
    return [Text((0, -h / 2 - 7), words, 2.2, BLACK), *ruler((-50, -h / 2 - 13), BLACK)]


def _sides(tags: tuple[Tag, ...]) -> dict[int, str]:
    def side(one: Tag) -> str:
        x, y = one.center_mm[:2]
        return ("right" if x > 0 else "left") if abs(x) > abs(y) else ("top" if y > 0 else "bottom")

    return {one.id: side(one) for one in tags}
