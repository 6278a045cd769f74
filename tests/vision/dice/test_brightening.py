"""Dice with pips in dim light, in light of one colour, and where they have more light than the tags."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.dice.test_reading import BGR, LAYOUT, draw_mat, draw_plain, seen
from vision.dice.brightening import brightened, exposure
from vision.dice.reading import look_pips
from vision.imgproc.small_change import tint_of
from vision.imgproc.srgb import LIGHT, from_light
from vision.sightings import Picture

LYING = [(colour, 5, -90.0 + 36 * i, 0.0, 20.0) for i, colour in enumerate(BGR)]
PLAIN = [
    (5, (40, 35, 200), (235, 235, 235), 80, 80),
    (2, (150, 60, 20), (235, 235, 235), 380, 90),
    (6, (235, 235, 235), (20, 20, 20), 230, 250),
]


def under(picture: Picture, lamp: tuple[float, float, float], noise: float = 3.0) -> Picture:
    """Reduce the light to a share in each channel (BGR), as a noisy sensor shows it."""
    dim = from_light(LIGHT[picture] * np.asarray(lamp, np.float32))
    grain = np.random.default_rng(3).normal(0, noise, picture.shape)
    return np.asarray((dim + grain).clip(0, 255), np.uint8)


@pytest.mark.parametrize(
    "lamp",
    [(0.02, 0.035, 0.05), (0.03, 0.03, 0.03), (0.05, 0.03, 0.9)],
    ids=["candle", "dim", "red"],
)
def test_dice_on_the_mat_keep_value_and_colour(lamp: tuple[float, float, float]) -> None:
    picture = under(draw_mat(LYING), lamp)
    dice = look_pips(picture, seen(picture), LAYOUT)
    assert [(d.colour, d.face) for d in sorted(dice, key=lambda d: d.center_mm)] == [(c, "5") for c in BGR]


def test_a_brown_die_in_more_light_than_the_tags_is_not_yellow() -> None:
    """Its white pips show how bright it is there."""
    picture = draw_mat(LYING).astype(np.float32)
    lamp = np.full((picture.shape[0], 1, 1), 0.3, np.float32)
    lamp[330:570] = 0.75  # a spot lamp over the middle, which no tag reaches
    lit = from_light(LIGHT[picture.astype(np.uint8)] * lamp)
    dice = look_pips(lit, seen(lit), LAYOUT)
    assert [d.colour for d in sorted(dice, key=lambda d: d.center_mm)] == list(BGR)


def test_plain_dice_in_the_dim_are_read_though_no_paper_is_seen() -> None:
    picture = draw_plain(PLAIN)
    assert np.array_equal(exposure(tint_of(picture)), np.ones(3)), "light enough"
    assert brightened(picture, exposure(tint_of(picture))) is picture
    dim = under(picture, (0.05, 0.07, 0.09), noise=2.0)
    assert exposure(tint_of(dim))[0] == pytest.approx(exposure(tint_of(dim))[2])
    assert exposure(tint_of(dim))[0] > 4
    assert [d.face for d in look_pips(dim)] == [d.face for d in look_pips(picture)] == ["5", "2", "6"]
