"""Lamps, their colours and people's shadows: light that is locally even and has no sharp edge anywhere."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.evening import Evening, names
from vision.sightings import CardsGone, HandSeen, Picture

RED, BLUE, GREEN = (0.1, 0.1, 0.7), (0.6, 0.2, 0.1), (0.1, 0.6, 0.1)


def away(picture: Picture, x: float, y: float) -> np.ndarray:
    """Distance of every pixel from a point, all in picture heights."""
    height, width = picture.shape[:2]
    ys, xs = np.ogrid[:height, :width]
    return np.hypot(xs / height - x * width / height, ys / height - y).astype(np.float32)


def lit(picture: Picture, light: np.ndarray) -> Picture:
    """The picture with `light` (h, w, 1 or 3) times as much light."""
    gain = np.ascontiguousarray(np.broadcast_to(light, picture.shape), np.float32)
    return cv2.multiply(picture, gain, dtype=cv2.CV_8U)


@pytest.mark.parametrize("colours", [(RED, BLUE), (BLUE, GREEN)])
def test_a_lamp_at_a_seat_that_changes_its_colour_is_no_hand_and_delays_no_card(
    colours: tuple[tuple[float, ...], ...],
) -> None:
    evening = Evening()
    glow = np.exp(-((away(evening.picture(), 0.5, 1.0) / 0.42) ** 2))[..., None]
    lights = [1 + glow * np.array(colour) for colour in colours]
    evening.lamps = lambda picture, t: lit(picture, lights[int(t / 1.3) % 2])
    evening.wait(18)
    for seat, name in (("S1", "red-8"), ("S1", "green-9")):
        evening.play(seat, name)
        evening.wait(2)
        assert names(evening)[-1:] == [name]
    assert len([s for s in evening.seen if isinstance(s, HandSeen)]) <= 2


def test_a_shadow_of_somebody_who_leant_over_the_table_hides_no_card_when_it_has_gone() -> None:
    evening = Evening()

    def leant(picture: Picture, t: float) -> Picture:
        reach = 1.45 - 0.75 * max(0.0, np.sin(1.4 * t)) ** 0.5
        edge = np.exp((away(picture, 0.35, reach) - 0.45) / 0.03)
        return lit(picture, (1 - 0.5 / (1 + edge))[..., None])

    evening.lamps = leant
    evening.wait(34)
    for seat, name in (("S1", "red-8"), ("S2", "blue-3")):
        evening.play(seat, name)
        evening.wait(2)
        assert names(evening)[-1:] == [name]


def beam(picture: Picture, gain: float) -> Picture:
    """A hard beam of sun across the middle of the table."""
    height, width = picture.shape[:2]
    rays = np.ones((height, width), np.float32)
    corners = [(0.3, 0.0), (0.55, 0.0), (0.75, 1.0), (0.5, 1.0)]
    cv2.fillPoly(rays, [np.array([(x * width, y * height) for x, y in corners], np.int32)], gain)
    rays = cv2.GaussianBlur(rays, (0, 0), 2.0)
    return np.asarray(cv2.multiply(picture, cv2.merge([rays, rays, rays]), dtype=cv2.CV_8U), np.uint8)


def test_a_beam_of_sun_that_falls_on_the_table_hides_no_card() -> None:
    """It has edges all round, as a hand has; within it the table is only brighter."""
    evening = Evening(ground=(105, 105, 105))
    came = evening.t + 0.8
    evening.lamps = lambda picture, t: beam(cv2.convertScaleAbs(picture, alpha=0.6), 1.6 if t > came else 1.0)
    evening.wait(14)
    evening.play("S1", "red-8", (10.0, -40.0), pause=6)
    assert names(evening) == ["red-8"]
    evening.reach("S2", (10.0, -40.0), take=True)
    assert [(len(s.keys), s.hand) for s in evening.seen if isinstance(s, CardsGone)] == [(1, "S2")]


def leaning(picture: Picture, depth: float) -> Picture:
    """Somebody between the lamp and the lower half of the table takes away that share of its light."""
    return lit(picture, 1 - depth / (1 + np.exp((away(picture, 0.5, 0.8) - 0.45) / 0.02))[..., None])


@pytest.mark.parametrize("depth", [0.42, 0.5])
@pytest.mark.parametrize("at", [(0.0, -60.0), (40.0, -30.0)])
def test_a_card_laid_in_a_shadow_is_seen_though_its_paper_is_as_dark_as_the_mat_was(
    depth: float, at: tuple[float, float]
) -> None:
    evening = Evening(ground=(130, 130, 130))
    evening.wait(6)
    came = evening.t + 0.4
    evening.lamps = lambda picture, t: leaning(picture, depth if t > came else 0.0)
    evening.play("S1", "red-8", at)
    evening.wait(12)
    assert names(evening) == ["red-8"]


def test_a_card_that_a_deep_shadow_makes_as_dark_as_the_mat_still_lies_there() -> None:
    evening = Evening(ground=(125, 125, 125))
    evening.play("S1", "red-8", (0.0, -40.0))
    evening.wait(6)
    middle = evening.t + 1.2
    evening.lamps = lambda picture, t: lit(
        picture,
        1 - 0.47 * (abs(t - middle) < 0.9) / (1 + np.exp((away(picture, 0.5, 0.6) - 0.4) / 0.03))[..., None],
    )
    evening.wait(40)
    assert not [s for s in evening.seen if isinstance(s, CardsGone)]
