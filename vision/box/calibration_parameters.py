"""Thresholds for the colour calibration of a dice box (`colour_calibration`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class BoxCalibrationParameters:
    """Thresholds for how the camera renders the floor's print."""

    calm: int = threshold(
        30, "steps of 255", (8, 80), "small prints asked for their colour against rims of lines asked"
    )
    darkest: float = threshold(0.06, "share of the range", (0.0, 0.2), "dark prints asked against noise")
    brightest: float = threshold(
        0.99, "share of the range", (0.8, 1.0), "pale prints asked against burnt ones"
    )
    worth: float = threshold(
        200.0,
        "places whose errors are their own",
        (20.0, 2000.0),
        "the floor believed against what cameras usually do",
    )
    rich: float = threshold(
        0.015,
        "spread of the print's colours",
        (0.002, 0.1),
        "floors of few colours asked against a shadow taken for a camera",
    )
    least_asked: float = threshold(
        0.1, "share of the places", (0.02, 0.5), "floors under hands asked against answers from little"
    )
    level: float = threshold(
        0.02,
        "weight of an even light over the floor's own word",
        (0.001, 0.3),
        "lamps at one side followed against dice taken for light",
    )
    stays: float = threshold(
        0.6,
        "share of `same_mixture` and `same_black`",
        (0.2, 1.0),
        "a film at the limit painted in one way against calibrations used too long",
    )
    told: float = threshold(
        0.03,
        "share of the range, left over at the middle place",
        (0.005, 0.15),
        "floors in uneven light told against other prints taken for the floor",
    )
    mostly: float = threshold(
        0.08,
        "the same at seven of ten places",
        (0.02, 0.3),
        "floors with much on them told against other prints taken for the floor",
    )
    steady: float = threshold(
        3.0, "steps of 255", (1.0, 15.0), "time: a floor that looks as it did is not asked again"
    )
    most: float = threshold(
        3.0,
        "times farther from grey",
        (1.5, 8.0),
        "colours of weak cameras restored against paint made of noise",
    )
    same_mixture: float = threshold(
        0.15,
        "difference of a channel's share",
        (0.03, 0.5),
        "cameras put right against lamps taken for a camera",
        "lamps of any colour, dimmers, vignettes and hard shadows left the mixture; a colour "
        "temperature moved it by .05 (three boxes, eight ways, mostly two moments each)",
    )
    same_black: float = threshold(
        0.035,
        "share of the range",
        (0.01, 0.15),
        "cameras put right against lamps taken for a camera",
        "lamps, dimmers, vignettes and hard shadows moved black by .026 at most "
        "(three boxes, eight ways, mostly two moments each)",
    )


BOX_CALIBRATION = BoxCalibrationParameters()
