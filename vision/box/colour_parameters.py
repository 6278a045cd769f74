"""Thresholds for the colours of enrolled dice (`dice_set`, `colour_memory`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class BoxColourParameters:
    """Thresholds for assigning a body to an enrolled die."""

    twice: float = threshold(
        0.6,
        "share of the distance to the second nearest",
        (0.3, 0.95),
        "colours told in odd light against colours mixed up",
    )
    strange: float = threshold(
        30.0, "CIELAB distance", (10.0, 60.0), "colours told in odd light against strange dice told by name"
    )
    stray: float = threshold(
        0.006,
        "light over that of white paper",
        (0.001, 0.05),
        "dim dice told behind a hazy lens against dim dice told behind a clear one",
    )
    dim_far: float = threshold(
        1.2,
        "natural logarithms of body and ink together",
        (0.4, 3.0),
        "dice in holes told against black things told as dice",
    )
    again: float = threshold(
        6.0,
        "CIELAB distance, lightness by half",
        (2.0, 15.0),
        "dice known again as the light drifts against dice mixed up",
    )
    others: float = threshold(
        3.0,
        "times the distance of the nearest",
        (1.5, 6.0),
        "dice known again against dice of like paint mixed up",
    )
    likely: float = threshold(
        6.0,
        "CIELAB distance, standard deviation",
        (2.0, 20.0),
        "belief in the nearest colour against belief in the others",
    )
    shown_change: float = threshold(
        5.0,
        "CIELAB distance",
        (2.0, 20.0),
        "enrolled dice of the colour of the floor found against shadows searched",
    )
    shown_reach: float = threshold(
        1.6, "edges of the die", (1.0, 3.0), "enrolled dice found whole against time"
    )
    shown_blur: float = threshold(
        0.25, "edges of the die", (0.05, 0.6), "the die found against the strongest line of its shadow"
    )


BOX_COLOUR = BoxColourParameters()
