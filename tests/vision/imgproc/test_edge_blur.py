"""Blur is measured at the rims of black squares, independent of light and noise."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.imgproc.edge_blur import edge_blur_px

CORNERS = np.array([[60.0, 50.0], [98.0, 58.0], [90.0, 96.0], [52.0, 88.0]])
FINE = 8
OWN_PX = 0.55
"""Blur from the sensor's pixels and the interpolation between them, as a standard deviation."""


def square(blur_px: float, black: int = 20, white: int = 210) -> NDArray[np.uint8]:
    """A black square on white paper, drawn finely, blurred, and seen by a camera with coarser pixels."""
    fine = np.full((150 * FINE, 150 * FINE), white, np.uint8)
    cv2.fillConvexPoly(fine, np.rint((CORNERS + 0.5) * FINE).astype(np.int32), (black,))
    soft = cv2.GaussianBlur(fine, (0, 0), blur_px * FINE)
    return np.asarray(cv2.resize(soft, (150, 150), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize("blur_px", [0.8, 1.2, 1.6, 2.0])
def test_it_is_measured_to_a_tenth_of_a_pixel(blur_px: float) -> None:
    grain = np.random.default_rng(3).normal(0, 4, (150, 150))
    for picture in (square(blur_px), square(blur_px, 40, 120), square(blur_px) + grain):
        measured = edge_blur_px(np.asarray(picture).clip(0, 255).astype(np.uint8), [CORNERS])
        assert measured == pytest.approx(np.hypot(blur_px, OWN_PX), abs=0.1)


def test_a_white_that_is_burnt_out_tells_nothing() -> None:
    assert edge_blur_px(square(1.5, 20, 255), [CORNERS]) is None


def test_sides_out_of_the_picture_and_under_a_hand_tell_nothing() -> None:
    picture = square(1.5)
    picture[:, 75:] = 128  # a sleeve over the right half
    assert edge_blur_px(picture, [CORNERS]) == pytest.approx(np.hypot(1.5, OWN_PX), abs=0.1)
    assert edge_blur_px(picture, [CORNERS + 200]) is None
    assert edge_blur_px(np.full((150, 150), 90, np.uint8), [CORNERS]) is None
