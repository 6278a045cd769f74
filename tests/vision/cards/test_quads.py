"""Outlines of cards in a photograph, as small as a camera over a whole table shows them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cards.quads import quads_in
from vision.sightings import Picture


def table(corners: np.ndarray) -> Picture:
    """A light card (4, 2) with a red bar on green felt, 1920 x 1080 pixels."""
    picture = np.full((1080, 1920, 3), (60, 100, 45), np.uint8)
    cv2.fillPoly(picture, [np.round(corners * 16).astype(np.int32)], (220, 225, 222), cv2.LINE_AA, 4)
    inner = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 0.4
    cv2.fillPoly(picture, [np.round(inner * 16).astype(np.int32)], (40, 40, 180), cv2.LINE_AA, 4)
    noise = np.random.default_rng(3).normal(0, 3, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("angle", [0.3, 1.2])
def test_a_card_of_85_pixels_on_a_whole_table_is_outlined(angle: float) -> None:
    c, s = np.cos(angle), np.sin(angle)
    card = np.array([[-30, -42.5], [30, -42.5], [30, 42.5], [-30, 42.5]]) @ [[c, s], [-s, c]] + (1300, 420)
    found = [corners for score, corners in quads_in(table(card)) if score > 0.5]
    assert found
    assert all(np.hypot(*(corners.mean(axis=0) - (1300, 420))) < 1.5 for corners in found)
