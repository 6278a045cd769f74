"""Where a face lies in a cut-out: it is shifted, turned and stretched a little until it explains most.

Lucas & Kanade 1981, with the light fitted along (Baker & Matthews 2004), from coarse to fine: an offset of
two pixels is one at half the size, where a step costs a quarter. Pictures are (h, w, 3) float32, faces planes
(3, n); an affine map (2, 3) leads from places on the face to places in the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.imgproc.photometry import Grid, believe, fit_light, left_over, relight
from vision.imgproc.registration import Affine, affine_step

UNMOVED: Affine = np.array([[1.0, 0, 0], [0, 1, 0]])
_LEAST_GAIN = 0.02
_BURNT = 252
_LEAST_SHOWN = 0.05
"""Least share of a card with any weight; below it, every pixel that is not covered is trusted."""


@dataclass(frozen=True, slots=True)
class CutOut:
    """A cut-out (h, w, 3) and how far each of its pixels is trusted, (h, w)."""

    picture: Float32
    weight: Float32

    @property
    def half(self) -> CutOut:
        """The same at half the size."""
        return CutOut(halved(self.picture), halved(self.weight))

    def moved(self, warp: Affine) -> CutOut:
        """The cut-out sampled where the map takes the face's places."""
        weight = self.weight if self.weight.min() >= 1 else moved(self.weight, warp)
        return CutOut(moved(self.picture, warp), weight)


@dataclass(frozen=True, slots=True)
class Descent:
    """How a face is moved into place, in at most `steps` steps.

    The `veil` over the picture, in grey levels, is measured if it is None. A pip off its place differs as
    much as a finger does; with `lenience` it still pulls, until it lies where it should (graduated
    non-convexity: Blake & Zisserman 1987).
    """

    steps: int
    veil: float | None = None
    lenience: float = 1.0


def align(
    grid: Grid,
    face: Float32,
    seen: CutOut,
    start: Affine,
    descent: Descent,
) -> tuple[Affine, float]:
    """The map under which the face explains most, at most `descent.steps` from `start`, and the residual.

    The residual is a mean square over the trusted pixels.
    """
    steps, veil, lenience = descent.steps, descent.veil, descent.lenience
    warp = best_warp = start
    best, trust = np.inf, None
    for step in range(steps + 1):
        there = seen if warp is UNMOVED else seen.moved(warp)
        shown, flat = grid.to_planes(there.picture), there.weight.reshape(-1) * grid.rim
        if veil is None:
            lit, trust, veil = fit_light(grid, face, shown, flat, lenience)
        else:  # what was trusted a step ago is a good enough start
            lit = relight(grid, face, shown, flat if trust is None else trust, veil)
            trust = believe(lit, shown, flat, lenience)
        rest = left_over(lit, shown, trust) / max(float(trust.sum()), 1e-6)
        if rest >= best:
            break
        gained, best, best_warp = best - rest, rest, warp
        if step == steps or gained < _LEAST_GAIN * best:
            break
        warp = warp + affine_step(grid, lit, shown, trust)
    return best_warp, best


def carried(grid: Grid, face: Float32, warp: Affine) -> Float32:
    """The planes of a face as seen in a picture to which `warp` leads."""
    picture = cv2.merge([plane.reshape(grid.height, grid.width) for plane in face])
    return grid.to_planes(moved(np.asarray(picture, np.float32), inverse(warp)))


def inverse(warp: Affine) -> Affine:
    """The inverse map."""
    return np.asarray(cv2.invertAffineTransform(warp), np.float64)


def doubled(warp: Affine) -> Affine:
    """A map found at half the size, for the full size."""
    return _scaled(warp, 2.0)


def halved_map(warp: Affine) -> Affine:
    """A map of the full size, for half of it."""
    return _scaled(warp, 0.5)


def _scaled(warp: Affine, by: float) -> Affine:
    """Scale a map. Pixel coordinates are those of pixel centres, so the origin is shifted by the scaling."""
    (a, b, x), (c, d, y) = warp.tolist()
    off = (by - 1) / 2
    return np.array([[a, b, by * x + off * (1 - a - b)], [c, d, by * y + off * (1 - c - d)]])


def after(first: Affine, then: Affine) -> Affine:
    """The map that applies `first` and then `then`."""
    linear = then[:, :2] @ first
    linear[:, 2] += then[:, 2]
    return np.asarray(linear, np.float64)


def halved(picture: Float32) -> Float32:
    """The picture at half the width and height."""
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def moved(picture: Float32, warp: Affine) -> Float32:
    """The picture sampled where `warp` takes the face's places."""
    height, width = picture.shape[:2]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    there = cv2.warpAffine(picture, warp, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(there, np.float32)


def soften(picture: NDArray[Any]) -> Float32:
    """Blur a picture a little, as either of two compared pictures may be the sharper one."""
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.8), np.float32)


def cut_out(picture: NDArray[Any], visible: NDArray[np.bool_] | None) -> CutOut:
    """A flattened card (h, w, 3), softened; trusted where it is neither covered nor burnt out.

    `visible` (h, w) masks what is not covered; None: all of it.
    """
    soft = soften(picture)
    burnt = cv2.inRange(soft, (_BURNT, _BURNT, _BURNT), (999.0, 999.0, 999.0)) > 0
    weight = np.asarray(~burnt, np.float32)
    if visible is not None:
        weight *= visible
    if weight.sum() < _LEAST_SHOWN * weight.size:
        weight = np.ones_like(weight) if visible is None else visible.astype(np.float32)
    return CutOut(soft, weight)


def shift_of(warp: Affine, size: tuple[int, int]) -> tuple[float, float]:
    """How far a map moves the middle of a face of that size (w, h): x, y."""
    middle = (np.array(size) - 1) / 2
    x, y = warp[:, :2] @ middle + warp[:, 2] - middle
    return float(x), float(y)
