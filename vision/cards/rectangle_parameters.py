"""Thresholds of the search for rectangles of a known size (`rectangle`, `occluded`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class RectangleParameters:
    """Thresholds on where a rectangle of a card's size lies on edges."""

    least_level: float = threshold(
        1.5, "grey levels", (0.3, 6.0), "faint seams between white cards against grain in clean pictures"
    )
    noise_levels: float = threshold(
        1.5, "times the picture's noise", (0.5, 5.0), "faint seams against grain in noisy pictures"
    )
    most_turn_rad: float = threshold(
        0.2, "radians a step of the fit", (0.02, 0.8), "rough places fitted against fits that run away"
    )
    least_score: float = threshold(
        0.25, "score of a proposal, 0 to 1.5", (0.05, 0.8), "faint cards proposed against time"
    )
    straight: float = threshold(
        0.8, "share of a side", (0.4, 1.0), "cards with round or covered corners against short lines"
    )
    all_free: float = threshold(
        0.99,
        "share of a pixel of the half-size picture",
        (0.5, 1.0),
        "rims beside a cover used against the cover's own edge used",
    )
    same_turn_steps: float = threshold(
        1.5,
        "steps of the scan's turn",
        (0.5, 4.0),
        "cards that lie crosswise kept apart against time spent on one place twice",
    )


RECTANGLE = RectangleParameters()
