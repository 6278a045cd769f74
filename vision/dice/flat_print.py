"""Dice printed on a sheet or shown on a screen: all four of their sides end alike.

A die is as high as it is wide. Unless it lies straight below the camera, one of its sides shows, and a lamp
casts its shadow to one side; flat print is one step from the die's colour to the same ground all round.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Float32
from vision.dice.face import Face
from vision.dice.parameters import DIE
from vision.dice.pips import EDGE_PX, Lab
from vision.dice.proof import QUARTERS, seen, side_steps
from vision.dice.views import Views

_OUT = np.arange(0.36, 0.8, 0.02, dtype=np.float32)
"""Distances from the face's middle, in edges, at which the colour beside each side is read."""
_ALONG = np.linspace(-0.3, 0.3, 13, dtype=np.float32)
_RIM_WIDE, _RIMS = 3, 9
"""Steps of `_OUT` that a blurred rim spans, and how many positions are tried as its start."""
_BESIDE = (1, 3)
"""Steps beyond the rim at which the ground is compared, where a die's side and its shadow would be."""


def is_flat(views: Views, face: Face) -> bool:
    """Whether a face ends on all four sides with the same step to the same ground."""
    steps = side_steps(views, face)
    if steps[-1] - steps[0] > DIE.flat_steps * steps[-1]:
        return False
    grounds = np.stack([_ground(views, face, quarter) for quarter in QUARTERS])
    apart = np.linalg.norm(grounds[:, None] - grounds, axis=-1)
    return float(apart.max()) <= DIE.flat_ground


def _ground(views: Views, face: Face, quarter: Float32) -> Lab:
    """The ground's CIELAB colours (n, 3) beside one side of a face, nearest first."""
    out = np.stack(np.broadcast_arrays(_OUT[:, None], _ALONG), axis=-1)
    colours = np.median(seen(views, face, out @ quarter, EDGE_PX), axis=1)
    steps = np.linalg.norm(colours[_RIM_WIDE:] - colours[:-_RIM_WIDE], axis=1)[:_RIMS]
    end = int(steps.argmax()) + _RIM_WIDE
    return np.asarray(colours[[end + step for step in _BESIDE]], np.float32)
