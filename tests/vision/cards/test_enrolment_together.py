"""Stills that one camera took of one ground, learnt together: cloth, marks, things that stay in place."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.cards.enrolment_stills import CARD_PX, on_ground, still
from vision.arrays import Float64
from vision.cards.enrolment import learn_stills
from vision.cards.outline import box_corners, sides_of
from vision.cards.still import Still
from vision.sightings import Picture


def cloth() -> Picture:
    """A chequered cloth with a beer mat at its rim."""
    cloth = np.full((420, 600, 3), (226, 230, 232), np.uint8)
    for row in range(0, 420, 24):
        for column in range(0, 600, 24):
            if (row + column) // 24 % 2:
                cv2.rectangle(cloth, (column, row), (column + 23, row + 23), (130, 60, 40), -1)
    cv2.rectangle(cloth, (20, 140), (130, 300), (170, 200, 215), -1)
    cv2.circle(cloth, (75, 220), 45, (50, 40, 160), -1)
    return cloth


def chequered(cards: int, about_px: float = 14) -> tuple[list[Still], list[Float64]]:
    """White cards on that cloth, each a little beside the last, and their true corners."""
    random = np.random.default_rng(3)
    stills, truth = [], []
    for number in range(cards):
        middle = np.array([330.0, 200.0]) + random.uniform(-about_px, about_px, 2)
        corners = box_corners(middle, (90.0, 138.0), float(random.normal(0.1, 0.05)))
        picture = cloth()
        cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (238, 240, 241), cv2.LINE_AA, 4)
        at = (int(middle[0]), int(middle[1]) + 9 * (number - cards // 2) + 3)
        cv2.circle(picture, at, 8 + 2 * (number % 5), (30, 30, 170), -1, cv2.LINE_AA)
        noisy = cv2.GaussianBlur(picture, (0, 0), 0.7) * random.uniform(0.8, 1.0) + random.normal(
            0, 2, picture.shape
        )
        stills.append(Still(f"card-{number}", f"card-{number}.png", np.clip(noisy, 0, 255).astype(np.uint8)))
        truth.append(corners)
    return stills, truth


def overlap(one: Float64, other: Float64) -> float:
    """Intersection over union of two rectangles."""
    shared, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    areas = [cv2.contourArea(corners.astype(np.float32)) for corners in (one, other)]
    return float(shared / (sum(areas) - shared))


def test_on_a_chequered_cloth_the_card_is_what_changes_and_not_the_beer_mat() -> None:
    stills, truth = chequered(12)
    true = {each.name: corners for each, corners in zip(stills, truth, strict=True)}
    learnt = learn_stills(stills)
    assert len(learnt.refused) <= 1  # white on white squares: what is not certain is not learnt
    assert min(overlap(each.corners, true[each.name]) for each in learnt.taken) > 0.9


def in_hand(
    stills: list[Still], truth: list[Float64], shake_px: float = 6
) -> tuple[list[Still], list[Float64]]:
    """The same stills through a hand-held phone that moves, and where its pictures show the cards."""
    random = np.random.default_rng(4)
    height, width = stills[0].picture.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    held, there = [], []
    for each, corners in zip(stills, truth, strict=True):
        seen = frame * 1.06 + random.normal(0, shake_px, (4, 2)).astype(np.float32) - 10
        view = cv2.getPerspectiveTransform(frame, seen.astype(np.float32))
        picture = cv2.warpPerspective(each.picture, view, (width, height), borderMode=cv2.BORDER_REFLECT)
        held.append(replace(each, source=np.asarray(picture, np.uint8)))
        there.append(cv2.perspectiveTransform(corners[None], view)[0])
    return held, there


def test_a_hand_that_holds_the_camera_over_a_chequered_cloth_moves_no_square_into_a_card() -> None:
    """One square looks like the next, so in a picture not registered exactly, everything changes."""
    stills, truth = in_hand(*chequered(9, about_px=120), shake_px=2.5)
    true = {each.name: corners for each, corners in zip(stills, truth, strict=True)}
    learnt = learn_stills(stills)
    assert len(learnt.taken) >= 7
    assert min(overlap(each.corners, true[each.name]) for each in learnt.taken) > 0.9


@pytest.mark.soak
def test_where_most_cards_lay_over_one_another_no_square_of_the_cloth_is_learnt_in_their_stead() -> None:
    stills, truth = in_hand(*chequered(8))
    true = {each.name: corners for each, corners in zip(stills, truth, strict=True)}
    assert all(overlap(each.corners, true[each.name]) > 0.9 for each in learn_stills(stills).taken)


def test_a_card_that_stands_alone_must_be_as_large_as_those_learnt_together() -> None:
    stills, _ = chequered(9, about_px=120)
    picture = np.full_like(stills[0].picture, (40, 45, 42))
    cv2.rectangle(picture, (240, 120), (240 + 78, 120 + 120), (238, 240, 241), -1)
    cv2.circle(picture, (275, 174), 9, (30, 30, 170), -1)
    learnt = learn_stills([*stills, Still("card-far", "card-far.png", picture)])
    assert "card-far" not in learnt.names
    assert next(each for each in learnt.refused if each.name == "card-far").reason.count("not as large") == 1


def test_a_note_that_is_pushed_about_while_every_card_lies_on_one_mark_is_not_learnt() -> None:
    random = np.random.default_rng(6)
    stills = []
    for number in range(6):
        picture = on_ground((50, 60, 55), number)
        x, y = np.array([60, 60]) + random.integers(-2, 3, 2)
        cv2.rectangle(picture, (x, y), (x + 90, y + 135), (215, 220, 215), -1)
        cv2.circle(picture, (x + 45, y + 30 + 15 * number), 14, (30, 30, 160), -1)
        x, y = np.array([350, 200]) + random.integers(-60, 61, 2)
        cv2.rectangle(picture, (x, y), (x + 96, y + 148), (150, 225, 240), -1)
        stills.append(Still(f"card-{number}", f"card-{number}.png", picture))
    learnt = learn_stills(stills)
    yellow = [float(picture[..., 2].mean() - picture[..., 0].mean()) for picture in learnt.pictures]
    assert all(each < 40 for each in yellow)
    assert len(learnt.refused) == 6 - len(learnt.names)


def on_felt(cards: int, quality: int) -> tuple[list[Still], dict[str, Float64]]:
    """White cards on green felt through a webcam with a low JPEG quality, and their true corners."""
    random = np.random.default_rng(5)
    stills, truth = [], {}
    for number in range(cards):
        middle = np.array([300.0, 200.0]) + random.uniform(-9, 9, 2)
        corners = box_corners(middle, (60.0, 92.0), float(random.normal(0, 0.03)))
        picture = np.full((420, 600, 3), (58, 92, 36), np.uint8)
        cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (216, 226, 230), cv2.LINE_AA, 4)
        at = (int(middle[0]), int(middle[1]) + 5 * (number - cards // 2))
        cv2.circle(picture, at, 6 + 2 * (number % 5), (30, 30, 170), -1, cv2.LINE_AA)
        _, blocks = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        name = f"card-{number}"
        stills.append(
            Still(name, f"{name}.jpg", np.asarray(cv2.imdecode(blocks, cv2.IMREAD_COLOR), np.uint8))
        )
        truth[name] = corners
    return stills, truth


def test_rings_that_a_jpeg_draws_round_a_card_are_not_its_outline() -> None:
    stills, truth = on_felt(10, 22)
    learnt = learn_stills(stills)
    assert len(learnt.taken) == 10
    assert min(overlap(each.corners, truth[each.name]) for each in learnt.taken) > 0.93


def test_with_a_picture_of_the_bare_ground_one_still_is_enough() -> None:
    stills, truth = chequered(1)
    learnt = learn_stills(stills, empty=cloth())
    assert overlap(learnt.taken[0].corners, truth[0]) > 0.95


def test_something_that_lies_over_a_card_costs_that_card_only() -> None:
    stills, _ = chequered(12)
    corner = chequered(12)[1][5].max(axis=0).astype(int)
    cv2.circle(stills[5].picture, (int(corner[0]), int(corner[1])), 45, (110, 140, 200), -1)
    learnt = learn_stills(stills)
    assert "card-5.png" in [refusal.where for refusal in learnt.refused]
    assert len(learnt.names) >= 10


def test_a_tray_that_stands_still_is_not_learnt_for_the_card_in_it() -> None:
    """In each of four pictures the tray is the best rectangle; every face would be the tray's."""
    stills = []
    for number in range(4):
        picture = on_ground((50, 60, 55), number)
        cv2.rectangle(picture, (100, 80), (450, 313), (200, 205, 200), -1)
        x, y = 255 + 2 * number, 170 - number
        cv2.rectangle(picture, (x, y), (x + 36, y + 54), (214, 218, 216), -1)
        cv2.circle(picture, (x + 18, y + 12 + 8 * number), 5, (40, 40, 150), -1)
        stills.append(Still(f"card-{number}", f"card-{number}.png", picture))
    learnt = learn_stills(stills)
    known = sorted([each.name for each in learnt.taken] + [refusal.name for refusal in learnt.refused])
    assert known == [still.name for still in stills]
    for each in learnt.taken:
        assert sides_of(each.corners)[0] < 60


