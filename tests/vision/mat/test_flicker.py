"""Mains light flickers while a sensor reads row by row: the bands are neither noise nor hands."""

import cv2
import numpy as np

from tests.vision.evening import LAYOUT, TRICK, Evening, play_and_take
from tests.vision.restless_rooms import fan
from vision.geometry import register
from vision.imgproc.change_detection import COARSE_MM, SHRINK
from vision.imgproc.flicker import Flicker
from vision.mat.scene import MARGIN_MM
from vision.rectified import Plan
from vision.sightings import Picture


def flickering(picture: Picture, t: float, deep: float) -> Picture:
    """A picture whose rows see a 50 Hz mains lamp at different moments."""
    height, width = picture.shape[:2]
    gain = 1 + deep * np.sin(2 * np.pi * (100 * t + 1.4 * np.arange(height) / height))
    rows = np.repeat(gain.astype(np.float32)[:, None], width, axis=1)
    return np.asarray(cv2.multiply(picture, cv2.merge([rows, rows, rows]), dtype=cv2.CV_8U), np.uint8)


def test_cards_are_played_and_taken_under_flickering_light() -> None:
    evening = Evening(ground=(115, 120, 125))
    evening.lamps = lambda picture, t: flickering(cv2.convertScaleAbs(picture, alpha=0.75), t, 0.2)
    evening.wait(20)
    assert play_and_take(evening) == TRICK


def test_bands_are_told_from_what_moves() -> None:
    evening = Evening()
    picture = evening.picture()
    plan = Plan(register(picture, LAYOUT), LAYOUT.size_mm, COARSE_MM, MARGIN_MM, SHRINK)
    settled = np.zeros((3, plan.height, plan.width), np.float32)
    nobody = np.zeros(settled.shape[1:], np.bool_)
    flicker = Flicker(plan.rows, plan.valid)
    for step in range(30):
        hand = settled.copy()
        hand[:, : 3 * step, 20:60] = 0.5
        assert flicker.bands(hand, settled, nobody) is None
    rows = np.linspace(0, 2 * np.pi, plan.height, dtype=np.float32)[:, None]
    for step in range(30):
        light = settled + 0.1 * np.sin(rows + 2.0 * step)
        bands = flicker.bands(light, settled, nobody)
    assert bands is not None
    assert float(np.abs(light - bands)[:, plan.valid].max()) < 0.02


def test_the_blades_of_a_fan_are_no_bands() -> None:
    """A lamp that flickers changes whole rows; a shade that turns changes a part of each row."""
    evening = Evening()
    plan = Plan(register(evening.picture(), LAYOUT), LAYOUT.size_mm, COARSE_MM, MARGIN_MM, SHRINK)
    settled = np.zeros((3, plan.height, plan.width), np.float32)
    nobody = np.zeros(settled.shape[1:], np.bool_)
    y, x = np.mgrid[0 : plan.height, 0 : plan.width].astype(np.float32)
    flicker = Flicker(plan.rows, plan.valid)
    for frame in range(60):
        light = settled + np.log(fan(x / plan.width, y / plan.width, frame / 15))
        assert flicker.bands(light, settled, nobody) is None
