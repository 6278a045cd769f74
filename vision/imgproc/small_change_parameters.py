"""Thresholds of the comparison of small copies (`small_change`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class SmallChangeParameters:
    """Thresholds on what differs between two pictures apart from light and the sway of the camera."""

    other_tint: int = threshold(
        8, "steps of 255", (3, 30), "dice of the colour of the ground seen against noise in the colours"
    )
    sway_px: float = threshold(
        1.5, "px of the small copy", (0.3, 6.0), "films from a hand steadied against time"
    )
    drift_px: float = threshold(
        8.0,
        "px of the small copy",
        (2.0, 30.0),
        "cameras that drift from throw to throw followed against things taken for drift",
    )
    explained: float = threshold(
        0.9,
        "share of what seems to have changed",
        (0.5, 1.0),
        "drift followed that explains little against dice explained away",
    )
    dark: float = threshold(
        24.0, "steps of 255, flare included", (8.0, 60.0), "dice seen on dark ground against noise there"
    )
    burnt: int = threshold(
        250, "steps of 255", (200, 255), "light measured on pale ground against burnt pixels measured"
    )
    noise: float = threshold(
        12.0, "steps of 255, smoothed", (4.0, 40.0), "small pushes noticed against noise"
    )
    one_colour: float = threshold(
        15.0,
        "steps of 255, spread",
        (4.0, 60.0),
        "contrast measured on plain ground against contrast of noise",
    )
    swing_edge: float = threshold(
        60.0,
        "gradient, steps of 255",
        (20.0, 200.0),
        "swings noticed over faint ground against noise taken for edges",
    )
    swing_least_px: int = threshold(
        20, "px of a quarter", (5, 200), "swings noticed over plain ground against judgements on little"
    )
    swing_share: float = threshold(
        0.35, "share of the edges of each quarter", (0.1, 0.8), "swings noticed against hands taken for one"
    )


SMALL_CHANGE = SmallChangeParameters()
