"""The light over a box: a brighter lamp makes print clip in the sensor."""

from __future__ import annotations

import numpy as np
import pytest

from vision.box.illumination import FloorLight, log_ratio
from vision.dice.pips import to_lab
from vision.sightings import Picture

RED, AREA = (45, 40, 205), (-1.0, -1.0, 1.0, 1.0)


def painted(colour: tuple[int, int, int]) -> Picture:
    return np.full((16, 16, 3), colour, np.uint8)


@pytest.mark.parametrize("gain", [0.6, 1.0, 1.5])
def test_a_red_tile_in_any_lamp_is_still_the_empty_floors_red(gain: float) -> None:
    """At 1.5 its red clips at 255; compared with the unclipped red, it looked like something else's."""
    seen = painted(tuple(min(255, round(gain * value)) for value in RED))  # type: ignore[arg-type]
    grey = painted((90, 90, 90)), painted((min(255, round(gain * 90)),) * 3)
    light = FloorLight.even(log_ratio(grey[1], grey[0])[0, 0], None)
    now, then = light.taken_off(seen, AREA), light.at_most(painted(RED), AREA)
    assert float(np.linalg.norm((to_lab(now) - to_lab(then))[..., 1:], axis=2).max()) < 8


def test_in_a_weaker_light_the_floor_is_as_it_was() -> None:
    light = FloorLight.even(np.full(3, -0.5, np.float32), None)
    np.testing.assert_array_equal(light.at_most(painted(RED), AREA), painted(RED))
