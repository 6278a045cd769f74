"""Hollow pips lit from above: their wall is dark, their floor nearly as pale as the die."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.shared import shared
from vision.dice.reading import look_pips


def faces(name: str) -> list[str | None]:
    picture = np.asarray(cv2.imread(str(shared(name))), np.uint8)
    return sorted((die.face for die in look_pips(picture)), key=str)


@pytest.mark.parametrize("name", ["dice09", "dice13"])
def test_a_lone_hollow_pip_in_hard_light_is_a_one_and_dice_of_one_kind_prove_each_other(name: str) -> None:
    """Photographs of white dice on a carpet: on cloth, a face must be clean or resemble one that is."""
    assert faces(f"photos/dice-damian/{name}.jpg") == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    "name",
    [
        "photos/cards-edje/train_IMG_2397.jpg",
        "photos/cards-edje/train_IMG_2603.jpg",
        "footage/dev-dubbe4/deck/red-7.jpg",
    ],
)
def test_the_suits_of_cards_are_no_hollow_pips(name: str) -> None:
    """Pictures of playing cards: print has a soft rim, but no lit floor."""
    assert faces(name) == []
