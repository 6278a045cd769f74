"""Top faces in a cut-out of the box: what is printed beside a die is none of its pips."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.box.dice_set import DiceSet
from vision.box.tops import top_faces
from vision.dice.pips import EDGE_PX, to_lab

DARK, VIOLET, PAPER = (50, 27, 45), (125, 38, 105), (225, 235, 240)


@pytest.mark.parametrize("past", [2, 4, 6])
def test_a_letter_that_peeps_out_beside_a_lone_pips_die_is_no_pip_of_it(enrolled: DiceSet, past: int) -> None:
    """Half under the die its stroke is as round as a pip, and stands about where a 2 has its other one."""
    cut = np.full((150, 150, 3), DARK, np.uint8)
    half = round(EDGE_PX / 2)
    cv2.circle(cut, (75 + 12, 75 - half - past), 5, PAPER, -1, cv2.LINE_AA)
    cv2.rectangle(cut, (75 - half, 75 - half), (75 + half, 75 + half), VIOLET, -1)
    cv2.circle(cut, (75, 75), 5, PAPER, -1, cv2.LINE_AA)
    (face,) = top_faces(to_lab(np.asarray(cv2.GaussianBlur(cut, (0, 0), 1.2), np.uint8)), enrolled)
    assert face.value == 1
    assert (face.x, face.y) == pytest.approx((75, 75), abs=0.5)
    assert face.quality > 0.9
