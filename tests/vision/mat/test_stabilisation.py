"""The camera trembles for a whole evening: cards are played and taken as under a camera at rest."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.evening import TRICK, Evening, play_and_take
from vision.frame import Frame
from vision.sightings import Picture
from vision.stabilisation import Stabiliser

FAR_PX = 2.0
GROUND = (70, 105, 45)
CLOTH_LEVELS, CHECK_PX, KNOCKED_S = 30, 23, 0.3


def trembling(picture: Picture, t: float) -> Picture:
    """A picture shifted by up to `FAR_PX` pixels, differently at every moment."""
    dx, dy = np.random.default_rng(round(1000 * t)).uniform(-FAR_PX, FAR_PX, 2)
    move, size = np.array([[1, 0, dx], [0, 1, dy]]), (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_cards_are_played_and_taken_under_a_camera_that_trembles() -> None:
    evening = Evening()
    evening.wait(10)
    evening.lamps = trembling
    evening.wait(20)
    assert play_and_take(evening) == TRICK


def test_nothing_is_told_of_a_table_that_nobody_touches() -> None:
    evening = Evening()
    assert play_and_take(evening) == TRICK
    evening.lamps = trembling
    before = len(evening.seen)
    evening.wait(60)
    assert not evening.seen[before:]


def test_a_still_camera_gives_its_own_frames() -> None:
    evening, stabiliser = Evening(), Stabiliser()
    frames = [Frame(evening.picture()) for _ in range(20)]
    assert all(stabiliser.steadied(frame) is frame for frame in frames)


def smooth(picture: Picture) -> np.ndarray:
    return cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 1.5)


@pytest.mark.parametrize("aside_px", [(1.5, -1.0), (-2.0, 0.5)])
def test_a_trembling_frame_is_laid_onto_the_settled_one(aside_px: tuple[float, float]) -> None:
    evening, stabiliser = Evening(), Stabiliser()
    settled = evening.picture()
    for _ in range(5):
        stabiliser.steadied(Frame(settled))
    for step in range(12):
        aside = np.multiply(aside_px, (-1) ** step)
        move = np.array([[1, 0, aside[0]], [0, 1, aside[1]]])
        shaken = cv2.warpAffine(settled, move, settled.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        laid = stabiliser.steadied(Frame(np.asarray(shaken, np.uint8))).picture
    rim = (slice(10, -10), slice(10, -10))
    # Resampling smooths noise, which does not matter here.
    before, after = (float(np.abs(smooth(p)[rim] - smooth(settled)[rim]).mean()) for p in (shaken, laid))
    assert after < 0.3 * before


def test_a_camera_that_was_pushed_is_no_camera_that_trembles() -> None:
    evening, stabiliser = Evening(), Stabiliser()
    settled = evening.picture()
    pushed = Frame(np.roll(settled, 30, axis=1))
    for _ in range(5):
        stabiliser.steadied(Frame(settled))
    assert all(stabiliser.steadied(pushed) is pushed for _ in range(5))


def test_a_table_that_was_found_while_somebody_knocked_on_it_is_found_anew_once_it_rests() -> None:
    """Every edge of a chequered cloth would look changed for the whole evening."""

    def knocked(picture: Picture, t: float) -> Picture:
        y, x = (grid.astype(np.float32) for grid in np.mgrid[: picture.shape[0], : picture.shape[1]])
        cloth = np.abs(picture - np.float32(GROUND)).max(axis=2) < CLOTH_LEVELS
        chequered = np.where(cloth & ((x // CHECK_PX + y // CHECK_PX) % 2 > 0), 0.6, 1.0)[..., None]
        seen = np.asarray(picture * chequered, np.uint8)
        if t >= KNOCKED_S:
            return seen
        return np.asarray(cv2.remap(seen, x + 9 * np.sin(y / 400 + 60 * t), y, cv2.INTER_LINEAR), np.uint8)

    evening = Evening(lamps=knocked)
    evening.wait(4)
    assert not evening.eye.changed_mm()
    assert play_and_take(evening) == TRICK
