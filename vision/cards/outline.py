"""Outlines of cards: how well a rectangle's sides lie on edges of the picture, and where exactly.

Everything here works in one grey picture and in its pixels; callers convert to millimetres.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Float32, Float64

_MOST_ROWS = 32_000
"""Most rows of the maps that OpenCV's remap accepts."""
CORNER_SHARE = 0.1
"""Share of a side at each end that is ignored for its line, since cards have round corners."""


def order_corners(corners: ArrayLike) -> Float64:
    """Four corners (4, 2) in pixels, clockwise as shown, starting so that the first side is a short one."""
    return np.asarray(order_quads(np.reshape(corners, (1, 4, 2)))[0], np.float64)


def order_quads(corners: ArrayLike) -> Float64:
    """As `order_corners`, for quadrilaterals (n, 4, 2) at once."""
    points = np.asarray(corners, dtype=np.float64)
    arm = points - points.mean(axis=1, keepdims=True)
    turn = np.arctan2(arm[..., 1], arm[..., 0])
    # y down: growing angle runs clockwise
    points = np.take_along_axis(points, np.argsort(turn, axis=1)[..., None], axis=1)
    sides = side_lengths(points)
    across = sides[:, 0] + sides[:, 2] > sides[:, 1] + sides[:, 3]
    return np.where(across[:, None, None], _next(points), points)


def side_lengths(corners: Float64) -> Float64:
    """Lengths (..., 4) of the sides of quadrilaterals (..., 4, 2), each from a corner to the next."""
    ahead = _next(corners) - corners
    return np.asarray(np.sqrt((ahead * ahead).sum(axis=-1)), np.float64)


def sides_of(corners: ArrayLike) -> Float64:
    """Lengths (..., 2) of short and long side of (..., 4, 2), each the mean of a pair of opposite sides."""
    lengths = side_lengths(order_quads(np.reshape(corners, (-1, 4, 2))))
    pairs = (lengths[:, :2] + lengths[:, 2:]) / 2
    return np.asarray(pairs.reshape(*np.shape(corners)[:-2], 2), np.float64)


def _next(points: Float64) -> Float64:
    """The next corner after each corner (..., 4, 2)."""
    return np.concatenate([points[..., 1:, :], points[..., :1, :]], axis=-2)


def box_corners(middle: ArrayLike, size: tuple[float, float], angle: float) -> Float64:
    """Corners (4, 2) of a rectangle (width, height) turned by `angle` radians about its middle."""
    w, h = size[0] / 2, size[1] / 2
    c, s = math.cos(angle), math.sin(angle)
    local = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    return np.asarray(np.asarray(middle, dtype=np.float64) + local @ np.array([[c, s], [-s, c]]), np.float64)


