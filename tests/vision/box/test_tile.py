"""Dice on bet tiles: cut by the picture's edge, on a tile of their own colour, or a thing that is no die."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import LAYOUT, SIZE, Drawn, draw, lit
from vision.box.background import Ground
from vision.box.dice import look_box
from vision.box.dice_set import DiceSet
from vision.box.pose_fit import register_box
from vision.box.tile import reaches_out
from vision.sightings import DieSeen, Picture

ON_TILE = Drawn("green", "3", -138.0, 96.0, 20.0)


def raised(picture: Picture, by_px: int) -> Picture:
    """Move the camera down: what was at the top of the picture is out of view."""
    move = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, -by_px]])
    return np.asarray(cv2.warpAffine(picture, move, picture.shape[1::-1]), np.uint8)


def bets(picture: Picture, dice: DiceSet) -> list[DieSeen]:
    fit = register_box(picture, LAYOUT)
    return [f.die for f in look_box(picture, fit, LAYOUT, dice) if f.die.where.startswith("bet")]


def test_a_die_that_the_pictures_edge_cuts_lies_on_its_tile_in_doubt(enrolled: DiceSet) -> None:
    (whole,) = bets(raised(draw([ON_TILE]), 70), enrolled)
    assert (whole.colour, whole.face, whole.doubt) == ("green", "3", ())
    (cut,) = bets(raised(draw([ON_TILE]), 112), enrolled)
    assert (cut.colour, cut.face, cut.where, cut.doubt) == ("green", None, "bet:A", ("face",))
    assert bets(raised(draw([]), 112), enrolled) == []


def test_a_tile_that_reaches_over_the_edge_may_hide_a_die(enrolled: DiceSet) -> None:
    (bet,) = LAYOUT.bets
    assert not reaches_out(register_box(draw([]), LAYOUT), bet, 16.0)
    assert reaches_out(register_box(raised(draw([]), 90), LAYOUT), bet, 16.0)


def test_a_thing_on_a_tile_is_a_die_in_doubt_and_a_shadow_is_none(enrolled: DiceSet) -> None:
    coin = draw([])
    cv2.circle(coin, (150, 95), 15, (70, 190, 215), -1)
    (thing,) = bets(coin, enrolled)
    assert (thing.colour, thing.face, thing.doubt) == (None, None, ("colour", "face"))
    shaded = draw([])
    shaded[80:110, 130:170] = lit(shaded, (0.4, 0.4, 0.4))[80:110, 130:170]
    assert bets(shaded, enrolled) == []


def test_a_die_is_read_on_a_tile_half_of_its_own_colour_and_in_dim_warm_light(enrolled: DiceSet) -> None:
    """Two of its sides show, and the empty tile explains why the others do not."""

    def half_green(picture: Picture) -> Picture:
        seen = picture.copy()
        seen[95:115, 118:142][np.abs(seen[95:115, 118:142].astype(int) - (140, 40, 120)).max(axis=2) < 20] = (
            60,
            130,
            30,
        )
        return seen

    empty = half_green(draw([]))
    ground = Ground.of(empty, register_box(empty, LAYOUT), LAYOUT)
    seen = lit(half_green(draw([ON_TILE])), (0.3, 0.5, 0.7))
    (die,) = bets(seen, replace(enrolled, ground=ground))
    assert (die.colour, die.face) == ("green", "3")


def aside(picture: Picture, by_px: tuple[float, float]) -> Picture:
    """Show the box through another lens: the tile's print, and what lies on it, appears shifted a little."""
    moved = cv2.warpAffine(picture, np.array([[1.0, 0.0, by_px[0]], [0.0, 1.0, by_px[1]]]), SIZE)
    seen = picture.copy()
    seen[30:160, 85:220] = moved[30:160, 85:220]
    return seen


@pytest.mark.parametrize("by_px", [(0.0, 0.0), (3.2, -3.2), (-8.0, 5.0)])
def test_a_tiles_own_sign_seen_some_millimetres_aside_is_no_die(
    enrolled: DiceSet, by_px: tuple[float, float]
) -> None:
    empty = draw([ON_TILE])  # the print there looks like a die
    ground = Ground.of(empty, register_box(empty, LAYOUT), LAYOUT)
    assert bets(aside(empty, by_px), replace(enrolled, ground=ground)) == []


def test_a_die_beside_such_a_sign_is_read(enrolled: DiceSet) -> None:
    empty = draw([ON_TILE])
    ground = Ground.of(empty, register_box(empty, LAYOUT), LAYOUT)
    seen = aside(draw([ON_TILE, Drawn("red", "2", -118.0, 120.0, 20.0)]), (3.2, -3.2))
    (die,) = bets(seen, replace(enrolled, ground=ground))
    assert (die.colour, die.face) == ("red", "2")


def test_a_hand_that_rests_on_a_tiles_rim_is_no_die(enrolled: DiceSet) -> None:
    seen = draw([])
    cv2.rectangle(seen, (95, 60), (130, 128), (110, 140, 190), -1)
    assert bets(seen, enrolled) == []


def test_a_thing_that_lies_over_a_tiles_rim_is_a_die_in_doubt(enrolled: DiceSet) -> None:
    seen = draw([])
    cv2.rectangle(seen, (103, 80), (129, 106), (70, 190, 215), -1)
    (thing,) = bets(seen, enrolled)
    assert thing.doubt == ("colour", "face")
