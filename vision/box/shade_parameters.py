"""Thresholds for shade that moves over a dice box (`passing_shade`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class BoxShadeParameters:
    """Thresholds for whether a change over the box is shade. Changes of light are natural logarithms."""

    flare: float = threshold(
        8.0, "steps of 255", (0.0, 20.0), "shades told in dark pictures against dark things taken for shade"
    )
    tint: float = threshold(
        0.35,
        "off the mean of the channels, over that mean",
        (0.1, 0.8),
        "shades beside coloured lamps told against brown arms taken for shade",
    )
    tint_noise: float = threshold(
        0.05, "logarithm of the light", (0.0, 0.2), "weak shades told in noise against thin veils of colour"
    )
    alike: float = threshold(
        0.15,
        "logarithm of the light, between two places",
        (0.05, 0.4),
        "shades of uneven depth told against arms taken for shade",
    )
    deepest: float = threshold(
        1.6, "logarithm of the light", (0.7, 3.0), "deep shades told against black things taken for shade"
    )
    least_box: float = threshold(
        0.15, "share of the box", (0.05, 0.5), "small shades told against hands taken for shade"
    )
    mostly: float = threshold(
        0.5,
        "share of what may be shade",
        (0.2, 0.9),
        "shades with hands in them told against hands of many greys",
    )
    print_spread: float = threshold(
        0.25,
        "spread of the print's logarithms",
        (0.05, 0.6),
        "shades over plain print told against grey things that hide it",
    )
    weak: float = threshold(
        0.42,
        "logarithm of the light, from one frame to the next",
        (0.1, 0.8),
        "quick shades told against dice that roll",
        "dev-doppelx3, -x4, -x6, 2,993 frames with motion, 2026-11-28: none taken for a shade, as by .3",
    )
    wide: float = threshold(
        0.25, "share of the picture's width", (0.1, 0.6), "narrow rims of shades told against dice that roll"
    )
    large: float = threshold(
        0.02,
        "share of the picture",
        (0.005, 0.2),
        "dice told beside a fan's shade against arms taken for one",
    )


BOX_SHADE = BoxShadeParameters()
