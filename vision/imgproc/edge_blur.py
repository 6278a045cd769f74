"""Blur of a picture, measured on edges that are sharp on the table: the rims of printed tags."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

_ALONG = np.linspace(0.2, 0.8, 9)
"""Points along a side, as shares of its length, at which profiles are taken, away from the corners."""
_ACROSS = np.linspace(-0.14, 0.14, 41)
"""Sample points of a profile to both sides of the edge, as shares of a side: nearly one black module deep."""
_LEAST_CONTRAST = 40.0
"""Least grey levels between the two sides of an edge that is measured."""
_BURNT = 254.0
"""Grey level from which on white may be clipped, which makes the edge seem steeper than it is."""
_LEAST_RISE = 0.5
"""Least rise of a profile from its black end to its white one, over its range; less means it is covered."""


def edge_blur_px(grey: NDArray[np.uint8], squares_px: ArrayLike) -> float | None:
    """The standard deviation in pixels of the blur across the rims of black squares on white.

    `grey` (h, w) is the picture, `squares_px` (n, 4, 2) the corners of the squares in it. Sides that are
    hidden by a hand or cut by the picture's rim, or whose white is clipped, are left out; None where no side
    is left. A step of contrast c blurred by a Gaussian has a steepest slope of c / (sigma sqrt(2 pi)). The
    result includes the sensor's pixels and the interpolation between them: half a pixel, to be subtracted as
    a variance.
    """
    start = np.asarray(squares_px, float).reshape(-1, 4, 2)
    side = np.roll(start, -1, axis=1) - start
    away = np.stack([-side[..., 1], side[..., 0]], axis=-1)
    outward = ((start - start.mean(axis=1, keepdims=True)) * away).sum(axis=-1, keepdims=True) > 0
    away = np.where(outward, away, -away)
    places = start[..., None, None, :] + _ALONG[:, None, None] * side[..., None, None, :]
    places = places + _ACROSS[:, None] * away[..., None, None, :]
    h, w = grey.shape
    inside = ((places >= 0) & (places <= (w - 1, h - 1))).all(axis=(-1, -2, -3))
    places, length = places[inside], np.linalg.norm(side, axis=-1)[inside]
    if not len(places):
        return None
    x, y = np.moveaxis(places.astype(np.float32).reshape(-1, len(_ACROSS), 2), -1, 0)
    seen = cv2.remap(grey, x, y, cv2.INTER_LINEAR).reshape(-1, len(_ALONG), len(_ACROSS))
    profile = np.median(seen, axis=1)
    contrast = profile.max(axis=1) - profile.min(axis=1)
    slope = (profile[:, 3:] - profile[:, :-3]).max(axis=1) / (3 * (_ACROSS[1] - _ACROSS[0]) * length)
    rises = profile[:, -1] - profile[:, 0] > _LEAST_RISE * contrast
    told = rises & (contrast >= _LEAST_CONTRAST) & (profile.max(axis=1) < _BURNT)
    if not told.any():
        return None
    return float(np.median(contrast[told] / (slope[told] * np.sqrt(2 * np.pi))))
