"""How much of a flat part of the box is inside the picture: tiles at its corners extend over the edge."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.geometry import Registration
from vision.sightings import Picture

FloorArea = tuple[float, float, float, float]
"""x0, y0, x1, y1 in millimetres of the box."""

_ASKED = 5
"""Points along each side tested for whether any part of an area is in view."""


def corners_mm(area: FloorArea) -> list[list[float]]:
    """Corners of an area as `Registration.flatten` takes them: upper left first, clockwise."""
    x0, y0, x1, y1 = area
    return [[x0, y1], [x1, y1], [x1, y0], [x0, y0]]


def seen_part(fit: Registration, area: FloorArea, z_mm: float, size: tuple[int, int]) -> Mask:
    """Mask (h, w) of a cut-out, `size` (width, height), of the plane at `z_mm`: what the picture shows."""
    w, h = size
    if is_whole(fit, area, z_mm):
        return np.ones((h, w), bool)
    x0, y0, x1, y1 = area
    xs, ys = x0 + (np.arange(w) + 0.5) * (x1 - x0) / w, y1 - (np.arange(h) + 0.5) * (y1 - y0) / h
    at = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    return _inside(fit, at, z_mm).reshape(h, w)


def is_in_view(fit: Registration, area: FloorArea, z_mm: float) -> bool:
    """Whether the picture holds any part of an area of the plane at `z_mm`."""
    return bool(seen_part(fit, area, z_mm, (_ASKED, _ASKED)).any())


def is_whole(fit: Registration, area: FloorArea, z_mm: float) -> bool:
    """Whether the picture holds all of an area of the plane at `z_mm`."""
    return bool(_inside(fit, np.array(corners_mm(area)), z_mm).all())  # a picture is convex


def flatten_on(
    picture: Picture, fit: Registration, area: FloorArea, z_mm: float, size: tuple[int, int]
) -> Picture:
    """As `Registration.flatten`, but beyond the picture's edge it repeats the edge instead of black.

    Black would add an edge of its own, and edges are what is sought.
    """
    w, h = size
    goal = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    corners = np.asarray(fit.to_px(corners_mm(area), z_mm), np.float32)
    warp = cv2.getPerspectiveTransform(corners, goal)
    flat = cv2.warpPerspective(picture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _inside(fit: Registration, at_mm: NDArray[np.float64], z_mm: float) -> Mask:
    px, (w, h) = fit.to_px(at_mm, z_mm), fit.size_px
    return np.asarray(((px >= 0) & (px <= (w - 1, h - 1))).all(axis=1))