def test_a_thing_that_stands_still_is_no_card_where_it_was_found_roughly_either() -> None:
    """In noise, one or another of its corners is found a few pixels off."""
    stills = []
    for number in range(8):
        picture = on_ground((50, 60, 55), number)
        corners = np.array([[60, 100], [180, 100], [180, 280], [60, 280]])
        corners[number // 2] += 9 * (number % 2)
        cv2.fillConvexPoly(picture, corners, (215, 220, 215))
        picture = cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.uint8)
        stills.append(Still(f"card-{number}", f"card-{number}.png", picture))
    learnt = learn_stills(stills)
    assert learnt.names == ()
    assert len(learnt.refused) == 8


def test_of_things_of_many_sizes_under_one_camera_none_is_a_card() -> None:
    """Squares of a cloth, a mat and a box: it cannot be known which of them the card is."""
    stills = []
    for number, short in enumerate((40, 60, 85, 120, 170, 220)):
        picture = on_ground((50, 60, 55), number)
        cv2.rectangle(picture, (40, 30), (40 + short, 30 + 3 * short // 2), (215, 220, 215), -1)
        picture = cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.uint8)
        stills.append(Still(f"card-{number}", f"card-{number}.png", picture))
    learnt = learn_stills(stills)
    assert learnt.names == ()
    assert all(refusal.reason for refusal in learnt.refused)


def test_a_shape_unlike_that_of_many_cards_is_refused_by_name() -> None:
    """Pictures of many forms are examined one by one."""
    cut = still(4)
    cv2.rectangle(cut.picture, (55, 264), (184, 290), (50, 60, 55), -1)
    cv2.circle(cut.picture, (100, 200), 25, (40, 150, 40), -1)
    others = [replace(still(n), source=still(n).picture[: 420 - n, :]) for n in (0, 1, 2, 3, 5, 6)]
    learnt = learn_stills([*others, cut])
    assert [refusal.name for refusal in learnt.refused] == ["card-4"]
    assert learnt.odd == ()


def test_what_lies_elsewhere_than_the_cards_of_all_other_pictures_is_refused() -> None:
    """Without its card, a picture still shows a slip of paper as large as one."""
    stray = on_ground((50, 60, 55), 9)
    cv2.rectangle(stray, (330, 150), (330 + CARD_PX[0], 150 + CARD_PX[1]), (215, 220, 215), -1)
    learnt = learn_stills([*(still(number) for number in range(4)), Still("stray", "stray.png", stray)])
    assert [refusal.name for refusal in learnt.refused] == ["stray"]


def test_of_two_rectangles_that_are_as_good_neither_is_learnt() -> None:
    """The size of the others shows what may be the card, but not which of two rectangles is."""
    two = on_ground((50, 60, 55), 9)
    cv2.rectangle(two, (20, 20), (540, 90), (240, 240, 240), -1)
    for x in (60, 330):
        cv2.rectangle(two, (x, 150), (x - 1 + CARD_PX[0], 149 + CARD_PX[1]), (215, 220, 215), -1)
        cv2.rectangle(two, (x - 30, 200), (x + 150, 240), (215, 220, 215), -1)
    learnt = learn_stills([*(still(number) for number in range(4)), Still("two", "two.png", two)])
    assert [refusal.name for refusal in learnt.refused] == ["two"]
