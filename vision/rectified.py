"""The table seen straight from above: each picture is resampled onto a grid of millimetres.

Resampling a frame is one `cv2.remap`; its maps are kept where whole plans are drawn, else made per window.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Float64
from vision.geometry import Registration
from vision.imgproc.black_bars import Bars
from vision.layout import Layout
from vision.sightings import Picture

Window = tuple[int, int, int, int]
"""A part of a plan in plan pixels: x0, y0 (inclusive), x1, y1 (exclusive)."""

_KNOT = 8
"""Plan pixels between the points that are projected exactly; those in between are interpolated linearly."""


@dataclass(frozen=True, slots=True)
class RegisteredPicture:
    """A picture (h, w, 3) BGR, the pose of the table in it, and that table's layout."""

    picture: Picture
    registration: Registration
    layout: Layout


class Plan:
    """A top view of a mat with `mm_per_px` millimetres per pixel and a margin of `margin_mm` round the mat.

    `shrunk` is the factor by which the pictures given to `draw` are smaller than the registered ones.
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
        self._shrunk = shrunk
        self.bars = Bars()
        """Black bars in the pictures given to `draw`, where the camera sees nothing."""
        # Distortion varies slowly: every eighth point is projected, the others interpolated (to 0.02 pixels).
        across, down = _knots(self.width), _knots(self.height)
        xs, ys = np.meshgrid(across, down)
        knots = registration.to_px(self.to_mm(np.column_stack([xs.ravel(), ys.ravel()])))
        self._knots: Float64 = (knots.reshape(len(down), len(across), 2) + 0.5) / shrunk - 0.5

    @cached_property
    def valid(self) -> NDArray[np.bool_]:
        """Mask (h, w) of the plan's pixels that the camera sees (computed once)."""
        width, height = (side / self._shrunk for side in self.registration.size_px)
        x, y = self._places((0, 0, self.width, self.height))
        top, bottom, left, right = self.bars
        within = (x > left) & (y > top) & (x < width - 1 - right) & (y < height - 1 - bottom)
        return np.asarray(within)

    @property
    def rows(self) -> NDArray[np.float32]:
        """The row (h, w) of the camera's picture, or of its shrunk copy, in which each plan pixel is seen."""
        return self._places((0, 0, self.width, self.height))[1]

    def draw(self, picture: Picture, window: Window | None = None) -> NDArray[Any]:
        """Resample a picture or its shrunk copy to the plan or a `window` of it; channels and dtype stay."""
        places, between = self._whole if window is None else self._maps(window)
        return cv2.remap(picture, places, between, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)

    @cached_property
    def _whole(self) -> tuple[Any, Any]:
        """The maps of the whole plan: six bytes per pixel, kept only for callers that draw all of it."""
        return self._maps((0, 0, self.width, self.height))

    def _maps(self, window: Window) -> tuple[Any, Any]:
        return cv2.convertMaps(*self._places(window), cv2.CV_16SC2)

    def _places(self, window: Window) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Where the camera sees a window's pixels: x and y in pixels of the picture, (h, w) each."""
        x0, y0, x1, y1 = window
        down, rows = _between(self._knots.shape[0], self.height, slice(y0, y1))
        across, columns = _between(self._knots.shape[1], self.width, slice(x0, x1))
        near = self._knots[rows, columns]
        x, y = ((down @ near[..., axis] @ across.T).astype(np.float32) for axis in (0, 1))
        return x, y

    def to_mm(self, points: ArrayLike) -> Float64:
        """Millimetres (n, 2) of plan pixels (n, 2)."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 2) + 0.5
        return np.column_stack(
            [p[:, 0] * self.mm_per_px - self.half_mm[0], self.half_mm[1] - p[:, 1] * self.mm_per_px]
        )

    def to_px(self, points_mm: ArrayLike) -> Float64:
        """Plan pixels (n, 2) of millimetres (n, 2)."""
        p = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        return np.column_stack(
            [
                (p[:, 0] + self.half_mm[0]) / self.mm_per_px - 0.5,
                (self.half_mm[1] - p[:, 1]) / self.mm_per_px - 0.5,
            ]
        )

    def fill(self, polygon_mm: ArrayLike) -> NDArray[np.bool_]:
        """Mask (h, w) of the plan pixels inside a polygon (n, 2) in millimetres."""
        mask = np.zeros((self.height, self.width), np.uint8)
        corners = np.round(self.to_px(polygon_mm) * 16).astype(np.int32)
        cv2.fillPoly(mask, [corners], 1, shift=4)
        return mask.astype(bool)


def _knots(length: int) -> Float64:
    """Evenly spaced positions from 0 to length - 1, at most `_KNOT` apart."""
    return np.linspace(0, length - 1, max(2, -(-length // _KNOT) + 1))


def _between(knots: int, length: int, part: slice) -> tuple[Float64, slice]:
    """Weights (positions, knots) of linear interpolation for a part of all positions, and the knots used."""
    at = np.arange(length)[part] * (knots - 1) / (length - 1)
    near = np.arange(int(at[0]), min(int(at[-1]) + 2, knots))
    weights = np.maximum(0.0, 1.0 - np.abs(at[:, None] - near))
    return np.asarray(weights, np.float64), slice(int(near[0]), int(near[-1]) + 1)
