"""Thresholds of cards that lie squarely on others: when such a place is read again, what is believed."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_SECONDS = "s"


@dataclass(frozen=True, slots=True)
class OverlapParameters:
    """From a hand over a known card to another card on it."""

    doubt_s: float = threshold(
        0.5,
        _SECONDS,
        (0.2, 2),
        "doubts told early against doubts about cards that would have been named a moment later",
    )
    over: float = threshold(
        0.12,
        "share of what shows of a card",
        (0.04, 0.4),
        "cards laid squarely on others looked for against time for hands that pass",
    )
    shown: float = threshold(
        0.35,
        "share of a card that shows",
        (0.1, 0.7),
        "covered cards read again against time: what covers less of one is found like any change",
    )
    agreeing: int = threshold(
        2, "readings in a row", (1, 5), "cards told early against one wrong reading believed"
    )
    whole: float = threshold(
        0.9,
        "share of the likeness of the card beneath",
        (0.7, 1),
        "cards on others told against parts of a new card that covers a place told as a card",
    )
    far_liker: float = threshold(
        0.6,
        "likeness beyond that of the card beneath, over the distance to the runner-up",
        (0.3, 1),
        "the same: a card that is liker by more need not be whole",
    )
    beside: int = threshold(
        5,
        "cells beside a card",
        (2, 10),
        "slivers of another card beside it noticed against what lies further away",
    )
    few: int = threshold(
        4,
        "cells of change beside a card",
        (1, 15),
        "cards that lie truly squarely told at once against slivers of another one",
    )
    give_up_s: float = threshold(1.5, _SECONDS, (0.5, 5), "slow cards waited for against time")
    every_s: float = threshold(
        0.06, "s between two readings, doubled by each in vain", (0.03, 0.3), "cards told early against time"
    )


OVERLAP = OverlapParameters()
