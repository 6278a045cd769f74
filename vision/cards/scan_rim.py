"""The rim round a scanned card: the white of the lid that a scanner shows beside the card, cut off.

White on all four sides, with nothing in it but one body of a card's shape and straight edges, is a rim where
most scans of a deck have one. A narrow white rim is a card's own, as is one in which its index stands. A
white card of which the lid shows no edge cannot be told from its rim.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64
from vision.cards.outline import order_corners, sides_of
from vision.cards.parameters import SCAN
from vision.sightings import Picture


def within_rims(pictures: Sequence[Picture]) -> list[Float64 | None]:
    """The corners (4, 2) of the card in each scan (h, w, 3) that shows a rim, else None."""
    found = [_within_rim(picture) for picture in pictures]
    rimmed = sum(corners is not None for corners in found)
    return found if rimmed > SCAN.most * len(found) else [None] * len(found)


def _within_rim(picture: Picture) -> Float64 | None:
    height, width = picture.shape[:2]
    scale = min(1.0, SCAN.look_px / min(height, width))
    size = np.array([max(1, round(width * scale)), max(1, round(height * scale))])
    small = np.asarray(cv2.resize(picture, size.tolist(), interpolation=cv2.INTER_AREA), np.uint8)
    other = _unlike_rim(small)
    outlines, _ = cv2.findContours(other, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    body = max(outlines, key=cv2.contourArea)
    corners = order_corners(cv2.boxPoints(cv2.minAreaRect(body)))
    short, long_ = sides_of(corners)
    if not SCAN.squarest * short < long_ < SCAN.longest * short:
        return None
    rim = min(corners.min(), (size - 1 - corners.max(axis=0)).min())
    if rim < SCAN.least_rim * short or cv2.contourArea(body) < SCAN.filled * short * long_:
        return None
    outside = other.copy()
    cv2.fillPoly(outside, [np.asarray(body, np.int32)], (0,))
    if outside.mean() > SCAN.speckled:
        return None
    out = corners - corners.mean(axis=0)  # from the pixels' middles to their outer edges
    return np.asarray(
        (corners + 0.5 * np.sign(out) + 0.5) * np.array([width, height]) / size - 0.5, np.float64
    )


def _unlike_rim(picture: Picture) -> NDArray[np.uint8]:
    """What of a picture (h, w, 3) is unlike its rim: 1, else 0; nothing where that is not white."""
    rim = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]]).astype(np.float32)
    white = np.median(rim, axis=0)
    other = np.abs(picture.astype(np.float32) - white).max(axis=2) > SCAN.step
    spoilt = (np.abs(rim - white).max(axis=1) > SCAN.step).mean() > SCAN.speckled
    return np.asarray(other & bool(white.min() > SCAN.white and not spoilt), np.uint8)
