"""A telephone plays a film beside the dice box: nobody waits for its end, and other motion is seen."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import FPS, NOISE, THROW, Drawn, Film, draw, lying
from vision.box.dice_set import DiceSet
from vision.box.restless import RestlessPlaces
from vision.sightings import Picture, ThrowSeen

SCREEN = (slice(300, 380), slice(20, 70))
"""Rows and columns of the telephone, on the table left of the box."""
SHAPE = (112, 200)
NOWHERE = np.zeros(SHAPE, bool)


@dataclass
class Beside:
    """A film of the box beside which a telephone lies."""

    film: Film

    def show(self, dice: list[Drawn], frames: int) -> list[ThrowSeen]:
        said: list[ThrowSeen] = []
        for _ in range(frames):
            picture = draw(dice)
            self._screen(picture, round(self.film.t * FPS) // 3)
            noise = NOISE[round(self.film.t * FPS) % len(NOISE)]
            said += self.film.eye.see(cv2.add(picture, noise), self.film.t)
            self.film.t += 1 / FPS
        return said

    def _screen(self, picture: Picture, shot: int) -> None:
        shown = np.random.default_rng(shot).integers(0, 250, (4, 3, 3), np.uint8)
        rows, columns = (part.stop - part.start for part in SCREEN)
        picture[SCREEN] = cv2.resize(shown, (columns, rows))

    def roll(self) -> None:
        for k in range(6):
            rolling = [Drawn("red", "1", -80 + 25 * k, 30 + 8 * k), Drawn("white", "2", 70 - 20 * k, -40)]
            assert self.show(rolling, 1) == []


def test_a_throw_is_told_at_once_though_a_film_plays_beside_the_box(film: Film) -> None:
    beside = Beside(film)
    beside.show([], 4 * FPS)
    beside.roll()
    (told, *_) = beside.show(THROW, 6)
    assert lying(told) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]
    assert told.rolled
    assert told.gap_s == 0.0


def test_a_throw_is_told_though_the_film_plays_from_the_start(enrolled: DiceSet) -> None:
    beside = Beside(Film(enrolled))
    beside.show([], 4 * FPS)
    beside.roll()
    (told, *_) = beside.show(THROW, 6)
    assert lying(told) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]


def stirred(places: RestlessPlaces, pictures: list[np.ndarray], t: float = 0.0) -> float:
    for moved in pictures:
        places.see(moved, t)
        t += 1 / FPS
    return t


@pytest.fixture
def flickers() -> np.ndarray:
    moved = NOWHERE.copy()
    moved[40:60, 10:20] = True
    return moved


def test_a_hand_that_comes_and_goes_is_no_film(flickers: np.ndarray) -> None:
    places, t = RestlessPlaces(), 0.0
    for _ in range(6):
        t = stirred(places, [*[flickers] * FPS, *[NOWHERE] * FPS], t)
        assert (places.beside(flickers, NOWHERE) == flickers).all()


def test_what_moves_over_the_box_is_never_left_aside(flickers: np.ndarray) -> None:
    places, box = RestlessPlaces(), NOWHERE.copy()
    box[:, 15:] = True
    stirred(places, [flickers, NOWHERE, NOWHERE] * 15)
    left = places.beside(flickers, box)
    assert left[:, 15:].sum() == flickers[:, 15:].sum()
    assert not left[:, :15].any()


def test_a_place_that_came_to_rest_is_watched_again(flickers: np.ndarray) -> None:
    places = RestlessPlaces()
    t = stirred(places, [flickers, NOWHERE, NOWHERE] * 15)
    assert not places.beside(flickers, NOWHERE).any()
    stirred(places, [NOWHERE] * 2 * FPS, t)
    assert places.beside(flickers, NOWHERE).any()
