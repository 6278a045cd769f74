"""When a box is still: a camera that trembles or is turned, arms in view, pictures left undecoded."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import FPS, NOISE, SIZE, THROW, Drawn, Film, draw, lying
from vision.box.dice_set import DiceSet
from vision.box.flights import Flights
from vision.box.frame_diff import changed, is_capped, small_copy, stirs
from vision.frame import Frame
from vision.sightings import Picture, ThrowSeen


def moved(picture: Picture, x: float, y: float, turn: float = 0.0) -> Picture:
    """Shift and turn the whole view, as if somebody had touched the camera."""
    warp = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
    warp[:, 2] += (x, y)
    return np.asarray(cv2.warpAffine(picture, warp, SIZE, borderMode=cv2.BORDER_REFLECT), np.uint8)


def on_wood(picture: Picture) -> Picture:
    """Add wood grain round the box, which shows when the camera moves."""
    grain = np.random.default_rng(2).normal(0, 40, (SIZE[1] // 12, SIZE[0] // 12))
    grain = cv2.resize(grain, SIZE, interpolation=cv2.INTER_NEAREST)
    table = (picture == (90, 110, 120)).all(axis=2)
    wood = np.clip(picture + grain[..., None] * table[..., None], 0, 255)
    return np.asarray(wood, np.uint8)


def watch(film: Film, pictures: list[Picture]) -> list[ThrowSeen]:
    said: list[ThrowSeen] = []
    for k, picture in enumerate(pictures):
        said += film.eye.see(cv2.add(picture, NOISE[k % len(NOISE)]), film.t)
        film.t += 1 / FPS
    return said


@pytest.mark.parametrize("turned", range(4))
def test_a_cap_before_a_side_of_the_lens_is_no_arm(turned: int) -> None:
    cap, arm = np.zeros((120, 200), bool), np.zeros((120, 200), bool)
    cap[:, 110:] = True
    arm[40:80, 60:] = True
    assert is_capped(np.rot90(cap, turned))
    assert not is_capped(np.rot90(arm, turned))


def test_dice_are_told_under_a_camera_that_trembles_by_a_pixel_or_two(film: Film) -> None:
    chance = np.random.default_rng(7).normal(0, 1.0, (40, 2))
    watch(film, [moved(draw([]), x, y) for x, y in chance[:16]])
    film.fly()
    said = watch(film, [moved(draw(THROW), x, y) for x, y in chance[16:24]])
    assert said
    assert lying(said[0]) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]


def test_a_die_that_rolls_under_a_trembling_camera_stirs() -> None:
    chance = np.random.default_rng(7).normal(0, 1.0, (6, 2))
    still = [small_copy(Frame(moved(draw(THROW), x, y))) for x, y in chance]
    assert not any(stirs(changed(one, two)) for one, two in pairwise(still))
    rolled = [THROW[0], Drawn("white", "X", 52.0, -50.0, 60.0)]
    assert stirs(changed(still[0], small_copy(Frame(moved(draw(rolled), *chance[1])))))


def test_a_camera_that_was_turned_sees_the_next_throw_at_once(enrolled: DiceSet) -> None:
    film = Film(enrolled)
    watch(film, [on_wood(draw([]))] * 16)
    said = watch(film, [moved(on_wood(draw(THROW)), 0, 0, 20.0)] * 6)
    assert said
    assert lying(said[-1]) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]


def test_an_arm_that_lies_in_view_hides_one_rest_and_not_those_after(film: Film) -> None:
    film.show(THROW, 16)
    assert film.show(THROW, 12, hand=240) == [], "it may hold dice"
    for k in range(36):
        film.show([Drawn("green", "1", -80 + 4 * k, 30), *THROW], 1, hand=240)
    (seen,) = film.show([THROW[1]], 5, hand=240)
    assert lying(seen) == [("white", "X", "field", "2x")]


def test_an_arm_that_rests_beside_the_box_delays_nothing(film: Film) -> None:
    film.show([], 16, hand=150)
    film.fly()
    (seen,) = film.show(THROW, 6, hand=150)
    assert lying(seen) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]


def test_two_throws_that_nobody_read_one_by_one_are_told_as_unseen() -> None:
    flights, hand = Flights(), np.zeros((150, 200), bool)
    die = np.zeros((150, 200), bool)
    die[70:76, 90:96] = True
    flights.still(die.shape)
    for k in range(8):
        flights.see(die, hand, 10.0 + k / 15)
    assert flights.rolled
    assert flights.missed_s(14.0) == 0.0
    for k in range(8):
        flights.see(die, hand, 14.0 + k / 15)
    assert flights.missed_s(15.0) == pytest.approx(5.0)
    flights.forget()
    assert not flights.rolled


def test_what_flies_for_longer_than_a_die_rolls_may_hide_a_throw() -> None:
    flights, hand = Flights(), np.zeros((150, 200), bool)
    screen = np.zeros((150, 200), bool)
    screen[70:80, 20:26] = True
    flights.still(screen.shape)
    for k in range(3 * FPS):
        flights.see(screen, hand, k / FPS)
    assert flights.missed_s(3.0) == 0.0
    for k in range(3 * FPS, 5 * FPS):
        flights.see(screen, hand, k / FPS)
    assert flights.missed_s(5.0) == pytest.approx(5.0)


def test_what_is_left_of_an_arm_that_looks_like_a_shade_in_parts_is_no_die() -> None:
    flights, hand = Flights(), np.zeros((150, 200), bool)
    arm = np.zeros((150, 200), bool)
    arm[60:110, 60:140] = True
    shade = arm.copy()
    shade[80:84, 90:94] = False
    flights.still(arm.shape)
    for k in range(8):
        flights.see(arm, hand, k / FPS, shade)
    assert not flights.rolled


def test_a_scrap_of_a_shade_is_no_die() -> None:
    flights, hand = Flights(), np.zeros((150, 200), bool)
    scrap, arm = np.zeros((150, 200), bool), np.zeros((150, 200), bool)
    scrap[70:76, 90:96] = True
    arm[100:150, 60:140] = True
    flights.still(scrap.shape)
    for k in range(8):
        flights.see(scrap | arm, hand, k / FPS, scrap)
    assert not flights.rolled


def test_a_die_beside_a_shade_flies() -> None:
    flights, hand = Flights(), np.zeros((150, 200), bool)
    shade, die = np.zeros((150, 200), bool), np.zeros((150, 200), bool)
    shade[60:110, 60:100] = True
    die[70:76, 120:126] = True
    flights.still(die.shape)
    for k in range(8):
        flights.see(shade | die, hand, k / FPS, shade)
    assert flights.rolled


def test_a_hand_that_waits_over_the_box_and_stirs_a_little_is_waited_for(film: Film) -> None:
    film.show(THROW, 16)
    for k in range(4):
        assert film.show(THROW, 6, hand=250) == []
        assert film.show([Drawn("red", "3", -40.0 + k, 20.0), THROW[1]], 1, hand=254) == []


def test_a_quiet_camera_frame_is_decoded_at_an_eighth_of_its_size(
    film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full decode costs more than twice as much."""
    jpeg = cv2.imencode(".jpg", draw(THROW), [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    for k in range(30):
        film.eye.see(Frame(jpeg=jpeg), 10 + k / FPS)
    asked: list[int] = []
    decode = cv2.imdecode

    def noted(buffer: np.ndarray, how: int) -> np.ndarray:
        asked.append(how & ~cv2.IMREAD_IGNORE_ORIENTATION)
        return np.asarray(decode(buffer, how))

    monkeypatch.setattr(cv2, "imdecode", noted)
    assert film.eye.see(Frame(jpeg=jpeg), 12.5) == []
    assert asked == [cv2.IMREAD_REDUCED_COLOR_8]
