"""Pose hypotheses for faces, as pips suggest them, before any is measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.dice.pips import Lab

_SQUARE = np.pi / 4
FROM_ABOVE = (_SQUARE, _SQUARE - 0.14, _SQUARE + 0.14)
"""Angles between a face's diagonal and its side, seen from above: the grid of a tall 6 is oblong."""
SLANTS = (*FROM_ABOVE, _SQUARE - 0.25, _SQUARE + 0.25)
"""The same for a slanting view, which makes the grid oblong."""


class FaceBodies(NamedTuple):
    """Bodies of n faces: edge (n,) in pixels, filled places (n, 9), CIELAB body and pip contrast (n, 3)."""

    edge: Float32
    filled: Float32
    body: Lab
    contrast: Lab


class Poses(NamedTuple):
    """Hypotheses of faces: middles (n, 2), turns (n,) in radians, pitch (n, 2) along both sides.

    `ends` (n, 2) holds the indices of the two pips behind each; a lone pip is both.
    """

    middle: Float32
    yaw: Float32
    pitch: Float32
    ends: NDArray[np.intp]

    def of(self, own: slice | NDArray[np.intp]) -> Poses:
        """Return a part of the poses."""
        return Poses(self.middle[own], self.yaw[own], self.pitch[own], self.ends[own])

    def joined(self, other: Poses) -> Poses:
        """Return these and the other poses."""
        return Poses(
            np.concatenate([self.middle, other.middle]),
            np.concatenate([self.yaw, other.yaw]),
            np.concatenate([self.pitch, other.pitch]),
            np.concatenate([self.ends, other.ends]),
        )


def on_diagonals(at: Float32, ends: NDArray[np.intp], slants: Sequence[float] = SLANTS) -> Poses:
    """Poses of faces that have a pair of the pips `at` (m, 2), with indices `ends` (n, 2), as a diagonal.

    `slants` are the angles (radians) that the diagonal may make with the face's side.
    """
    ends = np.repeat(ends, len(slants), axis=0)
    slant = np.tile(np.array(slants), len(ends) // len(slants))
    gap = at[ends[:, 1]] - at[ends[:, 0]]
    far = np.hypot(gap[:, 0], gap[:, 1])
    yaw = np.arctan2(gap[:, 1], gap[:, 0]) - slant
    pitch = (far / 2)[:, None] * np.stack([np.cos(slant), np.sin(slant)], axis=1)
    middle = np.asarray((at[ends[:, 0]] + at[ends[:, 1]]) / 2, np.float32)
    return Poses(middle, np.asarray(yaw, np.float32), np.asarray(pitch, np.float32), ends)
