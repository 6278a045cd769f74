"""Changing light is no loss of sight until too little of it is left."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.camera_health.filmed import (
    Filmed,
    cover,
    lit,
    noisy,
)
from tests.vision.disturbed import relit


@pytest.mark.parametrize("gain", [0.5, 0.7, 1.3])
def test_a_lamp_that_is_switched_takes_no_sight(gain: float) -> None:
    film = Filmed()
    film.watch(20)
    seen = film.watch(20, lit(gain, (0.9, 1.0, 1.1))) + film.watch(20)
    assert sum(not frame for frame in seen) <= 4
    assert not film.news


def test_a_dimmer_may_go_down_step_by_step_and_a_candle_may_flicker() -> None:
    film = Filmed()
    film.watch(20)
    for step in range(1, 6):
        assert sum(film.watch(20, lit(0.78**step))) >= 18
    flickering = [film.watch(1, lit(0.3 * (1 + 0.13 * np.sin(frame * 1.9))))[0] for frame in range(60)]
    assert sum(flickering) > 50
    assert not film.news


def test_light_that_fades_over_half_a_second_is_lost_before_it_is_gone() -> None:
    film = Filmed()
    film.watch(20)
    began = film.t
    gains = [0.05 ** (step / 8) for step in range(1, 9)]
    assert not any(film.watch(1, lit(gain))[0] for gain in gains if gain < 0.4)
    film.watch(20, lit(0.05))
    film.watch(8)
    assert [news.why for news in film.news] == ["dark", "dark"]
    assert film.news[0].since - began < 0.3


def test_sight_that_flickers_is_one_gap() -> None:
    film = Filmed()
    film.watch(20)
    for _ in range(8):
        film.watch(5, cover(3, 3, 3))
        film.watch(2)
    film.watch(20)
    assert len(film.news) == 2


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_lamps_that_go_on_and_off_for_long_are_sight_lost_and_sight_is_back_when_they_burn(
    frames: int,
) -> None:
    film = Filmed()
    film.watch(12, noisy)
    for number in range(30):
        dark = number // frames % 2 == 0
        film.give(noisy(relit(film.table(), 0.5, (1, 1, 1)) if dark else film.table(), film.chance))
    film.watch(20, noisy)
    assert [(type(news).__name__, news.why) for news in film.news] == [
        ("SightLost", "dark"),
        ("SightBack", "dark"),
    ]
    assert film.health.why is None


def test_a_lamp_that_goes_off_on_and_off_again_is_no_loss_of_sight() -> None:
    film = Filmed()
    film.watch(12, noisy)
    for gain in (0.5, 1.0, *[0.5] * 12):
        film.give(noisy(relit(film.table(), gain, (1, 1, 1)), film.chance))
    film.watch(10, noisy)
    assert not film.news


@pytest.mark.parametrize("gains", [(0.76, 0.58, 0.44, 0.36), (0.35, 0.45, 0.59, 0.77, 1.0)])
def test_a_lamp_that_fades_in_or_out_does_not_flicker(gains: tuple[float, ...]) -> None:
    film = Filmed()
    film.watch(
        12, lambda picture, chance: noisy(relit(picture, 1.0 if gains[0] > 0.5 else 0.35, (1, 1, 1)), chance)
    )
    for gain in (*gains, *[gains[-1]] * 15):
        film.give(noisy(relit(film.table(), gain, (1, 1, 1)), film.chance))
    assert not film.news
