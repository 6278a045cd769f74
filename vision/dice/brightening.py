"""Brighten a dim or coloured picture to the light for which the thresholds hold.

CIELAB follows the eye, for which contrast fades with the light: at an eighth of it every edge and pip stands
out half as far, and in red or blue light nearly all of them fade. A gain for each channel makes up for that
(von Kries 1902). No gain is less than 1, because what the sensor clipped cannot be recovered.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.dice.brightening_parameters import BRIGHTENING
from vision.dice.colour import Vector, from_linear, to_linear
from vision.dice.pips import Lab
from vision.imgproc.srgb import LIGHT, from_light
from vision.sightings import Picture


def well_lit() -> Lab:
    """CIELAB colour of paper in a picture that is bright enough."""
    return np.asarray(from_linear((BRIGHTENING.well_lit,) * 3), np.float32)


def brightening(white: Lab, lightest: Vector, as_white: Lab | None) -> Vector:
    """Gains (3,) BGR of linear light, at least 1, for paper (`white`, CIELAB) about as light as `as_white`.

    `lightest` (3,) BGR is the light of the lightest paper, which must not be clipped. All gains are 1 where
    `as_white` is None; for a well-lit picture it is `well_lit()`.
    """
    if as_white is None:
        return np.ones(3)
    wanted, seen = BRIGHTENING.dimmer * to_linear(as_white), to_linear(white)
    most = np.clip(1.0 / np.maximum(lightest, 1.0 / BRIGHTENING.most), 1.0, BRIGHTENING.most)
    return np.clip(wanted / np.maximum(seen, wanted / BRIGHTENING.most), 1.0, most)


def exposure(small: Picture) -> Vector:
    """Gains (3,), equal in all channels, from a small copy (h, w, 3) BGR of a picture with no known white."""
    lightest = float(np.percentile(LIGHT[small.max(axis=2)], BRIGHTENING.lightest))
    most = BRIGHTENING.most
    return np.full(3, np.clip(BRIGHTENING.well_lit / max(lightest, BRIGHTENING.well_lit / most), 1.0, most))


def brightened(picture: Picture, gains: Vector) -> Picture:
    """Multiply the linear light of a picture (h, w, 3) BGR uint8 by `gains`; unchanged where all are 1."""
    if gains.max() <= 1.0:
        return picture
    return np.asarray(cv2.LUT(picture, from_light(LIGHT[:, None] * gains)[None]), np.uint8)
