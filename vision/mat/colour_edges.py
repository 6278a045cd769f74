"""The colour direction in which a thing differs most from the ground it lies on.

A dark green card on brown wood is as light as the wood: in grey it has no outline, in green against red a
sharp one. The direction is Fisher's discriminant: the difference of the means, whitened by the ground's own
covariance, so that wood grain, or the squares of a cloth, count for little (Fisher 1936).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.imgproc.change_detection import grow
from vision.mat.candidate_parameters import CANDIDATES
from vision.sightings import Picture


def away_from_ground(
    cut: Picture, thing: Mask, corner: tuple[int, int], step: float
) -> NDArray[np.float32] | None:
    """A cut-out of the plan (h, w, 3) projected to one plane (h, w) in which a `thing` stands out.

    `thing` is a mask of the coarse plan, `step` the number of pixels of the cut-out to a cell; `corner` (x,
    y) is where the cut-out begins in the fine plan. None if too little of the thing or of its ground is seen.
    """
    ground = grow(thing, CANDIDATES.ground_beside) & ~grow(thing, CANDIDATES.ground_from)
    inside, outside = (_pixels(cut, mask, corner, step) for mask in (thing, ground))
    if len(inside) < CANDIDATES.least_colours or len(outside) < CANDIDATES.least_colours:
        return None
    spread = np.cov(outside, rowvar=False) + CANDIDATES.noise_levels**2 * np.eye(3)
    way = np.linalg.solve(spread, inside.mean(axis=0) - outside.mean(axis=0))
    length = float(np.linalg.norm(way))
    if length < 1e-9:
        return None
    return np.asarray(cv2.transform(cut.astype(np.float32), (way / length)[None]), np.float32)


def _pixels(cut: Picture, mask: Mask, corner: tuple[int, int], step: float) -> NDArray[np.float64]:
    """The colours (n, 3) of a cut-out at the middle of each cell of a mask."""
    ys, xs = np.nonzero(mask)
    at_x = np.round((xs + 0.5) * step - 0.5 - corner[0]).astype(int)
    at_y = np.round((ys + 0.5) * step - 0.5 - corner[1]).astype(int)
    height, width = cut.shape[:2]
    there = (at_x >= 0) & (at_y >= 0) & (at_x < width) & (at_y < height)
    return np.asarray(cut[at_y[there], at_x[there]], np.float64)
