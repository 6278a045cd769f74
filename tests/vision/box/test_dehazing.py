"""Dice in a box are read as in a clear picture under a greasy lens, or with a lamp shining into the lens."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.box.drawn_box import LAYOUT, THROW, draw
from vision.box.dice import look_box
from vision.box.dice_set import DiceSet
from vision.geometry import register


@pytest.mark.parametrize("veil", [0.1, 0.2, 0.3])
def test_dice_are_read_through_haze(enrolled: DiceSet, veil: float) -> None:
    """The veil adds a share of a full pixel's light everywhere."""
    light = (draw(THROW) / 255.0) ** 2.2 * (1 - veil) + veil
    picture = np.asarray(255 * light ** (1 / 2.2), np.uint8)
    found = look_box(picture, register(picture, LAYOUT, LAYOUT.camera), LAYOUT, enrolled)
    told = {(f.die.colour, f.die.face, f.die.counts_as) for f in found}
    assert told == {("red", "3", "1x"), ("white", "X", "2x")}
