"""Top faces in a cut-out of the box: print beside a die is not one of its pips."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import BODIES, LAYOUT, Drawn, draw, lit
from vision.box.classification import is_sure
from vision.box.dice import look_box
from vision.box.dice_set import DiceSet
from vision.box.face_detection import TopSearch, top_faces, with_shade_off
from vision.box.patch_atlas import Cut
from vision.box.pose_fit import register_box
from vision.box.shadow_removal import relit
from vision.dice.pips import EDGE_PX, to_lab
from vision.geometry import Registration
from vision.sightings import Picture

DARK, VIOLET, PAPER = (50, 27, 45), (125, 38, 105), (225, 235, 240)


@pytest.mark.parametrize("past", [2, 4, 6])
def test_a_letter_that_peeps_out_beside_a_lone_pips_die_is_no_pip_of_it(enrolled: DiceSet, past: int) -> None:
    """Half under the die, its stroke is as round as a pip and lies about where a 2 has its other one."""
    cut = np.full((150, 150, 3), DARK, np.uint8)
    half = round(EDGE_PX / 2)
    cv2.circle(cut, (75 + 12, 75 - half - past), 5, PAPER, -1, cv2.LINE_AA)
    cv2.rectangle(cut, (75 - half, 75 - half), (75 + half, 75 + half), VIOLET, -1)
    cv2.circle(cut, (75, 75), 5, PAPER, -1, cv2.LINE_AA)
    ((face,),) = top_faces([Cut(to_lab(np.asarray(cv2.GaussianBlur(cut, (0, 0), 1.2), np.uint8)))], enrolled)
    assert face.value == 1
    assert (face.x, face.y) == pytest.approx((75, 75), abs=0.5)
    assert face.quality > 0.9


@pytest.mark.parametrize(("beside", "alone"), [((170, 40, 140), True), ((20, 20, 20), False)])
def test_a_pip_beside_a_dark_neighbour_stands_alone_unless_that_is_of_the_pips_colour(
    beside: tuple[int, int, int], alone: bool
) -> None:
    """A yellow die with one pip, partly behind a violet one, beside the bar of a printed letter."""
    cut = np.full((150, 150, 3), (20, 190, 235), np.uint8)
    cv2.rectangle(cut, (55, 60), (63, 90), beside, -1)
    cv2.circle(cut, (75, 75), 5, (20, 20, 20), -1, cv2.LINE_AA)
    search = TopSearch.over([Cut(to_lab(np.asarray(cv2.GaussianBlur(cut, (0, 0), 1.2), np.uint8)))])
    pip = int(np.hypot(*(search.at - 75).T).argmin())
    assert bool(search.alone(np.array([pip]))[0]) == alone


def test_the_sunny_part_of_a_die_on_a_shaded_floor_is_brought_into_the_shade(enrolled: DiceSet) -> None:
    cut = np.full((80, 80, 3), 60, np.uint8)
    cut[18:62, 18:62] = BODIES["red"]
    shade = lit(cut, (0.3, 0.3, 0.3))
    shade[:36] = cut[:36]
    paper = to_lab(lit(np.full((1, 1, 3), 240, np.uint8), (0.3, 0.3, 0.3)))[0, 0]
    dimmed = [even for colour, even in relit(shade, paper, enrolled.bodies) if colour == "red"]
    assert any(np.abs(even[26, 40].astype(int) - shade[50, 40]).max() < 12 for even in dimmed)


@pytest.mark.parametrize(("face", "rim_mm"), [("2", 30.0), ("3", 32.0), ("X", 28.0)])
def test_a_die_with_the_rim_of_a_walls_shadow_across_is_read_without_doubt(
    enrolled: DiceSet, face: str, rim_mm: float
) -> None:
    bare = draw([Drawn("green", face, 40.0, 30.0, 0.0)])
    fit = register_box(bare, LAYOUT)
    row = round(float(fit.to_px([[40.0, rim_mm]], 16.0)[0][1]))
    shaded = bare.copy()
    shaded[:row, 380:470] = lit(bare, (0.3, 0.3, 0.3))[:row, 380:470]
    (die,) = [f.die for f in look_box(cv2.GaussianBlur(shaded, (0, 0), 1.0), fit, LAYOUT, enrolled)]
    assert (die.colour, die.face, die.doubt) == ("green", face, ())


@pytest.mark.parametrize("rim_mm", [27.0, 28.0, 29.4, 30.0, 30.6, 31.5, 32.0, 33.5])
def test_pips_with_the_soft_rim_of_a_coloured_shade_across_are_read(enrolled: DiceSet, rim_mm: float) -> None:
    """The room lights a lamp's shadow, so its colour is not the lamp's, and its rim is a little soft."""
    bare = draw([Drawn("red", "3", 40.0, 30.0, 2.0)])
    fit = register_box(bare, LAYOUT)
    row = round(float(fit.to_px([[40.0, rim_mm]], 16.0)[0][1]))
    light = np.ones(bare.shape[:2], np.float32)
    light[:row, 380:470] = 0
    light = cv2.GaussianBlur(light, (0, 0), 3.0)[..., None]
    shaded = bare * light + lit(bare, (0.24, 0.2, 0.14)) * (1 - light)
    (die,) = [f.die for f in look_box(shaded.round().astype(np.uint8), fit, LAYOUT, enrolled)]
    assert (die.colour, die.face, die.doubt) == ("red", "3", ())


def half_shaded(yaw: float, rim_mm: float, light: tuple[float, float, float]) -> tuple[Picture, Registration]:
    """Draw a red 2 on red print with the rim of a shade across; return also the box's registration."""
    bare = draw([Drawn("red", "2", 40.0, 30.0, yaw)])
    fit = register_box(bare, LAYOUT)
    row = round(float(fit.to_px([[40.0, rim_mm]], 16.0)[0][1]))
    shaded = bare.copy()
    shaded[:row, 380:470] = lit(bare, light)[:row, 380:470]
    return np.asarray(cv2.GaussianBlur(shaded, (0, 0), 1.2), np.uint8), fit