def edge_offsets(
    grey: Float32, corners: ArrayLike, reach_px: float, samples: int = 28
) -> tuple[Float64, Float64, Float64]:
    """Where across each side of quadrilaterals (..., 4, 2) the strongest edge lies.

    Returns offsets (..., 4, samples) in pixels outwards, edge strengths (..., 4, samples) in grey levels a
    pixel (sign: positive where the inside is brighter), and the sampled places (..., 4, samples, 2).
    """
    points = np.asarray(corners, dtype=np.float64)
    ahead = _next(points) - points
    out = _outwards(points, ahead)
    shares = np.linspace(CORNER_SHARE, 1 - CORNER_SHARE, samples)
    places = points[..., None, :] + shares[:, None] * ahead[..., None, :]
    steps = np.arange(-reach_px - 1.0, reach_px + 1.01, 0.5)
    lattice = places[..., None, :] + steps[:, None] * out[..., None, None, :]
    flat = lattice.reshape(-1, len(steps), 2).astype(np.float32)
    parts = [
        cv2.remap(grey, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in (flat[at : at + _MOST_ROWS] for at in range(0, len(flat), _MOST_ROWS))
    ]
    profile = parts[0] if len(parts) == 1 else np.concatenate(parts)
    profile = profile.reshape(-1, len(steps))
    slope = (profile[:, :-4] - profile[:, 4:]) / 2  # inside minus outside, over two pixels
    strength = np.abs(slope)
    rows, best = np.arange(len(strength)), strength.argmax(axis=1)
    at = slope[rows, best].astype(np.float64)
    # A parabola through the three strengths round the maximum gives its place between the half-pixel steps.
    low = strength[rows, np.maximum(best - 1, 0)]
    high = strength[rows, np.minimum(best + 1, strength.shape[1] - 1)]
    bow = low - 2 * np.abs(at) + high
    bent = np.abs(bow) > 1e-6
    shift = np.where(bent, 0.5 * (low - high) / np.where(bent, bow, 1), 0)
    offsets = steps[2 + best] + 0.5 * np.minimum(np.maximum(shift, -1), 1)
    sampled = places.shape[:-1]
    return offsets.reshape(sampled), at.reshape(sampled), places


def _outwards(points: Float64, ahead: Float64) -> Float64:
    """Unit vectors (..., 4, 2) pointing out of quadrilaterals across their sides, whichever way they run."""
    along = ahead / np.maximum(np.sqrt((ahead * ahead).sum(axis=-1, keepdims=True)), 1e-9)
    out = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    arm = points - points.mean(axis=-2, keepdims=True)
    away = (arm * (out + np.concatenate([out[..., -1:, :], out[..., :-1, :]], axis=-2))).sum(axis=(-1, -2))
    return np.asarray(np.where(away < 0, -1.0, 1.0)[..., None, None] * out, np.float64)


def settle_quad(grey: Float32, corners: ArrayLike, reach_px: float) -> Float64:
    """Move the four sides of a quadrilateral onto the picture's edges; each side is free."""
    return np.asarray(settle_quads(grey, np.reshape(corners, (1, 4, 2)), reach_px)[0], np.float64)


def settle_quads(grey: Float32, corners: ArrayLike, reach_px: float) -> Float64:
    """As `settle_quad`, for quadrilaterals (n, 4, 2) at once."""
    points = np.array(corners, np.float64).reshape(-1, 4, 2)
    moving = np.arange(len(points))
    for reach in (reach_px, max(1.5, reach_px / 2)):
        if not len(moving):
            break
        begin = points[moving]
        offsets, strength, _ = edge_offsets(grey, begin, reach)
        end = _next(begin)
        out = _outwards(begin, end - begin)
        at, slope = _robust_lines(np.linspace(-1, 1, offsets.shape[-1]), offsets, np.abs(strength))
        slope = slope / (1 - 2 * CORNER_SHARE)
        lines = _crossed(_homogeneous(begin + out * (at - slope)), _homogeneous(end + out * (at + slope)))
        meet = _crossed(np.roll(lines, 1, axis=1), lines)
        # Where two sides became parallel, the quadrilateral stays as it was.
        met = (np.abs(meet[..., 2]) >= 1e-9).all(axis=1)
        moving = moving[met]
        points[moving] = meet[met, :, :2] / meet[met, :, 2:]
    return points


def _homogeneous(points: Float64) -> Float64:
    """Points (..., 2) of the plane as (..., 3)."""
    return np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1)


def _crossed(one: Float64, other: Float64) -> Float64:
    """Cross products of (..., 3) and (..., 3); `np.cross` takes far longer."""
    (a, b, c), (d, e, f) = np.moveaxis(one, -1, 0), np.moveaxis(other, -1, 0)
    return np.stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=-1)


def _robust_lines(x: Float64, y: Float64, weight: Float64) -> tuple[Float64, Float64]:
    """Lines y = a + b x through most of the points of (..., n), weighted; a and b are (..., 1).

    Outliers are downweighted step by step.
    """
    w = weight + 1e-9
    a = np.median(y, axis=-1, keepdims=True)
    b = np.zeros_like(a)
    for spread in (2.0, 1.0, 0.6):
        rest = y - a - b * x
        trust = w / (1 + (rest / spread) ** 2) ** 2
        s, sx, sxx, sy, sxy = (
            part.sum(axis=-1, keepdims=True)
            for part in (trust, trust * x, trust * x * x, trust * y, trust * x * y)
        )
        det = s * sxx - sx * sx
        told = det >= 1e-12
        det = np.where(told, det, 1.0)
        a, b = np.where(told, (sxx * sy - sx * sxy) / det, a), np.where(told, (s * sxy - sx * sy) / det, b)
    return a, b


def look_up(mask: NDArray[np.bool_], places: Float64) -> NDArray[np.float64]:
    """The mask (h, w) at places (..., 2) in pixels: 1 or 0; beyond the picture 0."""
    at = np.round(places).astype(int)
    inside = ((at >= 0) & (at < [mask.shape[1], mask.shape[0]])).all(axis=-1)
    at = np.clip(at, 0, [mask.shape[1] - 1, mask.shape[0] - 1])
    return np.asarray(mask[at[..., 1], at[..., 0]] & inside, np.float64)
