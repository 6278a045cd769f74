"""Thresholds for the search for the X face (`glyph`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class GlyphParameters:
    """Thresholds for finding a glyph of two strokes, and for whether it is a die's top."""

    least_like: float = threshold(
        0.82, "correlation, 0 to 1", (0.6, 0.95), "blurred X faces told against letters told as X"
    )
    coarse_loss: float = threshold(
        0.22,
        "correlation, 0 to 1",
        (0.05, 0.4),
        "X faces found in half size, half a stride beside their middle, against time",
    )
    near_loss: float = threshold(
        0.15, "correlation, 0 to 1", (0.05, 0.3), "X faces found in half size against time for a finer look"
    )
    least_ink: float = threshold(
        25.0, "CIELAB distance", (8.0, 60.0), "faded X faces told against gaps between letters"
    )
    least_spread: float = threshold(
        5.0,
        "standard deviation of the lightness, of 100",
        (1.0, 20.0),
        "faint X faces found against noise that looks like anything",
    )
    crossing: float = threshold(
        0.2,
        "share of the least ink",
        (0.05, 0.6),
        "X faces found against time: places whose crossing shows no ink are not looked at",
    )
    border: float = threshold(
        0.75,
        "share of the rim with an edge",
        (0.4, 0.95),
        "X faces of dice that lean told against printed letters",
    )
    upright: float = threshold(
        0.95,
        "share of the rim with an edge",
        (0.7, 1.0),
        "dice on print of their own colour told against time",
    )
    own_paint: float = threshold(
        10.0,
        "CIELAB distance, lightness by half",
        (3.0, 25.0),
        "dice on print of their own colour told against letters on it",
    )
    rim: float = threshold(
        0.75, "edges of the die", (0.6, 1.2), "the floor's colour beside a die against that of its side"
    )
    least_plain: float = threshold(
        0.8,
        "share of a top's body that is of one colour",
        (0.5, 1.0),
        "worn X faces told against print told as X",
    )
    pitch: float = threshold(
        0.17, "edges of the die", (0.1, 0.25), "where strokes end is asked for ink against the rim of the die"
    )
    contrast: float = threshold(
        60.0, "CIELAB distance", (20.0, 120.0), "a calm body found in faded dice against edges that are noise"
    )
    full_like: float = threshold(
        0.9, "correlation, 0 to 1", (0.8, 1.0), "quality of blurred X faces against that of letters"
    )
    doubt_like: float = threshold(
        0.7, "correlation, 0 to 1", (0.5, 0.8), "belief in an X of little likeness against belief in a one"
    )
    like_span: float = threshold(
        0.15,
        "correlation, from doubt_like on",
        (0.05, 0.4),
        "belief in an X told as sure against faces in doubt",
    )


GLYPH = GlyphParameters()
