"""Locates a card by its own picture alone, where the other pictures cannot place it exactly.

If all cards lay on one mark, no picture shows the ground within their outlines. The change there ends at
the print on one side and at the card's shadow on the other; the card itself has four edges in its size.
"""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np

from vision.arrays import Float64
from vision.cards.outline import order_corners
from vision.cards.rectangle import EdgeImage, fit_boxes
from vision.sightings import Picture

_SHIFTS_PX = (-3.0, -1.5, 0.0, 1.5, 3.0)
"""Offsets from the card's place, in pixels along both axes, from which its edges are sought."""
_TURNS = (-0.02, 0.02)
_REACH_PX = 1.6
_LEAST_SUPPORT, _LEAST_WEAKEST = 0.55, 0.28
"""Least support in total and of the weakest side: below, it is often print, shadow or a square of cloth."""


def on_own_edges(frame: Picture, corners: Float64) -> Float64:
    """The rectangle (4, 2) moved by a few pixels to where all its sides lie on edges, if there is one."""
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.float32)
    (x, y), along = corners.mean(axis=0), corners[1] - corners[0]
    size = (float(np.linalg.norm(along)), float(np.linalg.norm(corners[2] - corners[1])))
    angle = float(np.arctan2(along[1], along[0]))
    places = [
        ((float(x + right), float(y + down)), angle + turn)
        for right, down, turn in product(_SHIFTS_PX, _SHIFTS_PX, _TURNS)
    ]
    boxes = fit_boxes(EdgeImage.of(grey), places, size, _REACH_PX)
    best = max(boxes, key=lambda box: box.support + box.weakest)
    if best.support < _LEAST_SUPPORT or best.weakest < _LEAST_WEAKEST:
        return corners  # a printed frame fits on two sides and leaves the third on no edge
    return order_corners(best.corners)
