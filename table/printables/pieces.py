"""Other pieces: nets of dice, character tiles, chips, and the sheet for measuring the lens."""

from __future__ import annotations

import cv2

from table.catalogue import Language, text
from table.printables.drawing import (
    BLACK,
    WHITE,
    Disc,
    Drawing,
    Ink,
    Mark,
    Polygon,
    Text,
    box,
    laid_out,
    recast,
)
from table.printables.figures import person
from table.printables.marks import INKS, die_face, number, on, ruler, tag
from table.printables.plan import CHARACTERS, DIE_EDGE_MM, SHEETS
from vision.calibration import Sheet
from vision.layout import Point

A4_UPRIGHT: Point = (SHEETS["A4"][1], SHEETS["A4"][0])
DUBBE_DICE = ("blue", "brown", "yellow", "green", "red", "black")
DOPPELX_DICE = ("blue", "green", "yellow", "red", "purple", "orange", "black", "pink", "white")
DOPPELX_FACES = ("1", "2", "3", "X", "2", "1")
_PALE: Ink = (248, 246, 238)


def die_net(colour: str, faces: tuple[str, ...], edge_mm: float = DIE_EDGE_MM) -> Drawing:
    """The net of one die to cut, fold and glue.

    The first and the last of `faces` lie opposite each other, the second and the fifth, the third and the
    fourth.
    """
    ink, e = INKS[colour], edge_mm
    column = [(0.0, 1.5 * e), (0.0, 0.5 * e), (0.0, -0.5 * e), (0.0, -1.5 * e)]
    # The strip consists of faces 0, 1, 5, 4 from top to bottom; 2 and 3 are at the sides of the second.
    spread = dict(zip(("0", "1", "5", "4"), column, strict=True)) | {"2": (-e, 0.5 * e), "3": (e, 0.5 * e)}
    marks: list[Mark] = [
        _flap((0, 2 * e), (0, 1), e),
        *(_flap((side * e, y * e), (0, way), e) for side in (-1, 1) for y, way in ((1, 1), (0, -1))),
        *(_flap((side * e / 2, -1.5 * e), (side, 0), e) for side in (-1, 1)),
    ]
    for index, center in spread.items():
        marks += die_face(faces[int(index)], center, e, ink)
    return Drawing((3 * e + 4, 5 * e), tuple(marks), WHITE)


def dice_sheets() -> list[Drawing]:
    """A4 pages: six Dubbe dice with pips (opposite faces add up to seven), then nine DoppelX dice."""
    dubbe = [die_net(colour, ("1", "2", "3", "4", "5", "6")) for colour in DUBBE_DICE]
    doppelx = [die_net(colour, DOPPELX_FACES) for colour in DOPPELX_DICE]
    return laid_out(dubbe, A4_UPRIGHT, gap_mm=4) + laid_out(doppelx, A4_UPRIGHT, gap_mm=4)


def tile_sheets(language: Language = "de") -> list[Drawing]:
    """A4 pages: the five characters, the ±10 chips of five players, the start field."""
    characters = []
    for i, (name, (german, does)) in enumerate(CHARACTERS.items(), 1):
        marks: list[Mark] = [box((0, 0), (62, 88), _PALE, BLACK, 0.3, 4), *number(i, (-22, 35), 9, BLACK)]
        marks += [recast(mark, 0.72, move_mm=(0, 22)) for mark in person(name)]
        marks.append(Text((0, 2.0), german, 3.4, BLACK, bold=True))
        marks.append(Text((0, -3.4), text(does, language), 2.8, BLACK))
        marks.append(box((0, -22), (30, 30), WHITE, BLACK, 0.5))
        marks.append(Text((0, -41), text("paper.tile.die", language), 2.2, BLACK))
        characters.append(Drawing((64, 90), tuple(marks)))
    chips = []
    for colour in ("pink", "white", "orange", "black", "blue"):
        for words in ("+10", "−10"):
            ink = INKS[colour]
            chips.append(
                Drawing(
                    (34, 34),
                    (Disc((0, 0), 15, ink, BLACK, 0.3), Text((0, -2.5), words, 6, on(ink), bold=True)),
                )
            )
    words = text("paper.tile.start", language)
    start = (box((0, 0), (60, 40), _PALE, BLACK, 0.3, 4), Text((0, -2), words, 5, BLACK, bold=True))
    return [
        *laid_out(characters, A4_UPRIGHT, margin_mm=8),
        *laid_out(chips, A4_UPRIGHT),
        *laid_out([Drawing((62, 42), start)], A4_UPRIGHT),
    ]


CALIBRATION = Sheet(squares=(9, 6), square_mm=25.0, marker_mm=18.0, dictionary="DICT_5X5_100")
"""The sheet that is printed and that `stammtisch calibrate` looks for."""


def calibration_sheet(language: Language = "de") -> Drawing:
    """A ChArUco sheet of 9 × 6 squares of 25 mm on A4 (OpenCV's layout, DICT_5X5_100)."""
    (columns, rows), e = CALIBRATION.squares, CALIBRATION.square_mm
    dictionary = int(getattr(cv2.aruco, CALIBRATION.dictionary))
    marks, marker = list[Mark](), 0
    for row in range(rows):
        for column in range(columns):
            at = ((column - (columns - 1) / 2) * e, ((rows - 1) / 2 - row) * e + 8)
            if (row + column) % 2 == 0:
                marks.append(box(at, (e, e), BLACK))
            else:
                marks += tag(marker, at, CALIBRATION.marker_mm, dictionary)
                marker += 1
    note = text("paper.calibration", language)
    marks += [*ruler((-112, -92), BLACK), Text((0, -80), note, 2.4, BLACK)]
    return Drawing(SHEETS["A4"], tuple(marks))


def _flap(at_mm: Point, out: tuple[int, int], edge_mm: float) -> Polygon:
    """A glue flap, 5 mm deep, on an edge with its middle at `at_mm`, pointing `out`."""
    (x, y), (ox, oy), half, deep = at_mm, out, edge_mm / 2, 5.0
    along = (oy, ox)
    points = (
        (x + along[0] * half, y + along[1] * half),
        (x + along[0] * (half - 3) + ox * deep, y + along[1] * (half - 3) + oy * deep),
        (x - along[0] * (half - 3) + ox * deep, y - along[1] * (half - 3) + oy * deep),
        (x - along[0] * half, y - along[1] * half),
    )
    return Polygon(points, (240, 240, 240), BLACK, 0.15)
