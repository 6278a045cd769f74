"""Hollow pips into which light falls: their wall is dark, their floor is nearly as pale as the die."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.shared import shared
from vision.dice.reading import look_pips


def faces(name: str) -> list[str | None]:
    picture = np.asarray(cv2.imread(str(shared("photos") / name)), np.uint8)
    return sorted((die.face for die in look_pips(picture)), key=str)


@pytest.mark.parametrize("name", ["dice09", "dice13"])
def test_a_lone_hollow_pip_in_hard_light_is_a_one_and_dice_of_one_kind_prove_each_other(name: str) -> None:
    """Photographs of white dice on a carpet: on cloth a face must be clean, or like one that is."""
    assert faces(f"dice-damian/{name}.jpg") == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("name", ["train_IMG_2397", "train_IMG_2603"])
def test_the_suits_of_cards_are_no_hollow_pips(name: str) -> None:
    """Photographs of playing cards; a suit has a soft rim, but no lit floor."""
    assert faces(f"cards-edje/{name}.jpg") == []
