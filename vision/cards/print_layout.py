"""How the print lies on a whole face: courts have a figure, number cards of one rank the same pips.

The softened darkest channel, in which every ink is dark, is compared over the face within its rim, so a
court's robe and a heart count alike and the shape of a suit hardly does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import cv2
import numpy as np

from vision.arrays import Float32
from vision.sightings import Picture

_SOFT_PX = 2.5
"""Blur of a face, about a pip: layouts of one rank's four suits matched against those of other ranks."""
_RIM_PX = 6
"""Width of the rim that is left out: room for a rough cut."""
_STEP = 3
"""Step between compared pixels: saves time, and after the blur nothing is lost."""
_SHIFTS_PX = (-3, 0, 3)
"""Offsets by which two faces may be cut out differently."""
_COURTS = frozenset("JQK")
"""Ranks of French cards that show a figure: in layout they are one kind."""
COURT = "court"


def layouts(ranks: Sequence[str]) -> tuple[str, ...]:
    """The kinds of ranks that a layout can distinguish: courts are one kind, every other rank is its own."""
    return tuple(COURT if rank in _COURTS else rank for rank in ranks)


def layout_likeness(faces: Sequence[Picture]) -> Float32:
    """Correlation of the layouts of faces (120, 80, 3) BGR with each other (n, n), either way up; own: -1."""
    softened = [cv2.GaussianBlur(face.astype(np.float32).min(axis=2), (0, 0), _SOFT_PX) for face in faces]
    soft = np.asarray(softened, np.float32)
    ours = _inner(soft, 0, 0)
    like = np.full((len(faces), len(faces)), -1, np.float32)
    for theirs in (soft, soft[:, ::-1, ::-1]):
        for right, down in product(_SHIFTS_PX, _SHIFTS_PX):
            np.maximum(like, ours @ _inner(theirs, right, down).T, out=like)
    both = np.maximum(like, like.T)
    np.fill_diagonal(both, -1)
    return both


def _inner(soft: Float32, right: int, down: int) -> Float32:
    """Deviation from the mean of each face within its rim, cut out at that offset: (n, values), length 1."""
    height, width = soft.shape[1:]
    rows = slice(_RIM_PX + down, height - _RIM_PX + down, _STEP)
    columns = slice(_RIM_PX + right, width - _RIM_PX + right, _STEP)
    inside = soft[:, rows, columns].reshape(len(soft), -1)
    inside = inside - inside.mean(axis=1, keepdims=True)
    return np.asarray(inside / np.maximum(np.linalg.norm(inside, axis=1, keepdims=True), 1e-6), np.float32)
