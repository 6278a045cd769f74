"""Photographs: a card that an outline missed by a little is read where its print lies."""

from __future__ import annotations

import numpy as np
import pytest
from evening import FACES, deck
from test_laid import photograph

from vision.cards.look_px import CardOutlined, _followed, _Place, _read
from vision.cards.outline import box_corners
from vision.cards.reading import Reading
from vision.sightings import Guess

SIZE = (80.0, 80.0 * FACES["red-7"].shape[0] / FACES["red-7"].shape[1])
PICTURE = photograph({"red-7": (300, 240, 0)})


def seen(x: float, y: float, angle: float, score: float = 0.5) -> CardOutlined:
    """What is read inside of an outline (middle, angle in radians) round which nobody is sure of anything."""
    return _read(PICTURE, deck(), _Place(box_corners((x, y), SIZE, angle), score), [])


@pytest.mark.parametrize(("dx", "dy", "angle"), [(4.0, 3.0, 0.05), (5.0, 2.0, 0.05), (5.0, 0.0, 0.12)])
def test_a_card_outlined_askew_is_read_where_its_print_lies(dx: float, dy: float, angle: float) -> None:
    rough = seen(300 + dx, 240 + dy, angle)
    found = _followed(PICTURE, deck(), rough, [])
    assert found.sure
    assert found.reading.name == "red-7"
    assert found.reading.likeness > 0.95
    assert np.hypot(*(found.corners_px.mean(axis=0) - (300, 240))) < 0.3 * np.hypot(dx, dy)


@pytest.mark.parametrize("place", [(120, 120), (330, 330)])
def test_where_no_face_is_like_nothing_is_followed(place: tuple[float, float]) -> None:
    bare = seen(*place, 0.0)
    assert _followed(PICTURE, deck(), bare, []) is bare


@pytest.mark.parametrize(
    ("shown", "likeness", "sure"), [(0.15, 0.67, False), (0.3, 0.9, True), (0.6, 0.67, True)]
)
def test_the_less_of_a_card_shows_the_more_it_must_be_like_its_face(
    shown: float, likeness: float, sure: bool
) -> None:
    """An ace of spades of which another card's outline left a corner was read as the ace of hearts."""
    reading = Reading((Guess("HA", 0.9), Guess("SA", 0.1)), likeness, 0.62, False)
    corners = box_corners((100, 100), (60, 85), 0.1)
    assert CardOutlined(corners, 0.57, reading, shown, corners).sure is sure
