"""Thresholds for the rejection of print (`print_rejection`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class PrintParameters:
    """Thresholds for whether a face is printed on the floor."""

    same_drawing: float = threshold(
        0.75,
        "correlation with the empty floor",
        (0.4, 0.95),
        "print rejected in noise against dice on strong lines rejected",
    )
    other_colour: float = threshold(
        12.0,
        "distance in a and b of CIELAB",
        (4.0, 30.0),
        "dice of nearly the colour of the floor told against print in coloured light told",
    )
    usual_tint: float = threshold(
        1.5,
        "times the light's change in one channel over that in another",
        (1.1, 3.0),
        "dice of nearly the colour of the floor told against print under a coloured lamp told",
    )
    clearly_other: float = threshold(
        1.5,
        "times `other_colour`",
        (1.0, 3.0),
        "dice told at once, whatever the print, against print in coloured light told",
    )
    same_ink: float = threshold(
        0.6,
        "share of a face's ink, and of its body",
        (0.3, 0.95),
        "print with something on it rejected against dice over print like their pips rejected",
    )
    ink_off: float = threshold(
        14.0,
        "CIELAB distance",
        (5.0, 30.0),
        "print in other light rejected against dice over print like their pips rejected",
    )
    inner: float = threshold(
        0.42, "edges of the die", (0.3, 0.5), "pips at a face's rim asked against the floor beside it asked"
    )
    beside: float = threshold(
        0.4,
        "share of the distance from body to ink",
        (0.1, 0.8),
        "blurred ink asked against pixels of a third colour asked",
    )
    ink_from: float = threshold(
        0.5, "share of the way from body to ink", (0.3, 0.9), "blurred ink asked against body taken for ink"
    )
    ink_to: float = threshold(
        1.3, "share of the way from body to ink", (1.05, 2.0), "dark ink asked against holes taken for ink"
    )
    bare_to: float = threshold(
        0.3,
        "share of the way from body to ink",
        (0.1, 0.5),
        "body near the ink asked against ink taken for body",
    )
    tag_reach: float = threshold(
        0.7,
        "sides of the tag, from its middle",
        (0.5, 1.0),
        "print round a tag's rim rejected against dice beside a tag rejected",
    )
    pips_show: float = threshold(
        0.05,
        "share of a top",
        (0.01, 0.2),
        "dice on print of their own colour told against specks taken for pips",
    )
    round_die: float = threshold(
        0.6,
        "edges of the die, from its middle",
        (0.5, 1.0),
        "print round a die asked against that of its own top alone",
    )


PRINT = PrintParameters()
