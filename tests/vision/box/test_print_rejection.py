"""Print of the field is no die, not even under a coloured lamp; dice of another colour than print are."""

from __future__ import annotations

import numpy as np
import pytest

from vision.box.illumination import FloorLight
from vision.box.print_parameters import PRINT
from vision.box.print_rejection import colour_tolerance, is_print
from vision.dice.face import Face
from vision.dice.pips import EDGE_PX, Lab

SIDE = round(EDGE_PX)
MIDDLE = (SIDE - 1) / 2
FACE = Face(
    MIDDLE, MIDDLE, EDGE_PX, 0.0, {10: 1.0}, 2.0, (60.0, 10.0, 60.0), (20.0, 0.0, 0.0), frozenset(), 1.0
)


def lamp(blue: float, green: float, red: float) -> FloorLight:
    """Light over the whole floor, so many times that of enrolment in each channel."""
    return FloorLight.even(np.log(np.asarray((blue, green, red), np.float32)), None)


NO_GAIN = np.ones(3)


def crossed() -> Lab:
    """Draw a light patch of the floor, (n, n, 3) CIELAB, with two dark strokes."""
    patch = np.full((SIDE, SIDE, 3), (60.0, 10.0, 60.0), np.float32)
    steps = np.arange(SIDE)
    for width in (-1, 0, 1):
        patch[steps, (steps + width).clip(0, SIDE - 1)] = patch[steps, (SIDE - 1 - steps + width) % SIDE] = (
            20,
            0,
            0,
        )
    return patch


@pytest.mark.parametrize("light", [None, lamp(1, 1, 1), lamp(0.3, 0.3, 0.3), lamp(0.8, 0.9, 1.1)])
def test_under_a_usual_lamp_the_same_distance_makes_two_colours(light: FloorLight | None) -> None:
    assert colour_tolerance(light, NO_GAIN) == PRINT.other_colour


def test_what_a_picture_was_brightened_by_counts_as_the_lamps_colour() -> None:
    gains = np.array([4.0, 4.0, 1.0])
    assert colour_tolerance(lamp(1, 1, 1), gains) == pytest.approx(
        colour_tolerance(lamp(0.25, 0.25, 1), NO_GAIN)
    )
    assert colour_tolerance(lamp(1, 1, 1), np.full(3, 4.0)) == PRINT.other_colour


def test_print_whose_colour_a_red_lamp_leaves_uncertain_is_print_still() -> None:
    then = crossed()
    now = then + np.asarray((0.0, 14.0, -10.0), np.float32)  # the sensor's red is saturated
    assert is_print(now, now, then, FACE, colour_tolerance(lamp(1.08, 1.12, 2.81), NO_GAIN))
    assert not is_print(now, now, then, FACE, colour_tolerance(lamp(1.0, 1.0, 1.0), NO_GAIN))


def test_a_die_of_another_colour_is_no_print_under_a_red_lamp_either() -> None:
    then = crossed()
    now = then + np.asarray((0.0, 30.0, -40.0), np.float32)
    assert not is_print(now, now, then, FACE, colour_tolerance(lamp(1.08, 1.12, 2.81), NO_GAIN))
