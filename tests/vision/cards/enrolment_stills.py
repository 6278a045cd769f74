"""Stills for tests of enrolment: cards on plain ground, drawn here."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cards.still import Still
from vision.sightings import Picture

CARD_PX = (120, 180)


def on_ground(ground: tuple[int, int, int], seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0, 2, (420, 560, 3))
    return np.clip(np.full((420, 560, 3), ground) + noise, 0, 255).astype(np.uint8)


def still(number: int, sheet: bool = False) -> Still:
    """A light card with a dark bar on dark ground; with `sheet`, a larger sheet of paper lies beside it.

    No hand lays two cards on exactly one place: each lies a little farther left.
    """
    picture = on_ground((50, 60, 55), number)
    x, y = 60 + 3 * (4 - number), 100 + (4 - number)
    cv2.rectangle(picture, (x, y), (x - 1 + CARD_PX[0], y - 1 + CARD_PX[1]), (215, 220, 215), -1)
    cv2.rectangle(picture, (x + 30, y + 30 + 8 * number), (x + 90, y + 45 + 8 * number), (30, 30, 160), -1)
    if sheet:
        cv2.rectangle(picture, (260, 20), (519, 399), (250, 252, 250), -1)
    return Still(
        f"card-{number}", f"card-{number}.png", cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.uint8)
    )
