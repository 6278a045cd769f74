"""Dice whose pips alone are not enough: all of one hard kind, polished under a lamp, with two close pips."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.dice_pieces import cast_shadow
from vision.dice.face_detection import find_faces
from vision.dice.pips import to_lab
from vision.dice.reading import look_pips
from vision.dice.second_look import second_look
from vision.dice.standing import standing_edges
from vision.dice.views import Views
from vision.sightings import Picture

PALE, GREY, FADED = (200, 205, 205), (52, 55, 58), (62, 58, 92)
PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
}


def noisy(picture: np.ndarray, blur: float = 0.8) -> Picture:
    rng = np.random.default_rng(3)
    seen = cv2.GaussianBlur(picture, (0, 0), blur) + rng.normal(0, 1.5, picture.shape)
    return np.asarray(seen.clip(0, 255), np.uint8)


def desk_of_faded_dice() -> Picture:
    """Draw three dark grey dice of 40 px, with red pips that hardly differ from the body."""
    picture = np.full((300, 420, 3), PALE, np.float32)
    for value, x, y in ((4, 80, 80), (5, 210, 180), (2, 340, 90)):
        cast_shadow(picture, (x - 20, y - 20, x + 20, y + 20))
        picture[y - 20 : y + 20, x - 20 : x + 20] = GREY
        for u, v in PLACES[value]:
            cv2.circle(picture, (x + 10 * u, y + 10 * v), 4, FADED, -1, cv2.LINE_AA)
    return noisy(picture)


def test_dice_of_one_hard_kind_are_read_though_none_is_clear() -> None:
    read = [d.face for d in look_pips(desk_of_faded_dice())]
    assert {"4", "5"} <= set(read)
    assert set(read) <= {"2", "4", "5", None}


def test_bodies_of_one_size_say_how_large_dice_are() -> None:
    edges = standing_edges(Views(desk_of_faded_dice()), (16.0, 120.0))
    assert len(edges) == 3
    assert 24 < edges[1] < 44


def test_one_thing_of_some_size_says_nothing_about_dice() -> None:
    picture = np.full((300, 420, 3), PALE, np.float32)
    picture[100:140, 200:240] = GREY
    assert standing_edges(Views(noisy(picture)), (16.0, 120.0)) == []


def test_a_lamps_line_on_a_polished_die_hides_no_one() -> None:
    assert best_one(with_line=True) > 0.75 * best_one(with_line=False)


def test_two_glints_on_a_polished_die_are_no_two() -> None:
    """Its own pips differ from the body in hue only, and the glints are the clearest spots on it."""
    picture = np.full((300, 420, 3), PALE, np.float32)
    for x, y in ((80, 80), (210, 180), (340, 90)):
        picture[y - 22 : y + 22, x - 22 : x + 22] = (34, 34, 38)
        for u in (-1, 0, 1):
            cv2.circle(picture, (x + 10 * u, y + 10 * u), 4, (60, 50, 150), -1, cv2.LINE_AA)
    x, y = 330, 220
    picture[y - 22 : y + 22, x - 22 : x + 22] = (34, 34, 38)
    cv2.circle(picture, (x, y), 4, (48, 38, 70), -1, cv2.LINE_AA)
    for glint in ([(-13, -10), (-5, -12), (-10, -4)], [(4, 12), (14, 4), (15, 7), (7, 14)]):
        cv2.fillPoly(picture, [np.add(glint, (x, y))], (235, 235, 235), cv2.LINE_AA)
    told = {
        die.face for die in look_pips(noisy(picture)) if np.hypot(*np.subtract(die.center_mm, (x, y))) < 20
    }
    assert told <= {None, "1"}


@pytest.mark.parametrize("numeral", ["2", "5"])
def test_the_numeral_on_a_die_is_no_one(numeral: str) -> None:
    picture = np.full((300, 420, 3), (150, 155, 155), np.uint8)
    for at in ((100, 100), (300, 180)):
        cv2.fillPoly(picture, [np.int32(cv2.boxPoints((at, (44, 44), 25)))], (45, 48, 52))
        (wide, high), _ = cv2.getTextSize(numeral, cv2.FONT_HERSHEY_SIMPLEX, 0.7, 2)
        corner = (at[0] - wide // 2, at[1] + high // 2)
        cv2.putText(picture, numeral, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (235, 235, 235), 2, cv2.LINE_AA)
    assert {die.face for die in look_pips(noisy(picture))} <= {None}


def best_one(*, with_line: bool) -> float:
    """Score of the best 1 read on a black die, with or without a lamp's thin line across its top."""
    picture = np.full((120, 120, 3), PALE, np.float32)
    picture[38:82, 38:82] = (40, 38, 36)
    cv2.circle(picture, (60, 60), 5, (225, 225, 225), -1, cv2.LINE_AA)
    if with_line:
        cv2.polylines(picture, [np.array([[44, 42], [47, 62], [44, 78]])], False, (235, 235, 235), 2)
        cv2.polylines(picture, [np.array([[52, 46], [76, 44]])], False, (235, 235, 235), 2)
    unread = np.zeros((120, 120), np.uint8)
    unread[38:82, 38:82] = 1
    found = second_look(to_lab(noisy(picture)), unread)
    return max((f.score for f in found if f.value == 1), default=0.0)


