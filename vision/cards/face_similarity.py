"""Whether two faces are one card: their largest difference, corrected for light, cut and turn."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imgproc.colourless import without_colours
from vision.sightings import Picture

SAME = 0.12
"""Share of the print's contrast where two faces differ most: one card twice .06 to .12, two .22 or more,
a figure in the same large ornament .14 and more; one cloth or back cut out many times .02 to .06."""
_SAME_PRINT = 0.18
"""As above, without colours: one print in two inks .02 to .12, two prints .25 and more (two decks)."""
_WINDOW_PX = 7
_RIM_PX = 5
_CUT_PX = 6.0
"""Largest distance, in pixels, between the corners of two cut-outs of one card."""
_TINT = 0.3
"""Most that light may tint one face relative to another (log ratio): a blue print is not a brown one."""
_LEAST_CONTRAST = 20.0
"""Least contrast (grey levels, paper to ink) assumed for a pale face, so that its noise is no print."""


def same_face(one: Picture, other: Picture) -> bool:
    """Whether two faces (120, 80, 3) BGR show one card."""
    return unlike(one, other) < SAME


def are_apart(one: Picture, other: Picture) -> bool:
    """Whether two faces (120, 80, 3) BGR, aligned with each other, surely show two cards.

    False for faces that cannot be aligned: nothing is certain of them.
    """
    return SAME <= unlike(one, other) < 1


def unlike(one: Picture, other: Picture, visible: NDArray[np.bool_] | None = None) -> float:
    """Largest difference between two faces, either way up, as a share of the print's contrast.

    `visible` (120, 80) masks the uncovered part of the first. 1: that different, or not comparable.
    """
    ours = _soft(one)
    contrast = _contrast(ours)
    least = 1.0
    for turned in (other, np.asarray(cv2.rotate(other, cv2.ROTATE_180), np.uint8)):
        theirs = _laid_over(_soft(turned), ours)
        if theirs is None:
            continue
        light = np.median(_within(ours) + 8, axis=(0, 1)) / np.median(_within(theirs) + 8, axis=(0, 1))
        if np.ptp(np.log(light)) > _TINT:
            continue
        apart = np.abs(_within(theirs) * light - _within(ours)).max(axis=2)
        if visible is not None:
            apart = apart * _within(visible)
        most = float(cv2.blur(apart, (_WINDOW_PX, _WINDOW_PX)).max())
        least = min(least, most / contrast)
    return least


def same_print(one: Picture, other: Picture) -> bool:
    """Whether two faces (120, 80, 3) BGR show one print in any colours, either way up."""
    ours = _soft(without_colours(one))
    contrast = _contrast(ours)
    for turned in (other, np.asarray(cv2.rotate(other, cv2.ROTATE_180), np.uint8)):
        theirs = _laid_over(_soft(without_colours(turned)), ours)
        if theirs is None:
            continue
        seen, ink = _within(ours)[..., 0], _within(theirs)[..., 0]
        slope, level = np.polyfit(ink.ravel(), seen.ravel(), 1)
        apart = np.abs(slope * ink + level - seen).astype(np.float32)
        if slope > 0 and float(cv2.blur(apart, (_WINDOW_PX, _WINDOW_PX)).max()) < _SAME_PRINT * contrast:
            return True
    return False


def _soft(face: Picture) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(face.astype(np.float32), (0, 0), 1.2), np.float32)


def _contrast(face: NDArray[np.float32]) -> float:
    """Contrast between paper and ink of a softened face, in grey levels."""
    return max(float(np.ptp(np.percentile(_within(face), (2, 98)))), _LEAST_CONTRAST)


def _within(face: NDArray[Any]) -> NDArray[Any]:
    return face[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX]


def _laid_over(face: NDArray[np.float32], goal: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """The face (120, 80, 3) aligned to the other (Evangelidis & Psarakis 2008); None if it does not fit."""
    ours, theirs = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY) for each in (goal, face))
    whole = np.ones(ours.shape, np.uint8)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 1e-3)
    try:
        _, warp = cv2.findTransformECC(
            ours, theirs, np.eye(2, 3, dtype=np.float32), cv2.MOTION_AFFINE, stop, whole, 3
        )
    except cv2.error:
        return None
    h, w = face.shape[:2]
    corners = np.array([[0, 0, 1], [w, 0, 1], [0, h, 1], [w, h, 1]], np.float64)
    if np.abs(corners @ np.asarray(warp).T - corners[:, :2]).max() > _CUT_PX:
        return None  # a pip aligned with another card's pip
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = cv2.warpAffine(face, warp, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(laid, np.float32)
