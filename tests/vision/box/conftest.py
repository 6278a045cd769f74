"""Fixtures: dice enrolled from the drawn box, and a film of it that begins with the box empty."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from tests.vision.box.drawn_box import BODIES, LAYOUT, Drawn, Film, draw
from vision.box.dice_set import DiceSet, enrol_dice


@pytest.fixture(scope="package")
def enrolled(tmp_path_factory: pytest.TempPathFactory) -> DiceSet:
    folder: Path = tmp_path_factory.mktemp("dice")
    cv2.imwrite(str(folder / "empty.png"), draw([]))
    for colour in BODIES:
        for face in "123X":
            cv2.imwrite(str(folder / f"{colour}-{face}.png"), draw([Drawn(colour, face, -40.0, -30.0, 25.0)]))
    return enrol_dice(folder, LAYOUT)


@pytest.fixture
def film(enrolled: DiceSet) -> Film:
    film = Film(enrolled)
    film.show([], 16)
    return film
