"""Washed-out cards: burnt paper and lifted ink still name a face; nothing is read that is not there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.evening import deck
from vision.cards.overexposure import glance_washed, read_washed
from vision.sightings import Picture

DECK = deck()


def face(name: str) -> Picture:
    return DECK.pictures[DECK.names.index(name)]


def washed(name: str, lifted: float) -> Picture:
    """A face overexposed through haze: gain 1.4 and `lifted` grey levels more, clipped at white."""
    noise = np.random.default_rng(5).normal(0, 2, face(name).shape)
    return np.clip(face(name) * 1.4 + lifted + noise, 0, 255).astype(np.uint8)


def under_lamp(name: str, strength: float) -> Picture:
    """A face with a lamp's image beside its middle: a round haze that lifts paper and ink alike."""
    height, width = face(name).shape[:2]
    y, x = np.mgrid[:height, :width]
    spot = strength * np.exp(-((x - 0.7 * width) ** 2 + (y - 0.4 * height) ** 2) / (2 * (0.45 * width) ** 2))
    return np.clip(face(name) + spot[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", ["red-7", "blue-5"])
def test_a_washed_out_card_is_read_through_its_haze(name: str) -> None:
    reading = read_washed(DECK.faces, washed(name, 90))
    assert reading.name == name
    assert reading.likeness > 0.6
    # `read` itself removes a lamp's image: where that is enough nothing more is tried.
    assert reading.likeness >= DECK.faces.read(washed(name, 90)).likeness


def test_a_card_with_a_lamps_image_in_it_is_read_where_it_is_not_burnt() -> None:
    dazzled = under_lamp("green-6", 170)
    reading = read_washed(DECK.faces, dazzled)
    assert reading.name == "green-6"
    assert reading.likeness > 0.6 > DECK.faces.read(dazzled).likeness
    assert glance_washed(DECK.faces, dazzled) > DECK.faces.glance(dazzled)


def test_a_clear_card_is_read_as_it_is() -> None:
    assert read_washed(DECK.faces, face("blue-5")) == DECK.faces.read(face("blue-5"))


def test_burnt_paper_without_ink_bears_no_face() -> None:
    empty = np.full_like(face("red-7"), 255)
    empty[40:70, 20:60] = 235
    reading = read_washed(DECK.faces, cv2.GaussianBlur(empty, (0, 0), 3).astype(np.uint8))
    assert reading.likeness < 0.35 or reading.margin < 0.2
