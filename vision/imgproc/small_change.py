"""What differs between two pictures of a table, told on small copies: the camera stands still, or nearly."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import Picture

_WIDTH = 200
_TINT_WIDTH = 400
_OTHER_TINT = 8
"""Steps of a colour channel by which a pixel of a small copy must change to be looked at again."""
_TREMOR = 40
"""Grey steps that a swaying camera changes at most where a picture has edges."""
_SWAY_PX = 1.5
"""Pixels of the small copy by which a camera in a resting hand sways."""
_DRIFT_PX = 8.0
"""The same from one throw to the next."""
_EXPLAINED = 0.9
"""Share of what seems to have changed that may be left where the camera has moved."""
_ROUNDS = 2
_SLOPE = 2.0
"""Grey steps a pixel of the small copy by which brightness must rise there for its motion to be told."""
_FEW = 3
_BESIDE = np.ones((3, 3), np.uint8)
_THICK = np.ones((2, 2), np.uint8)
_SPARSE = 8
_OFF_LINE = (40.0, 20.0, 10.0, 5.0)
"""Steps of a colour channel, from round to round, by which a place may be off what light alone would do."""
_ONE_COLOUR = 15.0
"""Spread of a channel, in steps, below which a picture tells no contrast."""

Grey = NDArray[np.uint8]
Changed = NDArray[np.bool_]
Affine = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Small:
    """The small copies of one picture: `grey` (`small_grey`) and `tint` (`tint_of`)."""

    grey: Grey
    tint: Picture


def small_grey(picture: Picture) -> Grey:
    """A lightly smoothed grey copy (h, w), `_WIDTH` wide, of a BGR picture: what stillness is told on."""
    h, w = picture.shape[:2]
    picture = _halved(picture, _WIDTH)
    small = cv2.resize(picture, (_WIDTH, max(1, round(h * _WIDTH / w))), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.uint8)


def tint_of(picture: Picture) -> Picture:
    """A small copy in colour: a red die on a green table may be as bright as that."""
    h, w = picture.shape[:2]
    picture = _halved(picture, _TINT_WIDTH)
    size = (min(w, _TINT_WIDTH), max(1, round(h * min(w, _TINT_WIDTH) / w)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)


def repainted(one: Small, two: Small) -> tuple[Grey, Affine | None]:
    """Where `two` shows a colour (h, w of its tint) that `one` has not there nor beside it: 1, else 0.

    What a camera does to all colours of one kind is no paint; nor are edges that it moves by a little: what
    lays the tint of `one` onto that of `two`, (2, 3), comes second, None where they lie on each other.
    """
    changed = _other(one.tint, two.tint)
    if not changed.any():
        return changed, None
    before = _toned_as(one.tint, two.tint)
    changed, onto = _other(before, two.tint), _tremor(one.grey, two.grey, _DRIFT_PX)
    if onto is not None:
        onto = onto * np.array([1, 1, two.tint.shape[1] / two.grey.shape[1]])
        moved = _other(_moved(before, onto), two.tint)
        if moved.sum() < _EXPLAINED * changed.sum():
            return moved, onto
    return changed, None


def _other(one: Picture, two: Picture) -> Grey:
    """Where the picture `two` has a colour that `one` has not there nor beside it: 1, else 0."""
    above = cv2.subtract(two, cv2.dilate(one, _BESIDE))
    below = cv2.subtract(cv2.erode(one, _BESIDE), two)
    blue, green, red = cv2.split(cv2.max(above, below))
    other = np.asarray(cv2.max(cv2.max(blue, green), red) > _OTHER_TINT, np.uint8)
    # A line of one pixel is an edge that did not come to lie quite where it lay.
    return np.asarray(cv2.morphologyEx(other, cv2.MORPH_OPEN, _THICK), np.uint8)


def _toned_as(one: Picture, two: Picture) -> Picture:
    """The picture `one` (h, w, 3) as the camera shows it in `two`: each channel by a straight line.

    Exposure and white balance are gains, but black levels and tone curves are not: wood and green felt
    beside each other ask for a line. What is off it by more than a little has changed itself.
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
        # One colour alone tells no line: there the gain is the usual one.
        gain = (rise.mean(axis=0) + _ONE_COLOUR**2 * usual) / (spread.mean(axis=0) + _ONE_COLOUR**2)
        lift = level - gain * middle
    line = np.arange(256)[:, None] * gain + lift
    return np.asarray(cv2.LUT(one, line.clip(0, 255).astype(np.uint8)[None]), np.uint8)


