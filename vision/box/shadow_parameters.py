"""Thresholds for the removal of hard shadows from dice (`shadow_removal`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class ShadowParameters:
    """Thresholds for which part of a die lies in another light, and by how much."""

    alike: float = threshold(
        0.25,
        "share of a pixel's light",
        (0.05, 0.6),
        "paint known in coloured light against print taken for paint",
    )
    usual_from: float = threshold(
        0.62,
        "light over that of enrolment",
        (0.3, 0.9),
        "dice in a weak light relit against shadows taken for light",
    )
    usual_to: float = threshold(
        1.6,
        "light over that of enrolment",
        (1.1, 3.0),
        "dice in a strong light relit against sun taken for the usual light",
    )
    shade_from: float = threshold(
        0.1, "light over that of enrolment", (0.02, 0.4), "deep shadows relit against pips taken for shadow"
    )
    shade_to: float = threshold(
        0.6,
        "light over that of enrolment",
        (0.3, 0.9),
        "pale shadows relit against uneven light taken for shadow",
    )
    sun_from: float = threshold(
        1.65,
        "light over that of enrolment",
        (1.1, 3.0),
        "sun beside a shade relit against uneven light taken for sun",
    )
    sun_to: float = threshold(
        10.0,
        "light over that of enrolment",
        (3.0, 30.0),
        "glaring sun relit against reflections taken for sun",
    )
    part: float = threshold(
        0.12,
        "share of a die's face",
        (0.02, 0.4),
        "dice relit of which little lies in the shade against specks of paint",
    )
    top: float = threshold(
        1.5,
        "edges of the die",
        (1.42, 2.5),
        "two dice that touch told apart against floor of the same paint taken for a die",
    )
    tint: float = threshold(
        1.5,
        "light of one channel over that of all",
        (1.0, 3.0),
        "shadows in coloured light relit against paint that is changed",
    )
    pip: float = threshold(
        0.32, "edges of the die", (0.2, 0.5), "pips across the rim of a shadow kept against narrow shadows"
    )
    rim: float = threshold(
        0.11, "edges of the die", (0.03, 0.3), "thin rims of the other light left out against narrow shadows"
    )
    drawn: float = threshold(
        0.24,
        "edges of the die",
        (0.1, 0.4),
        "pips relit with their part of the top against bays that are shadow",
    )


SHADOW = ShadowParameters()
