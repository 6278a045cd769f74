"""Shade that moves over a box: somebody walks past the lamp. It is no hand, and no die that rolls.

In a shade the print shows through: every colour loses the same share of its light. What hides the print has
colours of its own. Everything is decided on small copies (`frame_diff`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.box.frame_diff import Mask, Small
from vision.box.shade_parameters import BOX_SHADE
from vision.imgproc.small_change import lit_as

_FLARE = np.float32(BOX_SHADE.flare)

_Floats = NDArray[np.float32]


def cast(read: Small, small: Small, differs: Mask, box: Mask) -> Mask:
    """Where (h, w) a shade that fell, or went, since `read` is all that `differs`; `box` is its place."""
    none, least = np.zeros_like(differs), BOX_SHADE.least_box * np.count_nonzero(box)
    if np.count_nonzero(differs & box) < least:
        return none
    expected = lit_as(read, small)
    light = _light(expected, small)
    mean = light.mean(axis=2)
    like = differs & _is_even(light, mean) & (np.abs(mean) < BOX_SHADE.deepest)
    over = mean[like & box]
    if len(over) < least:
        return none
    steps = np.round(over / BOX_SHADE.alike)
    values, counts = np.unique(steps, return_counts=True)
    depth = float(np.median(over[steps == values[counts.argmax()]]))
    same = like & box & (np.abs(mean - depth) < BOX_SHADE.alike)
    count = np.count_nonzero(same)
    own = np.log(expected[same] + _FLARE)
    if count < max(least, BOX_SHADE.mostly * len(over)) or own.std() < BOX_SHADE.print_spread:
        return none
    # Half lit at its soft rim, and where the picture is so dark that flare is most of it.
    return np.asarray(like & (mean * depth > 0) & (np.abs(mean) < abs(depth) + BOX_SHADE.alike))


def crept(before: Small, small: Small, moved: Mask) -> bool:
    """Whether all that `moved` (h, w) from one frame to the next is the rim of a shade on its way."""
    ys, xs = np.nonzero(moved)
    if not len(xs) or max(np.ptp(xs), np.ptp(ys)) < BOX_SHADE.wide * moved.shape[1]:
        return False
    light = _light(lit_as(before, small)[ys, xs], small[ys, xs])
    mean = light.mean(axis=-1)
    one_way = bool((mean > 0).all() or (mean < 0).all())
    return one_way and bool((_is_even(light, mean) & (np.abs(mean) < BOX_SHADE.weak)).all())


def _light(expected: Small, small: Small) -> _Floats:
    """Logarithms (…, 3) of the light of a picture over that of another."""
    return np.asarray(np.log((small + _FLARE) / (expected + _FLARE)), np.float32)


def _is_even(light: _Floats, mean: _Floats) -> NDArray[np.bool_]:
    """Whether all three channels changed alike."""
    most = np.abs(light - mean[..., None]).max(axis=-1)
    return np.asarray(most < BOX_SHADE.tint * np.abs(mean) + BOX_SHADE.tint_noise)
