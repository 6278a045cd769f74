"""Shade that moves over a box, as of a guest walking past the lamp. It is neither a hand nor a rolling die.

Print shows through a shade: every colour loses the same share of its light. A thing that hides the print has
colours of its own. All decisions are made on small copies (`frame_diff`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32, Mask
from vision.box.frame_diff import SmallCopy
from vision.box.shade_parameters import BOX_SHADE
from vision.imgproc.small_change import lit_as


def cast(read: SmallCopy, small: SmallCopy, differs: Mask, box: Mask) -> Mask:
    """Mask (h, w) of the part of `differs` that is shade which came over the `box`, or went, since `read`."""
    none, least = np.zeros_like(differs), BOX_SHADE.least_box * np.count_nonzero(box)
    if np.count_nonzero(differs & box) < least:
        return none
    expected = lit_as(read, small)
    light = _light(expected, small)
    mean = light.mean(axis=2)
    like = differs & _is_even(light, mean) & (np.abs(mean) < BOX_SHADE.deepest)
    # A fan's blade shades one place while it leaves another.
    darker, brighter = (_of_one_shade(expected, mean, like & way, box, least) for way in (mean < 0, mean > 0))
    return darker | brighter


def _of_one_shade(expected: SmallCopy, mean: Float32, like: Mask, box: Mask, least: float) -> Mask:
    """The part of `like` (h, w), all darker or all brighter by `mean`, that is one shade lying on the box."""
    over = mean[like & box]
    if len(over) < least:
        return np.zeros_like(like)
    steps = np.round(over / BOX_SHADE.alike)
    values, counts = np.unique(steps, return_counts=True)
    depth = float(np.median(over[steps == values[counts.argmax()]]))
    same = like & box & (np.abs(mean - depth) < BOX_SHADE.alike)
    own = np.log(expected[same] + np.float32(BOX_SHADE.flare))
    if (
        np.count_nonzero(same) < max(least, BOX_SHADE.mostly * len(over))
        or own.std() < BOX_SHADE.print_spread
    ):
        return np.zeros_like(like)
    # Weaker changes belong to it, too: its soft rim, and places so dark that most of their light is flare.
    return np.asarray(like & (np.abs(mean) < abs(depth) + BOX_SHADE.alike))


def creeping(before: SmallCopy, small: SmallCopy, moved: Mask) -> Mask:
    """The part (h, w) of what `moved` from one frame to the next that is the rim of a moving shade.

    A narrow rim counts only if nothing else moves and all of it gets darker, or all brighter. Where shades
    move over much of the table (a fan's blades, two guests at the lamp), other motion is told from them.
    """
    none = np.zeros_like(moved)
    ys, xs = np.nonzero(moved)
    if not _spans(ys, xs, moved):
        return none
    light = _light(lit_as(before, small)[ys, xs], small[ys, xs])
    mean = light.mean(axis=-1)
    like = _is_even(light, mean) & (np.abs(mean) < BOX_SHADE.weak)
    one_way = bool((mean > 0).all() or (mean < 0).all())
    if like.all() and one_way:
        return moved
    if np.count_nonzero(like) < BOX_SHADE.large * moved.size or not _spans(ys[like], xs[like], moved):
        return none
    none[ys[like], xs[like]] = True
    return none


def _spans(ys: NDArray[np.intp], xs: NDArray[np.intp], moved: Mask) -> bool:
    """Whether pixels extend as far as those of a shade do, and farther than those of a die."""
    return bool(len(xs)) and max(np.ptp(xs), np.ptp(ys)) >= BOX_SHADE.wide * moved.shape[1]


def _light(expected: SmallCopy, small: SmallCopy) -> Float32:
    """Logarithms (…, 3) of the light of a picture over that of another."""
    flare = np.float32(BOX_SHADE.flare)
    return np.asarray(np.log((small + flare) / (expected + flare)), np.float32)


def _is_even(light: Float32, mean: Float32) -> NDArray[np.bool_]:
    """Whether all three channels changed alike."""
    most = np.abs(light - mean[..., None]).max(axis=-1)
    return np.asarray(most < BOX_SHADE.tint * np.abs(mean) + BOX_SHADE.tint_noise)
