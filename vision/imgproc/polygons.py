"""Plane polygons in millimetres: a shape with holes as one polygon, a shape made smaller or larger.

Polygons are arrays (n, 2) that do not repeat their first corner. A zone with holes becomes one polygon with
slits that run from each hole outwards and back the same way. Inside, outside, contact and area stay those of
the shape itself, and readers of zones need only handle a single line of points.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Float64


def area(polygon: ArrayLike) -> float:
    """Signed area of a polygon (n, 2), positive when the corners run counter-clockwise (y up)."""
    x, y = np.asarray(polygon, np.float64).T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def joined(outer: ArrayLike, holes: Sequence[ArrayLike]) -> Float64:
    """The outer polygon with its holes cut out, as one polygon with slits (Held, 2001; Eberly, 2002).

    The holes lie inside the outer polygon and apart from each other.
    """
    line = np.asarray(outer, np.float64)
    line = line if area(line) > 0 else line[::-1]
    rings = [np.asarray(hole, np.float64) for hole in holes]
    rings = [ring if area(ring) < 0 else ring[::-1] for ring in rings]
    while rings:
        # No other hole lies to the right of the hole that reaches farthest right, so its slit crosses none.
        ring = rings.pop(int(np.argmax([hole[:, 0].max() for hole in rings])))
        first = int(ring[:, 0].argmax())
        ring = np.roll(ring, -first, axis=0)
        at = _seen_corner(line, ring[0])
        line = np.concatenate([line[: at + 1], ring, ring[:1], line[at:]])
    return line


def inset(polygon: ArrayLike, by_mm: float) -> Float64:
    """The polygon with every side moved inwards by `by_mm` (outwards when negative), corners kept sharp.

    For shapes that are wide compared with `by_mm`. The shift of a very sharp corner is limited to three times
    the distance.
    """
    line = np.asarray(polygon, np.float64)
    turn = 1.0 if area(line) > 0 else -1.0
    along = np.roll(line, -1, axis=0) - line
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    inward = turn * np.column_stack([-along[:, 1], along[:, 0]])
    both = inward + np.roll(inward, 1, axis=0)
    length = np.maximum((both**2).sum(axis=1, keepdims=True) / 2, 2 / 9)
    return np.asarray(line + both / length * by_mm, np.float64)


def _seen_corner(line: Float64, point: Float64) -> int:
    """Index of a corner of `line` that can be joined to `point`, inside `line`, without crossing a side.

    It casts a ray to the right and takes an end of the first side hit or, if corners stand in between, the
    one nearest to the ray's direction.
    """
    ends = np.roll(line, -1, axis=0)
    # The outline runs counter-clockwise, so a side that the ray hits from inside runs upwards.
    spans = (line[:, 1] <= point[1]) & (ends[:, 1] >= point[1]) & (ends[:, 1] > line[:, 1])
    with np.errstate(divide="ignore", invalid="ignore"):
        x = line[:, 0] + (point[1] - line[:, 1]) / (ends[:, 1] - line[:, 1]) * (ends[:, 0] - line[:, 0])
    x = np.where(spans & (x >= point[0] - 1e-9), x, np.inf)
    side = int(x.argmin())
    hit = np.array([x[side], point[1]])
    best = side if line[side, 0] > ends[side, 0] else (side + 1) % len(line)
    corners = np.array([point, hit, line[best]])
    if area(corners) < 0:
        corners = corners[::-1]
    within = _in_triangle(corners, line) & (np.abs(line - line[best]).max(axis=1) > 1e-9)
    # Only reflex corners, which point towards the hole, can stand in the way.
    before = line - np.roll(line, 1, axis=0)
    after = ends - line
    reflex = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0] < 0
    standing = np.flatnonzero(within & reflex)
    if len(standing):
        away = line[standing] - point
        slant = np.abs(away[:, 1]) / np.maximum(away[:, 0], 1e-12)
        return int(standing[np.lexsort((away[:, 0], slant))[0]])
    return best


def _in_triangle(corners: Float64, points: Float64) -> NDArray[np.bool_]:
    inside = np.ones(len(points), bool)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = b - a
        inside &= side[0] * (points[:, 1] - a[1]) - side[1] * (points[:, 0] - a[0]) >= -1e-9
    return inside
