"""How lamps and daylight fall on the table: smooth over more than a card's size, without things on it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Mask
from vision.imgproc.change_detection import COARSE_MM, Coarse
from vision.mat.scene_parameters import SCENE


def spread(drift: Coarse, free: Mask) -> Coarse:
    """The drift (3, h, w) of the light where the table is `free` to be seen, else that of its surroundings.

    What lies under a hand or in a lamp's patch is given the light of its surroundings: left as it was, it
    would leave a seam that nothing casts.
    """
    height, width = free.shape
    weight = free.astype(np.float32)
    size = (width // 4, height // 4)
    near = cv2.GaussianBlur(cv2.resize(weight, size, interpolation=cv2.INTER_AREA), (0, 0), SCENE.near_px)
    out = np.empty_like(drift)
    for plane, onto in zip(drift, out, strict=True):
        part = cv2.GaussianBlur(
            cv2.resize(plane * weight, size, interpolation=cv2.INTER_AREA), (0, 0), SCENE.near_px
        ) / (near + np.float32(1e-3))
        onto[...] = np.where(free, plane, cv2.resize(part, (width, height)))
    return out


def shadow(drift: Coarse, things: Mask) -> Coarse | None:
    """How much darker each place's surroundings became (h, w), as logarithms; None where no shadow lies.

    `drift` (3, h, w) is how the light differs from that of the settled table; `things` (h, w) cast no shadow.
    What is brighter than its surroundings and as narrow as a card is left out.
    """
    darker = np.where(things, np.float32(0), drift.mean(axis=0))
    if np.count_nonzero(darker < SCENE.shade) < SCENE.wide:
        return None
    return np.asarray(
        cv2.morphologyEx(darker, cv2.MORPH_OPEN, np.ones((SCENE.card, SCENE.card), np.uint8)), np.float32
    )


def smooth(plane: Coarse) -> Coarse:
    """The median of a plane (h, w) over a hand's breadth each way: things are left out, light stays.

    A median answers waves slightly shorter than its window with the wrong sign, and following it would
    amplify them for ever; the blur after it removes them.
    """
    height, width = plane.shape
    small = cv2.resize(plane, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    levels = np.asarray(np.rint(small * (120 / SCENE.most_drift) + 128), np.uint8)
    blur = SCENE.smooth_mm / (4 * COARSE_MM)  # half of that, in the pixels of a plane at half size
    middle = cv2.medianBlur(levels, SCENE.smooth_mm // int(2 * COARSE_MM) | 1).astype(np.float32)
    even = cv2.GaussianBlur((middle - np.float32(128)) * np.float32(SCENE.most_drift / 120), (0, 0), blur)
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
