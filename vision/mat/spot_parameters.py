"""Thresholds of the places for dice on a mat: when a die is believed to stand there, or to have gone."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_SECONDS = "s"


@dataclass(frozen=True, slots=True)
class DiceSpotParameters:
    """From a spot that stirred to a die on it."""

    rest_s: float = threshold(
        0.1, _SECONDS, (0.03, 0.6), "dice told early against dice read while the hand draws back"
    )
    again_s: float = threshold(0.3, _SECONDS, (0.1, 1), "a doubtful spot read again soon against time")
    agreeing: int = threshold(
        3,
        "readings in a row",
        (1, 10),
        "dice that nobody was seen to lay told early against print read as a die",
    )
    agreeing_beside: int = threshold(
        2,
        "readings in a row",
        (1, 6),
        "a known die's new face told early against a face half hidden by a hand beside it",
    )
    beside: int = threshold(6, "cells round a spot", (2, 15), "the same: a nearer hand half hides a die")
    agreeing_under: int = threshold(
        50,
        "readings in a row, two and a half a second",
        (10, 200),
        "a die told gone where something hangs over it against a hand at rest that leaves the same half free",
    )
    agreeing_unclear: int = threshold(
        20,
        "readings in a row, two and a half a second",
        (5, 80),
        "a die told gone from a spot that looks neither so nor empty against a blur told as gone",
    )
    changed_mm2: float = threshold(
        100.0, "mm²", (30, 300), "small dice on a spot noticed against print that noise changes"
    )
    larger: float = threshold(
        1.0,
        "share of a spot's area beyond it",
        (0.4, 3),
        "dice with a long shadow read against the backs of piles read as dice",
    )


DICE_SPOT = DiceSpotParameters()
