"""Thresholds of watching a mat: when frames are looked at, when the table was pushed, what is a gap."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_SECONDS = "s"
_FRAMES = "frames"


@dataclass(frozen=True, slots=True)
class MatWatchParameters:
    """From a camera's frames to those worth processing, over a table that has not moved."""

    resting_s: float = threshold(
        4.0,
        _SECONDS,
        (1.5, 15),
        "things laid down over the rim known as such against guests who rest their hands there",
    )
    awake_frames: int = threshold(6, _FRAMES, (2, 30), "all that follows a movement seen against time")
    stir_levels: int = threshold(
        8, "grey levels", (3, 25), "faint movement seen against noise waking the eye"
    )
    stir_pixels: int = threshold(2, "px of the thinnest picture", (1, 10), "the same")
    put_by: int = threshold(
        2,
        "frames of a quiet table",
        (0, 6),
        "time against the memory of frames: no card is laid in their time",
    )
    most_tags: float = threshold(
        0.75,
        "share of the tags",
        (0.4, 1),
        "a table that looks otherwise believed to be the same against a wrong pose believed",
    )
    dice_first_s: float = threshold(
        0.5, _SECONDS, (0.2, 2), "dice told before cards that fell unseen against cards told late"
    )
    other_table: float = threshold(
        0.2,
        "share of the table that looks otherwise",
        (0.08, 0.5),
        "another table with the same tags known against a table with much on it taken for another",
    )
    every_s: float = threshold(2.0, _SECONDS, (0.5, 10), "a pushed table found early against time")
    again_s: float = threshold(0.25, _SECONDS, (0.1, 1), "the same, while it seems to have been pushed")
    moved_px: float = threshold(
        2.5, "px of the picture", (1, 8), "small pushes found against a camera that trembles"
    )
    dark_level: int = threshold(
        34, "grey level of paper", (15, 80), "dim tables told as too dark against ink that drowns in noise"
    )
    glare_level: int = threshold(
        252,
        "grey level of paper in all channels",
        (240, 255),
        "bright tables told as too bright against ink that is burnt out",
    )
    least_tag_px: int = threshold(16, "px", (8, 40), "far tags judged against noise")
    gap_s: float = threshold(
        0.25, _SECONDS, (0.1, 1), "gaps in the frames known as gaps against slow cameras called blind"
    )
    skipped: float = threshold(2.5, "times as long as frames usually take", (1.5, 6), "the same")
    steps: int = threshold(
        9, _FRAMES, (3, 30), "how long a frame usually takes known soon against known well"
    )


MAT_WATCH = MatWatchParameters()
