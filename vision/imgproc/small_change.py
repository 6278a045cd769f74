"""What differs between two pictures of a table, measured on small copies; the camera stands nearly still."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imgproc.registration import Affine, moved_by, similarity
from vision.imgproc.small_change_parameters import SMALL_CHANGE
from vision.sightings import Picture

_WIDTH = 200
"""Width in pixels of the copy in which motion is detected."""
_TINT_WIDTH = 400
"""Width in pixels of the copy in which colours are compared."""
_FLARE = np.float32(8.0)
"""Grey levels that lens flare and the foot of the tone curve add everywhere; no gain scales them."""
_STEPS = np.arange(256, dtype=np.float32)[:, None]
_BESIDE = np.ones((3, 3), np.uint8)
_THICK = np.ones((2, 2), np.uint8)
_SPARSE = 8
_OFF_LINE = (40.0, 20.0, 10.0, 5.0)
"""Largest deviation from the fitted line, in grey levels of a channel and round by round, of an inlier."""

Grey = NDArray[np.uint8]
Changed = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Small:
    """The small copies of one picture: `grey` (`small_grey`) and `tint` (`tint_of`)."""

    grey: Grey
    tint: Picture


def small_grey(picture: Picture, width: int = _WIDTH) -> Grey:
    """A lightly smoothed grey copy (h, w), `width` wide, of a BGR picture, for detecting motion."""
    h, w = picture.shape[:2]
    picture = _halved(picture, width)
    small = cv2.resize(picture, (width, max(1, round(h * width / w))), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.uint8)


def tint_of(picture: Picture) -> Picture:
    """A small colour copy of a BGR picture: a red die on a green table may be as bright as the table."""
    h, w = picture.shape[:2]
    picture = _halved(picture, _TINT_WIDTH)
    size = (min(w, _TINT_WIDTH), max(1, round(h * min(w, _TINT_WIDTH) / w)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)


def repainted(one: Small, two: Small) -> tuple[Grey, Affine | None]:
    """Where `two` shows a colour (h, w of its tint) that `one` has neither there nor beside it: 1, else 0.

    Changes of the camera's tone curve are ignored, and so are edges that a drifting camera moves slightly.
    The second value is the map (2, 3) of `one`'s tint onto `two`'s, None where no drift was removed.
    """
    changed = _other(one.tint, two.tint)
    if not changed.any():
        return changed, None
    before = _toned_as(one.tint, two.tint)
    changed, onto = _other(before, two.tint), similarity(one.grey, two.grey, SMALL_CHANGE.drift_px)
    if onto is not None:
        onto = onto * np.array([1, 1, two.tint.shape[1] / two.grey.shape[1]])
        moved = _other(moved_by(before, onto), two.tint)
        if moved.sum() < SMALL_CHANGE.explained * changed.sum():
            return moved, onto
    return changed, None


def _other(one: Picture, two: Picture) -> Grey:
    """Where `two` has a colour that `one` has neither there nor beside it: 1, else 0."""
    above = cv2.subtract(two, cv2.dilate(one, _BESIDE))
    below = cv2.subtract(cv2.erode(one, _BESIDE), two)
    other = np.asarray(largest(cv2.max(above, below)) > SMALL_CHANGE.other_tint, np.uint8)
    # A line one pixel wide is an edge that has shifted slightly.
    return np.asarray(cv2.morphologyEx(other, cv2.MORPH_OPEN, _THICK), np.uint8)


def _toned_as(one: Picture, two: Picture) -> Picture:
    """The picture `one` (h, w, 3) in the tones of `two`, by a straight line for each channel.

    Exposure and white balance are gains, but black levels and tone curves are not: wood and green felt
    side by side need an offset as well. Pixels far off the line have themselves changed and are left out.
    """
    before, now = (p[::_SPARSE, ::_SPARSE].reshape(-1, 3).astype(np.float32) for p in (one, two))
    usual = np.median((now + 1) / (before + 1), axis=0)
    gain, lift = usual, np.zeros_like(usual)
    for most in _OFF_LINE:
        like = np.abs(before * gain + lift - now).max(axis=1) < most
        if not like.any():
            break
        x, y = before[like], now[like]
        middle, level = x.mean(axis=0), y.mean(axis=0)
        spread, rise = (x - middle) ** 2, (x - middle) * (y - level)
        # One colour alone does not determine a line: there the gain tends to the usual one.
        gain = (rise.mean(axis=0) + SMALL_CHANGE.one_colour**2 * usual) / (
            spread.mean(axis=0) + SMALL_CHANGE.one_colour**2
        )
        lift = level - gain * middle
    line = np.arange(256)[:, None] * gain + lift
    return np.asarray(cv2.LUT(one, line.clip(0, 255).astype(np.uint8)[None]), np.uint8)


def lit_as(one: NDArray[np.uint8], two: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture `one` (h, w) or (h, w, 3) in the light of `two`: lamps and exposure are gains.

    Each channel is scaled by the median gain of its pixels.
    """
    before, now = one[::4, ::4], two[::4, ::4]
    gain = np.median((now + _FLARE) / (before + _FLARE), axis=(0, 1))
    dark = np.median(before, axis=(0, 1)) + _FLARE < SMALL_CHANGE.dark
    if np.any(dark):
        gain = np.where(dark, _gain_by_the_bright(before, now), gain)
    lit = np.rint(((_STEPS + _FLARE) * gain - _FLARE).clip(0.0, 255.0)).astype(np.uint8)
    return np.asarray(cv2.LUT(one, lit[None] if one.ndim == 3 else lit), np.uint8)


