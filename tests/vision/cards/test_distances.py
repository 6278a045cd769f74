"""A camera that was nearer in some stills of a series than in others is named; the ground is not blamed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cards.lone import Lone
from vision.cards.outliers import refuse_within
from vision.sightings import Picture

SIZES = (60.0, 82.0, 112.0, 152.0)


def pebbles() -> Picture:
    """A ground with many recognisable features."""
    rough = np.random.default_rng(8).normal(0, 1, (420, 560, 3))
    soft = cv2.GaussianBlur(rough, (0, 0), 3)
    return np.asarray(255 * (soft - soft.min()) / (soft.max() - soft.min()), np.uint8)


def nearer(picture: Picture, by: float) -> Picture:
    """The picture as taken by a camera nearer by that factor."""
    height, width = picture.shape[:2]
    grown = np.array([[by, 0, (1 - by) * width / 2], [0, by, (1 - by) * height / 2]])
    return np.asarray(
        cv2.warpAffine(picture, grown, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def finds(pictures: list[Picture], shapes: list[float]) -> list[Lone]:
    """A find in each picture, of many sizes and of these shapes (long by short), each at another place."""
    found = []
    for number, (picture, shape) in enumerate(zip(pictures, shapes, strict=True)):
        each, short = Lone(picture, None), SIZES[number % len(SIZES)]
        corners = np.array([[0.0, 0.0], [short, 0.0], [short, shape * short], [0.0, shape * short]])
        each.take(corners + 11.0 * number)
        found.append(each)
    return found


def codes(found: list[Lone]) -> set[str]:
    refuse_within(found)
    return {each.reason.code for each in found if each.reason is not None}


def test_finds_of_one_shape_and_many_sizes_are_cards_from_many_distances() -> None:
    blank = np.full((420, 560, 3), 90, np.uint8)
    assert codes(finds([blank] * 8, [1.5] * 8)) == {"distance"}


def test_a_ground_that_is_nearer_in_some_pictures_tells_it_whatever_was_found() -> None:
    ground = pebbles()
    pictures = [ground if number % 2 else nearer(ground, 1.25) for number in range(8)]
    assert codes(finds(pictures, [1.2, 1.5, 1.9, 1.3, 1.7, 1.4, 2.0, 1.6])) == {"distance"}


@pytest.mark.parametrize(("by", "code"), [(1.25, "few.distance"), (1.0, "few")])
def test_where_few_pictures_show_a_card_a_camera_that_moved_is_named(by: float, code: str) -> None:
    ground = pebbles()
    pictures = [ground if number % 2 else nearer(ground, by) for number in range(8)]
    shown = finds(pictures[:3], [1.5] * 3)
    assert codes([*shown, *(Lone(picture, None) for picture in pictures[3:])]) == {code}


def test_things_of_many_sizes_before_a_camera_that_stands_are_no_cards() -> None:
    assert codes(finds([pebbles()] * 8, [1.2, 1.5, 1.9, 1.3, 1.7, 1.4, 2.0, 1.6])) == {"sizes"}
