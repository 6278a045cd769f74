"""Thresholds of the change detector (`change_detection`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class ChangeParameters:
    """Thresholds that decide which change of light is a thing."""

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
    common_level: float = threshold(
        40.0,
        "grey levels of the table",
        (10.0, 120.0),
        "skin, cards and wood told apart on dim tables against noise told as things",
        "felt, wood and cloth of seven films: 41 to 115; wood at a quarter of its light: 17",
    )
    jumpy: float = threshold(
        95.0,
        "percentile of a tile's cells",
        (80.0, 99.5),
        "blocks that flip now and then counted against a moving hand counted",
    )
    calm_levels: float = threshold(
        1.0,
        "grey levels from frame to frame, the median",
        (0.0, 4.0),
        "noise measured in restless light against light taken for noise",
    )
    measured: int = threshold(
        12, "frames", (3, 60), "a camera known before the first card against known by a few frames"
    )
    most_measured: int = threshold(
        150, "frames", (20, 2000), "a camera known in a restless room against a millisecond of every frame"
    )
    lift_by_noise: float = threshold(
        4.0,
        "times the noise in grey levels",
        (1.0, 10.0),
        "flipping blocks left out against cards of the table's own colour found",
        "2026-11-28: a dim blue mat and dim wood, JPEG of quality 22, 20 cards each: without it 1 and 13 "
        "told, with it 20 and 19",
    )
    most_lift: float = threshold(48.0, "grey levels", (20.0, 100.0), "the same where nearly all is noise")
    worth_lifting: float = threshold(
        1.5,
        "times the lift",
        (1.05, 3.0),
        "blocks left out against dark cards on dark wood told late",
        "2026-11-28: dim wood, JPEG of quality 60: lifted by 1.3 a brown card was told a second late, of "
        "the wrong guest",
    )
    stir: float = threshold(0.1, "logarithm of light", (0.03, 0.4), "slow hands noticed against noise")
    tint: float = threshold(
        0.12,
        "logarithm of light between channels",
        (0.03, 0.4),
        "things of weak colour found against coloured lamplight",
    )
    brighter: float = threshold(
        0.15, "logarithm of light", (0.03, 0.5), "pale things found against lamplight"
    )
    pale_tint: float = threshold(
        0.06, "logarithm of light between channels", (0.02, 0.3), "as `tint`, on a pale mat"
    )
    pale_brighter: float = threshold(0.07, "logarithm of light", (0.02, 0.3), "as `brighter`, on a pale mat")
    pale_edge: float = threshold(
        0.06, "logarithm of light between the two sides of a pixel", (0.02, 0.3), "as `edge`, on a pale mat"
    )
    shadow: float = threshold(
        -1.1, "logarithm of light", (-2.5, -0.4), "black things found against deep shadows taken for things"
    )
    alike: float = threshold(
        0.05, "logarithm of light", (0.01, 0.2), "places known to be still against slow change missed"
    )
    most_alike: float = threshold(
        0.15, "logarithm of light", (0.05, 0.5), "the same where the camera is noisy"
    )
    learn: float = threshold(
        0.1, "share learnt a frame", (0.01, 0.5), "noise learnt soon against things learnt as noise"
    )
    edge: float = threshold(
        0.13,
        "logarithm of light between the two sides of a pixel",
        (0.03, 0.4),
        "things of the brightness of the table found against lamplight taken for things",
    )
    ink: float = threshold(
        0.12, "logarithm of light", (0.03, 0.4), "print found on a pale mat against shadows taken for ink"
    )
    bordered: float = threshold(
        0.35,
        "share of a border that lies on edges",
        (0.1, 0.8),
        "blurred things found against lamplight taken for things",
    )
    mostly: float = threshold(
        0.5,
        "share of a thing",
        (0.2, 0.9),
        "things in a beam of light found against the beam taken for a thing",
    )
    least_beam: float = threshold(
        0.06,
        "logarithm of light",
        (0.02, 0.3),
        "faint beams known as light against pale things taken for a beam",
    )
    even: float = threshold(
        0.09,
        "logarithm of light from place to place",
        (0.02, 0.3),
        "beams with soft rims known as light against bent cards taken for a beam",
    )
    beam_tint: float = threshold(
        0.3,
        "logarithm of light between channels",
        (0.05, 0.8),
        "coloured beams known as light against coloured things taken for a beam",
    )


CHANGE = ChangeParameters()
