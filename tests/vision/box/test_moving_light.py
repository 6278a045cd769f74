"""Light wanders over the dice box and never rests: no throw is read, and the table reports that."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.box.drawn_box import FPS, NOISE, THROW, Film, draw
from vision.box.moving_light import MovingLight
from vision.sightings import LightFine, LightPoor, Picture

LIGHTS_S = 25


def _spot(picture: Picture, number: int) -> Picture:
    """Add a spot of coloured light at its place in frame `number`."""
    height, width = picture.shape[:2]
    at = (width // 2 + round(60 * np.cos(number / 3)), height // 2 + round(60 * np.sin(number / 3)))
    spot = cv2.circle(np.zeros_like(picture), at, 25, (60, 10, 80), -1)
    return np.asarray(cv2.add(picture, spot), np.uint8)


def test_light_that_never_rests_over_the_box_is_told_once_and_its_end_too(film: Film) -> None:
    """A whole game once went by without a throw and without a message."""
    picture, news = draw(THROW), []
    frames = [(FPS, False), (LIGHTS_S * FPS, True), (2 * FPS, False)]
    for count, spots in frames:
        for number in range(count):
            shown = _spot(picture, number) if spots else picture
            seen = film.eye.see(cv2.add(shown, NOISE[number % len(NOISE)]), film.t)
            news += [told for told in seen if isinstance(told, LightPoor | LightFine)]
            film.t += 1 / FPS
    poor, fine = news
    assert isinstance(poor, LightPoor)
    assert "has not come to rest for 20 s" in poor.why
    assert isinstance(fine, LightFine)


def test_hands_over_the_box_are_no_light_however_long_they_stay() -> None:
    unrest = MovingLight()
    assert [told for k in range(60 * FPS) for told in unrest.stir(k / FPS, hand=True)] == []
    assert not unrest.rest()


def test_frames_that_a_stall_lost_are_no_unrest() -> None:
    unrest = MovingLight()
    assert [told for k in range(20) for told in unrest.stir(k * 2.0, hand=False)] == []