def lit_as(one: NDArray[np.uint8], two: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture `one` (h, w) or (h, w, 3) in the light of `two`: lamps and exposure multiply what is seen.

    Each channel by the middle of what its pixels changed by.
    """
    before, now = one[::2, ::2].astype(np.float32), two[::2, ::2].astype(np.float32)
    gain = np.median((now + 1) / (before + 1), axis=(0, 1))
    return np.asarray((one * gain).clip(0, 255), np.uint8)


def changed_grey(one: Grey, two: Grey, jump: int) -> Changed:
    """Pixels that changed by more than `jump` beside what all pixels changed (exposure, flicker)."""
    change = two.astype(np.int16) - one
    return np.asarray(np.abs(change - int(np.median(change))) > jump)


def steadied(one: Grey, two: Grey) -> Grey | None:
    """The grey copy `one` laid onto `two` as the tremor of a hand moves a camera; None where that is more."""
    onto = _tremor(one, two, _SWAY_PX)
    return None if onto is None else _moved(one, onto)


def _tremor(one: Grey, two: Grey, most_px: float) -> Affine | None:
    """What lays the grey copy `one` onto `two`; None where some place moves by more than `most_px`.

    The least squares of the brightness that moves along its own slopes (Lucas and Kanade 1981), with a shift,
    a turn and a nearing for the whole picture.
    """
    h, w = one.shape
    now, onto, total = two.astype(np.float32), np.eye(2, 3), np.zeros(4)
    for _ in range(_ROUNDS):
        moved = _moved(one, onto)
        off = now - moved
        off -= np.median(off[::_FEW, ::_FEW])
        along, down = (cv2.Sobel(moved, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
        # What changed by more is no tremor; what has no slope does not tell.
        at = np.flatnonzero((np.abs(off) < _TREMOR) & (cv2.max(np.abs(along), np.abs(down)) > _SLOPE))
        off, along, down = off.ravel()[at], along.ravel()[at], down.ravel()[at]
        y, x = np.divmod(at, w)
        y, x = (y - h / 2) / w, (x - w / 2) / w
        slopes = np.stack([along, down, along * x + down * y, down * x - along * y])
        total -= np.linalg.solve(slopes @ slopes.T + 1e-3 * np.eye(4), slopes @ off)
        dx, dy, near, turn = total
        if abs(dx) + abs(dy) + (abs(near) + abs(turn)) * max(h, w) / w > most_px:
            return None
        near, turn = near / w, turn / w
        onto = np.array(
            [
                [1 + near, -turn, dx - near * w / 2 + turn * h / 2],
                [turn, 1 + near, dy - turn * w / 2 - near * h / 2],
            ]
        )
    return onto


def _moved(copy: NDArray[np.uint8], onto: Affine) -> NDArray[np.uint8]:
    """A small copy moved by (2, 3), what comes in from beyond its rim as the rim is."""
    size = (copy.shape[1], copy.shape[0])
    return np.asarray(cv2.warpAffine(copy, onto, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def swings(before: Grey, moved: Changed) -> bool:
    """Whether the whole picture moved: most of what has contrast changed, in every corner of it."""
    edges = np.hypot(cv2.Sobel(before, cv2.CV_32F, 1, 0), cv2.Sobel(before, cv2.CV_32F, 0, 1)) > 60
    grown = cv2.dilate(moved.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    h, w = before.shape
    shares = []
    for rows in (slice(0, h // 2), slice(h // 2, h)):
        for columns in (slice(0, w // 2), slice(w // 2, w)):
            part = edges[rows, columns]
            if part.sum() > 20:
                shares.append(float(grown[rows, columns][part].mean()))
    return len(shares) >= 2 and min(shares) > 0.35


def _halved(picture: Picture, width: int) -> Picture:
    """A picture halved until it is less than twice `width` wide.

    Halves of whole pixels are cheap, and leave less noise than leaving pixels out would.
    """
    while picture.shape[1] >= 2 * width and picture.shape[0] > 1:
        even = picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2]
        picture = np.asarray(cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    return picture
