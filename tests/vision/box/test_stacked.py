"""A die that lands on another in the same throw is reported in doubt, and so is the one below."""

from __future__ import annotations

import cv2

from tests.vision.box.drawn_box import LAYOUT, NOISE, Drawn, draw
from vision.box.dice import look_box
from vision.box.dice_set import DiceSet
from vision.box.pose_fit import register_box
from vision.sightings import DieSeen


def looked_at(dice: DiceSet, *drawn: Drawn) -> dict[str | None, DieSeen]:
    picture = cv2.add(draw(list(drawn)), NOISE[0])
    found = look_box(picture, register_box(picture, LAYOUT), LAYOUT, dice)
    return {f.die.colour: f.die for f in found}


def test_a_die_on_another_is_told_in_doubt_where_it_stands(enrolled: DiceSet) -> None:
    lower = Drawn("white", "1", -69.0, 60.0, 60.0, sides=True)
    upper = Drawn("red", "2", -69.0, 61.0, 25.0, z=16.0, sides=True)
    told = looked_at(enrolled, lower, upper)
    assert (told["red"].face, told["red"].cocked, told["red"].doubt) == ("2", True, ("cocked",))
    assert abs(told["red"].center_mm[0] + 69) < 1 > abs(told["red"].center_mm[1] - 61)
    assert told["white"].face is None
    assert "cocked" in told["white"].doubt


def test_a_die_whose_own_side_shows_stands_on_the_floor(enrolled: DiceSet) -> None:
    told = looked_at(enrolled, Drawn("red", "2", -69.0, 61.0, 25.0, sides=True))
    assert {colour: die.doubt for colour, die in told.items()} == {"red": ()}


def test_two_dice_side_by_side_are_no_stack(enrolled: DiceSet) -> None:
    told = looked_at(
        enrolled,
        Drawn("white", "1", -54.0, 61.0, 0.0, sides=True),
        Drawn("red", "2", -71.0, 61.0, 0.0, sides=True),
    )
    assert {colour: die.doubt for colour, die in told.items()} == {"red": (), "white": ()}
