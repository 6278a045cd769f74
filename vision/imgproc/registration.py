"""Image registration by brightness gradients (Lucas and Kanade 1981).

Where brightness has a slope s, a shift of d pixels changes it by s d; least squares over all pixels gives the
motion. There are three motions, each justified by measurements (docs/decisions/one-registration.md): a
`shift` by fractions of a pixel, a `similarity` for a hand-held camera, and an `affine_step` for the face of a
card, whose light is fitted between the steps.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.imgproc.photometry import Grid, summed

Affine = NDArray[np.float64]
Plane = NDArray[np.float32]

_HELD = 1.0
"""Regularisation: added to the squares of the slopes, so that a picture without slopes does not move."""
_OUTLIER = 40.0
"""Largest change in grey levels that the sway of a camera causes at edges."""
_SLOPE = 2.0
"""Least slope, in grey levels per pixel, of a pixel that counts in `similarity`."""
_ROUNDS = 2
_EVERY = 3
"""Stride, each way, of the pixels whose median is taken: it is as good as the median of all."""
_THREE = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])
_SIX = np.block([[_THREE, _THREE + 6], [_THREE + 6, _THREE + 12]])
"""Index of each element of a symmetric matrix in the row-wise list of its upper triangle."""


def shift(
    before: Plane, now: Plane, outlier: float = np.inf, rounds: int = 1, every_row: int = 1
) -> NDArray[np.float64]:
    """Shift (x, y) of a grey picture (h, w) float32, in fractions of a pixel.

    Each of the `rounds` leaves out pixels whose residual under the shift found so far exceeds `outlier` grey
    levels: they moved by themselves. A shift of more than about one pixel is underestimated.
    """
    slopes = np.stack([slope[::every_row].ravel() for slope in _slopes(before, ksize=1)])
    off = (before - now)[::every_row].ravel()
    moved = np.zeros(2)
    for _ in range(rounds):
        kept = (
            slopes
            if outlier == np.inf
            else slopes * (np.abs(off - moved.astype(np.float32) @ slopes) < outlier)
        )
        moved = _solved(kept, slopes, off, _HELD)
    return moved


def similarity(before: NDArray[np.uint8], now: NDArray[np.uint8], most_px: float) -> Affine | None:
    """The map (2, 3) of a grey picture (h, w) onto a later one: shift, rotation and scale.

    None where some pixel moves by more than `most_px`. A change common to all pixels is light, and pixels
    that change much more than the others are outliers; neither counts as motion of the camera.
    """
    h, w = before.shape
    later, onto, total = now.astype(np.float32), np.eye(2, 3), np.zeros(4)
    for _ in range(_ROUNDS):
        there = moved_by(before, onto)
        off = later - there
        off -= np.median(off[::_EVERY, ::_EVERY])
        along, down = _slopes(there, ksize=3)
        at = np.flatnonzero((np.abs(off) < _OUTLIER) & (cv2.max(np.abs(along), np.abs(down)) > _SLOPE))
        off, along, down = off.ravel()[at], along.ravel()[at], down.ravel()[at]
        y, x = np.divmod(at, w)
        y, x = (y - h / 2) / w, (x - w / 2) / w
        slopes = np.stack([along, down, along * x + down * y, down * x - along * y])
        total -= _solved(slopes, slopes, off, 1e-3)
        dx, dy, near, turn = total
        if abs(dx) + abs(dy) + (abs(near) + abs(turn)) * max(h, w) / w > most_px:
            return None
        near, turn = near / w, turn / w
        onto = np.array(
            [
                [1 + near, -turn, dx - near * w / 2 + turn * h / 2],
                [turn, 1 + near, dy - turn * w / 2 - near * h / 2],
            ]
        )
    return onto


def affine_step(grid: Grid, lit: Float32, seen: Float32, trust: Float32) -> Affine:
    """One Gauss-Newton step (2, 3) of the map from a lit face to what is seen, planes (3, n).

    `trust` (n,) is the weight of each pixel. A card is stiff and its outline was fitted before, so shear and
    change of scale are held near zero.
    """
    tall = lit.reshape(3 * grid.height, grid.width)
    dx, dy = (slope.reshape(3, -1) for slope in _slopes(tall, ksize=3))
    w = trust * grid.inner
    wx, wy, error = w * dx, w * dy, seen - lit
    # One matrix-vector product each: BLAS takes twice as long for a product with three rows.
    upper = np.concatenate(
        [grid.levers @ summed(one * other) for one, other in ((wx, dx), (wx, dy), (wy, dy))]
    )
    gram = upper.astype(np.float64)[_SIX]
    right = np.concatenate([grid.lever @ summed(slope * error) for slope in (wx, wy)])
    gram.ravel()[::7] += grid.stiff * float(gram[2, 2] + gram[5, 5]) + 1e-9
    # OpenCV's solver takes a third of the time of NumPy's for so small a system.
    _, step = cv2.solve(gram, -right.astype(np.float64)[:, None], flags=cv2.DECOMP_CHOLESKY)
    a, b, tx, c, d, ty = step.ravel().tolist()
    cx, cy = (grid.width - 1) / 2, (grid.height - 1) / 2
    return np.array([[a, b, tx - a * cx - b * cy], [c, d, ty - c * cx - d * cy]])


def moved_by(copy: NDArray[np.uint8], onto: Affine) -> NDArray[np.uint8]:
    """Warp a picture by the map `onto` (2, 3); pixels from beyond its border repeat the border."""
    size = (copy.shape[1], copy.shape[0])
    return np.asarray(cv2.warpAffine(copy, onto, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _slopes(picture: NDArray[np.uint8] | Plane, ksize: int) -> Sequence[Plane]:
    """Gradient of brightness per pixel along x and along y, (h, w) each; `ksize` 3 smooths across (Sobel)."""
    scale = 1 / 8 if ksize == 3 else 1 / 2
    return [
        np.asarray(cv2.Sobel(picture, cv2.CV_32F, dx, 1 - dx, ksize=ksize, scale=scale), np.float32)
        for dx in (1, 0)
    ]


def _solved(kept: Float32, slopes: Float32, off: Float32, held: float) -> NDArray[np.float64]:
    """The motion (k,) that best explains the differences `off` (n,), by the normal equations of `slopes`."""
    return np.asarray(np.linalg.solve(kept @ slopes.T + held * np.eye(len(slopes)), kept @ off), np.float64)
