"""Dice in a box under a greasy lens, or a lamp that shines into it, are read as in a clear picture."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.box.drawn_box import LAYOUT, THROW, draw
from vision.box.dice import look_box
from vision.box.dice_set import DiceSet
from vision.geometry import register


@pytest.mark.parametrize(("left", "veil"), [(0.55, 80), (0.4, 110)])
def test_dice_are_read_through_haze(enrolled: DiceSet, left: float, veil: int) -> None:
    picture = np.asarray((draw(THROW) * left + veil).clip(0, 255), np.uint8)
    found = look_box(picture, register(picture, LAYOUT, LAYOUT.camera), LAYOUT, enrolled)
    assert sorted((f.die.colour, f.die.face, f.die.counts_as) for f in found) == [
        ("red", "3", "1x"),
        ("white", "X", "2x"),
    ]
