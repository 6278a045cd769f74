"""A table of four as the interpreter sees it."""

from __future__ import annotations

from table.rules.view import Played, View
from vision.layout import Layout, SeatPlace
from vision.sightings import (
    CardDown,
    Guess,
)

LAYOUT = Layout(
    kind="mat",
    size_mm=(680, 380),
    tags=(),
    seats=(
        SeatPlace("S1", ((-55, -160), (55, -160), (55, -40), (-55, -40)), (0.0, -190.0)),
        SeatPlace("S2", ((-185, -60), (-65, -60), (-65, 50), (-185, 50)), (-340.0, -5.0)),
        SeatPlace("S3", ((-55, 12), (55, 12), (55, 132), (-55, 132)), (0.0, 190.0)),
    ),
)


PLAY = View(
    game="dubbe",
    seats=("S1", "S2", "S3"),
    phase="play",
    round=1,
    trick_number=3,
    trick=(Played("S1", "red-5", 7),),
    turn="S2",
    pack={"red-5": 1, "red-8": 1, "brown-8": 1, "blue-1": 1},
    seen={"red-5": 1},
)


def down(
    *guesses: tuple[str, float],
    sure: bool = True,
    zone: str | None = None,
    hand: str | None = None,
    key: int = 1,
) -> CardDown:
    corners = ((-30.0, 0.0), (29.0, 0.0), (29.0, 91.0), (-30.0, 91.0))
    return CardDown(4.2, key, tuple(Guess(*g) for g in guesses), sure, corners, zone, hand)
