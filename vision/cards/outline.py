"""Outlines of cards: how well a rectangle's sides lie on edges of the picture, and where exactly.

Everything here works in one grey picture and in its pixels; `rectangle` and `deck` bring millimetres.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

_MOST_ROWS = 32_000
"""OpenCV's remap takes no taller maps."""
CORNER_SHARE = 0.1
"""Cards have round corners: this share of a side at each end says nothing about its line."""


def order_corners(corners: ArrayLike) -> Floats:
    """Four corners (4, 2) in pixels, clockwise as shown, starting so that the first side is a short one."""
    points = np.asarray(corners, dtype=np.float64).reshape(4, 2)
    middle = points.mean(axis=0)
    turn = np.arctan2(points[:, 1] - middle[1], points[:, 0] - middle[0])
    points = points[np.argsort(turn)]  # y down: growing angle runs clockwise
    sides = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        points = np.roll(points, -1, axis=0)
    return points


def sides_of(corners: ArrayLike) -> Floats:
    """Lengths (2,) of the short and the long side, each the mean of a pair of opposite sides."""
    points = order_corners(corners)
    lengths = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    return np.array([(lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2])


def box_corners(middle: ArrayLike, size: tuple[float, float], angle: float) -> Floats:
    """Corners (4, 2) of a rectangle (width, height) turned by `angle` radians about its middle."""
    w, h = size[0] / 2, size[1] / 2
    c, s = math.cos(angle), math.sin(angle)
    local = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    return np.asarray(np.asarray(middle, dtype=np.float64) + local @ np.array([[c, s], [-s, c]]), np.float64)


def edge_offsets(
    grey: Grey, corners: ArrayLike, reach_px: float, samples: int = 28
) -> tuple[Floats, Floats, Floats]:
    """Where across each side of quadrilaterals (..., 4, 2) the strongest edge lies.

    Returns offsets (..., 4, samples) in pixels outwards, edge strengths (..., 4, samples) in grey levels a
    pixel (sign: positive where the inside is brighter), and the sampled places (..., 4, samples, 2).
    """
    points = np.asarray(corners, dtype=np.float64)
    ahead = np.concatenate([points[..., 1:, :], points[..., :1, :]], axis=-2) - points
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
    # A parabola through the three strengths round the top gives the place between the half-pixel steps.
    low = strength[rows, np.maximum(best - 1, 0)]
    high = strength[rows, np.minimum(best + 1, strength.shape[1] - 1)]
    bow = low - 2 * np.abs(at) + high
    bent = np.abs(bow) > 1e-6
    shift = np.where(bent, 0.5 * (low - high) / np.where(bent, bow, 1), 0)
    offsets = steps[2 + best] + 0.5 * np.minimum(np.maximum(shift, -1), 1)
    sampled = places.shape[:-1]
    return offsets.reshape(sampled), at.reshape(sampled), places


def _outwards(points: Floats, ahead: Floats) -> Floats:
    """Unit vectors (..., 4, 2) that leave quadrilaterals across their sides, whichever way they run."""
    along = ahead / np.maximum(np.sqrt((ahead * ahead).sum(axis=-1, keepdims=True)), 1e-9)
    out = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    arm = points - points.mean(axis=-2, keepdims=True)
    away = (arm * (out + np.concatenate([out[..., -1:, :], out[..., :-1, :]], axis=-2))).sum(axis=(-1, -2))
    return np.asarray(np.where(away < 0, -1.0, 1.0)[..., None, None] * out, np.float64)


def settle_quad(grey: Grey, corners: ArrayLike, reach_px: float, rounds: int = 2) -> Floats:
    """Move the four sides of a quadrilateral onto the picture's edges; each side is free."""
    points = np.asarray(corners, dtype=np.float64).reshape(4, 2)
    for turn in range(rounds):
        reach = reach_px if turn == 0 else max(1.5, reach_px / 2)
        offsets, strength, _ = edge_offsets(grey, points, reach)
        ends = np.roll(points, -1, axis=0)
        out = _outwards(points, ends - points)
        where = np.linspace(-1, 1, offsets.shape[1])
        at, slope = _robust_lines(where, offsets, np.abs(strength))
        slope = slope / (1 - 2 * CORNER_SHARE)
        lines = _crossed(_homogeneous(points + out * (at - slope)), _homogeneous(ends + out * (at + slope)))
        meet = _crossed(np.roll(lines, 1, axis=0), lines)
        if np.abs(meet[:, 2]).min() < 1e-9:
            return points
        points = meet[:, :2] / meet[:, 2:]
    return points


def _homogeneous(points: Floats) -> Floats:
    """Points (n, 2) of the plane as (n, 3)."""
    return np.column_stack([points, np.ones(len(points))])


def _crossed(one: Floats, other: Floats) -> Floats:
    """Cross products of (n, 3) and (n, 3), row by row; `np.cross` takes far longer."""
    (a, b, c), (d, e, f) = one.T, other.T
    return np.column_stack([b * f - c * e, c * d - a * f, a * e - b * d])


def _robust_lines(x: Floats, y: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Lines y = a + b x through most of the points of each row (rows, n), weighted; a and b are (rows, 1).

    Strays lose their say step by step.
    """
    w = weight + 1e-9
    a, b = np.median(y, axis=1, keepdims=True), np.zeros((len(y), 1))
    for spread in (2.0, 1.0, 0.6):
        rest = y - a - b * x
        trust = w / (1 + (rest / spread) ** 2) ** 2
        s, sx, sxx, sy, sxy = (
            part.sum(axis=1, keepdims=True)
            for part in (trust, trust * x, trust * x * x, trust * y, trust * x * y)
        )
        det = s * sxx - sx * sx
        told = det >= 1e-12
        det = np.where(told, det, 1.0)
        a, b = np.where(told, (sxx * sy - sx * sxy) / det, a), np.where(told, (s * sxy - sx * sy) / det, b)
    return a, b


def look_up(mask: NDArray[np.bool_], places: Floats) -> NDArray[np.float64]:
    """The mask (h, w) at places (..., 2) in pixels: 1 or 0; beyond the picture 0."""
    at = np.round(places).astype(int)
    inside = ((at >= 0) & (at < [mask.shape[1], mask.shape[0]])).all(axis=-1)
    at = np.clip(at, 0, [mask.shape[1] - 1, mask.shape[0] - 1])
    return np.asarray(mask[at[..., 1], at[..., 0]] & inside, np.float64)
