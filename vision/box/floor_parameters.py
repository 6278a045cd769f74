"""Thresholds for what is new on the floor (`foreground`, `occlusion`, `illumination`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class FloorParameters:
    """Thresholds for what differs from the empty box, and for whether that is only the light."""

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
    print_left: float = threshold(
        0.6,
        "share of a printed spot",
        (0.2, 1.0),
        "pips on strong print found against print found a little beside its place",
    )
    faint: float = threshold(0.4, "share of the faintest pip", (0.1, 0.9), "faint pips found against time")
    spots_apart: float = threshold(
        0.6, "edges of the die", (0.3, 1.2), "pips of one die looked at together against dice that touch"
    )
    small_surface: float = threshold(
        6.0,
        "edges of the die",
        (3.0, 12.0),
        "time: of a larger surface only the places with spots are looked at, and no shadow is taken off",
    )
    least_spot_px: int = threshold(3, "px of the coarse picture", (1, 8), "small pips found against noise")
    room: float = threshold(0.9, "edges of the die", (0.71, 1.5), "whole dice in the cut-out against time")
    snug: float = threshold(0.4, "edges of the die", (0.2, 0.9), "time: room round spots that outline a die")
    outline_from: float = threshold(
        1.0, "edges of the die", (0.6, 1.3), "outlines of dice known against wide pips taken for one"
    )
    outline_to: float = threshold(
        2.0,
        "edges of the die",
        (1.42, 3.0),
        "outlines of dice in perspective known against two dice taken for one",
    )


FLOOR_VIEW = FloorParameters()
