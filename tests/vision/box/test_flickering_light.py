"""A mains lamp over a dice box: bands roll through the picture, and dice still come to rest."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.box.drawn_box import FPS, NOISE, SIZE, THROW, Drawn, Film, draw, lying
from vision.imgproc.flicker import Deflicker
from vision.sightings import Picture, ThrowSeen

DEEP = 0.15
ROLLED = [Drawn("red", "2", -60.0, 20.0, 40.0), Drawn("white", "1", 35.0, -30.0, 65.0)]


def flickering(picture: Picture, t: float) -> Picture:
    """Light each row of a picture (h, w, 3) at its own moment by a lamp that flickers at 100 Hz."""
    gain = 1 - DEEP * (1 + np.sin(2 * np.pi * (100.13 * t + 1.6 * np.arange(SIZE[1]) / SIZE[1])))
    rows = np.repeat(gain.astype(np.float32)[:, None], SIZE[0], axis=1)
    return np.asarray(cv2.multiply(picture, cv2.merge([rows, rows, rows]), dtype=cv2.CV_8U), np.uint8)


def watch(film: Film, picture: Picture, frames: int) -> list[ThrowSeen]:
    said: list[ThrowSeen] = []
    for _ in range(frames):
        noise = NOISE[round(film.t * FPS) % len(NOISE)]
        said += film.eye.see(cv2.add(flickering(picture, film.t), noise), film.t)
        film.t += 1 / FPS
    return said


def roll(film: Film) -> None:
    """Show dice that cross the box without a hand."""
    for k in range(6):
        rolling = [Drawn("red", "1", -80 + 25 * k, 30 + 8 * k), Drawn("white", "2", 70 - 20 * k, -40)]
        assert watch(film, draw(rolling), 1) == []


def test_throws_are_told_under_a_lamp_that_flickers(film: Film) -> None:
    watch(film, draw([]), 3 * FPS)
    roll(film)
    first = watch(film, draw(THROW), FPS)
    assert first
    assert lying(first[0]) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]
    roll(film)
    second = watch(film, draw(ROLLED), FPS)
    assert second
    assert lying(second[0]) == [("red", "2", "field", "1x"), ("white", "1", "field", "2x")]


def test_dice_that_roll_under_such_a_lamp_are_not_at_rest(film: Film) -> None:
    watch(film, draw([]), 3 * FPS)
    said: list[ThrowSeen] = []
    for k in range(30):
        x, y = 60 * np.cos(k / 3), 60 * np.sin(k / 3)
        said += watch(film, draw([Drawn("red", "2", x, y, 20.0 * k)]), 1)
    assert said == []


def test_under_a_steady_lamp_the_picture_stays_as_it_is() -> None:
    small = np.random.default_rng(1).integers(0, 255, (112, 200, 3), np.uint8)
    deflicker = Deflicker()
    assert all(deflicker.steadied(small) is small for _ in range(20))
