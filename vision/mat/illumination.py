"""How lamps and daylight lie over the table: smooth over more than a card's size, things left out."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imgproc.change_detection import COARSE_MM, Coarse, Mask

MOST_DRIFT = 0.6
"""So much the light of one place is followed at once, as a logarithm."""
_SMOOTH_MM = 200
_BLUR = _SMOOTH_MM / (4 * COARSE_MM)
"""Half of that, in the pixels of a plane at half size."""
SHADED = -0.25
"""A shadow at least so deep makes paper as dark as a mat that is clearly darker than paper."""
SHADE = -0.15
"""A fainter shadow leaves paper as bright as it must be to be seen."""
_WIDE = 300
"""A shadow of fewer places is a hand's."""
_CARD = 19
"""No card is so wide both ways, in places."""
_NEAR = 2.0
"""Reach of what is round about a hand, in pixels of a plane at a quarter of the size."""


def spread(drift: Coarse, free: Mask) -> Coarse:
    """The drift (3, h, w) of the light where the table is `free` to be seen, elsewhere as it is round about.

    What lies under a hand or in a lamp's patch has the light of its surroundings: were it left as it was, a
    seam would stand there that nothing casts.
    """
    height, width = free.shape
    weight = free.astype(np.float32)
    size = (width // 4, height // 4)
    near = cv2.GaussianBlur(cv2.resize(weight, size, interpolation=cv2.INTER_AREA), (0, 0), _NEAR)
    out = np.empty_like(drift)
    for plane, onto in zip(drift, out, strict=True):
        part = cv2.GaussianBlur(
            cv2.resize(plane * weight, size, interpolation=cv2.INTER_AREA), (0, 0), _NEAR
        ) / (near + np.float32(1e-3))
        onto[...] = np.where(free, plane, cv2.resize(part, (width, height)))
    return out


def shadow(drift: Coarse, things: Mask) -> Coarse | None:
    """How much darker it has become round about each place (h, w), as logarithms; None where no shadow lies.

    `drift` (3, h, w) is how the light differs from that of the settled table; `things` (h, w) cast none. What
    is brighter than all round about and as narrow as a card is left out.
    """
    darker = np.where(things, np.float32(0), drift.mean(axis=0))
    if np.count_nonzero(darker < SHADE) < _WIDE:
        return None
    return np.asarray(cv2.morphologyEx(darker, cv2.MORPH_OPEN, np.ones((_CARD, _CARD), np.uint8)), np.float32)


def smooth(plane: Coarse) -> Coarse:
    """The median of a plane (h, w) within a hand's breadth each way: things are left out, light stays.

    A median answers to waves a little shorter than itself with the wrong sign, and what follows it would
    drive them up for ever: the blur after it leaves none of them.
    """
    height, width = plane.shape
    small = cv2.resize(plane, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    levels = np.asarray(np.rint(small * (120 / MOST_DRIFT) + 128), np.uint8)
    middle = cv2.medianBlur(levels, _SMOOTH_MM // int(2 * COARSE_MM) | 1).astype(np.float32)
    even = cv2.GaussianBlur((middle - np.float32(128)) * np.float32(MOST_DRIFT / 120), (0, 0), _BLUR)
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
