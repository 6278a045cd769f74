"""Light on a card: a gain that varies slowly over it, in each channel for itself, and one veil over all.

Pictures are planes (3, n) float32 here, pixels in rows from the upper left; `Grid` holds what depends on
their size alone.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Affine = NDArray[np.float64]

_VEIL = (-25.0, 90.0)


class Grid:
    """Places of a picture of `width` x `height` pixels, x and y from -1 to 1."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
        self.planes: Floats = np.stack([np.ones_like(x), x, y]).reshape(3, -1).astype(np.float32)
        self.products: Floats = (self.planes[:, None] * self.planes[None]).reshape(9, -1)
        half = np.array([[width / 2], [height / 2]], np.float32)
        self.lever: Floats = np.concatenate([self.planes[1:] * half, self.planes[:1]])
        self.levers: Floats = (self.lever[:, None] * self.lever[None]).reshape(9, -1)
        inner = np.ones((height, width), np.float32)
        inner[[0, -1]], inner[:, [0, -1]] = 0, 0
        self.inner: Floats = inner.reshape(-1)

    def to_planes(self, picture: Floats) -> Floats:
        """(h, w, 3) to (3, n)."""
        return np.ascontiguousarray(picture.reshape(-1, 3).T)


def fit_gain(grid: Grid, face: Floats, seen: Floats, weight: Floats) -> Floats:
    """The gain (3, n) that brings the face nearest to what was seen, by weighted least squares."""
    weighted = weight * face
    # Three products of a matrix and a row each: BLAS takes twice as long for one with three rows.
    gram = np.stack([grid.products @ row for row in weighted * face])
    gram = gram.astype(np.float64).reshape(3, 3, 3)
    gram += np.eye(3) * (1e-6 * np.trace(gram, axis1=1, axis2=2)[:, None, None] + 1e-6)
    right = np.einsum("cn,pn->cp", weighted * seen, grid.planes).astype(np.float64)
    fit = np.linalg.solve(gram, right[..., None])[..., 0]
    return np.asarray(fit.astype(np.float32) @ grid.planes, np.float32)


def fit_light(grid: Grid, face: Floats, seen: Floats, weight: Floats) -> tuple[Floats, Floats, float]:
    """The face as lit (3, n), the belief in each pixel (n,), and the veil in grey levels.

    Pixels that no light explains (a finger, a glint) lose their say.
    """
    gain = fit_gain(grid, face, seen, weight)
    lit = gain * face
    belief = believe(lit, seen, weight)
    rest = seen - lit
    # One veil for all channels: how far the face must be lifted towards the light's own colour, beyond
    # what more gain would do as well. A veil in each channel would turn one ink into another.
    share = float((belief * gain * lit).sum()) / max(float((belief * lit * lit).sum()), 1e-6)
    away = gain - lit * np.float32(share)
    veil = float((belief * away * rest).sum()) / max(float((belief * away * away).sum()), 1e-6)
    veil = min(_VEIL[1], max(_VEIL[0], veil))
    return relight(grid, face, seen, belief, veil), belief, veil


def relight(grid: Grid, face: Floats, seen: Floats, weight: Floats, veil: float) -> Floats:
    """The face (3, n) under the best light with a known veil."""
    lifted = face + np.float32(veil)
    return fit_gain(grid, lifted, seen, weight) * lifted


def believe(lit: Floats, seen: Floats, weight: Floats) -> Floats:
    """How far each pixel (n,) is believed, after what the lit face leaves over there."""
    rest = seen - lit
    error = np.sqrt(np.einsum("cn,cn->n", rest, rest) / np.float32(3))
    known = error[weight > 0]
    middle = len(known) // 2
    # The upper of two middle values will do: `np.median` takes six times as long.
    scale = np.float32(3 * (1.48 * float(np.partition(known, middle)[middle]) + 4.0) if len(known) else 1.0)
    return np.asarray(weight / (1 + (error / scale) ** 2), np.float32)


def ink(grid: Grid, seen: Floats, weight: Floats) -> float:
    """Sum of squares that an empty white card under the best light leaves over."""
    rest = seen - fit_gain(grid, np.ones_like(seen), seen, weight)
    return float(weight @ np.einsum("cn,cn->n", rest, rest))


def nudge(grid: Grid, lit: Floats, seen: Floats, trust: Floats) -> Affine:
    """One Gauss-Newton step (2, 3) of the map from face to picture (Lucas & Kanade 1981)."""
    tall = lit.reshape(3 * grid.height, grid.width)
    dx = (cv2.Sobel(tall, cv2.CV_32F, 1, 0, ksize=3) / 8).reshape(3, -1)
    dy = (cv2.Sobel(tall, cv2.CV_32F, 0, 1, ksize=3) / 8).reshape(3, -1)
    w = trust * grid.inner
    error = seen - lit
    curves = np.stack([(dx * dx).sum(0), (dx * dy).sum(0), (dy * dy).sum(0)]) * w
    xx, xy, yy = ((curves @ grid.levers.T).astype(np.float64)).reshape(3, 3, 3)
    gram = np.block([[xx, xy], [xy, yy]])
    pulls = np.stack([(dx * error).sum(0), (dy * error).sum(0)]) * w
    right = (pulls @ grid.lever.T).astype(np.float64).reshape(-1)
    # A card is stiff and its place was fitted before: shear and scale are held near one.
    half_w, half_h = grid.width / 2, grid.height / 2
    hold = np.array([half_w**2, half_h**2, 1, half_w**2, half_h**2, 1]) * 0.02
    gram += np.diag(hold) * float(gram[2, 2] + gram[5, 5]) + np.eye(6) * 1e-9
    a, b, tx, c, d, ty = -np.linalg.solve(gram, right)
    cx, cy = (grid.width - 1) / 2, (grid.height - 1) / 2
    return np.array([[a, b, tx - a * cx - b * cy], [c, d, ty - c * cx - d * cy]])
