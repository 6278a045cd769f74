"""Brings a dim or coloured picture to the light in which thresholds hold.

CIELAB follows the eye, in which contrast fades with the light: at an eighth of it every edge and pip stands
out half as far, and in red or blue light nearly all of them fade. A gain in each channel makes up for that
(von Kries 1902). None is less than 1: what the sensor cut off does not come back.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.dice.brightening_parameters import BRIGHTENING
from vision.dice.colour import Vector, from_linear, to_linear
from vision.dice.pips import Lab
from vision.imgproc.srgb import LIGHT, from_light
from vision.sightings import Picture

_SPARSE = 8
"""Every so many pixels tell how light a picture is."""
WHITE: Lab = np.asarray(from_linear((BRIGHTENING.well_lit,) * 3), np.float32)
"""CIELAB of paper in a picture that is bright enough."""


def brightening(white: Lab | None, lightest: Vector | None, as_white: Lab | None = WHITE) -> Vector:
    """Gains (3,) BGR of linear light, none below 1, for paper (`white`, CIELAB) about as light as `as_white`.

    `lightest` (3,) BGR: the light of the lightest paper, of which nothing shall be cut off. 1 where no paper
    is seen; `as_white` is a well lit picture's, where no other is known.
    """
    if white is None or lightest is None or as_white is None:
        return np.ones(3)
    wanted, seen = BRIGHTENING.dimmer * to_linear(as_white), to_linear(white)
    most = np.clip(1.0 / np.maximum(lightest, 1.0 / BRIGHTENING.most), 1.0, BRIGHTENING.most)
    return np.clip(wanted / np.maximum(seen, wanted / BRIGHTENING.most), 1.0, most)


def exposure(picture: Picture) -> Vector:
    """The same gain (3,) for all channels, for a picture (h, w, 3) BGR in which no white is known."""
    h, w = picture.shape[:2]
    size = max(1, w // _SPARSE), max(1, h // _SPARSE)
    sparse = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    lightest = float(np.percentile(LIGHT[sparse.max(axis=2)], BRIGHTENING.lightest))
    return np.full(
        3,
        np.clip(
            BRIGHTENING.well_lit / max(lightest, BRIGHTENING.well_lit / BRIGHTENING.most),
            1.0,
            BRIGHTENING.most,
        ),
    )


def brightened(picture: Picture, gains: Vector) -> Picture:
    """The picture (h, w, 3) BGR uint8 with so much more light; itself where that is none."""
    if gains.max() <= 1.0:
        return picture
    return np.asarray(cv2.LUT(picture, from_light(LIGHT[:, None] * gains)[None]), np.uint8)
