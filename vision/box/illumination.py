"""The light over a box, place by place: the floor's brightness now over its brightness at enrolment.

Lamps are changed, dimmed or moved to one side. Because print reflects the same share of any light, the floor
measures the light wherever nothing lies on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.box.floor_parameters import FLOOR_VIEW
from vision.dice.colour import Vector, from_linear, to_linear
from vision.dice.pips import Lab
from vision.geometry import Registration
from vision.imgproc.srgb import LIGHT, from_light
from vision.layout import Layout, Point
from vision.sightings import Picture

_LEAST_GAIN = 0.02
"""Least gain of a lamp that is measured: below, the sensor's steps are as large as the print's contrast."""
_CELLS = 8
"""Cells along each side of the floor in which the light is measured."""
_CELL_PX = 16
_FLARE = 0.003
"""Light that lens and sensor add everywhere, over that of a full pixel in the light of enrolment."""
_LIT = np.float32(0.02)
"""Least light, over that of a full pixel, at which print shows how bright the lamp is now."""


_FINE, _EVERY = 4096, 23
"""Steps from black to white in which light is tabulated; stride of the pixels sampled for gains."""
_EIGHT = from_light(np.arange(_FINE + 1) / _FINE)


def linear(picture: Picture) -> Float32:
    """Convert a picture (h, w, 3) BGR uint8 to linear light, 0 to 1, float32."""
    return np.asarray(cv2.LUT(picture, LIGHT), np.float32)


def log_ratio(now: Picture, then: Picture) -> Float32:
    """Logarithms (…, 3) of the light of a picture BGR uint8 over that of another of the same print.

    The flare that lens and sensor add grows with the light. If both pictures were given the same flare, a dim
    lamp would seem strong in every channel in which the print is dark.
    """
    # A few hundred places are enough to measure the lamp's gain.
    few_now, few_then = (picture.reshape(-1, 3)[::_EVERY] for picture in (now, then))
    gains = [_gain(few_now[:, c], few_then[:, c]) for c in range(3)]
    known = [gain for gain in gains if gain is not None]
    usual = float(np.mean(known)) if known else 1.0
    flares = [_FLARE * (usual if gain is None else gain) for gain in gains]
    return np.asarray(cv2.subtract(_logarithms(now, flares), _logarithms(then, [_FLARE] * 3)), np.float32)


def _gain(now: NDArray[np.uint8], then: NDArray[np.uint8]) -> float | None:
    """Share of one channel's light that is left where print reflects it, at most 1; None where none does."""
    lit = LIGHT[then] > _LIT
    if not lit.any():
        return None
    return min(max(float(np.median(LIGHT[now[lit]] / LIGHT[then[lit]])), _LEAST_GAIN), 1.0)


def _logarithms(picture: Picture, flares: Sequence[float]) -> Float32:
    table = np.log(LIGHT[:, None] + np.asarray(flares, np.float32))
    return np.asarray(cv2.LUT(picture.reshape(-1, 1, 3), table[None]), np.float32).reshape(picture.shape)


def floor_seen(picture: Picture, fit: Registration, layout: Layout) -> Picture:
    """Flatten the whole floor, (n, n, 3) BGR uint8, at the resolution at which light is measured."""
    w, h = (side / 2 for side in layout.size_mm)
    n = _CELLS * _CELL_PX
    return fit.flatten(picture, [[-w, h], [w, h], [w, -h], [-w, -h]], (n, n))


