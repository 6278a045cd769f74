"""Thresholds for hands at a dice box and dice in flight (`hands`, `flights`, `reached_tiles`, `reader`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class BoxHandParameters:
    """Thresholds for whether a hand reaches for the box, and whether a die flies."""

    hand: float = threshold(
        0.004,
        "share of the small picture",
        (0.0005, 0.02),
        "fingertips at the rim noticed against noise and shadows taken for hands",
    )
    large: float = threshold(
        0.012,
        "share of the small picture",
        (0.004, 0.05),
        "brown arms in a shade noticed, of which no rim is seen, against dice taken for one",
    )
    flying: float = threshold(
        0.012,
        "share of the small picture",
        (0.003, 0.05),
        "dice in flight noticed against hands taken for dice",
    )
    away_px: int = threshold(
        17,
        "px of the small picture",
        (5, 41),
        "dice thrown beside a hand noticed against its fingers taken for dice",
    )
    flight: int = threshold(2, "frames", (1, 6), "short flights noticed against noise taken for a throw")
    two_throws_s: float = threshold(
        2.5, "s", (1.0, 6.0), "two quick throws told apart against one throw told as two"
    )
    one_throw_s: float = threshold(
        4.0, "s", (2.0, 10.0), "throws asked about that fell beside a running film against long rolls doubted"
    )
    covered: float = threshold(
        0.5,
        "share of what is in view of a tile",
        (0.2, 0.9),
        "hands at a tile noticed against arms that pass",
    )
    beyond: float = threshold(
        0.34,
        "share of a hand, its arm and shadows",
        (0.1, 0.7),
        "hands at a tile noticed against hands that reach for the box",
    )
    stays_s: float = threshold(0.12, "s", (0.0, 0.5), "quick bets noticed against hands that pass by")
    least_tile_px: int = threshold(
        4, "px of the small picture", (1, 20), "tiles far from the lens judged against judgements on little"
    )
    stirred: float = threshold(
        0.04, "share of a die's pixels", (0.01, 0.2), "dice that were pushed read again against time"
    )
    crept_px: float = threshold(0.1, "px", (0.02, 0.5), "dice that creep followed against noise followed")
    around_die: float = threshold(
        1.1,
        "edges of the die, from its middle",
        (0.7, 1.6),
        "a die's own sides put down to it against dice close by missed",
    )
    whole_die: float = threshold(
        0.8,
        "edges of the die, from its middle",
        (0.6, 1.2),
        "pushes seen at a die's sides against those of its neighbour",
    )
    explained: float = threshold(
        0.75,
        "edges of the die, from its middle",
        (0.5, 1.2),
        "spots put down to a die that is known against another die close by missed",
    )
    room: float = threshold(
        1.5, "edges of the die", (1.0, 3.0), "dice that were pushed found again against time"
    )
    largest: float = threshold(
        8.0, "edges of the die", (4.0, 20.0), "things beside the box looked at against time"
    )


BOX_HANDS = BoxHandParameters()
