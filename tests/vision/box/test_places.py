"""Where in a box dice are searched for: each place once, whatever parts of the picture have changed."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import ArrayLike

from tests.vision.box.drawn_box import LAYOUT, THROW, Drawn, draw
from vision.box import background
from vision.box.background import FLOOR, Place
from vision.box.dice import BoxLook
from vision.box.dice_set import DiceSet
from vision.box.in_view import FloorArea, flatten_on
from vision.box.pose_fit import register_box
from vision.box.reader import BoxReader
from vision.geometry import Registration
from vision.sightings import Picture

DIE = Drawn("white", "2", -40.0, 20.0)
PARTS: list[FloorArea] = [(-80.0, -20.0, -36.0, 60.0), (-44.0, -20.0, 0.0, 60.0)]


def test_a_die_across_two_parts_that_have_changed_lies_in_one_place(enrolled: DiceSet) -> None:
    picture = draw([DIE])
    fit = register_box(picture, LAYOUT)
    (place,) = enrolled.ground.places(picture, fit, LAYOUT, lambda z_mm: PARTS)
    (same,) = enrolled.ground.places(picture, fit, LAYOUT)
    assert place.surface == same.surface == FLOOR
    assert place.area_mm == pytest.approx(same.area_mm, abs=1.5)


def test_each_surface_is_looked_at_where_something_has_changed_at_its_own_height(enrolled: DiceSet) -> None:
    picture = draw([DIE])
    asked: list[float] = []

    def nowhere(z_mm: float) -> list[FloorArea]:
        asked.append(z_mm)
        return []

    assert list(enrolled.ground.places(picture, register_box(picture, LAYOUT), LAYOUT, nowhere)) == []
    assert asked == [0.0, LAYOUT.bets[0].center_mm[2]]


@pytest.mark.parametrize(
    ("spots_mm", "less"), [((18.0, 20.0), True), ((9.0, 9.0), False), ((40.0, 18.0), False)]
)
def test_only_what_outlines_one_die_is_cut_out_with_little_room(
    spots_mm: tuple[float, float], less: bool
) -> None:
    """Round lone pips the cut-out must hold the whole die; round several dice their places are unknown."""
    w, h = (side / 2 + 0.9 * 16.0 for side in spots_mm)
    place = Place((-w, -h, w, h), 16.0, FLOOR)
    x0, y0, x1, y1 = place.snug(16.0).area_mm
    assert (x1 - x0 < 2 * w, y1 - y0 < 2 * h) == (less, less)
    assert x1 - x0 >= spots_mm[0] + 12.0


def test_a_die_that_is_not_sure_in_little_room_is_looked_at_with_more(enrolled: DiceSet) -> None:
    """The spots outline a whole die, but the die lies at the rim of the place."""
    picture = draw([DIE])
    look = BoxLook(picture, register_box(picture, LAYOUT), LAYOUT, enrolled)
    beside = Place((-80.0, -9.0, -31.0, 40.0), 16.0, FLOOR)
    snug = beside.snug(16.0)
    assert snug.area_mm[2] < DIE.x + 8.0
    assert [top.face.value for top in look.in_places([beside])] == [2]


def test_a_throw_costs_each_place_one_look_and_the_floor_two(
    enrolled: DiceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cutting out takes most time: the floor once for light and once for news, each place for spots and dice.

    One die of the set is missing, and it is not sought where another one is read.
    """
    cut_out: list[float] = []
    flatten = Registration.flatten

    def counted(fit: Registration, seen: Picture, corners: ArrayLike, *where: Any) -> Picture:
        cut_out.append(seen.shape[0])
        return flatten(fit, seen, corners, *where)

    def counted_on(seen: Picture, *where: Any) -> Picture:
        cut_out.append(seen.shape[0])
        return flatten_on(seen, *where)

    reader, before, after = BoxReader(LAYOUT, enrolled), draw([]), draw(THROW)
    reader.read(before)
    changed = cv2.resize(np.abs(after.astype(int) - before).max(axis=2).astype(np.uint8), (200, 150)) > 14
    monkeypatch.setattr(Registration, "flatten", counted)
    monkeypatch.setattr(background, "flatten_on", counted_on)
    assert len(reader.read(after, changed)) == len(THROW)
    assert len(cut_out) == 2 + 2 * len(THROW)
