"""Where a die may lie unseen: in a burnt-out reflection or a strange thing; not in print, dice or shadows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import LAYOUT, NOISE, SIZE, THROW, Drawn, Film, draw, lit
from vision.box.dice_set import DiceSet
from vision.box.reader import BoxReader
from vision.sightings import Picture


def glaring(picture: Picture, at: tuple[int, int], reach: float = 24.0) -> Picture:
    """Add the reflection of a lamp at a pixel of the floor: the same light in every channel."""
    y, x = np.mgrid[: SIZE[1], : SIZE[0]]
    spot = 1.5 * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * reach**2))
    linear = (picture / 255.0) ** 2.2 + spot[..., None]
    return np.asarray((linear.clip(0, 1) ** (1 / 2.2) * 255 + 0.5).astype(np.uint8))


def test_a_die_may_lie_unseen_in_a_burnt_out_reflection(enrolled: DiceSet) -> None:
    """Nothing is found in it, whether or not a die lies there."""
    lamp = 423, 173  # 40 mm to the right, 60 mm up
    for dice in (THROW, [*THROW, Drawn("green", "1", 40.0, 60.0)]):
        reader = BoxReader(LAYOUT, enrolled)
        found = reader.read(glaring(draw(dice), lamp))
        assert sorted(f.die.colour or "" for f in found) == ["red", "white"]
        (area,) = reader.hiding
        assert area[0] < 36.0 < 44.0 < area[2]
        assert area[1] < 56.0 < 64.0 < area[3]


@pytest.mark.parametrize("what", ["dice", "turned", "bright", "dim", "half in the shade", "small spot"])
def test_where_print_and_dice_show_none_lies_unseen(enrolled: DiceSet, what: str) -> None:
    picture = draw(THROW, 30.0 if what == "turned" else 0.0)
    if what == "half in the shade":
        picture[:, 300:] = lit(picture, (0.3, 0.33, 0.36))[:, 300:]
    if what in ("bright", "dim"):
        picture = lit(picture, (1.4,) * 3 if what == "bright" else (0.3,) * 3)
    if what == "small spot":
        picture = glaring(picture, (423, 173), 3.0)
    reader = BoxReader(LAYOUT, enrolled)
    reader.read(picture)
    assert reader.hiding == ()


def test_a_thing_of_a_dies_size_and_no_known_paint_may_be_or_hide_a_die(film: Film) -> None:
    film.fly()
    picture = draw(THROW)
    cv2.rectangle(picture, (410, 160), (436, 186), (200, 60, 200), -1)
    said = [s for k in range(6) for s in film.eye.see(cv2.add(picture, NOISE[k % 3]), film.t + k / 15)]
    assert said
    (area,) = said[0].hiding_mm
    assert area[0] < 40.0 < area[2]
