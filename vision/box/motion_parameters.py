"""Thresholds for motion over a dice box (`frame_diff`, `pipeline`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class BoxMotionParameters:
    """Thresholds for whether anything moves, and whether all has come to rest."""

    jump: int = threshold(
        14, "steps of 255", (5, 40), "dice of the colour of the floor seen rolling against noise"
    )
    faint: int = threshold(
        7,
        "steps of 255",
        (3, 20),
        "dark dice on dark print looked at again in a shade against time",
        "dev-doppelx4, 1,734 frames, 2026-11-26: throws as by 14, 26.2 s of CPU for 24.5, one run each",
    )
    noise: float = threshold(
        0.0002, "share of the small picture", (5e-05, 0.005), "small dice seen rolling against flicker"
    )
    least_creep_px: float = threshold(
        0.02, "px of the small picture", (0.005, 0.2), "small pushes of the camera noticed against noise"
    )
    most_creep_px: float = threshold(
        1.0, "px of the small picture", (0.3, 4.0), "large pushes followed against things taken for a push"
    )
    other_grey: float = threshold(
        24.0, "steps of 255", (8.0, 60.0), "pushes told beside dice that roll against edges left out"
    )
    whole_row: float = threshold(
        0.85, "share of a row", (0.5, 1.0), "torn pictures noticed against hands taken for a tear"
    )
    torn_rows: float = threshold(
        0.15, "share of the rows", (0.03, 0.5), "small tears noticed against hands taken for a tear"
    )
    torn_else: float = threshold(
        0.4,
        "share of the pixels above the tear",
        (0.1, 0.8),
        "tears noticed while hands move against hands taken for a tear",
    )
    rolled_s: float = threshold(
        0.6, "s", (0.2, 2.0), "throws told soon under a resting hand against dice told that roll on"
    )
    look_s: float = threshold(0.15, "s", (0.0, 1.0), "boxes found again soon against time")
    most_arms: float = threshold(
        0.6,
        "share of the picture",
        (0.3, 0.9),
        "throws told beside arms against throws told while hardly anything is seen",
    )
    restless_s: float = threshold(
        2.0, "s", (0.5, 10.0), "screens and candles left aside soon against hands that linger left aside"
    )
    restless_pause_s: float = threshold(
        0.6, "s", (0.2, 2.0), "films with long takes left aside against hands that come and go"
    )
    restless_end_s: float = threshold(
        1.5, "s", (0.5, 5.0), "films that pause left aside against what moves there afterwards"
    )
    unrest_s: float = threshold(
        20.0, "s", (5.0, 120.0), "light that never rests told soon against long shaking told as such light"
    )
    unrest_pause_s: float = threshold(
        1.0, "s", (0.3, 5.0), "slow cameras followed against frames lost in a stall counted as unrest"
    )
    pushed_mm: float = threshold(
        40.0, "mm", (10.0, 150.0), "pushes followed at once against another box taken for the same"
    )


BOX_MOTION = BoxMotionParameters()
