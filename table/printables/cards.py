"""Our own Dubbe deck: a Dubbeglas with as many Dubbe as the card is worth, number and shape twice.

The number is large in two corners and in the glass, 6 and 9 underlined; every colour has its own shape
(drop, barrel, sun, fir, Dubbe), so nobody needs to see colours.
"""

from __future__ import annotations

from table.printables.drawing import WHITE, Drawing, Ink, Mark, Polygon, Text, box
from table.printables.marks import INKS, number, on, shape
from table.printables.plan import CARD_MM

COLOURS = ("blue", "brown", "yellow", "green", "red")
VALUES = range(1, 16)
PAPER: Ink = (252, 250, 243)
BACK: Ink = (52, 44, 84)


def dubbe_deck() -> dict[str, Drawing]:
    """All 75 cards by name (D-01), `blue-1` to `red-15`."""
    return {f"{colour}-{value}": draw_card(colour, value) for colour in COLOURS for value in VALUES}


def draw_card(colour: str, value: int) -> Drawing:
    """One card's face."""
    ink = INKS[colour]
    strong: Ink = (176, 124, 0) if colour == "yellow" else ink  # bright yellow would hardly show on white
    marks: list[Mark] = [box((0, 0), (55, 87), line=ink, line_mm=1.0, corner_mm=3)]
    for turn, sign in ((0.0, 1), (180.0, -1)):
        wide = value > 9
        at = (sign * (-15.6 if wide else -20.2), sign * 34.0)
        marks += number(value, at, 12.0, strong, turn)
        marks.append(shape(colour, (sign * 19.5, sign * 34.0), 9.0, ink, turn))
    top, foot, high, low = 20.0, 15.5, 22.5, -23.0
    marks.append(Polygon(((-top, high), (top, high), (foot, low), (-foot, low)), ink))
    marks.append(Polygon(((-top, high), (top, high), (top - 0.35, high - 3), (-top + 0.35, high - 3)), PAPER))
    marks.append(Polygon(((-top, high), (top, high), (foot, low), (-foot, low)), None, ink, 1.0))
    marks += number(value, (0, 9.0), 17.0, on(ink))
    for row in range(0, value, 5):
        dubbe = min(5, value - row)
        for i in range(dubbe):
            at = (5.4 * (i - (dubbe - 1) / 2), -8.2 - 1.08 * row)
            marks.append(shape(colour, at, 4.2, on(ink)))
    return Drawing(CARD_MM, tuple(marks), PAPER)


def draw_back() -> Drawing:
    """The back of every card: rows of Dubbe, the same upside down and unlike any face."""
    marks: list[Mark] = [box((0, 0), (53, 85), BACK, corner_mm=3)]
    for row in range(-7, 8):
        shift = 2.75 if row % 2 else 0.0
        for column in range(-4, 5):
            x = column * 5.5 + shift
            if abs(x) < 24:
                marks.append(shape("red", (x, row * 5.5), 2.6, (126, 116, 164)))
    marks.append(box((0, 0), (34, 12), BACK))
    marks.append(Text((0, -2.2), "STAMMTISCH", 3.4, WHITE, bold=True))
    return Drawing(CARD_MM, tuple(marks), PAPER)
