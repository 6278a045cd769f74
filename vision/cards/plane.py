"""The plane of a table without tags, from cards of one size that lie about on it.

A camera that looks down askew shows a near card larger and a turned one slanted. Four numbers describe this
(Liebowitz & Zisserman 1998): two for the plane's vanishing line, two for stretch and shear.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Float64
from vision.cards.outline import order_corners

_LEAST = 3
"""Least number of cards that determine the plane."""
_SPREAD = 0.5
"""Least spread of the cards' middles, in card widths, that determines the plane."""
_HELD = np.array([0.05, 0.05, 0.03, 0.03])
"""Standard deviation of each number in the prior that holds it at zero."""
_ERROR = 0.01
"""Error of a side's length, as a share of it."""
_ROUNDS = 12
"""Most steps towards the plane; a few are enough."""
_STEP = 1e-4
"""Step of each number for the numerical derivative."""


def level(quads: Sequence[Float64], middle: Float64, unit: float) -> Float64:
    """Homography (3, 3) from pixels to those of a camera straight above, to which all cards have one size.

    It leaves `middle` and the scale there unchanged; `unit` is half the picture's longer side in pixels.
    """
    corners = np.array([order_corners(quad) for quad in quads])
    if len(corners) < _LEAST or not _lie_about(corners):
        return np.eye(3)
    rest, model = _misfit(corners, np.zeros(4), middle, unit), np.zeros(4)
    for _ in range(_ROUNDS):
        slope = np.column_stack(
            [(_misfit(corners, model + _STEP * axis, middle, unit) - rest) / _STEP for axis in np.eye(4)]
        )
        trust = 1 / (1 + (rest / 3) ** 2)
        pull = slope * trust[:, None]
        hold = np.diag(1 / _HELD**2)
        step = np.linalg.solve(pull.T @ slope + hold, -(pull.T @ rest) - hold @ model)
        model = np.clip(model + np.clip(step, -0.1, 0.1), -0.4, 0.4)
        rest = _misfit(corners, model, middle, unit)
        if np.abs(step).max() < 1e-5:
            break
    return _matrix(model, middle, unit)


def _lie_about(corners: Float64) -> bool:
    """Whether the cards lie at different places: at one place they show no more than their errors."""
    middles = corners.mean(axis=1)
    width = float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)))
    return float(np.linalg.norm(middles.std(axis=0))) > _SPREAD * width


def _matrix(model: Float64, middle: Float64, unit: float) -> Float64:
    x, y = middle
    to = np.array([[1 / unit, 0, -x / unit], [0, 1 / unit, -y / unit], [0, 0, 1]])
    seen = np.array([[1 + model[2], model[3], 0], [model[3], 1 - model[2], 0], [model[0], model[1], 1]])
    return np.asarray(np.linalg.inv(to) @ seen @ to, np.float64)


def _misfit(corners: Float64, model: Float64, middle: Float64, unit: float) -> Float64:
    """Residuals of the levelled quadrilaterals from rectangles of one size, in errors of a side."""
    matrix = _matrix(model, middle, unit)
    flat = np.concatenate([corners, np.ones((*corners.shape[:2], 1))], axis=2) @ matrix.T
    points = flat[..., :2] / flat[..., 2:]
    ahead = np.roll(points, -1, axis=1) - points
    lengths = np.log(np.linalg.norm(ahead, axis=2))
    short, long = lengths[:, (0, 2)], lengths[:, (1, 3)]
    sizes = np.concatenate([(short - np.median(short)).ravel(), (long - np.median(long)).ravel()])
    unit_ahead = ahead / np.linalg.norm(ahead, axis=2, keepdims=True)
    slant = (unit_ahead * np.roll(unit_ahead, -1, axis=1)).sum(axis=2).ravel()
    return np.asarray(np.concatenate([sizes, slant]) / _ERROR, np.float64)
