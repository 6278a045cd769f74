"""Thresholds of what is new on the floor (`foreground`, `occlusion`, `illumination`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class FloorParameters:
    """What differs from the empty box, and is it light?"""

    news: float = threshold(
        16.0,
        "CIELAB distance from the empty floor",
        (5.0, 40.0),
        "things of nearly the colour of the floor found against noise",
    )
    shade: float = threshold(
        0.16,
        "light over that of the empty box",
        (0.05, 0.5),
        "black dice found against deep shadows taken for things",
    )
    lamp: float = threshold(
        6.0,
        "light over that of the empty box",
        (2.0, 15.0),
        "bright things found against print whose shadow went",
    )
    other_mix: float = threshold(
        0.2,
        "share of a pixel's light",
        (0.05, 0.5),
        "things of weak colour found against noise in the colours",
    )
    behind: float = threshold(
        0.4,
        "edges of the die, from its middle",
        (0.2, 0.6),
        "the floor's colour behind a top against that beside it",
    )
    inner: float = threshold(
        0.3, "edges of the die, from its middle", (0.1, 0.5), "a top's own colour against that of its rim"
    )
    hides: float = threshold(
        0.7, "edges of the die", (0.3, 1.2), "narrow covers noticed against rims and shadows taken for covers"
    )
    of_die: float = threshold(
        0.9,
        "edges of the die, from its middle",
        (0.7, 1.5),
        "a die's own sides left aside against covers beside it missed",
    )
    of_fallen: float = threshold(
        1.4, "edges of the die, from its middle", (0.9, 2.5), "the same of a die in a hole"
    )
    strange: float = threshold(
        0.35,
        "logarithm of light",
        (0.1, 0.8),
        "light measured on blurred print against things taken for print",
    )
    brighter: float = threshold(0.05, "logarithm of light", (0.01, 0.3), "stray light noticed against noise")
    bare: float = threshold(
        0.6, "share of a cell", (0.3, 0.95), "light measured among dice against light measured on things"
    )
    floor_seen: float = threshold(
        0.4, "share of the cells", (0.1, 0.9), "light measured under hands against light guessed from little"
    )


FLOOR_VIEW = FloorParameters()
