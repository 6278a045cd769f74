"""Draws the mat, and cuts it into sheets for a home printer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from table.catalogue import Language, text
from table.printables.chalk import GROUND, chalked, ornaments
from table.printables.drawing import (
    BLACK,
    WHITE,
    Drawing,
    Ink,
    Mark,
    Placed,
    PrintError,
    Stroke,
    Text,
    box,
    turned,
)
from table.printables.figures import person
from table.printables.marks import ruler, tag
from table.printables.plan import CHARACTERS, SHEETS, Area, MatPlan
from table.printables.suits import card_row
from table.rules.dubbe import DUBBE
from table.rules.game import Game
from vision.layout import Point, SeatPlace

FINE: Ink = (150, 178, 168)
PALE: Ink = (226, 226, 214)

_FACE_SCALE, _FACE_APART_MM = 0.42, 9.5
"""Scale of a character's face beside its die's place, and distance of its centre from that place's edge."""
_MARGIN = 12.0
"""White margin that a printer may leave around a sheet, and room for crop marks."""


def draw_mat(plan: MatPlan, game: Game = DUBBE, language: Language = "de") -> Drawing:
    """The printed mat: tags, zones, pile, dice, ruler, and character spots or the game's trumps."""
    layout, marks = plan.layout, list[Mark]()
    marks += ornaments(plan.taken, layout.size_mm)
    for place, area in zip(layout.seats, plan.seats, strict=True):
        marks.append(box(area.center_mm, area.size_mm, line=FINE, line_mm=0.8, corner_mm=4))
        marks += _named_place(place, area)
    for number, spot in enumerate(layout.spots, 1):
        (german, does), (x, y) = CHARACTERS[spot.name], spot.center_mm
        marks.append(box(spot.center_mm, (spot.size_mm, spot.size_mm), PALE, FINE, 0.8))
        marks += chalked(person(spot.name), _FACE_SCALE, (x - spot.size_mm / 2 - _FACE_APART_MM, y - 1.5))
        marks.append(Text((x, y - spot.size_mm / 2 - 4), f"{number} {german}", 2.6, PALE, bold=True))
        marks.append(Text((x, y - spot.size_mm / 2 - 7.6), text(does, language), 2.2, PALE))
    if game.mat_row and not layout.spots:
        suits = all(len(card) == 1 for card in game.mat_row)
        words = text("paper.mat.suits" if suits else "paper.mat.trumps", language, game=game.title)
        marks += card_row(game.mat_row, plan.row.center_mm, plan.row.size_mm, words, language)
    places = [(plan.pile, "paper.mat.pile")]
    if "die" in game.kinds:
        places.append((plan.parking, "paper.mat.dice"))
    for area, named in places:
        words = text(named, language)
        marks.append(box(area.center_mm, area.size_mm, line=FINE, line_mm=0.4, corner_mm=4))
        marks.append(Text((area.center_mm[0], area.center_mm[1] + area.size_mm[1] / 2 - 4), words, 2.2, FINE))
    for each in layout.tags:
        marks += tag(each.id, each.center_mm[:2], each.size_mm)
    marks += ruler(plan.ruler_mm, PALE)
    w, h = layout.size_mm
    note = text("paper.mat.note", language, name=plan.name)
    marks.append(Text((w / 2 - 60, -h / 2 + 4), note, 1.8, FINE, "end"))
    return Drawing(layout.size_mm, tuple(marks), GROUND)


def _named_place(place: SeatPlace, area: Area) -> list[Mark]:
    """The seat's name, and a line where a guest writes his own with chalk, both readable from his side."""
    (x, y), (from_x, from_y) = area.center_mm, place.enters_from_mm
    beside = abs(from_x - x) > abs(from_y - y)
    turn = (90.0 if from_x > x else -90.0) if beside else (180.0 if from_y > y else 0.0)
    wide, deep = (area.size_mm[1], area.size_mm[0]) if beside else area.size_mm

    def at(right: float, up: float) -> Point:
        return turned([(right, up)], turn, area.center_mm)[0]

    half, foot = wide / 2 - 6.0, 3.0 - deep / 2
    return [
        Text(at(3 - wide / 2, deep / 2 - 7), place.name, 4, FINE, "start", turn, bold=True),
        Stroke((at(-half, foot), at(half, foot)), FINE, 0.25),
        Text(at(-half, foot + 0.9), "Name", 1.6, FINE, "start", turn),
    ]


