"""Thresholds of the change detector (`change_detection`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class ChangeParameters:
    """Which change of light is a thing?"""

    first_noise: float = threshold(
        0.02, "logarithm of light", (0.0, 0.1), "a noisy camera's first frames against faint things in them"
    )
    learn_busy: float = threshold(
        0.01,
        "share learnt a frame",
        (0.0, 0.1),
        "busy places that get used to a hand against noise that stays unknown",
    )
    most_noise: float = threshold(
        0.3, "logarithm of light", (0.05, 1.0), "noisy places learnt against places gone blind"
    )
    noise_slack: float = threshold(
        2.5, "times a place's own noise", (1.0, 6.0), "things on noisy places against noise told as things"
    )
    look_closer: float = threshold(
        0.7, "share of the least change", (0.3, 1.0), "time: below it no place is looked at closely"
    )
    nearer_bare: float = threshold(
        0.4,
        "share of the change",
        (0.1, 0.9),
        "cards taken away noticed against shadows taken for bare table",
    )
    most_off_bare: float = threshold(0.25, "logarithm of light", (0.05, 0.6), "the same in other light")


CHANGE = ChangeParameters()
