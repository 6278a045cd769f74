"""The tags' measurement noise, independent of their places in the table file: each may lie anywhere."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from vision.arrays import Float64
from vision.geometry import (
    ASPECT_SPREAD,
    BEND_SPREAD,
    CORNER_ERROR_PX,
    FOCAL_SPREAD,
    Registration,
    descend,
    first_lens,
    lens_for,
    project,
)
from vision.layout import CameraModel, Layout
from vision.tags import tag_corners_mm

_POSE, _LENS = 6, 3
"""Number of fit parameters for the camera's pose, and for focal length, radial term and pixel aspect."""

_ANGLE_STEP, _MM_STEP = 1e-5, 1e-3
"""Steps of the numerical derivative: for angles, logarithms and the radial term, and for millimetres."""


def tag_noise_px(tags: Mapping[int, Float64], layout: Layout, table: Registration) -> float:
    """RMS residual in pixels of the corners of `tags` when each tag is fitted anywhere on its plane.

    The tags' sizes and orientations are kept, and one of them fixes the origin. `table` is the fit with the
    table file's places: the more its residual exceeds this one, the less accurate those places are.
    """
    seen = [tag for tag in layout.tags if tag.id in table.tags and tag.id in tags]
    pixels = np.concatenate([tags[tag.id] for tag in seen])
    told = np.stack([tag_corners_mm(tag) for tag in seen])
    lens = lens_for(layout.camera or CameraModel(), table.size_px)
    matrix, distortion, free = first_lens(lens, *table.size_px)

    def left(p: Float64) -> Float64:
        focal, bend, aspect = p[_POSE : _POSE + _LENS]
        m, d = matrix.copy(), distortion.copy()
        if free[0]:
            m[:2, :2] *= math.exp(np.clip(focal, -1, 1))
            m[1, 1] *= math.exp(np.clip(aspect, -1, 1))
        if free[1]:
            d[0] = bend
        places = told.copy()
        places[1:, :, :2] += p[_POSE + _LENS :].reshape(-1, 1, 2)
        return np.asarray(project(places.reshape(-1, 3), m, d, p[:_POSE]) - pixels, np.float64)

    def misfit(p: Float64) -> Float64:
        held = p[_POSE : _POSE + _LENS] / (FOCAL_SPREAD, BEND_SPREAD, ASPECT_SPREAD)
        return np.concatenate([left(p).ravel() / CORNER_ERROR_PX, held])

    pose = np.concatenate([table.rotation_vector.ravel(), table.shift_mm])
    places = 2 * (len(seen) - 1)
    angles = [_ANGLE_STEP] * 3
    steps = np.array([*angles, *[_MM_STEP] * 3, *[_ANGLE_STEP] * _LENS, *[_MM_STEP] * places])
    found = []
    for aspect in (
        0.0,
        math.log(table.aspect / (matrix[1, 1] / matrix[0, 0])),
    ):  # the second start value allows for non-square pixels
        start = np.concatenate([pose, [0.0, 0.0, aspect], np.zeros(places)])
        rest = left(descend(misfit, start, steps))
        found.append(float(np.sqrt((rest**2).sum(axis=1).mean())))
    return min(found)