def tiled(
    drawing: Drawing, sheet: str, language: Language = "en", whole: Sequence[Area] = ()
) -> list[Drawing]:
    """Cut a large drawing into pieces for smaller paper, with crop marks, on as few sheets as possible.

    `language` is that of the line beside the marks. No cut goes through the areas `whole`.

    Raises:
        PrintError: the sheet is not in SHEETS, or too small for an area that must stay whole.
    """
    if sheet not in SHEETS:
        raise PrintError(f"no paper called {sheet!r}; known: {', '.join(SHEETS)}")
    long, short = SHEETS[sheet]
    ways = [(paper, _seams(drawing.size_mm, paper, whole)) for paper in ((long, short), (short, long))]
    paper, (across, up) = min(ways, key=lambda way: math.prod(len(seams) - 1 for seams in way[1]))
    columns, rows = len(across) - 1, len(up) - 1
    pages = []
    for row, (y1, y0) in enumerate(pairwise(reversed(up))):
        for column, (x0, x1) in enumerate(pairwise(across)):
            piece, middle = (x1 - x0, y1 - y0), ((x0 + x1) / 2, (y0 + y1) / 2)
            cut = Placed(drawing, (-middle[0], -middle[1]), (x0, y0, x1, y1))
            marks: list[Mark] = [cut, *_crop_marks(piece)]
            at = {"row": row + 1, "rows": rows, "sheet": column + 1, "sheets": columns}
            where = text("paper.tile", language, **at)
            marks.append(Text((piece[0] / 2 + 8, 0), where, 2.2, BLACK, turn_deg=90))
            marks += ruler((-50, -piece[1] / 2 - 10), BLACK)
            pages.append(Drawing(paper, tuple(marks), WHITE))
    return pages


def _seams(size_mm: Point, paper_mm: Point, whole: Sequence[Area]) -> tuple[list[float], list[float]]:
    """Positions of the cuts, across and up, including both edges."""
    across, up = (
        _cut(
            size_mm[axis],
            paper_mm[axis] - 2 * _MARGIN,
            [
                (area.center_mm[axis] - area.size_mm[axis] / 2, area.center_mm[axis] + area.size_mm[axis] / 2)
                for area in whole
            ],
        )
        for axis in (0, 1)
    )
    return across, up


def _cut(long: float, most: float, whole: Sequence[tuple[float, float]]) -> list[float]:
    """Cut a length into as few pieces as possible, nearly equal so that no sheet has only a narrow strip.

    Raises:
        PrintError: an area that must stay whole is longer than a piece.
    """
    for pieces in range(math.ceil(long / most), 2 * math.ceil(long / most) + 2):
        seams = [_beside(long * (n / pieces - 0.5), whole) for n in range(pieces + 1)]
        if all(0 < end - start <= most + 1e-6 for start, end in pairwise(seams)):
            return seams
    raise PrintError("the paper is too small for the tags, which are not cut; choose a larger one")


def _beside(at: float, whole: Sequence[tuple[float, float]]) -> float:
    """The position nearest to `at` where a cut goes through no whole area."""
    free = [
        place
        for place in (at, *(end for each in whole for end in each))
        if not any(low < place < high for low, high in whole)
    ]
    return min(free, key=lambda place: abs(place - at))


def _crop_marks(size_mm: Point) -> list[Mark]:
    w, h = size_mm[0] / 2, size_mm[1] / 2
    lines = []
    for x in (-w, w):
        for y in (-h, h):
            out_x, out_y = math.copysign(1, x), math.copysign(1, y)
            lines.append(Stroke(((x, y + out_y), (x, y + out_y * 6)), BLACK, 0.15))
            lines.append(Stroke(((x + out_x, y), (x + out_x * 6, y)), BLACK, 0.15))
    return list(lines)
