"""Beneath a known card: the visible rim of a hidden card shows where it lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.covers import Covers
from vision.cards.occluded import find_occluded
from vision.cards.occluded_remnant import find_remnant
from vision.cards.outline import box_corners
from vision.cards.rectangle import Box, EdgeImage
from vision.sightings import Picture

SIZE = (60.0, 90.0)
TOP = box_corners((150, 120), SIZE, 0.1)


def table(*cards: NDArray[np.float64], lines: bool = False) -> Picture:
    """White cards (4, 2) with a seam round them, the last on top, on a brown mat; one pixel a millimetre."""
    picture = np.full((240, 300, 3), (40, 70, 110), np.uint8)
    if lines:
        cv2.rectangle(picture, (95, 60), (95 + 60, 60 + 90), (10, 15, 20), 1)
    for corners in cards:
        fixed = [np.round(corners * 16).astype(np.int32)]
        cv2.fillPoly(picture, fixed, (225, 228, 230), cv2.LINE_AA, 4)
        cv2.polylines(picture, fixed, True, (120, 125, 130), 1, cv2.LINE_AA, 4)
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def beneath(picture: Picture, liked: float | None = None) -> list[Box]:
    """What lies under TOP; `liked` is the angle in radians at which a face would be found."""
    grey = np.asarray(cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 0.8), np.float32)

    def likeness(box: Box, _: NDArray[np.bool_]) -> float:
        return float(liked is not None and abs(np.sin(box.angle - liked)) < 0.2)

    return find_occluded(picture, EdgeImage(grey, 3.0), [TOP], SIZE, likeness)


def test_a_card_of_which_a_strip_shows_is_outlined() -> None:
    x, y, angle = 165.0, 128.0, -0.25
    (box,) = beneath(table(box_corners((x, y), SIZE, angle), TOP), liked=angle)
    assert np.hypot(box.middle[0] - x, box.middle[1] - y) < 2
    assert abs(np.sin(box.angle - angle)) < 0.04


def test_two_hidden_cards_are_found_one_after_the_other() -> None:
    lower, upper = box_corners((120, 150), SIZE, 1.3), box_corners((170, 100), SIZE, 0.5)
    middles = {tuple(np.round(box.middle, -1)) for box in beneath(table(lower, upper, TOP))}
    assert middles == {(120.0, 150.0), (170.0, 100.0)}


def test_a_printed_frame_of_a_cards_size_that_runs_under_a_card_is_no_card() -> None:
    assert beneath(table(TOP, lines=True)) == []


def test_where_a_corner_may_be_a_lying_or_an_upright_cards_the_print_decides() -> None:
    """Only the corner shows; both cards would explain it."""
    angle = 0.3 + np.pi / 2
    whole = box_corners((0, 0), SIZE, angle)
    corner = whole[np.argmin(whole @ [1.0, 1.0])]
    hidden = whole - corner + [108, 66]
    (box,) = beneath(table(hidden, TOP), liked=angle)
    assert np.abs(np.array(box.middle) - hidden.mean(axis=0)).max() < 3


def left_over(depth: float, turn: float) -> tuple[Box | None, NDArray[np.float64]]:
    """The rectangle found for a card's corner sticking out by `depth` from a heap, and the card (4, 2)."""
    whole = box_corners((0, 0), SIZE, turn)
    hidden = whole - whole[np.argmax(whole[:, 0])] + [188 + depth, 120]
    picture = cv2.cvtColor(
        table(hidden, np.array([[20, 20], [188, 20], [188, 220], [20, 220]])), cv2.COLOR_BGR2GRAY
    )
    cover = np.zeros(picture.shape, np.bool_)
    cover[20:221, 20:189] = True
    free = cv2.dilate(cover.astype(np.uint8), np.ones((5, 5), np.uint8)) == 0
    covers = Covers(picture.astype(np.float32), picture > 170, cover, free, 3.0)
    return find_remnant(covers, SIZE), hidden


@pytest.mark.parametrize(("depth", "turn"), [(9.0, 0.7), (12.0, 1.1), (14.0, 2.2)])
def test_a_card_of_which_a_corner_shows_is_known_to_lie_there(depth: float, turn: float) -> None:
    """So little of its rim shows that its turn is a guess, but its paper belongs to no other card."""
    found, hidden = left_over(depth, turn)
    assert found is not None
    assert np.hypot(*(found.middle - hidden.mean(axis=0))) < 25


def test_no_paper_left_over_is_no_card() -> None:
    assert left_over(0.0, 0.7)[0] is None


def test_an_outline_that_is_half_a_millimetre_off_makes_no_card_of_its_seam() -> None:
    assert beneath(table(np.add(TOP, [0.5, -0.4]))) == []


def test_a_grey_mat_of_the_papers_tint_is_no_paper() -> None:
    picture = table(TOP)
    picture[picture[..., 2] < 115] = (112, 114, 115)
    picture[150:200, 150:230] = (90, 92, 93)  # a soft shadow beside the card
    assert beneath(cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.uint8)) == []


def test_white_squares_of_a_cloth_beside_a_card_are_no_cards_beneath_it() -> None:
    """In a picture of two cards on a chequered cloth, six more were reported that nobody could name."""
    picture = table()
    for y in range(0, 240, 24):
        for x in range(24 * (y // 24 % 2), 300, 48):
            picture[y : y + 24, x : x + 24] = (222, 225, 227)
    fixed = [np.round(TOP * 16).astype(np.int32)]
    cv2.fillPoly(picture, fixed, (225, 228, 230), cv2.LINE_AA, 4)
    cv2.polylines(picture, fixed, True, (120, 125, 130), 1, cv2.LINE_AA, 4)
    assert beneath(picture) == []
