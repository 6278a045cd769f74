"""A camera that compresses hard: in dim light, blocks of its pictures flip from colour step to step."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.evening import Evening, downs, names
from vision.imgproc.change_detection import Relit, lift_in_noise
from vision.imgproc.temporal_noise import TemporalNoise
from vision.sightings import CardsGone, Picture
from vision.synthetic.scene import CardLying

Cells = NDArray[np.uint8]
GROUND = np.full((96, 160, 3), 18, np.uint8)


def measured(frames: list[Cells]) -> float | None:
    noise, told = TemporalNoise(), None
    for frame in frames:
        told = noise.see(frame) or told
    return told


def flipping(number: int) -> Cells:
    """In every frame, one block of four by four cells in twelve is a step brighter."""
    flips = np.random.default_rng(number).random((24, 40)) < 1 / 12
    return np.asarray(GROUND + 9 * np.kron(flips, np.ones((4, 4)))[..., None], np.uint8)


def grainy(number: int) -> Cells:
    noise = np.random.default_rng(number).normal(0, 0.7, GROUND.shape)
    return np.asarray((GROUND + noise).round(), np.uint8)


def test_blocks_that_flip_are_measured_and_grain_is_small() -> None:
    assert measured([flipping(n) for n in range(20)]) == 9
    assert (measured([grainy(n) for n in range(20)]) or 99) <= 3


def test_a_hand_that_moves_and_frames_that_are_repeated_are_no_noise() -> None:
    frames = []
    for n in range(40):
        frame = grainy(n // 2)
        cv2.circle(frame, (20 + n, 48), 14, (90, 120, 160), -1)
        frames.append(np.asarray(frame, np.uint8) if n % 2 == 0 else frames[-1])
    assert (measured(frames) or 99) <= 3


def test_light_that_is_never_still_says_nothing_of_noise() -> None:
    assert measured([np.asarray(GROUND + 4 * (n % 2), np.uint8) for n in range(40)]) is None


def test_a_lift_follows_noise_that_is_worth_it_and_keeps_what_was_seen() -> None:
    assert lift_in_noise(8.0, 9.0) == 36.0
    assert lift_in_noise(20.0, 5.0) == 20.0
    light = np.log(np.array([[[17.0]], [[90.0]], [[250.0]]], np.float32) + 8)
    assert np.allclose(np.exp(Relit(8.0, 36.0).of(light)) - 36, [[[17]], [[90]], [[250]]], atol=1e-3)


def dim_and_packed(picture: Picture, t: float) -> Picture:
    grain = np.random.default_rng(round(t * 15)).normal(0, 6, picture.shape)
    dim = np.clip(picture * np.float32(0.35) + grain, 0, 255).astype(np.uint8)
    data = cv2.imencode(".jpg", dim, [cv2.IMWRITE_JPEG_QUALITY, 22])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize("ground", [(90, 50, 30), (70, 105, 45)])
def test_cards_are_told_in_order_on_a_dim_table_though_its_pictures_are_packed_hard(
    ground: tuple[int, int, int],
) -> None:
    evening = Evening(ground=ground, lamps=dim_and_packed)
    evening.wait(26)
    for seat, name in (("S1", "red-8"), ("S2", "blue-4"), ("S3", "green-7")):
        evening.play(seat, name)
    evening.wait(10)
    assert names(evening) == ["red-8", "blue-4", "green-7"]
    assert all(card.sure for card in downs(evening))


def test_cards_that_lay_there_before_the_camera_was_known_are_told_when_they_go() -> None:
    evening = Evening(ground=(90, 50, 30), lamps=dim_and_packed, watched=False)
    evening.cards = [
        CardLying("red-8", evening.middle("S1"), 5.0),
        CardLying("blue-4", evening.middle("S3"), 5.0),
    ]
    evening._watched = True
    evening.wait(30)
    table = evening.eye._table
    assert table is not None
    for card in evening.eye.tracker.cards:
        apart = np.abs(card.light - table.scene.settled)[:, card.place]
        assert np.median(apart) < 0.1, "how it looked is known in the light as it is seen now"
    evening.reach("S3", evening.middle("S3"), take=True)
    evening.wait(20)
    assert sorted(names(evening)) == ["blue-4", "red-8"]
    assert sum(len(seen.keys) for seen in evening.seen if isinstance(seen, CardsGone)) == 2
