"""Photographs: a card whose outline is a little off is read where its print lies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.evening import FACES, deck
from tests.vision.untagged.test_laid_cards import photograph
from vision.cards.look_px import CardOutlined, _best_outline, _followed, _Place, _read
from vision.cards.outline import box_corners
from vision.cards.reading import Reading
from vision.sightings import Guess

SIZE = (80.0, 80.0 * FACES["red-7"].shape[0] / FACES["red-7"].shape[1])
PICTURE = photograph({"red-7": (300, 240, 0)})


def seen(x: float, y: float, angle: float, score: float = 0.5) -> CardOutlined:
    """The reading inside an outline (middle, angle in radians) for which nothing else is known."""
    return _read(PICTURE, deck().faces, _Place(box_corners((x, y), SIZE, angle), score), [])


@pytest.mark.parametrize(("dx", "dy", "angle"), [(4.0, 3.0, 0.05), (5.0, 2.0, 0.05), (5.0, 0.0, 0.12)])
def test_a_card_outlined_askew_is_read_where_its_print_lies(dx: float, dy: float, angle: float) -> None:
    rough = seen(300 + dx, 240 + dy, angle)
    found = _followed(PICTURE, deck().faces, rough, [])
    assert found.sure
    assert found.reading.name == "red-7"
    assert found.reading.likeness > 0.95
    assert np.hypot(*(found.corners_px.mean(axis=0) - (300, 240))) < 0.3 * np.hypot(dx, dy)


@pytest.mark.parametrize("place", [(120, 120), (330, 330)])
def test_where_no_face_is_like_nothing_is_followed(place: tuple[float, float]) -> None:
    bare = seen(*place, 0.0)
    assert _followed(PICTURE, deck().faces, bare, []) is bare


@pytest.mark.parametrize(
    ("shown", "likeness", "sure"),
    [(0.15, 0.67, False), (0.3, 0.9, True), (0.6, 0.67, False), (0.6, 0.76, True), (0.8, 0.67, True)],
)
def test_the_less_of_a_card_shows_the_more_it_must_be_like_its_face(
    shown: float, likeness: float, sure: bool
) -> None:
    """An ace of spades of which another card's outline left only a corner was read as the ace of hearts."""
    reading = Reading((Guess("HA", 0.9), Guess("SA", 0.1)), likeness, 0.62, False)
    corners = box_corners((100, 100), (60, 85), 0.1)
    assert CardOutlined(corners, 0.57, reading, shown, corners).sure is sure


@pytest.mark.parametrize(
    ("score", "likeness", "sure"), [(0.1, 0.76, False), (0.1, 0.9, True), (0.6, 0.76, True)]
)
def test_a_patch_without_edges_must_be_all_the_more_like_its_face(
    score: float, likeness: float, sure: bool
) -> None:
    """A paw printed on a cloth was read as the ace of clubs."""
    reading = Reading((Guess("CA", 0.9), Guess("SA", 0.1)), likeness, 0.44, False)
    corners = box_corners((100, 100), (60, 85), 0.1)
    assert CardOutlined(corners, score, reading, 1.0, corners).sure is sure


def test_of_two_outlines_of_a_card_the_one_round_its_print_counts() -> None:
    """A face is aligned over some pixels, so a rough outline explains it about as well as the right one."""
    right, rough = seen(300, 240, 0.0), seen(304, 243, 0.05)
    assert rough.sure
    flattered = replace(rough, reading=replace(rough.reading, likeness=right.reading.likeness + 0.01))
    assert _best_outline(flattered, [right]).corners_px is right.corners_px


def test_a_card_that_the_picture_cuts_is_outlined_within_it() -> None:
    half = PICTURE[:, 300:]
    card = _read(half, deck().faces, _Place(box_corners((0, 240), SIZE, 0.2), 0.7), [])
    x, y = card.shown_px.T
    assert (x.min(), y.min() > 0, y.max() < half.shape[0]) == (-0.5, True, True)
    turned = box_corners((0, 240), SIZE, 0.2)
    assert x.max() == pytest.approx(turned[:, 0].max(), abs=3)
