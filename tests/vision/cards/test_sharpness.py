"""How much softer a card appears than when it was enrolled."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.evening import FACES
from vision.cards.recognition import FACE_PX
from vision.cards.sharpness import blurred, variance_between
from vision.imgproc.photometry import Grid

GRID = Grid(*FACE_PX)
FACE = GRID.to_planes(cv2.resize(FACES["red-7"], FACE_PX, interpolation=cv2.INTER_AREA).astype(np.float32))
ALL = np.ones(FACE_PX[0] * FACE_PX[1], np.float32)


@pytest.mark.parametrize("sigma", [0.8, 1.2, 1.7])
def test_the_blur_is_found_whatever_the_light(sigma: float) -> None:
    seen = 0.6 * blurred(GRID, FACE, sigma**2) + 12
    variance, _, _ = variance_between(GRID, FACE, seen, ALL)
    assert 0.7 * sigma < variance**0.5 < 1.1 * sigma


def test_a_card_as_sharp_as_its_face_is_left_alone() -> None:
    variance, _, _ = variance_between(GRID, FACE, FACE, ALL)
    assert variance == 0.0
    assert blurred(GRID, FACE, variance) is FACE
