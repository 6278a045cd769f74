"""The look of a box's dice is learnt only once."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import LAYOUT, Drawn, draw
from vision.box import dice_set
from vision.box.dice_set import enrol_dice


def test_dice_that_were_learnt_are_the_same_dice_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "empty.png"), draw([]))
    for face in "3X":
        cv2.imwrite(str(tmp_path / f"red-{face}.png"), draw([Drawn("red", face, -40.0, -30.0, 25.0)]))
    first = enrol_dice(tmp_path, LAYOUT, keep=True)
    monkeypatch.delattr(dice_set, "_looks")  # nothing is learnt again
    again = enrol_dice(tmp_path, LAYOUT, keep=True)
    assert list(again.bodies) == list(first.bodies) == ["red"]
    assert np.array_equal(again.bodies["red"], first.bodies["red"])
    assert np.array_equal(again.inks["red"], first.inks["red"])
    assert np.array_equal(again.glyph, first.glyph)
    assert np.array_equal(again.ground.empty, first.ground.empty)
