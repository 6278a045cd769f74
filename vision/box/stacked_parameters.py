"""Thresholds for dice that stand on others (`stacked`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class StackedParameters:
    """Thresholds for where a lower die shows beside an upper one."""

    reach: float = threshold(
        1.3,
        "edges of the die",
        (0.8, 2.0),
        "paint of a lower die found far out against paint of other things",
    )
    top: float = threshold(
        0.57,
        "edges of the die, half a side",
        (0.5, 0.8),
        "lower dice that show little told against the rim of the upper top taken for one",
    )
    alike: float = threshold(
        0.25,
        "share of a pixel's light",
        (0.05, 0.6),
        "sides in coloured light told against print taken for a side",
    )
    lit_from: float = threshold(
        0.08,
        "light over that of enrolment",
        (0.02, 0.4),
        "sides in deep shade told against black print taken for a side",
    )
    lit_to: float = threshold(
        1.6,
        "light over that of enrolment",
        (1.1, 3.0),
        "sides in strong light told against reflections taken for a side",
    )
    shows: float = threshold(
        0.05,
        "area over that of a top",
        (0.01, 0.3),
        "lower dice that show little told against specks of paint",
    )
    square: float = threshold(
        0.2,
        "edges of the die",
        (0.0, 0.5),
        "stacks known where nothing of the lower die shows against dice that were taken away",
    )
    view: float = threshold(2.0, "edges of the die", (1.2, 3.0), "lower dice found far off against time")
    rim: float = threshold(
        0.58,
        "edges of the die, half a side",
        (0.5, 0.8),
        "lower dice that show little told against the blurred rim of the upper one",
    )
    unread_rim: float = threshold(
        0.8,
        "edges of the die, half a side",
        (0.5, 1.0),
        "the same where the turn of the upper die is not known",
    )
    below: float = threshold(
        0.95,
        "edges of the die",
        (0.5, 1.2),
        "lower dice far off the axis told against floor beside the stack",
    )
    beyond: float = threshold(
        0.05, "share of a piece of paint", (0.0, 0.3), "ragged sides told against floor that goes on"
    )
    clear: float = threshold(
        0.15,
        "share of a pixel's light",
        (0.05, 0.4),
        "sides nobody has seen as a die told against print of nearly that paint",
    )
    clear_blind: float = threshold(
        0.08, "share of a pixel's light", (0.02, 0.3), "the same where the print is not known"
    )
    of_print: float = threshold(
        0.3,
        "share of a pixel's light",
        (0.05, 0.6),
        "sides of the colour of a print in shadow told against that print",
    )
    twice: float = threshold(
        0.6,
        "share of the distance from the upper die's paint",
        (0.2, 1.0),
        "colours told against sides of the upper die taken for a lower one",
    )
    side: float = threshold(0.04, "area over that of a top", (0.01, 0.2), "narrow sides told against rims")
    least_px: int = threshold(4, "px of a glance", (1, 20), "small sides told against noise")
    towards: float = threshold(
        0.3,
        "edges of the die",
        (0.0, 0.8),
        "sides told that lie beside the upper die against shadows away from the lens",
    )


STACKED = StackedParameters()