def test_one_of_two_close_pips_is_no_one() -> None:
    """Two pips are nearer to each other than those of a 2: neither is reported alone, however clear."""
    picture = np.full((160, 160, 3), PALE, np.float32)
    picture[58:102, 58:102] = (60, 30, 110)
    for at in ((73, 73), (87, 87)):
        cv2.circle(picture, at, 4, (235, 235, 235), -1, cv2.LINE_AA)
    assert 1 not in [face.value for face in find_faces(to_lab(noisy(picture)))]


def test_a_one_beside_another_die_stays_a_one() -> None:
    picture = np.full((160, 200, 3), PALE, np.float32)
    for x in (50, 95):
        picture[58:102, x - 22 : x + 22] = (60, 30, 110)
        cv2.circle(picture, (x, 80), 4, (235, 235, 235), -1, cv2.LINE_AA)
    assert [face.value for face in find_faces(to_lab(noisy(picture)))] == [1, 1]


@pytest.mark.parametrize("pair", [(1, 1), (2, 1), (4, 4), (4, 1), (1, 5), (2, 4)])
@pytest.mark.parametrize("body", [(225, 230, 230), (40, 35, 200)], ids=["white", "red"])
def test_two_dice_of_one_colour_that_touch_are_not_told_as_another_value(
    pair: tuple[int, int], body: tuple[int, int, int]
) -> None:
    """Two ones were once read as a 2 between them, two fours as a third 4, half a 4 as a 2, all surely."""
    ink = (20, 20, 20) if body[2] > 220 else (235, 235, 235)
    picture = np.full((200, 260, 3), (150, 155, 155), np.float32)
    picture[70:110, 80:160] = body
    for value, x in zip(pair, (100, 140), strict=True):
        for u, v in PLACES[value]:
            cv2.circle(picture, (x + 10 * u, 90 + 10 * v), 4, ink, -1, cv2.LINE_AA)
    for die in look_pips(noisy(picture)):
        at = [x for x in (100, 140) if abs(die.center_mm[0] - x) < 8 and abs(die.center_mm[1] - 90) < 8]
        assert die.face is None or [str(pair[x == 140]) for x in at] == [die.face]


@pytest.mark.parametrize(("value", "turned_deg"), [(4, 0), (4, 20), (5, 0), (5, 33)])
def test_no_third_die_is_made_of_the_pips_of_two_that_touch(value: int, turned_deg: int) -> None:
    """Once a small 2 was read beside two fives, and a 4 between two fours, but tops never overlap."""
    picture = np.full((600, 800, 3), (60, 100, 60), np.float32)
    picture[240:360, 280:520] = (40, 35, 200)
    for x in (340, 460):
        for u, v in PLACES[value]:
            cv2.circle(picture, (x + 30 * u, 300 + 30 * v), 12, (235, 235, 235), -1, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((400, 300), turned_deg, 1.0)
    turned = cv2.warpAffine(picture, turn, (800, 600), borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(turned, (213, 160), interpolation=cv2.INTER_AREA)
    middles = cv2.transform(np.array([[[340.0, 300.0], [460.0, 300.0]]]), turn)[0] * 213 / 800
    for die in look_pips(noisy(small)):
        near = np.linalg.norm(middles - die.center_mm, axis=1).min()
        assert die.face is None or (near < 4 and die.face == str(value))


@pytest.mark.parametrize("values", [(2, 4, 2), (2, 4, 4), (2, 4, 5)])
def test_the_middle_one_of_three_dice_in_a_row_is_as_sure_as_the_others(values: tuple[int, ...]) -> None:
    """Its neighbours' pips beside it are no sign that it is made up of two dice."""
    picture = np.full((200, 300, 3), (60, 100, 60), np.float32)
    for value, x in zip(values, (100, 141, 182), strict=True):
        picture[70:110, x - 20 : x + 20] = (40, 40, 190)
        for u, v in PLACES[value]:
            cv2.circle(picture, (x + 10 * u, 90 + 10 * v), 4, (235, 235, 235), -1, cv2.LINE_AA)
    told = sorted(look_pips(noisy(picture)), key=lambda die: die.center_mm[0])
    assert [die.face for die in told] == [str(value) for value in values]


@pytest.mark.parametrize(("deep", "shade"), [(22, 160), (18, 190)])
def test_the_one_on_a_dies_side_is_no_second_die(deep: int, shade: int) -> None:
    picture = np.full((220, 320, 3), (150, 155, 155), np.float32)
    for x, y in ((80, 80), (220, 90)):
        cast_shadow(picture, (x - 20, y - 20, x + 20, y + 20))
        picture[y - 20 : y + 20, x - 20 : x + 20] = (225, 230, 230)
        for u in (-1, 0, 1):
            cv2.circle(picture, (x + 9 * u, y + 9 * u), 4, (20, 20, 20), -1, cv2.LINE_AA)
    picture[110 : 110 + deep, 200:240] = shade
    cv2.ellipse(picture, (220, 110 + deep // 2), (4, 3), 0, 0, 360, (30, 30, 30), -1, cv2.LINE_AA)
    assert [d.face for d in look_pips(noisy(picture))] == ["3", "3"]
