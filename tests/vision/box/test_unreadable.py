"""Dice that cannot be read: reported where one lies, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import LAYOUT, Drawn, Film, draw, lit, lying
from vision.box.background import FLOOR, Ground, Place
from vision.box.dice import BoxLook
from vision.box.dice_set import DiceSet
from vision.box.face_detection import Top
from vision.box.field import Field
from vision.box.foreground import FloorView
from vision.box.glyph import X
from vision.box.pose_fit import register_box
from vision.box.reader import BoxReader
from vision.box.unreadable import unread_dice
from vision.dice.face import Face
from vision.dice.pips import EDGE_PX, to_lab
from vision.sightings import Picture

INK = (30, 30, 190)
PLACE = Place((-102.0, 58.0, -54.0, 106.0), 16.0, FLOOR)


def printed(dice: list[Drawn]) -> Picture:
    """Draw the box with bars of a die's colour printed on its floor, far from the camera's middle."""
    picture = draw(dice)
    for x in range(216, 280, 12):
        cv2.rectangle(picture, (x, 118), (x + 5, 170), INK, -1)
    return picture


def test_print_seen_beside_its_place_at_the_height_of_a_top_is_no_die(enrolled: DiceSet) -> None:
    """A cut-out at a die's height shows the floor shifted by some millimetres, more so farther out."""
    empty = printed([])
    fit = register_box(empty, LAYOUT)
    dice = replace(enrolled, ground=Ground.of(empty, fit, LAYOUT))
    told = unread_dice(FloorView(empty, fit, Field(LAYOUT), dice), [PLACE], [], ["red"])
    assert [die.colour for die in told] == []


def test_what_the_camera_sees_behind_a_place_is_the_empty_floor(enrolled: DiceSet) -> None:
    empty = printed([])
    fit = register_box(empty, LAYOUT)
    ground = Ground.of(empty, fit, LAYOUT)
    x0, y0, x1, y1 = PLACE.area_mm
    seen = to_lab(fit.flatten(empty, [[x0, y1], [x1, y1], [x1, y0], [x0, y0]], (96, 96), PLACE.z_mm))
    off = np.abs(seen - to_lab(ground.behind(fit, PLACE.area_mm, PLACE.z_mm, 2.0)))
    beside = np.abs(seen - to_lab(ground.floor(PLACE.area_mm, 2.0)))
    assert off.mean() < 0.5 < 3.0 < beside.mean()


def test_a_shadow_on_print_of_a_dies_colour_is_no_die(enrolled: DiceSet) -> None:
    """Shaded red print has the paint of a red die, as lightness counts little."""
    empty = printed([])
    cv2.rectangle(empty, (216, 118), (276, 170), INK, -1)
    fit = register_box(empty, LAYOUT)
    dice = replace(enrolled, ground=Ground.of(empty, fit, LAYOUT))
    shaded = empty.copy()
    shaded[132:156, 232:256] = (shaded[132:156, 232:256] * 0.76).astype(np.uint8)
    assert list(unread_dice(FloorView(shaded, fit, Field(LAYOUT), dice), [PLACE], [], ["red"])) == []


def test_where_a_shadow_lay_when_the_box_was_photographed_there_is_no_die(enrolled: DiceSet) -> None:
    """The box has been turned since, so its walls' shadows lie elsewhere."""
    light = printed([])
    cv2.rectangle(light, (190, 118), (290, 170), INK, -1)
    empty = light.copy()
    empty[140:156, 190:290] = (empty[140:156, 190:290] * 0.6).astype(np.uint8)
    fit = register_box(empty, LAYOUT)
    dice = replace(enrolled, ground=Ground.of(empty, fit, LAYOUT))
    place = replace(PLACE, area_mm=(-92.0, 58.0, -68.0, 106.0))
    assert list(unread_dice(FloorView(light, fit, Field(LAYOUT), dice), [place], [], ["red"])) == []