def _gain_by_the_bright(one: NDArray[np.uint8], two: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The median gain of each channel's pixels, each weighted by its brightness in both pictures.

    Noise and rounding are the same for all pixels, so relative errors are large in dark ones.
    """
    before, now = (part.reshape(-1, *part.shape[2:]) for part in (one, two))
    gains = (now + _FLARE) / (before + _FLARE)
    sure = np.where(
        np.maximum(before, now) < SMALL_CHANGE.burnt, (np.minimum(before, now) + _FLARE) ** 2, 0.0
    )
    order = np.argsort(gains, axis=0)
    sums = np.cumsum(np.take_along_axis(sure, order, axis=0), axis=0)
    middle = np.argmax(sums >= sums[-1:] / 2, axis=0, keepdims=True)
    return np.asarray(np.take_along_axis(gains, np.take_along_axis(order, middle, 0), 0)[0], np.float64)


def changed(one: NDArray[np.uint8], two: NDArray[np.uint8], jump: int) -> Changed:
    """Pixels (h, w) that changed in any channel by more than `jump` grey levels beyond the common gain.

    `one` and `two` are small copies, grey (h, w) or colour (h, w, 3). Light is a gain, not an offset: with
    more of it, bright pixels gain more levels than dark ones.
    """
    return np.asarray(largest(cv2.absdiff(two, lit_as(one, two))) > jump)


def pixels_apart(thin: Grey, before: Grey, levels: int, lit: bool) -> int:
    """Count the pixels of a grey copy that differ by more than `levels`: a quick, cheap test.

    With `lit`, a common change of the light is removed first, estimated from the mean of all pixels.
    """
    if lit:
        before = np.asarray(
            cv2.convertScaleAbs(before, alpha=float(thin.mean()) / max(1.0, float(before.mean())))
        )
    return int(np.count_nonzero(cv2.absdiff(thin, before) > levels))


def share_apart(one: Picture, two: Picture) -> float:
    """Share of the pixels of two full-size cut-outs (h, w[, 3]) that differ by more than noise.

    A common change of light counts as well: a cut-out may show nothing but the new thing.
    """
    change = cv2.GaussianBlur(cv2.subtract(one, two, dtype=cv2.CV_16S), (7, 7), 1.0)
    most = (SMALL_CHANGE.noise,) * (1 if one.ndim == 2 else 3)
    same = cv2.countNonZero(cv2.inRange(change, tuple(-v for v in most), most))
    return float(1.0 - same / (change.shape[0] * change.shape[1]))


def largest(channels: NDArray[Any]) -> NDArray[Any]:
    """The largest of the channels at each pixel, (h, w); `max(axis=2)` takes ten times as long."""
    if channels.ndim == 2:
        return channels
    blue, green, red = cv2.split(channels)
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def steadied(one: Grey, two: Grey) -> Grey | None:
    """Register the grey copy `one` to `two`, for the sway of a hand-held camera; None if it moved further."""
    onto = similarity(one, two, SMALL_CHANGE.sway_px)
    return None if onto is None else moved_by(one, onto)


def swings(before: Grey, moved: Changed) -> bool:
    """Whether the whole picture moved: in every quarter that has contrast, many of the edges changed."""
    edges = (
        np.hypot(cv2.Sobel(before, cv2.CV_32F, 1, 0), cv2.Sobel(before, cv2.CV_32F, 0, 1))
        > SMALL_CHANGE.swing_edge
    )
    grown = cv2.dilate(moved.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    h, w = before.shape
    shares = []
    for rows in (slice(0, h // 2), slice(h // 2, h)):
        for columns in (slice(0, w // 2), slice(w // 2, w)):
            part = edges[rows, columns]
            if part.sum() > SMALL_CHANGE.swing_least_px:
                shares.append(float(grown[rows, columns][part].mean()))
    return len(shares) >= 2 and min(shares) > SMALL_CHANGE.swing_share


def _halved(picture: Picture, width: int) -> Picture:
    """Halve a picture until it is less than twice `width` wide.

    Averaging 2 x 2 pixels is cheap, and leaves less noise than subsampling.
    """
    while picture.shape[1] >= 2 * width and picture.shape[0] > 1:
        even = picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2]
        picture = np.asarray(cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    return picture
