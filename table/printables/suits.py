"""The signs of the French suits, and the row of trumps or suits that a game's mat shows."""

from __future__ import annotations

from collections.abc import Sequence

from table.catalogue import Language, text
from table.printables.drawing import Disc, Ink, Mark, Polygon, Text, box, turned
from vision.layout import Point

RED: Ink = (190, 24, 34)
DARK: Ink = (24, 24, 28)
_PAPER: Ink = (226, 226, 214)
_CAPTION_MM = 2.8
_LETTER = 0.8
"""Width of a bold letter of Helvetica, as a share of the height of a capital; most are a little narrower."""
_PITCH_MM = 34.0
"""Largest distance between the signs of a short row."""


def suit(letter: str, center_mm: Point, size_mm: float, ink: Ink, turn_deg: float = 0.0) -> list[Mark]:
    """The sign of a suit: C Kreuz, S Pik, H Herz, D Karo."""
    r = size_mm / 2

    def at(*points: Point) -> tuple[Point, ...]:
        return turned([(x * r, y * r) for x, y in points], turn_deg, center_mm)

    def disc(x: float, y: float, radius: float) -> Disc:
        return Disc(at((x, y))[0], radius * r, ink)

    foot = Polygon(at((0, -0.1), (0.42, -1), (-0.42, -1)), ink)
    if letter == "D":
        return [Polygon(at((0, 1.1), (0.8, 0), (0, -1.1), (-0.8, 0)), ink)]
    if letter == "C":
        return [disc(0, 0.5, 0.46), disc(-0.48, -0.2, 0.46), disc(0.48, -0.2, 0.46), foot]
    if letter == "H":
        lobes = [disc(-0.44, 0.42, 0.49), disc(0.44, 0.42, 0.49)]
        return [*lobes, Polygon(at((-0.88, 0.22), (0, 0.55), (0.88, 0.22), (0, -1)), ink)]
    lobes = [disc(-0.43, -0.22, 0.46), disc(0.43, -0.22, 0.46)]
    return [*lobes, Polygon(at((-0.84, -0.05), (0, 1.1), (0.84, -0.05), (0, -0.4)), ink), foot]


def card_row(
    cards: Sequence[str], center_mm: Point, size_mm: Point, words: str, language: Language
) -> list[Mark]:
    """Cards (`CQ`; a single letter is a suit) from left to right in a row of this size, `words` below it."""
    pitch = min(size_mm[0] / max(1, len(cards)), _PITCH_MM)
    high = size_mm[1]
    marks: list[Mark] = []
    for n, card in enumerate(cards):
        x, y = center_mm[0] + (n - (len(cards) - 1) / 2) * pitch, center_mm[1]
        ink = RED if card[0] in "HD" else DARK
        marks.append(box((x, y), (min(pitch - 3, 0.72 * high), high), _PAPER, corner_mm=2))
        if rank := card[1:]:
            marks.append(Text((x, y + 0.1 * high), rank_letter(rank, language), 0.26 * high, ink, bold=True))
        marks += suit(card[0], (x, y - (0.22 * high if rank else 0)), (0.34 if rank else 0.62) * high, ink)
    # On smaller paper the mat is cut through its middle, so the words stay to the left of it.
    left, middle = center_mm[0] - len(cards) / 2 * pitch, center_mm[0] - 3
    fits = left + _LETTER * _CAPTION_MM * len(words) < middle
    at = (left if fits else middle, center_mm[1] - high / 2 - 5)
    marks.append(Text(at, words, _CAPTION_MM, _PAPER, "start" if fits else "end", bold=True))
    return marks


def rank_letter(rank: str, language: Language) -> str:
    """The text in a card's corner, such as `B` (Bube), `Q` (Queen), `10`."""
    key = f"rank.{rank}"
    name = text(key, language)
    return rank if name == key else name if name.isdigit() else name[0]
