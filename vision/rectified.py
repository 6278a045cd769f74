"""The table seen straight from above: every picture drawn anew on a grid of millimetres.

The maps are made once for a registration; drawing a frame is then one `cv2.remap`.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry import Registration
from vision.sightings import Picture

Floats = NDArray[np.float64]
Window = tuple[int, int, int, int]
"""A part of a plan in its pixels: x0, y0 and, just beyond it, x1, y1."""

_KNOT = 8


class Plan:
    """A top view of a mat with `mm_per_px` millimetres a pixel and a rim of `margin_mm` round the mat.

    `shrunk` says that the pictures handed to `draw` are that many times smaller than the registered ones.
    `valid` (h, w) bool: places that the camera really sees.
    """

    def __init__(
        self,
        registration: Registration,
        size_mm: tuple[float, float],
        mm_per_px: float = 1.0,
        margin_mm: float = 20.0,
        shrunk: int = 1,
    ) -> None:
        self.registration = registration
        self.mm_per_px = mm_per_px
        self.half_mm = (size_mm[0] / 2 + margin_mm, size_mm[1] / 2 + margin_mm)
        self.width = round(2 * self.half_mm[0] / mm_per_px)
        self.height = round(2 * self.half_mm[1] / mm_per_px)
        # A lens bends slowly: every eighth place is projected, the rest lies between (to 0.02 pixels).
        across, down = _knots(self.width), _knots(self.height)
        xs, ys = np.meshgrid(across, down)
        knots = registration.to_px(self.to_mm(np.column_stack([xs.ravel(), ys.ravel()])))
        knots = (knots.reshape(len(down), len(across), 2) + 0.5) / shrunk - 0.5
        grid = np.stack(
            [
                _between(down, self.height) @ knots[..., axis] @ _between(across, self.width).T
                for axis in (0, 1)
            ],
            axis=-1,
        ).astype(np.float32)
        width, height = registration.size_px[0] / shrunk, registration.size_px[1] / shrunk
        self.valid: NDArray[np.bool_] = (
            (grid[..., 0] > 0) & (grid[..., 1] > 0) & (grid[..., 0] < width - 1) & (grid[..., 1] < height - 1)
        )
        self._maps = cv2.convertMaps(grid[..., 0], grid[..., 1], cv2.CV_16SC2)

    def draw(self, picture: Picture, window: Window | None = None) -> NDArray[Any]:
        """The picture (or its shrunk copy) from above, same channels and dtype; only a `window` of it."""
        x0, y0, x1, y1 = window or (0, 0, self.width, self.height)
        places, between = (part[y0:y1, x0:x1] for part in self._maps)
        return cv2.remap(picture, places, between, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)

    def to_mm(self, points: ArrayLike) -> Floats:
        """Millimetres (n, 2) of plan pixels (n, 2)."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 2) + 0.5
        return np.column_stack(
            [p[:, 0] * self.mm_per_px - self.half_mm[0], self.half_mm[1] - p[:, 1] * self.mm_per_px]
        )

    def to_px(self, points_mm: ArrayLike) -> Floats:
        """Plan pixels (n, 2) of millimetres (n, 2)."""
        p = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        return np.column_stack(
            [
                (p[:, 0] + self.half_mm[0]) / self.mm_per_px - 0.5,
                (self.half_mm[1] - p[:, 1]) / self.mm_per_px - 0.5,
            ]
        )

    def fill(self, polygon_mm: ArrayLike) -> NDArray[np.bool_]:
        """Mask (h, w) of the places inside a polygon (n, 2) in millimetres."""
        mask = np.zeros((self.height, self.width), np.uint8)
        corners = np.round(self.to_px(polygon_mm) * 16).astype(np.int32)
        cv2.fillPoly(mask, [corners], 1, shift=4)
        return mask.astype(bool)


def _knots(length: int) -> Floats:
    """Places 0 … length - 1 at most `_KNOT` apart."""
    return np.linspace(0, length - 1, max(2, -(-length // _KNOT) + 1))


def _between(knots: Floats, length: int) -> Floats:
    """Weights (length, knots) that interpolate linearly between the knots."""
    at = np.arange(length) * (len(knots) - 1) / (length - 1)
    return np.asarray(np.maximum(0.0, 1.0 - np.abs(at[:, None] - np.arange(len(knots)))), np.float64)
