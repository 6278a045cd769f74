"""How much softer a picture is than the enrolled face: a distant camera blurs, the enrolling one did not.

A little blur adds the Laplacian: `blurred = sharp + variance / 2 * laplacian`. So the blur is measured by how
much of the lit face's Laplacian is found in the residual of the light fit; a second pass, from the face
blurred so far, corrects the first.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Float32
from vision.imgproc.photometry import Grid, fit_light

_LOOKS = 2
_LEAST_PX2 = 0.1
_MOST_PX2 = 5.0
"""Variances in px² of the face: below the first, blur is invisible; above the second, nothing is read."""


def variance_between(
    grid: Grid, face: Float32, seen: Float32, weight: Float32
) -> tuple[float, Float32, float]:
    """The variance in px² of the blur that `seen` (3, n) shows beyond the face (3, n); 0 if there is none.

    `weight` (n,) is how far each pixel is trusted. Trust (n,) and veil are also returned: see `fit_light`.
    """
    variance, soft = 0.0, face
    for _ in range(_LOOKS):
        lit, trust, veil = fit_light(grid, soft, seen, weight)
        bend = _laplacian(grid, lit)
        believed = trust * grid.inner
        size = float((believed * bend * bend).sum())
        variance += 2 * float((believed * (seen - lit) * bend).sum()) / max(size, 1e-6)
        if variance < _LEAST_PX2:
            return 0.0, trust, veil
        variance = min(variance, _MOST_PX2)
        soft = blurred(grid, face, variance)
    return variance, trust, veil


def blurred(grid: Grid, face: Float32, variance: float) -> Float32:
    """The face (3, n) blurred by a Gaussian of that variance in px²."""
    if variance <= 0:
        return face
    soft = [cv2.GaussianBlur(plane.reshape(grid.height, grid.width), (0, 0), variance**0.5) for plane in face]
    return np.asarray(np.stack(soft).reshape(len(face), -1), np.float32)


def _laplacian(grid: Grid, planes: Float32) -> Float32:
    bent = [cv2.Laplacian(plane.reshape(grid.height, grid.width), cv2.CV_32F) for plane in planes]
    return np.asarray(np.stack(bent).reshape(len(planes), -1), np.float32)
