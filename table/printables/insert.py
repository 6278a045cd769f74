"""Trays that hold cards, dice and tiles in a box: nets to cut, fold and glue."""

from __future__ import annotations

from table.printables.drawing import BLACK, WHITE, Drawing, Ink, Mark, Polygon, Stroke, Text, box
from table.printables.plan import CARD_MM, DIE_EDGE_MM
from vision.layout import Point

_ROOM_MM = 3.0
"""Room beyond a thing's size for fingers and the paper's thickness."""
_FLAP_MM = 8.0
_FOLD: Ink = (150, 150, 150)
_INSIDE: Ink = (248, 246, 238)

CARDS_MM: Point = (CARD_MM[0] + _ROOM_MM, CARD_MM[1] + _ROOM_MM)
DICE_MM: Point = (3 * DIE_EDGE_MM + _ROOM_MM, 2 * DIE_EDGE_MM + _ROOM_MM)


def tray(floor_mm: Point, wall_mm: float, words: str) -> Drawing:
    """The net of a tray: a floor, four walls, and flaps at both ends of two opposite walls."""
    (w, h), up = floor_mm, wall_mm
    marks: list[Mark] = []
    for side in (-1, 1):
        wall = side * (h / 2 + up / 2)
        marks.append(box((0, wall), (w, up), WHITE, BLACK, 0.2))
        for end in (-1, 1):
            at, out = end * w / 2, end * (w / 2 + _FLAP_MM)
            low, high = side * (h / 2 + 1.5), side * (h / 2 + up - 1.5)
            marks.append(
                Polygon(
                    ((at, low), (out, low + side * 2), (out, high - side * 2), (at, high)),
                    (240, 240, 240),
                    BLACK,
                    0.15,
                )
            )
        marks.append(box((side * (w / 2 + up / 2), 0), (up, h), WHITE, BLACK, 0.2))
    marks.append(box((0, 0), (w, h), _INSIDE))
    x, y = w / 2, h / 2
    for line in (((-x, -y), (x, -y)), ((x, -y), (x, y)), ((x, y), (-x, y)), ((-x, y), (-x, -y))):
        marks.append(Stroke(line, _FOLD, 0.2))
    marks.append(Text((0, -1), words, 3.0, BLACK, bold=True))
    return Drawing((w + 2 * max(up, _FLAP_MM) + 4, h + 2 * up + 4), tuple(marks), WHITE)


def height_mm(cards: int) -> float:
    """Height of a stack of cards on thick paper (0.32 mm per card), with room to take them out."""
    return 0.32 * cards + 6.0
