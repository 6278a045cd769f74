"""The printed tags (ArUco, DICT_4X4_50): where their corners lie on the table and in a picture."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64
from vision.layout import Tag
from vision.sightings import Picture

_WORDS = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
_APART = 0.05
"""Distance of two squares, as a share of their perimeter, below which they count as one. With OpenCV's own
0.125 a tag and its white paper do: the larger of the two is then read, and one of five noisy frames lacks a
tag."""


def tag_corners_mm(tag: Tag) -> Float64:
    """The corners (4, 3) of a tag's black square in ArUco's order: clockwise from the printed upper left."""
    x, y, z = tag.center_mm
    h = tag.size_mm / 2
    return np.array([[x - h, y + h, z], [x + h, y + h, z], [x + h, y - h, z], [x - h, y - h, z]])


def find_tags(picture: Picture, wanted: Collection[int] | None = None) -> dict[int, Float64]:
    """Every ArUco tag (DICT_4X4_50) in a BGR or grey picture: id to its corners (4, 2) in pixels.

    The search stops early once all `wanted` tags are found.
    """
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    found = _detect(grey)
    if wanted is not None and all(number in found for number in wanted):
        return found
    # In a dim picture a black square and its paper differ too little: raise the contrast and search again.
    spread = cv2.createCLAHE(4.0, (8, 8)).apply(grey)
    for tag, corners in _detect(spread).items():
        found.setdefault(tag, corners)
    return found


def _detect(grey: NDArray[Any]) -> dict[int, Float64]:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 4
    settings.minMarkerDistanceRate = _APART
    corners, ids, _ = cv2.aruco.ArucoDetector(_WORDS, settings).detectMarkers(grey)
    numbers = [] if ids is None else np.asarray(ids).ravel().tolist()
    return {
        int(number): np.asarray(places, dtype=np.float64).reshape(4, 2)
        for number, places in zip(numbers, corners, strict=True)
    }
