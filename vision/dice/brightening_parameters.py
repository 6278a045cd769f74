"""Thresholds for dim and coloured pictures (`brightening`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class BrighteningParameters:
    """Thresholds for when a picture is dim, and how much it is brightened."""

    dimmer: float = threshold(
        0.9,
        "share of the light that paper had at enrolment",
        (0.4, 1.0),
        "dice read in dim and coloured light against noise made larger",
        "2026-11-27, 141 throws of dev-doppelx3, -x4, -x6 in seven dim or coloured houses: 136 whole at .9,"
        " 133 and one silently wrong at .7",
    )
    well_lit: float = threshold(
        0.5,
        "linear light of white, of a full pixel",
        (0.2, 0.8),
        "dice read in dim pictures against pictures changed for nothing",
    )
    lightest: float = threshold(
        99.0,
        "percentile of a picture",
        (90.0, 99.9),
        "what stands for white where no paper is known against single bright specks",
    )
    most: float = threshold(
        16.0,
        "times the light",
        (2.0, 32.0),
        "dice read in the dark against steps of the sensor as large as ink",
    )
    white_pip: float = threshold(
        25.0, "CIELAB chroma", (10.0, 50.0), "white pips that tell the light against painted ones"
    )
    most_lighter: float = threshold(
        2.5,
        "times the light on the tags",
        (1.0, 5.0),
        "dice under a lamp of their own named against glints taken for lamps",
    )


BRIGHTENING = BrighteningParameters()
