"""Brings a dim picture to the light in which thresholds hold: paper shall be light grey, at least.

CIELAB follows the eye, in which contrast fades with the light: at an eighth of it every edge and pip stands
out half as far. A gain makes up for that. It is the same in all channels: a lamp keeps its colour.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.dice.colour import to_linear
from vision.dice.pips import Lab
from vision.imgproc.srgb import LIGHT, from_light
from vision.sightings import Picture

_PAPER = 0.65
"""Linear light of paper, of a full pixel, below which a picture is dim."""
_MOST = 16.0
"""No larger gain: a step of the sensor would be as large as ink."""


def brightened(picture: Picture, white: Lab | None) -> Picture:
    """The picture (h, w, 3) BGR uint8 with its paper (`white`, CIELAB) no darker than light grey.

    Itself where it is bright enough, or where no paper is seen.
    """
    gain = 1.0 if white is None else _PAPER / max(float(to_linear(white).mean()), _PAPER / _MOST)
    return picture if gain <= 1.0 else np.asarray(cv2.LUT(picture, from_light(LIGHT * gain)), np.uint8)
