"""Colours in doubt: a die that surely lies elsewhere is ruled out, and no two dice get one colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.box.drawn_box import BODIES, LAYOUT, Drawn, draw
from vision.box.dice import look_box
from vision.box.dice_set import DiceSet
from vision.box.pose_fit import register_box
from vision.box.reader import BoxReader
from vision.dice.pips import to_lab

ORANGE = (20, 110, 230)
FADED = Drawn("faded", "2", -50.0, 40.0)
OTHER, WHITE = Drawn("orange", "3", -60.0, -50.0), Drawn("white", "1", 60.0, 50.0)


@pytest.fixture
def enrolled_too(enrolled: DiceSet, monkeypatch: pytest.MonkeyPatch) -> DiceSet:
    """Enrol an orange die, too, and paint between red and orange, as another camera shows red."""
    mixed = 0.55 * np.array(BODIES["red"]) + 0.45 * np.array(ORANGE)
    monkeypatch.setitem(BODIES, "faded", tuple(int(v) for v in mixed))
    monkeypatch.setitem(BODIES, "orange", ORANGE)
    body = to_lab(np.array([[ORANGE]], np.uint8))[0, 0].astype(np.float64)
    return replace(
        enrolled,
        bodies=enrolled.bodies | {"orange": body},
        inks=enrolled.inks | {"orange": enrolled.inks["red"]},
    )


def names(dice: DiceSet, *drawn: Drawn) -> list[str | None]:
    picture = draw(list(drawn))
    found = look_box(picture, register_box(picture, LAYOUT), LAYOUT, dice)
    return sorted((f.die.colour for f in found), key=str)


def test_a_colour_between_two_is_the_nearer_one_where_the_other_surely_lies_elsewhere(
    enrolled_too: DiceSet,
) -> None:
    assert names(enrolled_too, FADED) == [None]
    assert names(enrolled_too, FADED, WHITE) == [None, "white"]
    assert names(enrolled_too, FADED, OTHER) == ["orange", "red"]


def test_two_dice_in_doubt_are_not_both_the_one_that_is_missing(enrolled_too: DiceSet) -> None:
    other = Drawn("faded", "3", -20.0, -80.0)
    assert names(enrolled_too, FADED, other, OTHER) == [None, None, "orange"]
    assert names(enrolled_too, FADED, Drawn("red", "3", -20.0, -80.0), OTHER) == [None, "orange", "red"]


def test_a_die_without_a_name_gets_it_once_the_other_lies_there(enrolled_too: DiceSet) -> None:
    reader = BoxReader(LAYOUT, enrolled_too)
    reader.read(draw([]))
    assert [f.die.colour for f in reader.read(draw([FADED]), np.ones((150, 200), bool))] == [None]
    changed = np.zeros((150, 200), bool)
    changed[88:106, 62:84] = True
    found = reader.read(draw([FADED, OTHER]), changed)
    assert sorted(f.die.colour or "" for f in found) == ["orange", "red"]


def test_a_die_named_once_this_evening_is_known_again_when_the_other_is_gone(enrolled_too: DiceSet) -> None:
    reader, everywhere = BoxReader(LAYOUT, enrolled_too), np.ones((150, 200), bool)
    reader.read(draw([]))
    reader.read(draw([FADED, OTHER]), everywhere)
    thrown = replace(FADED, face="3", x=-30.0)
    assert [f.die.colour for f in reader.read(draw([thrown]), everywhere)] == ["red"]


def test_a_die_without_a_name_beside_where_one_lay_does_not_stand_on_it(enrolled_too: DiceSet) -> None:
    """It may be the same die, pushed a little."""
    reader, everywhere = BoxReader(LAYOUT, enrolled_too), np.ones((150, 200), bool)
    reader.read(draw([]))
    reader.read(draw([Drawn("red", "2", -50.0, 40.0)]), everywhere)
    (found,) = reader.read(draw([replace(FADED, x=-43.0)]), everywhere)
    assert (found.die.colour, found.die.cocked) == (None, False)
