"""Thresholds of the hands over a mat: what counts as one, where it reaches in, what it laid and touches."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_CELLS = "cells of 4 mm"
_SECONDS = "s"
_FRAMES = "frames"


@dataclass(frozen=True, slots=True)
class HandParameters:
    """From the first frame of a hand to whose card it was."""

    least_mm2: float = threshold(
        900.0,
        "mm² of change or movement",
        (300, 3000),
        "small hands and fingers found against crumbs and coins taken for hands",
    )
    fingers_mm: float = threshold(
        55.0,
        "mm of a hand's reach",
        (20, 120),
        "touches by a whole hand noticed against arms that only hang above told as touches",
    )
    wake: int = threshold(
        2,
        _CELLS,
        (1, 6),
        "what begins to look strange joined to the movement beside it against other change joined to it",
    )
    cut_off_s: float = threshold(
        0.5,
        _SECONDS,
        (0.1, 2),
        "sleeves as dark as the ground keeping their seat against what they left taken for a hand",
    )
    return_frames: int = threshold(
        5,
        _FRAMES,
        (1, 15),
        "hands that are there when sight comes back not taken for new ones against new ones without a seat",
    )
    same_s: float = threshold(
        0.6,
        "s without a frame",
        (0.2, 2),
        "seats known over gaps in which nobody takes another's place against a neighbour's hand taken for it",
    )
    swallowed: float = threshold(
        0.5,
        "share of the hand that is no more",
        (0.2, 0.9),
        "two hands that became one piece left without a seat against seats lost by hands that only passed",
    )
    at_once: float = threshold(
        0.1,
        "share of the table in a hand's first frame",
        (0.05, 0.3),
        "newspapers and lamps left without a seat against the seats of large hands",
        ".09 at most in 148 that came at 15 frames a second",
    )
    at_once_per_s: float = threshold(
        0.8,
        "share of the table for each second since the frame before",
        (0.2, 3),
        "as above, for slow cameras",
        ".17 at most in 132 that came at 7.5 frames a second",
    )
    crowd: int = threshold(
        25,
        "pieces of movement in a frame",
        (10, 60),
        "seats believed while several play against seats invented in the torn blocks of a radio camera",
        "20 for a frame or two by hands and cuffs, 30 to 110 all the time by torn blocks",
    )
    crowded_frames: int = threshold(
        5, "frames more with a crowd of pieces than without", (2, 20), "the same, over time"
    )
    same_hand: float = threshold(
        0.3,
        "share of a piece that the hand held before",
        (0.1, 0.7),
        "a hand cut off from the rim known again against another's pieces taken for it",
    )
    least_moving: int = threshold(
        8,
        "cells of movement in a hand",
        (3, 30),
        "a hand at rest seen to rest against one that moves little told to rest",
    )
    as_likely: float = threshold(
        0.7,
        "share of the likeliest seat's weight",
        (0.4, 0.95),
        "seats told against a neighbour's seat told: one that is as likely leaves it open",
    )
    leans: int = threshold(
        20,
        _CELLS,
        (5, 50),
        "an arm that moves along the rim kept as one against a neighbour's arm taken for it",
    )
    apart_s: float = threshold(
        0.5,
        _SECONDS,
        (0.1, 2),
        "arms that hang above the rim kept in the piece they joined against seats lost for longer",
    )
    thumb: int = threshold(
        10,
        "cells of the rim",
        (4, 30),
        "thumbs at the rim not taken for a second arm against thin arms passed over",
    )
    short: int = threshold(4, _CELLS, (1, 12), "the same: an arm nearer than that still reaches its way in")
    half_way_mm: float = threshold(
        60.0,
        "mm along the rim at which a seat's weight is half",
        (20, 200),
        "near seats told clearly against seats that sit close together mixed up",
    )
    remembered: int = threshold(
        256,
        "hands that have gone",
        (50, 2000),
        "whose card it was known for a whole game against memory, about a kilobyte each",
    )
    lately_s: float = threshold(
        0.4,
        _SECONDS,
        (0.1, 1.5),
        "takers that were just gone counted against those who had nothing to do with it",
    )
    lost_s: float = threshold(
        0.15, "s unseen", (0.05, 0.6), "hands told gone early against one hand told as two"
    )
    flight_s: float = threshold(
        0.5,
        _SECONDS,
        (0.2, 1.5),
        "cards that slide on given to whoever threw them against cards given to whoever was there before",
    )
    kept_s: float = threshold(
        5.0,
        "s after a hand has gone",
        (1, 20),
        "how the table looked before a hand came remembered against memory of light that has changed",
    )
    near: int = threshold(
        6,
        "cells round a card",
        (2, 15),
        "fingers that laid a card found beside it against other fingers found there",
    )
    mostly_begun: float = threshold(
        0.75,
        "share of a place that had begun to look strange",
        (0.5, 0.95),
        "the moment a card lay told early against told while it still slid",
    )
    brushed: float = threshold(
        0.3,
        "share of another hand's share of a place",
        (0.1, 0.7),
        "hands that only brushed a card left out against the layer left out",
    )
    touch_share: float = threshold(
        0.12,
        "share of a card under the fingers",
        (0.03, 0.4),
        "touches noticed against arms that pass told as touches",
    )
    touch_s: float = threshold(
        0.19, _SECONDS, (0.05, 0.6), "short touches noticed against passing: three frames at 15 a second"
    )
    still_mm: float = threshold(
        14.0,
        "mm that a hand's reach changes",
        (4, 40),
        "a hand that stays told from one that still reaches out or draws back",
    )


HANDS = HandParameters()
