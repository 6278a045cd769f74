"""A French-suited deck of our own, drawn for the virtual table: index, suit, pips, plain court cards.

Jack, Queen and King differ by their crown and by the pattern of their coat, not only by the letter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from table.printables.drawing import Disc, Drawing, Ink, Mark, Polygon, Stroke, Text, arc, box, turned
from table.printables.plan import CARD_MM
from table.printables.suits import suit
from vision.layout import Point

INK: dict[str, Ink] = {"C": (24, 24, 28), "S": (0, 112, 62), "H": (196, 24, 32), "D": (232, 124, 0)}
"""The four colours of the German tournament deck: where a card is a hundred pixels wide, ♣ and ♠ in one ink
look the same to the eye."""
INDEX = {"T": "10", "J": "B", "Q": "D", "K": "K", "A": "A"}
"""What a German deck prints in its corners: Bube, Dame, König, As."""
COAT: dict[str, Ink] = {"J": (60, 110, 180), "Q": (214, 150, 30), "K": (120, 60, 140)}
PAPER: Ink = (252, 250, 243)
_PIPS: dict[str, tuple[Point, ...]] = {
    "7": ((-1, 3), (1, 3), (-1, 0), (1, 0), (-1, -3), (1, -3), (0, 1.5)),
    "8": ((-1, 3), (1, 3), (-1, 0), (1, 0), (-1, -3), (1, -3), (0, 1.5), (0, -1.5)),
    "9": ((-1, 3), (1, 3), (-1, 1), (1, 1), (-1, -1), (1, -1), (-1, -3), (1, -3), (0, 0)),
    "T": ((-1, 3), (1, 3), (-1, 1), (1, 1), (-1, -1), (1, -1), (-1, -3), (1, -3), (0, 2), (0, -2)),
}
_COURT_MM: Point = (36.0, 66.0)


def french_deck(names: Iterable[str]) -> dict[str, Drawing]:
    """The faces of these cards by their name (deck-and-dice-folders.md#names: suit letter and rank)."""
    return {name: draw_french(name) for name in dict.fromkeys(names)}


def draw_french(name: str) -> Drawing:
    """One card's face."""
    letter, rank = name[0], name[1]
    ink = INK[letter]
    marks: list[Mark] = [box((0, 0), (56, 88), line=(190, 186, 176), line_mm=0.4, corner_mm=3)]
    for turn, sign in ((0.0, 1), (180.0, -1)):
        at = (sign * -23.0, sign * 33.0)
        marks.append(Text(at, INDEX.get(rank, rank), 7.0, ink, turn_deg=turn, bold=True))
        marks += suit(letter, (sign * -23.0, sign * 27.0), 6.5, ink, turn)
    if rank in COAT:
        marks += _court(letter, rank, ink)
    elif rank == "A":
        marks += suit(letter, (0, 0), 30.0, ink)
    else:
        for x, y in _PIPS[rank]:
            marks += suit(letter, (x * 10.5, y * 9.5), 11.0, ink, 180.0 if y < 0 else 0.0)
    return Drawing(CARD_MM, tuple(marks), PAPER)


def _court(letter: str, rank: str, ink: Ink) -> list[Mark]:
    """Two halves of a figure, each the other upside down: coat, face, crown, and the suit beside the head."""
    coat = COAT[rank]
    light: Ink = (250, 236, 205)
    marks: list[Mark] = [box((0, 0), _COURT_MM, light, ink, 0.8)]
    for turn in (0.0, 180.0):
        body = ((-16.0, 0.0), (16.0, 0.0), (12.0, 11.0), (-12.0, 11.0))
        marks.append(Polygon(turned(body, turn), coat, ink, 0.5))
        marks += _pattern(rank, turn, light, ink)
        marks.append(Disc(turned([(0.0, 16.5)], turn)[0], 6.0, (240, 205, 170), ink, 0.5))
        marks.append(Polygon(turned(_crown(rank), turn), coat, ink, 0.6))
        marks += suit(letter, turned([(-12.0, 25.5)], turn)[0], 9.5, ink, turn)
        marks += suit(letter, turned([(12.5, 15.0)], turn)[0], 6.0, ink, turn)
    # The suit once more, large: it tells Kreuz and Pik apart from far away.
    return [*marks, Disc((0, 0), 7.5, PAPER, ink, 0.5), *suit(letter, (0, 0), 11.0, ink)]


def _pattern(rank: str, turn_deg: float, light: Ink, ink: Ink) -> list[Mark]:
    if rank == "J":  # slanting stripes
        return [
            Stroke(turned([(x, 0.8), (x + 5, 10.4)], turn_deg), light, 1.6) for x in (-13, -7.5, -2, 3.5, 8)
        ]
    if rank == "Q":  # rows of pearls
        pearls = [(x, y) for y in (3.0, 8.0) for x in (-10.0, -5.0, 0.0, 5.0, 10.0)]
        return [Disc(turned([p], turn_deg)[0], 1.6, light, ink, 0.2) for p in pearls]
    return [  # a lattice
        Stroke(turned([(x, 0.8), (x + s * 6, 10.4)], turn_deg), light, 0.9)
        for x in (-9, -3, 3, 9)
        for s in (-1, 1)
    ]


def _crown(rank: str) -> tuple[Point, ...]:
    if rank == "J":  # a flat cap
        return ((-8.0, 20.0), (8.0, 20.0), (9.5, 24.0), (-5.0, 24.5))
    if rank == "Q":  # a round coronet
        return (*arc((0, 20.5), (8, 7), 0, 180), (-8.0, 19.5), (8.0, 19.5))
    points = [(-8.5, 20.0)]
    for i in range(7):
        points.append((-8.5 + i * 17 / 6, 29.5 if i % 2 == 0 else 24.0 + math.cos(i)))
    return (*points, (8.5, 20.0))
