"""Thresholds for dice recognised by their paint alone (`unreadable`, `tile`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class PaintParameters:
    """Thresholds for whether a patch of paint is a die whose face cannot be read."""

    least_patch: float = threshold(
        0.35, "area over that of a die's top", (0.1, 0.9), "dice half in shadow told against specks of paint"
    )
    most_patch: float = threshold(
        1.8,
        "area over that of a die's top",
        (1.2, 3.0),
        "dice seen with their sides told against print of the same paint",
    )
    lit_patch: float = threshold(
        0.2,
        "area over that of a die's top",
        (0.1, 0.35),
        "dice across which a hard shadow falls told against glints on print of the same paint",
    )
    cut_patch: float = threshold(
        0.1,
        "area over that of a die's top",
        (0.02, 0.35),
        "dice that the picture cuts told against specks at its rim",
    )
    longest: float = threshold(
        1.7,
        "edges of the die",
        (1.42, 2.5),
        "dice seen with their sides told against lines of the same paint",
    )
    narrowest: float = threshold(
        0.4, "edges of the die", (0.1, 0.8), "dice half covered told against rims of print or of a shadow"
    )
    pip: float = threshold(
        0.32,
        "edges of the die",
        (0.15, 0.5),
        "tops with pips told as one patch against pieces that are joined",
    )
    distance: float = threshold(
        16.0,
        "CIELAB distance, lightness by half",
        (5.0, 30.0),
        "faded or dim paint told against print of a colour like it",
    )
    own: float = threshold(
        0.85,
        "edges of the die",
        (0.7, 1.2),
        "spots of a die that is read put down to it against another die close by missed",
    )
    covered_by: float = threshold(
        0.75,
        "edges of the die",
        (0.5, 1.2),
        "sides of dice that are read left aside against unread dice close by missed",
    )
    clearly: float = threshold(
        2.0, "times the patch of any other paint", (1.1, 5.0), "colours told against colours mixed up"
    )


PAINT = PaintParameters()
PAINT_SHADES = (0.75, 0.6, 0.45)
"""Shares of the light that a lamp's hard shadow leaves."""
