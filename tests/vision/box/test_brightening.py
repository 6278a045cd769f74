"""Dice in dim light and in light of one colour are read as in the light of their enrolment."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import LAYOUT, Drawn, Film, draw, lit, lying
from vision.box.denoising import RestingFrames
from vision.box.dice import look_box
from vision.box.dice_set import DiceSet
from vision.box.illumination import log_ratio
from vision.dice.brightening import brightened, brightening
from vision.dice.colour import from_linear
from vision.dice.pips import Lab
from vision.frame import Frame
from vision.geometry import register
from vision.imgproc.srgb import LIGHT, from_light
from vision.sightings import Picture

LYING = [
    Drawn("red", "3", -40.0, 20.0),
    Drawn("green", "2", -60.0, -50.0, 70.0),
    Drawn("white", "X", 60.0, -50.0, 40.0),
]
TOLD = {("red", "3"), ("green", "2"), ("white", "X")}
LAMPS = {
    "candle": (0.05, 0.09, 0.125),
    "dim": (0.08, 0.08, 0.08),
    "red": (0.07, 0.07, 1.2),
    "green": (0.05, 1.0, 0.07),
    "blue": (1.0, 0.1, 0.05),
    "magenta": (1.0, 0.07, 0.8),
}


def noisy(picture: Picture, seed: int) -> Picture:
    grain = np.random.default_rng(seed).normal(0, 4, picture.shape)
    return np.asarray((picture + grain).clip(0, 255), np.uint8)


def paper(*light: float) -> Lab:
    return np.asarray(from_linear(light), np.float32)


@pytest.mark.parametrize("lamp", LAMPS)
def test_dice_are_told_under_a_lamp_that_leaves_little_light(enrolled: DiceSet, lamp: str) -> None:
    picture = lit(draw(LYING), LAMPS[lamp])
    found = look_box(picture, register(picture, LAYOUT, LAYOUT.camera), LAYOUT, enrolled)
    assert {(f.die.colour, f.die.face) for f in found} == TOLD
    assert not any(f.die.doubt for f in found)


@pytest.mark.parametrize("gain", [0.05, 0.1, 0.3, 1.0])
def test_a_dimmer_is_seen_to_take_as_much_of_each_channel(gain: float) -> None:
    """A blue floor has little red: the flare added by the lens was once taken for a red lamp."""
    floor = np.full((32, 32, 3), (150, 90, 40), np.uint8)
    floor[:8] = (50, 40, 170)
    share = log_ratio(from_light(LIGHT[floor] * gain), floor)
    assert np.ptp(np.median(share, axis=(0, 1))) < 0.2
    assert np.median(share) == pytest.approx(np.log(gain), abs=0.2)


def test_a_picture_is_brightened_as_far_as_paper_was_light_and_no_further() -> None:
    light, dim = paper(0.8, 0.8, 0.8), np.array([0.2, 0.4, 0.9])
    assert brightening(paper(*dim), dim, light) == pytest.approx([3.6, 1.8, 1.0], rel=0.02)
    assert brightening(light, np.full(3, 0.8), None) == pytest.approx([1, 1, 1])
    assert brightening(paper(0, 0, 0), np.zeros(3), light).max() <= 16
    bright = draw([])
    assert brightened(bright, np.ones(3)) is bright, "a bright picture costs nothing"


def test_where_half_the_table_lies_in_a_shadow_the_other_half_is_not_cut_off() -> None:
    shaded, lit_paper = paper(0.2, 0.2, 0.2), np.full(3, 0.8)
    assert brightening(shaded, lit_paper, paper(0.8, 0.8, 0.8)) == pytest.approx([1.25] * 3)


def test_the_mean_of_a_rest_has_half_the_noise_of_a_frame() -> None:
    still, rest = draw([]), RestingFrames()
    frames = [Frame(noisy(still, seed)) for seed in range(6)]
    for frame in frames:
        rest.see(frame)
    one, mean = (
        cv2.absdiff(picture, still).mean() for picture in (frames[-1].picture, rest.mean(frames[-1]))
    )
    assert mean < 0.6 * one
    rest.forget()
    np.testing.assert_array_equal(rest.mean(frames[0]), frames[0].picture)


def test_a_throw_in_dim_noisy_light_is_told_without_a_doubt(enrolled: DiceSet) -> None:
    film = Film(enrolled)
    dark = [lit(draw(dice), LAMPS["dim"]) for dice in ([], LYING)]
    told = []
    for number in range(40):
        told += film.eye.see(noisy(dark[number > 20], number), number / 15)
    dice = lying(told[-1])
    assert {(colour, face) for colour, face, *_ in dice} == TOLD
    assert not any(die.doubt for die in told[-1].dice)
