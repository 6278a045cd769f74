"""A picture moved by a known transformation is registered to itself again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imgproc.registration import moved_by, shift, similarity
from vision.sightings import Picture

HIGH, WIDE = 112, 200


def ground() -> Picture:
    """A grey picture with slopes everywhere."""
    noise = np.random.default_rng(4).uniform(0, 255, (HIGH, WIDE)).astype(np.float32)
    smooth = cv2.GaussianBlur(noise, (0, 0), 3.0)
    return np.asarray(cv2.normalize(smooth, None, 20, 235, cv2.NORM_MINMAX), np.uint8)


def moved(x: float, y: float, turn_deg: float = 0.0, scale: float = 1.0) -> Picture:
    warp = cv2.getRotationMatrix2D((WIDE / 2, HIGH / 2), turn_deg, scale)
    warp[:, 2] += (x, y)
    return moved_by(ground(), np.asarray(warp, np.float64))


@pytest.mark.parametrize("way", [(0.0, 0.0), (0.3, -0.2), (-0.7, 0.5)])
def test_a_shift_of_a_part_of_a_pixel_is_told(way: tuple[float, float]) -> None:
    told = shift(ground().astype(np.float32), moved(*way).astype(np.float32))
    assert told == pytest.approx(way, abs=0.06)


def test_a_die_that_rolls_does_not_pull_the_shift_of_all_the_rest() -> None:
    now = moved(0.3, -0.2)
    now[40:60, 90:110] = 255
    before, now_grey = ground().astype(np.float32), now.astype(np.float32)
    told = shift(before, now_grey, outlier=24.0, rounds=3)
    assert told == pytest.approx((0.3, -0.2), abs=0.06)
    pulled = shift(before, now_grey)
    assert np.abs(pulled - (0.3, -0.2)).max() > np.abs(told - (0.3, -0.2)).max()


def test_a_picture_without_slopes_does_not_move() -> None:
    even = np.full((HIGH, WIDE), 90.0, np.float32)
    assert shift(even, even + 10, outlier=24.0, rounds=3) == pytest.approx((0.0, 0.0))


def test_a_camera_that_turns_in_a_hand_is_followed_and_a_swing_is_not() -> None:
    onto = similarity(ground(), moved(0.4, -0.3, 0.2, 1.002), 3.0)
    assert onto is not None
    left = cv2.absdiff(moved_by(ground(), onto), moved(0.4, -0.3, 0.2, 1.002))[4:-4, 4:-4]
    assert left.mean() < 0.2 * cv2.absdiff(ground(), moved(0.4, -0.3, 0.2, 1.002))[4:-4, 4:-4].mean()
    assert similarity(ground(), moved(4.0, 0.0), 1.5) is None


def test_more_light_is_no_motion_of_a_camera() -> None:
    onto = similarity(ground(), cv2.add(ground(), 12), 1.5)
    assert onto is not None
    assert onto == pytest.approx(np.eye(2, 3), abs=0.01)
