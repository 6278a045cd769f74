"""Thresholds of large things laid over cards."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class CoverParameters:
    """When a part of the mat counts as covered, and when as free again."""

    wide: int = threshold(
        27,
        "cells of 4 mm",
        (20, 40),
        "small sheets told against arms, hands and trays of dice told as sheets",
        "a hand is narrower than 108 mm, a postcard-sized menu is as wide",
    )
    still_s: float = threshold(
        1.5, "s", (0.8, 4), "sheets over the rim told early against guests who rest both arms on the cards"
    )
    held_s: float = threshold(
        2.0,
        "s of rest",
        (1.6, 5),
        "a menu laid on another, or seen again after a blind time, told as one cover against a large thing "
        "that covers no card told as one; more than `still_s`, after which it is known",
    )
    cards: float = threshold(
        2.5, "cards' area", (1.5, 5), "small sheets told against a trick that was pushed told as one"
    )
    mostly: float = threshold(
        0.6,
        "share of what lies round a card",
        (0.3, 0.9),
        "cards half under a sheet told against sheets beside them",
    )
    round: int = threshold(4, "cells of 4 mm round a card", (2, 8), "the same")
    gone: float = threshold(
        0.5,
        "share of a sheet's free place that looks otherwise",
        (0.2, 0.8),
        "a sheet known gone early against one that is pushed a little",
    )
    least_free: float = threshold(
        0.2, "share of a sheet's place", (0.05, 0.6), "the same, while the hand that takes it is over it"
    )


COVER = CoverParameters()
