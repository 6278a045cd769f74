"""Faces that are not cards': those without print, and one thing that stood in for all cards.

In a series of pictures the card changes, but other things that change or move are found as well: a sheet of
paper that is pushed about, the rest of the pack. Such a thing shows nothing, or the same in all pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.face_similarity import are_apart
from vision.sightings import Picture

_RIM_PX = 10
"""Width of the rim left out: a back or a sheet may have a frame; what distinguishes cards is further in."""
_LEAST_PRINT = 0.35
"""Least spread over median lightness, by channel: paper .06 to .21, fine backs .24 to .33, dark decks .59."""
_BLACK = 8.0
"""Steps of 255 added before spread is compared with lightness: on black any noise is a large share."""
_SOFT, _STEP = 2.0, 2
"""Blur, and step between compared pixels of a face: saves time, and allows for slightly wrong cuts."""
_SHIFTS = (-2, 0, 2)
"""Offsets, in pixels of a face, by which two faces may be cut out differently."""
_SAME = 0.015
"""Largest difference of one thing, over the print's energy: .00; the third of three alike cards .025."""
_NEAREST = 3
"""Number of the most similar faces that are compared closely."""
_ENOUGH = 1 / 3
"""Share of all faces showing one thing above which none counts as a deck's."""
_LEAST = 4
"""Least number of faces: among fewer, too many alike is no evidence."""


def has_print(face: Picture) -> bool:
    """Whether a face (120, 80, 3) BGR shows anything but paper within its frame."""
    cut = slice(_RIM_PX, -_RIM_PX)
    soft = cv2.GaussianBlur(face.astype(np.float32), (0, 0), 1.2)[cut, cut]
    low, usual, high = np.percentile(soft.reshape(-1, 3), (0.2, 50, 99.8), axis=0)
    return bool(((high - low) / (usual + _BLACK)).max() > _LEAST_PRINT)


def are_one_thing(faces: Sequence[Picture]) -> bool:
    """Whether too many of the faces (120, 80, 3) BGR show the same for a deck.

    Light may tint each; noise and a slightly wrong cut may blur it. Two cards of one deck can be as alike as
    that, three cannot. Where a deck's ornament outweighs its figures, a close comparison distinguishes them.
    """
    if len(faces) < _LEAST:
        return False
    softened = [cv2.GaussianBlur(face.astype(np.float32), (0, 0), _SOFT) for face in faces]
    soft = np.asarray(softened, np.float32)
    ours = _prints(soft, 0, 0)
    like = np.zeros((len(faces), len(faces)), np.float32)
    for theirs in (soft, soft[:, ::-1, ::-1]):
        for right, down in product(_SHIFTS, _SHIFTS):
            np.maximum(like, ours @ _prints(theirs, right, down).T, out=like)
    apart = 1 - np.maximum(like, like.T) ** 2
    np.fill_diagonal(apart, 1.0)
    if np.mean(np.sort(apart, axis=1)[:, 1] < _SAME) < _ENOUGH:
        return False
    same = 0
    for one, row in enumerate(apart):
        others = [int(other) for other in np.argsort(row)[:_NEAREST] if row[other] < _SAME]
        same += sum(not are_apart(faces[one], faces[other]) for other in others) > 1
    return same >= _ENOUGH * len(faces)


def _prints(soft: NDArray[np.float32], right: int, down: int) -> NDArray[np.float32]:
    """Deviation of each face inside its rim from its mean colour: (faces, values), each of length 1."""
    height, width = soft.shape[1:3]
    rows = slice(_RIM_PX + down, height - _RIM_PX + down, _STEP)
    columns = slice(_RIM_PX + right, width - _RIM_PX + right, _STEP)
    inside = soft[:, rows, columns]
    differs = (inside - inside.mean(axis=(1, 2), keepdims=True)).reshape(len(soft), -1)
    return np.asarray(differs / np.maximum(np.linalg.norm(differs, axis=1, keepdims=True), 1e-6), np.float32)
