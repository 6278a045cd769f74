"""The turn of a top face from its sides: a square of the known edge fitted to the picture's edges.

Pips of enrolled dice lie on a square grid: the diagonal of a 2 or 3 gives the turn, and the sides decide
which of its readings is right. A lone pip does not show the turn, so there the sides decide alone.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.arrays import Float64
from vision.dice.face import Face
from vision.dice.pips import EDGE_PX, Lab

_ACROSS_PX = 2.0
"""Distance inside and outside a side at which the picture is compared."""
_OFFS = (0.48, 0.5, 0.52)
"""Distances of a side from the middle, in edges: allows for rounded edges and an error of the middle."""
_ALONG = np.linspace(-0.36, 0.36, 15) * EDGE_PX
_ENOUGH = 40.0
"""CIELAB step that counts as a whole edge: a stronger one adds nothing."""
_SLANT_DEG = 8.02
"""The angle of `FROM_ABOVE` by which the face search may have turned a diagonal; here the grid is square."""
_STEP_DEG = 3.0
"""Step between the yaws tried first: a larger one is faster, but may miss the peak."""
_COARSE = np.arange(0.0, 90.0, _STEP_DEG)


def turned_by_sides(calm: Lab, face: Face) -> Face:
    """Refine the turn of a face; `calm` is the smoothed CIELAB picture in which it was found."""
    if face.value not in (1, 2, 3):
        return face
    middle = np.array([face.x, face.y])
    if face.value in (2, 3):
        turns = face.yaw_deg + np.array([0.0, _SLANT_DEG, -_SLANT_DEG])
        best = float(turns[int(_clear(calm, middle, turns).argmax())])
    else:
        near = float(_COARSE[int(_clear(calm, middle, _COARSE, _FEW).argmax())])
        fine = near + np.arange(-3, 4) * _STEP_DEG / 2
        scores = _clear(calm, middle, fine)
        k = int(scores[1:-1].argmax()) + 1
        left, at, right = scores[k - 1 : k + 2].tolist()
        dip = left - 2 * at + right
        best = float(fine[k]) + (0.25 * _STEP_DEG * (left - right) / dip if dip < 0 else 0.0)
    return replace(face, yaw_deg=best % 90.0)


def _clear(calm: Lab, middle: Float64, turns_deg: Float64, beside: Float64 | None = None) -> Float64:
    """Mean edge strength along the four sides for each turn (t,), from points `beside` them."""
    places = ((_BESIDE if beside is None else beside) @ _spins(turns_deg) + middle).astype(np.float32)
    seen = cv2.remap(
        calm, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).reshape(len(turns_deg), 2, -1, 3)
    jump = seen[:, 0] - seen[:, 1]
    far = np.sqrt(np.einsum("tnk,tnk->tn", jump, jump))
    return np.asarray(np.minimum(far, _ENOUGH).mean(axis=1), np.float64)


def _spins(turns_deg: Float64) -> Float64:
    """Matrices (t, 2, 2) that turn points given as rows."""
    c, s = np.cos(np.deg2rad(turns_deg)), np.sin(np.deg2rad(turns_deg))
    return np.stack([np.stack([c, s], axis=1), np.stack([-s, c], axis=1)], axis=1)


def _square() -> tuple[Float64, Float64]:
    """Points along the sides of an upright square and their outward normals, each (n, 2)."""
    points, normals = [], []
    for off in _OFFS:
        for k in range(4):
            spin = np.array([[np.cos(a := k * np.pi / 2), np.sin(a)], [-np.sin(a), np.cos(a)]])
            side = np.column_stack([np.full(len(_ALONG), off * EDGE_PX), _ALONG])
            points.append(side @ spin)
            normals.append(np.tile([1.0, 0.0], (len(_ALONG), 1)) @ spin)
    return np.concatenate(points), np.concatenate(normals)


_SIDES, _NORMALS = _square()
_BESIDE = np.concatenate([_SIDES + _ACROSS_PX * _NORMALS, _SIDES - _ACROSS_PX * _NORMALS])
"""Points outside, then inside, the sides of an upright square round 0."""
_FEW = np.ascontiguousarray(_BESIDE.reshape(2, len(_OFFS), 4, -1, 2)[:, 1:2, :, ::2].reshape(-1, 2))
"""Every other one of the points at the sides' usual distance: enough for a rough turn."""