@dataclass(frozen=True, slots=True)
class FloorLight:
    """Logarithms of the light now over that at enrolment: rows from +y down, (n, n, 3) BGR.

    `white` is the paper's CIELAB at enrolment, None where it was not seen; `half_mm`: half the floor's sides.
    """

    shares: Float32
    white: Lab | None
    half_mm: tuple[float, float]

    @classmethod
    def even(cls, share: Float32, white: Lab | None) -> FloorLight:
        """Make a light that is the same everywhere, from logarithms (3,) BGR."""
        return cls(np.array(np.broadcast_to(share, (_CELLS, _CELLS, 3)), np.float32), white, (1.0, 1.0))

    @classmethod
    def over(cls, now: Picture, then: Picture, white: Lab | None, layout: Layout) -> FloorLight | None:
        """Measure the light from two pictures of the floor (`floor_seen`); None if their print differs."""
        ratio = log_ratio(now, then)
        # Put each cell's pixels into one row.
        cells = ratio.reshape(_CELLS, _CELL_PX, _CELLS, _CELL_PX, 3).transpose(4, 0, 2, 1, 3)
        cells = cells.reshape(3, _CELLS, _CELLS, _CELL_PX**2)
        half = _CELL_PX**2 // 2
        middle = np.partition(cells, (half - 1, half), axis=3)[..., half - 1 : half + 1].mean(axis=3)
        off = np.abs(cells - middle[..., None])
        strange = (np.maximum(np.maximum(off[0], off[1]), off[2]) >= FLOOR_VIEW.strange).sum(axis=2)
        if 2 * int(strange.sum()) > ratio[..., 0].size:
            return None
        # A cell is bare where most of its pixels agree and its tint is that of the light; else dice fill it.
        shares = np.ascontiguousarray(middle.transpose(1, 2, 0))
        tint = shares - shares.mean(axis=2, keepdims=True)
        usual = np.median(tint, axis=(0, 1))
        bare = (1 - strange / _CELL_PX**2 > FLOOR_VIEW.bare) & (
            np.abs(tint - usual).max(axis=2) < FLOOR_VIEW.strange
        )
        if bare.mean() < FLOOR_VIEW.floor_seen:
            return None
        w, h = layout.size_mm
        return cls(_filled(shares, bare), white, (w / 2, h / 2))

    @property
    def brighter(self) -> bool:
        """Whether some place has so much more light than at enrolment that bright colours clip."""
        return bool(self.shares.max() > FLOOR_VIEW.brighter)

    def tint(self, gains: Vector) -> float:
        """Largest difference between channels in the lamp's gain since enrolment: a logarithm.

        `gains` (3,) BGR: factors that brightened the picture before the light was measured.
        """
        return float(np.ptp(np.median(self.shares, axis=(0, 1)) - np.log(gains)))

    def at(self, place: Point) -> Vector:
        """Light now over that at enrolment, at a place of the floor (mm), BGR."""
        (x, y), (w, h) = place, self.half_mm
        column, row = ((v * _CELLS - 0.5) for v in ((x + w) / (2 * w), (h - y) / (2 * h)))
        column, row = (min(max(v, 0.0), _CELLS - 1.0) for v in (column, row))
        left, up = min(int(column), _CELLS - 2), min(int(row), _CELLS - 2)
        right, down = column - left, row - up
        near = self.shares[up : up + 2, left : left + 2].astype(np.float64)
        over, under = near[:, 0] + (near[:, 1] - near[:, 0]) * right
        return np.asarray(np.exp(over + (under - over) * down), np.float64)

    def white_at(self, place: Point) -> Lab | None:
        """CIELAB colour of paper at a place (mm); None where unknown."""
        return None if self.white is None else self.put_on(self.white, place)

    def put_on(self, colour: Lab, place: Point) -> Lab:
        """Convert a colour at enrolment (CIELAB) to this light at a place (mm)."""
        return np.asarray(from_linear(to_linear(colour) * self.at(place)), np.float32)

    def taken_off(self, cut: Picture, area: tuple[float, float, float, float]) -> Picture:
        """Convert a part of the floor (x0, y0, x1, y1 in mm), (h, w, 3) BGR, to the light of enrolment."""
        lit = cv2.divide(linear(cut), self._over(cut.shape[:2], area), scale=_FINE, dtype=cv2.CV_32F)
        return _EIGHT.take(np.minimum(lit, np.float32(_FINE)).astype(np.intp))

    def at_most(self, then: Picture, area: tuple[float, float, float, float]) -> Picture:
        """Limit a part of the empty floor, (h, w, 3) BGR in its own light, to what `taken_off` can reach.

        In brighter light the sensor clips before a light floor is as bright as it should be.
        """
        if not self.brighter:
            return then
        full = np.minimum(_FINE / self._over(then.shape[:2], area), np.float32(_FINE))
        return np.minimum(then, _EIGHT.take(full.astype(np.intp)))

    def _over(self, shape: tuple[int, ...], area: tuple[float, float, float, float]) -> Float32:
        """Light over that at enrolment for each pixel of a part of the floor, (h, w, 3)."""
        (x0, y0, x1, y1), (h, w), (half_w, half_h) = area, shape, self.half_mm
        # Interpolate between the cells' middles, at each pixel's place.
        across, down = (x1 - x0) / w * _CELLS / (2 * half_w), (y1 - y0) / h * _CELLS / (2 * half_h)
        at = (x0 + half_w) * _CELLS / (2 * half_w), (half_h - y1) * _CELLS / (2 * half_h)
        to_cell = np.array([[across, 0, at[0] + across / 2 - 0.5], [0, down, at[1] + down / 2 - 0.5]])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        near = cv2.warpAffine(self.shares, to_cell, (w, h), flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.exp(near), np.float32)


def _filled(shares: Float32, bare: NDArray[np.bool_]) -> Float32:
    """Fill the cells (n, n, 3) that are not bare from their bare neighbours, nearest first."""
    filled = np.where(bare[..., None], shares, np.float32(0))
    known = bare.astype(np.float32)
    while not known.all():
        more, count = (cv2.blur(v, (3, 3), borderType=cv2.BORDER_CONSTANT) for v in (filled, known))
        fresh = (known == 0) & (count > 0)
        filled[fresh] = more[fresh] / count[fresh][:, None]
        known[fresh] = 1.0
    return np.asarray(filled, np.float32)
