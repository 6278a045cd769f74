"""Dubbe's words and tables: characters, dice, cards, the score's discs (D-01 to D-08, D-20, D-26, D-38)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from table.rules.cards import COLOURS, DUBBE_CARDS
from table.rules.tricks import Contract

AAGEWWER, WESCHWIESCH, JAMMERLABBE, JO_LOSSEN, GLIGGSRIDDER = range(5)
CHARACTERS: tuple[str, ...] = (
    "aagewwer",
    "weschwieschmaennchen",
    "jammerlabbe",
    "jo-lossen",
    "gliggsridder",
)
"""The characters in the order in which colours are given to them (D-20)."""
SIGNS: tuple[int, ...] = (-1, 1, -1, 1, 1)
"""The sign with which each character's die counts (D-26, D-29)."""
JO_VALUE = 3
"""Jo Lossen's die is laid with this value and stays (D-27)."""
TOP_VALUE: dict[int, int] = {2: 9, 3: 9, 4: 12, 5: 15}
"""The highest card value by number of players (D-03 to D-06)."""
HAND_SIZE = 15


class Tile(NamedTuple):
    """A character: its colour once led, its die and owner once the trick is decided."""

    colour: str | None = None
    value: int | None = None
    owner: int | None = None


SAYINGS: tuple[str, ...] = tuple(f"trump:{colour}" for colour in COLOURS)
"""Every saying of Dubbe (D-11)."""


class Black(NamedTuple):
    """The black die: its value and its owner (D-42)."""

    value: int
    owner: int


class Change(NamedTuple):
    """What a trick or the settlement did to a character: `points` were booked for `seat`, if any."""

    character: str
    seat: str
    points: int
    value: int
    owner: str
    rule: str


@cache
def contract(trump: str | None) -> Contract:
    """Return Dubbe's tables for a trump colour: every colour is a class of its own (D-15, D-17, D-18)."""
    class_of = tuple(number // 15 for number in range(75))
    strength = tuple(
        tuple(
            n % 15 + 1 + (100 if COLOURS[n // 15] == trump else 0)
            if n // 15 == led or COLOURS[n // 15] == trump
            else 0
            for n in range(75)
        )
        for led in range(5)
    )
    members = tuple(((1 << 15) - 1) << 15 * colour for colour in range(5))
    return Contract(trump or "no trump", class_of, members, strength)


def colour_of(card: str) -> str | None:
    """Return a card's colour, or None if it is not one of Dubbe's."""
    number = DUBBE_CARDS.number.get(card)
    return None if number is None else COLOURS[number // 15]


def pack(players: int) -> dict[str, int]:
    """Return the cards for this number of players, each once (D-01 to D-06)."""
    return dict.fromkeys(_cards(players), 1)


@cache
def _cards(players: int) -> tuple[str, ...]:
    return tuple(f"{colour}-{value}" for colour in COLOURS for value in range(1, TOP_VALUE[players] + 1))


def disc(total: int, ten_as: str = "disc10") -> tuple[int, int]:
    """Return (chip, field of the disc) for a score (D-38, D-39).

    The track ends at 10 and there is one chip of ten for each side, so beyond 20 the disc stays at the end
    and only the number on the screen is right (DA-8). `ten_as` says how exactly ten is shown.
    """
    size, sign = abs(total), -1 if total < 0 else 1
    if size < 10 or (size == 10 and ten_as == "disc10"):
        return 0, size
    return 10 * sign, min(size - 10, 10)
