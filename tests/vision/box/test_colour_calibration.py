"""The floor as a colour chart: other cameras are corrected, lamps and other fields are not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import LAYOUT, THROW, Drawn, draw, lit
from vision.box.background import Ground
from vision.box.colour_calibration import CalibrationMemory, Chart
from vision.box.dice import look_box
from vision.box.dice_set import DiceSet
from vision.box.pose_fit import register_box
from vision.sightings import Picture

GREY = np.array([0.114, 0.587, 0.299])
INKS = ((150, 90, 40), (50, 40, 170), (60, 200, 220), (225, 230, 230), (60, 110, 50))


def painted(picture: Picture, saturation: float, lifted: float = 0.0) -> Picture:
    """Render a picture as another camera would: other saturation, blacks lifted (steps of 255)."""
    mixture = saturation * np.eye(3) + (1 - saturation) * GREY
    steps = picture @ mixture.T * (1 - lifted / 255) + lifted
    return np.asarray(np.rint(steps).clip(0, 255), np.uint8)


def floor() -> Picture:
    """A printed floor from above: five colours in patches."""
    rng = np.random.default_rng(4)
    patches = np.array(INKS, np.uint8)[rng.integers(0, len(INKS), (8, 8))]
    return np.asarray(np.kron(patches, np.ones((16, 16, 1))), np.uint8)


def beside(seen: Picture) -> float:
    """Largest difference of a picture from the floor, in steps, apart from the lamp's brightness."""
    return float(np.abs(seen * (floor().mean() / seen.mean()) - floor()).max())


@pytest.mark.parametrize(("saturation", "lifted"), [(0.6, 0.0), (1.3, 0.0), (0.8, 25.0)])
def test_a_camera_with_other_colours_is_put_right(saturation: float, lifted: float) -> None:
    seen = painted(floor(), saturation, lifted)
    calibration = Chart(floor()).read(seen)
    assert calibration is not None
    assert beside(calibration.put_right(seen)) < 8 < beside(seen)


def test_dice_and_a_hard_shadow_on_the_floor_do_not_change_what_the_camera_paints() -> None:
    seen = floor()
    seen[:, 96:] = lit(seen, (0.35, 0.35, 0.35))[:, 96:]
    for x, y, colour in ((20, 30, (0, 0, 255)), (60, 80, (255, 0, 255)), (90, 20, (0, 255, 0))):
        cv2.rectangle(seen, (x, y), (x + 10, y + 10), colour, -1)
    chart = Chart(floor())
    assert chart.read(seen) is None
    calibration = chart.read(painted(seen, 0.6))
    assert calibration is not None
    put_right = calibration.put_right(painted(floor(), 0.6))
    assert np.abs(put_right.astype(int) - floor()).max() < 12


@pytest.mark.parametrize("light", [(0.4, 0.85, 1.1), (0.3, 0.3, 0.3), (1.1, 1.0, 0.7)])
def test_a_lamp_is_no_other_camera(light: tuple[float, float, float]) -> None:
    assert Chart(floor()).read(lit(floor(), light)) is None


def test_another_field_says_nothing_of_the_camera() -> None:
    other = np.ascontiguousarray(floor()[::-1, ::-1, ::-1])
    assert Chart(floor()).read(painted(other, 0.6)) is None


def test_the_camera_is_asked_for_again_only_when_the_floor_looks_otherwise() -> None:
    memory = CalibrationMemory(Chart(floor()))
    pale = painted(floor(), 0.6)
    first = memory.calibration(pale)
    assert memory.calibration(cv2.add(pale, 1)) is first
    assert memory.calibration(floor()) is None


def test_a_film_at_the_limit_is_painted_in_one_way() -> None:
    clear, slight = painted(floor(), 0.75), painted(floor(), 0.9)
    memory = CalibrationMemory(Chart(floor()))
    assert memory.calibration(slight) is None, "a lamp does as much"
    assert memory.calibration(clear) is not None
    assert memory.calibration(slight) is not None
    assert memory.calibration(lit(floor(), (0.5, 0.5, 0.5))) is None


def test_two_colours_of_print_do_not_tell_a_camera_from_a_shadow() -> None:
    two = np.array(floor())
    two[:, :64], two[:, 64:] = INKS[0], INKS[1]
    assert Chart(two).read(painted(two, 0.6)) is None


def test_dice_are_named_by_a_camera_that_paints_pale(enrolled: DiceSet) -> None:
    def printed(dice: list[Drawn]) -> Picture:
        picture = draw(dice)
        for k, ink in enumerate(INKS):
            picture[320 + 20 * k : 340 + 20 * k, 210:340] = ink
        return picture

    empty, pale = printed([]), painted(printed(THROW), 0.35)
    dice = replace(enrolled, ground=Ground.of(empty, register_box(empty, LAYOUT), LAYOUT))
    found = look_box(pale, register_box(pale, LAYOUT), LAYOUT, dice)
    assert sorted((f.die.colour, f.die.face, f.die.doubt) for f in found) == [
        ("red", "3", ()),
        ("white", "X", ()),
    ]
