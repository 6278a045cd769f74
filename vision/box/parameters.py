"""Thresholds for the dice in a box: which die a top face is, and what is in doubt about it."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_QUALITY = "quality of a face, 0 to 1"
_INK = "strength of pips over that of enrolment"


@dataclass(frozen=True, slots=True)
class BoxDieParameters:
    """Thresholds for a top face of an enrolled die."""

    sure_face: float = threshold(
        0.9, "belief in the best face, 0 to 1", (0.6, 0.99), "faces told against wrong faces"
    )
    upright_quality: float = threshold(
        0.72, _QUALITY, (0.4, 0.95), "faces told against faces of dice that lean or are half covered"
    )
    inked: float = threshold(0.7, _INK, (0.3, 1.0), "faded dice told against the floor's print told as dice")
    blurred_ink: float = threshold(
        0.45,
        _INK,
        (0.2, 1.0),
        "blurred dice told, where the floor's print is known, against print told as dice",
    )
    least_apart: float = threshold(
        0.85,
        "edges of the die",
        (0.7, 1.0),
        "what a die leaves of a printed sign told as a second die (at .79 in red light) against dice that "
        "stand flush told as one",
    )
    beside_quality: float = threshold(
        0.7, _QUALITY, (0.4, 0.95), "dice beside the field told against things on the table told as dice"
    )
    foot_error_mm: float = threshold(
        0.15,
        "mm, one standard deviation",
        (0.0, 1.0),
        "fewer doubts on the line against wrong zones (rounded edges)",
    )
    top_error_px: float = threshold(
        0.35,
        "px, one standard deviation",
        (0.0, 2.0),
        "fewer doubts on the line against wrong zones (seeing a top)",
    )
    height_error: float = threshold(
        0.03,
        "share of the camera's height",
        (0.0, 0.2),
        "fewer doubts far from the middle against wrong zones",
    )


BOX_DIE = BoxDieParameters()