DEEP, GREY, WEAK = (0.24, 0.2, 0.14), (0.25, 0.25, 0.25), (0.6, 0.5, 0.4)


@pytest.mark.parametrize(
    ("rim_mm", "light"), [(28.0, DEEP), (30.0, DEEP), (32.0, DEEP), (28.0, GREY), (31.0, GREY), (30.0, WEAK)]
)
def test_a_pip_in_the_shade_is_not_left_out_of_what_is_told(
    enrolled: DiceSet, rim_mm: float, light: tuple[float, float, float]
) -> None:
    """On print of its own colour, the lit pip of a 2 alone would look like a sure 1."""
    picture, fit = half_shaded(2.0, rim_mm, light)
    (die,) = [f.die for f in look_box(picture, fit, LAYOUT, enrolled)]
    assert (die.colour, die.face, die.doubt) == ("red", "2", ())


def test_a_lone_pip_nearer_to_another_than_two_dice_can_be_is_in_doubt(enrolled: DiceSet) -> None:
    cut = np.full((150, 150, 3), DARK, np.uint8)
    half = round(EDGE_PX / 2)
    cv2.rectangle(cut, (75 - half, 75 - half), (75 + half, 75 + half), VIOLET, -1)
    cv2.circle(cut, (75, 75), 5, PAPER, -1, cv2.LINE_AA)
    soft = np.asarray(cv2.GaussianBlur(cut, (0, 0), 1.2), np.uint8)
    ((face,),) = top_faces([Cut(to_lab(soft))], enrolled)
    other = face.moved(0.6 * EDGE_PX, 0.0)
    assert all(is_sure(each) for each in with_shade_off(soft, [face], enrolled, None))
    assert not any(is_sure(each) for each in with_shade_off(soft, [face, other], enrolled, None))


@pytest.mark.parametrize("pips", [[(0, 0)], [(-1, -1), (1, 1)], [(-1, -1), (0, 0), (1, 1)]])
def test_pips_of_a_die_on_print_of_its_own_colour_are_read_where_two_of_its_sides_show(
    enrolled: DiceSet, pips: list[tuple[int, int]]
) -> None:
    """A blue die on the blue ground of the field is found; crumbs on that ground are not."""
    crumbs = np.full((140, 140, 3), VIOLET, np.uint8)
    for u, v in pips:
        cv2.circle(crumbs, (70 + 11 * u, 70 + 11 * v), 5, PAPER, -1, cv2.LINE_AA)
    half = round(EDGE_PX / 2)
    die = crumbs.copy()
    die[70 + half : 75 + half, 70 - half : 75 + half] = DARK
    die[70 - half : 75 + half, 70 + half : 75 + half] = DARK
    floor = to_lab(np.array([[VIOLET]], np.uint8))[0, 0]
    soft = [to_lab(np.asarray(cv2.GaussianBlur(cut, (0, 0), 1.2), np.uint8)) for cut in (die, crumbs)]
    ((face,),) = top_faces([Cut(soft[0], lambda x, y: floor)], enrolled)
    assert (face.value, face.quality > 0.9) == (len(pips), True)
    assert all(seen.quality < 0.72 for seen in top_faces([Cut(soft[0])], enrolled)[0])
    assert top_faces([Cut(soft[1], lambda x, y: floor)], enrolled) == [[]]
