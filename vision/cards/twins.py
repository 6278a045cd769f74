"""Faces that two cards have in common: one picture under two names, or a thing that stood in for every card.

Two pictures of one card differ by light, noise and cut; two cards differ somewhere by as much as ink does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.recognition import FACE_PX, Faces
from vision.sightings import Picture

_NEAR = 0.2
"""Faces of which more of the ink differs are not looked at closely."""
_TWINS = 0.12
"""Of the print's contrast, where two faces differ most: one card twice .06 to .12, two cards .22 and more."""
_WINDOW_PX = 7
_RIM_PX = 5
_CUT_PX = 6.0
"""So far apart the corners of two cut-outs of one card lie at most."""
_TINT = 0.3
"""Light may tint a face by so much against another; blue print is no brown print in other light."""
_LEAST_CONTRAST = 20.0


def nearest_among(faces: Mapping[int, Picture]) -> list[tuple[int, int, float]]:
    """Every face (120, 80, 3) BGR with its nearest others, by numbers, and the share of ink that differs."""
    numbers = {str(number): number for number in faces}
    near = Faces(list(numbers), [faces[number] for number in numbers.values()]).nearest_pairs()
    return [(numbers[first], numbers[second], apart) for first, second, apart in near]


def twins_among(
    names: Mapping[int, str], faces: Mapping[int, Picture], near: Sequence[tuple[int, int, float]]
) -> list[tuple[int, int]]:
    """Pairs of faces (120, 80, 3) BGR under different names that show one and the same, by their numbers."""
    pairs = [
        (first, second)
        for first, second, apart in near
        if apart < _NEAR and first in faces and second in faces
    ]
    return [
        (first, second)
        for first, second in pairs
        if names[first] != names[second] and unlike(faces[first], faces[second]) < _TWINS
    ]


def same_face(one: Picture, other: Picture) -> bool:
    """Whether two faces (120, 80, 3) BGR are one card, seen twice."""
    return unlike(one, other) < _TWINS


def unlike(one: Picture, other: Picture, visible: NDArray[np.bool_] | None = None) -> float:
    """How far two faces differ where they differ most, either way up, as a share of the print's contrast.

    `visible` (120, 80) leaves out what is covered of the first.
    """
    ours = _soft(one)
    contrast = float(np.ptp(np.percentile(_within(ours), (2, 98))))
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
        least = min(least, most / max(contrast, _LEAST_CONTRAST))
    return least


def _soft(face: Picture) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(face.astype(np.float32), (0, 0), 1.2), np.float32)


def _within(face: NDArray[Any]) -> NDArray[Any]:
    return face[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX]


def _laid_over(face: NDArray[np.float32], goal: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """The face (120, 80, 3) laid onto the other (Evangelidis & Psarakis 2008); None if it does not fit."""
    ours, theirs = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY) for each in (goal, face))
    whole = np.ones(ours.shape, np.uint8)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 1e-3)
    try:
        _, warp = cv2.findTransformECC(
            ours, theirs, np.eye(2, 3, dtype=np.float32), cv2.MOTION_AFFINE, stop, whole, 3
        )
    except cv2.error:
        return None
    corners = np.array([[0, 0, 1], [FACE_PX[0], 0, 1], [0, FACE_PX[1], 1], [*FACE_PX, 1]], np.float64)
    if np.abs(corners @ np.asarray(warp).T - corners[:, :2]).max() > _CUT_PX:
        return None  # a pip laid onto another card's pip
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = cv2.warpAffine(face, warp, FACE_PX, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(laid, np.float32)