def test_a_die_that_could_not_be_read_while_the_box_was_turned_is_gone_once_it_is_taken(
    enrolled: DiceSet,
) -> None:
    """After the turn, changes show where it lies now, no longer where it lay before."""
    reader, everywhere = BoxReader(LAYOUT, enrolled), np.ones((150, 200), bool)
    reader.read(draw([]))
    assert reader.read(draw([Drawn("green", "3", 40.0, 30.0)]), everywhere)
    turned = draw([Drawn("green", "3", 40.0, 30.0)], 70.0)
    x, y = register_box(turned, LAYOUT).to_px([[40.0, 30.0]], 16.0)[0].tolist()
    part = slice(round(y) - 40, round(y) + 40), slice(round(x) - 40, round(x) + 40)
    turned[part] = cv2.GaussianBlur(turned[part], (0, 0), 3.2)
    (lies,) = reader.read(turned, everywhere)
    assert (lies.die.colour, lies.die.doubt) == ("green", ("face",))
    assert lies.at_px == pytest.approx((x, y), abs=1.0)
    assert reader.read(draw([], 70.0), everywhere) == []


def test_a_face_of_no_enrolled_colour_is_a_die_only_where_it_hides_the_print(enrolled: DiceSet) -> None:
    """With the rim of a hard shadow, printed letters look like a top; strange dice hide the print below."""
    bare = draw([])
    bare[:, 295:] = lit(bare, (0.3, 0.3, 0.3))[:, 295:]
    strange = bare.copy()
    cv2.rectangle(strange, (283, 256), (308, 281), (200, 60, 200), -1)
    ghost = Face(26.5, 26.5, EDGE_PX, 0.0, {X: 1.0}, 2.0, (55, 60, -45), (95, 0, 0), frozenset(), 0.9)
    at = (-40.0, 0.0)
    named = []
    for picture in (bare, strange):
        look = BoxLook(picture, register_box(picture, LAYOUT), LAYOUT, enrolled)
        named.append([(f.die.colour, f.die.face) for f in look.best([Top(ghost, at, 16.0, FLOOR)])])
    assert named == [[], [(None, "X")]]


def test_a_fainter_face_nearer_than_an_edge_to_a_die_is_the_print_that_it_leaves(enrolled: DiceSet) -> None:
    """In coloured light, the uncovered part of a tile's printed sign once looked like a second die."""
    picture = draw([Drawn("green", "3", 20.0, 0.0), Drawn("red", "2", 37.5, 0.0)])
    fit = register_box(picture, LAYOUT)
    look = BoxLook(picture, fit, LAYOUT, enrolled)
    tops = [*look.in_places(enrolled.ground.places(picture, fit, LAYOUT))]
    assert sorted(f.die.colour or "" for f in look.best(tops)) == ["green", "red"]
    first, second = sorted(tops, key=lambda top: -top.face.score)[:2]
    away = np.subtract(second.at_mm, first.at_mm)
    nearer = np.asarray(first.at_mm) + away * (12.6 / float(np.hypot(*away)))
    moved = replace(second, at_mm=(float(nearer[0]), float(nearer[1])))
    assert len(look.best([first, moved])) == 1
    assert look.best([moved], look.best([first])) == [], "the die was read before and lies as it lay"


def test_a_die_that_could_not_be_read_is_no_second_one_once_it_is_seen_elsewhere(film: Film) -> None:
    """Something of its paint stayed where it had lain, and was kept as a second die of a unique colour."""
    blank, thrown = Drawn("red", "", -40.0, 20.0), Drawn("red", "2", 60.0, -50.0, 40.0)
    film.show([Drawn("red", "3", -40.0, 20.0)])
    film.show([blank], hand=200)
    (doubted,) = film.show([blank], 14)[-1].dice
    assert (doubted.colour, doubted.doubt) == ("red", ("face",))
    film.show([blank], hand=200)
    assert lying(film.show([blank, thrown], 14)[-1]) == [("red", "2", "field", "2x")]
