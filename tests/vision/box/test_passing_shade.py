"""A shade that moves over the box during play: it is neither a hand nor a rolling die."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import FPS, NOISE, PX_MM, SIZE, THROW, Drawn, Film, draw, lit, lying
from tests.vision.restless_rooms import fan, moving_light
from vision.box.dice_set import DiceSet
from vision.box.frame_diff import changed, small_copy, stirs
from vision.box.motion_parameters import BOX_MOTION
from vision.box.passing_shade import creeping
from vision.frame import Frame
from vision.sightings import Picture, ThrowSeen

DEEP = (0.25, 0.26, 0.28)


def shaded(picture: Picture, rim_px: float, light: tuple[float, float, float] = DEEP) -> Picture:
    """Shade everything left of a soft rim."""
    clear = 1 / (1 + np.exp((rim_px - np.arange(SIZE[0])) / 3))[None, :, None]
    return np.asarray(picture * clear + lit(picture, light) * (1 - clear), np.uint8)


def roll(film: Film, rim_px: float) -> None:
    """Show dice that cross the box while a shade covers it up to a rim."""
    for k in range(1, 9):
        rolling = [Drawn("red", "1", -80 + 20 * k, 30 + 5 * k), Drawn("white", "2", 70 - 15 * k, -40)]
        assert watch(film, shaded(draw(rolling), rim_px * k / 8), 1) == []


def watch(film: Film, picture: Picture, frames: int) -> list[ThrowSeen]:
    said: list[ThrowSeen] = []
    for _ in range(frames):
        # The noise differs from frame to frame; otherwise the camera would seem frozen.
        said += film.eye.see(cv2.add(picture, NOISE[round(film.t * FPS) % len(NOISE)]), film.t)
        film.t += 1 / FPS
    return said


@pytest.mark.parametrize("rim_px", [320.0, 420.0])
def test_a_throw_under_a_shade_that_fell_meanwhile_is_told_at_once(film: Film, rim_px: float) -> None:
    roll(film, rim_px)
    said = watch(film, shaded(draw(THROW), rim_px), 6)
    assert said
    assert lying(said[0]) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]


def test_an_arm_in_that_shade_is_waited_for(film: Film) -> None:
    roll(film, 420.0)
    picture = draw(THROW)
    picture[240:320, :330] = (130, 160, 210)
    assert watch(film, shaded(picture, 420.0), 6) == []


def test_an_arm_that_looks_like_the_shaded_table_is_waited_for(film: Film) -> None:
    roll(film, 420.0)
    picture = draw(THROW)
    picture[240:320, 240:330] = (90, 110, 120)
    assert watch(film, shaded(picture, 420.0), 6) == []


def stirred(one: Picture, two: Picture) -> tuple[bool, bool]:
    """Whether anything moved from one frame to the next, and whether it was only a shade."""
    first, second = small_copy(Frame(one)), small_copy(Frame(two))
    moved = changed(first, second)
    return stirs(moved), not stirs(moved & ~creeping(first, second, moved))


def test_the_rim_of_a_shade_on_its_way_is_no_motion_and_a_die_is() -> None:
    bare, rolls = draw([]), [draw([Drawn("red", "1", x, 30.0)]) for x in (-60.0, -50.0)]
    assert stirred(shaded(bare, 300.0), shaded(bare, 308.0)) == (True, True)
    assert stirred(*rolls) == (True, False)
    assert stirred(shaded(rolls[0], 300.0), shaded(rolls[1], 308.0)) == (True, False)


def test_in_a_shade_a_dark_die_on_dark_print_is_looked_at() -> None:
    dim = (0.2, 0.2, 0.2)
    bare, laid = (small_copy(Frame(lit(draw(dice), dim))) for dice in ([], [Drawn("red", "2", 30.0, 40.0)]))
    top = 16.0 * PX_MM * bare.shape[1] / SIZE[0]
    assert changed(bare, laid, BOX_MOTION.faint).sum() > 0.7 * top**2 > changed(bare, laid).sum()


FAN = moving_light(fan)


def whirl(film: Film, dice: list[Drawn], frames: int) -> list[ThrowSeen]:
    said: list[ThrowSeen] = []
    for _ in range(frames):
        said += watch(film, FAN(draw(dice), round(film.t * FPS)), 1)
    return said


def test_a_throw_under_a_fan_is_told_once_it_lies(enrolled: DiceSet) -> None:
    film = Film(enrolled)
    whirl(film, [], 2 * FPS)
    for k in range(8):
        rolling = [Drawn("red", "1", -80 + 20 * k, 30 + 5 * k), Drawn("white", "2", 70 - 15 * k, -40)]
        assert whirl(film, rolling, 1) == []
    said = whirl(film, THROW, FPS)
    assert said
    assert lying(said[0]) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]
    assert said[0].rolled


def test_dice_that_roll_under_a_fan_are_not_at_rest(enrolled: DiceSet) -> None:
    film = Film(enrolled)
    whirl(film, [], 2 * FPS)
    said: list[ThrowSeen] = []
    for k in range(2 * FPS):
        x, y = 60 * np.cos(k / 3), 60 * np.sin(k / 3)
        said += whirl(film, [Drawn("red", "2", x, y, 20.0 * k)], 1)
    assert said == []


def test_an_arm_under_a_fan_is_waited_for(enrolled: DiceSet) -> None:
    film = Film(enrolled)
    whirl(film, [], 2 * FPS)
    # On so plain a table, arm and fan together may look like a cover; that reports no throw, either.
    for reach in (*range(220, 270, 10), *[270] * FPS):
        picture = draw(THROW)
        picture[250:300, :reach] = (130, 160, 210)
        said = watch(film, FAN(picture, round(film.t * FPS)), 1)
        assert not any(isinstance(told, ThrowSeen) for told in said)
    told = [seen for seen in whirl(film, THROW, 2 * FPS) if isinstance(seen, ThrowSeen)]
    assert told
    assert lying(told[0]) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]
