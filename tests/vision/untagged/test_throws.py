"""Throws are reported once per rest: a drawn table, frame by frame, and the shared films of real dice."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.shared import SHARED, needs
from tests.vision.strange_films import HOUSES
from tests.vision.untagged.thrown_film import FPS, Die, Film, faces
from vision.dice.found import FoundDie
from vision.dice.incremental_reader import PipReader
from vision.sightings import DieSeen, ThrowSeen
from vision.untagged.throws import Throws


def test_dice_that_come_to_rest_are_said_once() -> None:
    film = Film()
    film.roll()
    (throw,) = film.show([(2, 120, 100), (4, 220, 150)], 20)
    assert faces(throw) == ["2", "4"]
    assert throw.t == pytest.approx(6 / FPS + 0.133, abs=0.1), "decided on a frame of the rest"


def test_a_rest_of_a_fifth_of_a_second_counts() -> None:
    film = Film()
    film.roll()
    assert len(film.show([(2, 120, 100), (4, 220, 150)], 4)) == 1
    film.roll()
    assert len(film.show([(2, 320, 100), (1, 220, 70)], 4)) == 1


def test_three_pictures_alike_at_15_a_second_are_a_rest() -> None:
    """The rest began with the first of them."""
    film = Film()
    film.roll()
    assert len(film.show([(2, 120, 100), (4, 220, 150)], 3)) == 1


def test_two_pictures_alike_at_10_a_second_are_a_rest_unless_one_is_the_other_again() -> None:
    film = Film()
    rest: list[Die] = [(2, 120, 100), (4, 220, 150)]
    film.throws.see(film.draw([], 0, 0), 0.0)
    film.throws.see(film.draw([(1, 60, 90)], 0, 0), 0.1)
    still = film.draw(rest, 0, 0)
    assert film.throws.see(still, 0.2) == []
    assert film.throws.see(still, 0.3) == [], "the camera stalls"
    film.throws.see(film.draw([(1, 60, 90)], 0, 0), 0.4)
    assert film.throws.see(film.draw(rest, 0, 0), 0.5) == []
    (throw,) = film.throws.see(film.draw(rest, 0, 0), 0.6)
    assert faces(throw) == ["2", "4"]


def test_a_trembling_hand_may_hold_the_camera() -> None:
    """The edges of the box change with every picture; the dice lie still."""
    film = Film()
    film.roll()
    shifts = (2, 1, 2, 0, 1, 2, 0, 2, 1, 0)
    said = [s for k in shifts for s in film.show([(2, 120, 100), (4, 220, 150)], shift=k)]
    assert [faces(throw) for throw in said] == [["2", "4"]]


def test_dice_roll_on_though_the_camera_trembles() -> None:
    film = Film()
    film.show([(2, 120, 100)])
    for k in range(12):
        assert film.show([(2, 120, 100), (4, 180 + 3 * k, 150)], shift=k % 3) == []


def test_a_step_of_the_exposure_is_no_hand() -> None:
    film = Film()
    film.cloth = 150
    film.show([], 6)
    film.exposure = 0.8
    film.roll()
    (throw,) = film.show([(2, 250, 100), (4, 330, 150)], 6)
    assert faces(throw) == ["2", "4"]


def test_a_die_thrown_against_another_is_read_and_neither_twice() -> None:
    film = Film()
    film.roll()
    film.show([(2, 120, 100), (4, 220, 150)], 4)
    film.roll()
    (second,) = film.show([(2, 120, 100), (4, 220, 150), (1, 252, 150)], 4)
    assert faces(second) == ["1", "2", "4"]


def test_taking_dice_away_is_no_throw() -> None:
    film = Film()
    film.roll()
    film.show([(2, 120, 100), (4, 220, 150)], 6)
    film.show([(2, 120, 100), (4, 220, 150)], 2, hand=60)
    assert film.show([(4, 220, 150)], 10) == []
    assert film.show([], 10) == []


def test_a_hand_that_waits_over_the_table_is_waited_for() -> None:
    film = Film()
    film.roll()
    film.show([(2, 320, 100), (4, 220, 50)], 6)
    film.show([(2, 320, 100), (4, 220, 50)], 1, hand=50)
    assert film.show([(1, 350, 150), (4, 220, 50)], 10, hand=150) == []
    assert len(film.show([(1, 350, 150), (4, 220, 50)], 6)) == 1


def test_a_moving_camera_is_no_throw() -> None:
    film = Film()
    film.roll()
    film.show([(2, 120, 100), (4, 220, 150)], 6)
    for k in range(1, 6):
        assert film.show([(2, 120, 100), (4, 220, 150)], 1, shift=4 * k) == []
    assert film.show([(2, 120, 100), (4, 220, 150)], 10, shift=20) == []


def test_a_camera_that_creeps_is_no_throw() -> None:
    film = Film()
    film.roll()
    film.show([(2, 120, 100), (4, 220, 150)], 6)
    for k in range(1, 31):
        assert film.show([(2, 120, 100), (4, 220, 150)], shift=k) == []


def test_a_film_without_dice_says_nothing() -> None:
    film = Film()
    film.show([], 10)
    film.show([], 5, hand=100)
    film.show([], 10)
    assert film.said == []


def test_another_reader_may_be_lent() -> None:
    """The box lends a reader that knows millimetres; the timing stays the same."""
    die = DieSeen("blue", "X", (1.0, 2.0), 0.0, "field")
    throws = Throws(lambda picture: [FoundDie(die, (100.0, 100.0), 20.0)])
    blank = np.zeros((270, 480, 3), np.uint8)
    busy = blank.copy()
    busy[80:120, 80:120] = 255
    said = [s for k in range(12) for s in throws.see(busy if k > 3 else (blank, busy)[k % 2], k / FPS)]
    assert [s.dice for s in said] == [(die,)]


@needs("footage/real-throws")
def test_real_translucent_dice_are_read() -> None:
    film = cv2.VideoCapture(str(SHARED / "footage/real-throws/tirada_2.mp4"))
    film.set(cv2.CAP_PROP_POS_FRAMES, 61)
    _, picture = film.read()
    found = PipReader().read(np.asarray(picture, np.uint8)).found
    left_to_right = [f.die.face for f in sorted(found, key=lambda f: f.at_px[0])]
    assert left_to_right == ["3", "1", "2", "2", "3"]


@needs("footage/real-throws")
@pytest.mark.parametrize("kind", ["gradient", "banded", "dim", "glare"])
def test_real_throws_are_told_in_another_light(kind: str) -> None:
    """In light from one side two dice far apart look like the pips of a giant 2; mains bands never rest."""
    film, house = cv2.VideoCapture(str(SHARED / "footage/real-throws/tirada_1.mp4")), HOUSES[kind]
    throws, told = Throws(), list[ThrowSeen]()
    for number in range(75):
        picture = house(np.asarray(film.read()[1], np.uint8), number)
        told += [said for said in throws.see(picture, number / 30) if isinstance(said, ThrowSeen)]
    assert [faces(throw) for throw in told] == [["1", "1", "2", "3", "4"]]
