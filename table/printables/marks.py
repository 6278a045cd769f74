"""Marks that several printables share: numbers, colours and their shapes, tags, ruler, dice faces."""

from __future__ import annotations

import math

import cv2
import numpy as np

from table.printables.drawing import BLACK, WHITE, Disc, Ink, Mark, Polygon, Stroke, Text, arc, box, turned
from vision.layout import Point

INKS: dict[str, Ink] = {
    "blue": (30, 84, 190),
    "brown": (122, 74, 34),
    "yellow": (244, 190, 20),
    "green": (18, 138, 62),
    "red": (205, 32, 40),
    "black": (28, 28, 30),
    "white": (246, 246, 242),
    "purple": (112, 48, 150),
    "orange": (238, 120, 20),
    "pink": (236, 120, 170),
}
"""Ink of each named colour."""

_OVAL = arc((0.3, 0.5), (0.3, 0.5), 90, 450)
_SIX = (arc((0.52, 0.3), (0.52, 0.7), 95, 180), arc((0.3, 0.3), (0.3, 0.3), 180, 540))
DIGITS: dict[str, tuple[tuple[Point, ...], ...]] = {
    "0": (_OVAL,),
    "1": (((0.06, 0.76), (0.33, 1.0), (0.33, 0.0)), ((0.1, 0.0), (0.56, 0.0))),
    "2": ((*arc((0.3, 0.71), (0.28, 0.29), 165, -35), (0.0, 0.0), (0.6, 0.0)),),
    "3": (
        (*arc((0.28, 0.755), (0.25, 0.245), 150, -80), (0.22, 0.515)),
        arc((0.28, 0.27), (0.31, 0.27), 88, -150),
    ),
    "4": (((0.45, 0.0), (0.45, 1.0), (0.0, 0.3), (0.62, 0.3)),),
    "5": (((0.54, 1.0), (0.1, 1.0), (0.06, 0.53), *arc((0.28, 0.325), (0.31, 0.325), 130, -150)),),
    "6": _SIX,
    "7": (((0.0, 1.0), (0.6, 1.0), (0.18, 0.0)), ((0.13, 0.5), (0.52, 0.5))),
    "8": (arc((0.3, 0.76), (0.24, 0.24), 90, 450), arc((0.3, 0.27), (0.3, 0.27), 90, 450)),
    "9": tuple(tuple((0.6 - x, 1.0 - y) for x, y in line) for line in _SIX),
}
"""Our own numerals: lines in a box 0.6 wide and 1 high, baseline at 0."""
_ADVANCE = 0.86
_UNDERLINE = ((0.04, -0.2), (0.56, -0.2))
_WEIGHT = 0.17


def number(value: int, center_mm: Point, height_mm: float, ink: Ink, turn_deg: float = 0.0) -> list[Stroke]:
    """A number in our numerals; a lone 6 or 9 is underlined, since each is the other upside down."""
    words = str(value)
    width = 0.6 + _ADVANCE * (len(words) - 1)
    lines = [
        tuple((x + i * _ADVANCE, y) for x, y in line)
        for i, digit in enumerate(words)
        for line in DIGITS[digit]
    ]
    if words in ("6", "9"):
        lines.append(_UNDERLINE)
    return [
        Stroke(
            turned(
                (((x - width / 2) * height_mm, (y - 0.5) * height_mm) for x, y in line), turn_deg, center_mm
            ),
            ink,
            _WEIGHT * height_mm,
        )
        for line in lines
    ]


def shape(colour: str, center_mm: Point, size_mm: float, ink: Ink, turn_deg: float = 0.0) -> Polygon:
    """The shape that goes with a card colour, for people who cannot see the colour.

    Blue is a drop, brown a square barrel, yellow a sun, green a fir, red a round Dubbe.
    """
    r = size_mm / 2
    match colour:
        case "blue":
            points = ((0.0, 1.15 * r), *arc((0, -0.25 * r), (0.75 * r, 0.75 * r), 148, 392))
        case "brown":
            points = ((0.8 * r, 0.8 * r), (-0.8 * r, 0.8 * r), (-0.8 * r, -0.8 * r), (0.8 * r, -0.8 * r))
        case "yellow":
            reach = [1.1 * r if i % 2 == 0 else 0.55 * r for i in range(12)]
            points = tuple(
                (q * math.sin(i * math.pi / 6), q * math.cos(i * math.pi / 6)) for i, q in enumerate(reach)
            )
        case "green":
            points = ((0.0, 1.1 * r), (-r, -0.85 * r), (r, -0.85 * r))
        case _:
            points = arc((0, 0), (0.9 * r, 0.9 * r), 0, 360)
    return Polygon(turned(points, turn_deg, center_mm), ink)


def on(ink: Ink) -> Ink:
    """Ink that is readable on this ground: black on light inks such as yellow and white, otherwise white."""
    return BLACK if 0.3 * ink[0] + 0.6 * ink[1] + 0.1 * ink[2] > 150 else WHITE


def tag(marker: int, center_mm: Point, size_mm: float, dictionary: int = cv2.aruco.DICT_4X4_50) -> list[Mark]:
    """An ArUco marker as vector squares, upper edge towards +y, with a white rim of one cell."""
    side = 6 if dictionary == cv2.aruco.DICT_4X4_50 else 7
    bits = np.asarray(
        cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(dictionary), marker, side)
    )
    cell = size_mm / side
    (x, y), half = center_mm, size_mm / 2
    marks: list[Mark] = [
        box(center_mm, (size_mm + 2 * cell, size_mm + 2 * cell), WHITE),
        box(center_mm, (size_mm, size_mm), BLACK),
    ]
    # Runs along rows and along columns overlap, so that no viewer shows hairlines between neighbours.
    for across, grid in ((True, bits), (False, bits.T)):
        for i, row in enumerate(grid):
            j = 0
            while j < side:
                run = 0
                while j + run < side and row[j + run]:
                    run += 1
                if run:
                    long, thin = (j + run / 2) * cell - half, half - (i + 0.5) * cell
                    at = (x + long, y + thin) if across else (x - thin, y - long)
                    marks.append(box(at, (run * cell, cell) if across else (cell, run * cell), WHITE))
                j += run + 1
    return marks


def ruler(start_mm: Point, ink: Ink) -> list[Mark]:
    """A ruler of exactly 100 mm to the right of `start_mm`, ticks every 10 mm, to check the print's scale."""
    x, y = start_mm
    marks: list[Mark] = [Stroke(((x, y), (x + 100, y)), ink, 0.3)]
    marks += [
        Stroke(((x + i * 10, y), (x + i * 10, y + (3 if i % 5 == 0 else 1.8))), ink, 0.3) for i in range(11)
    ]
    marks.append(Text((x + 75, y + 3.4), "100 mm", 2.0, ink))
    return marks


_PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    6: ((-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (1, -1)),
}


def die_face(face: str, center_mm: Point, edge_mm: float, ground: Ink) -> list[Mark]:
    """One face of a die: its ground with 1 to 6 pips, or a cross for X."""
    marks: list[Mark] = [box(center_mm, (edge_mm, edge_mm), ground, BLACK, 0.15)]
    (x, y), ink = center_mm, on(ground)
    if face == "X":
        r = edge_mm * 0.27
        return [
            *marks,
            Stroke(((x - r, y - r), (x + r, y + r)), ink, edge_mm * 0.16),
            Stroke(((x - r, y + r), (x + r, y - r)), ink, edge_mm * 0.16),
        ]
    step = edge_mm * 0.26
    return marks + [Disc((x + i * step, y + j * step), edge_mm * 0.1, ink) for i, j in _PIPS[int(face)]]
