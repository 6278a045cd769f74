"""What differs between two pictures of a table, told on small copies: the camera stands still, or nearly."""

from __future__ import annotations

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
_BESIDE = np.ones((3, 3), np.uint8)

Grey = NDArray[np.uint8]
Changed = NDArray[np.bool_]


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
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)


def repainted(one: Picture, two: Picture) -> Grey:
    """Where `two` shows a colour that `one` has not there nor beside it (the camera sways): 1, else 0."""
    one, now = lit_as(one, two), two.astype(np.int16)
    high, low = cv2.dilate(one, _BESIDE).astype(np.int16), cv2.erode(one, _BESIDE).astype(np.int16)
    return np.asarray(((now > high + _OTHER_TINT) | (now < low - _OTHER_TINT)).any(axis=2), np.uint8)


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
    """The grey copy `one` laid onto `two` as the tremor of a hand moves a camera; None where it is no tremor.

    The least squares of the brightness that moves along its own slopes (Lucas and Kanade 1981), with a shift,
    a turn and a nearing for the whole picture.
    """
    h, w = one.shape
    now, y, x = two.astype(np.float32), *np.mgrid[:h, :w].astype(np.float32)
    x, y = (x - w / 2) / w, (y - h / 2) / w
    moved, total = one, np.zeros(4)
    for _ in range(2):
        off = now - moved
        off -= np.median(off)
        along, down = (cv2.Sobel(moved, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
        slopes = np.stack([along, down, along * x + down * y, down * x - along * y], axis=-1)
        # What changed by more is no tremor.
        slopes, off = slopes[np.abs(off) < _TREMOR], off[np.abs(off) < _TREMOR]
        total -= np.linalg.solve(slopes.T @ slopes + 1e-3 * np.eye(4, dtype=np.float32), slopes.T @ off)
        dx, dy, near, turn = total
        if abs(dx) + abs(dy) + (abs(near) + abs(turn)) * max(h, w) / w > _SWAY_PX:
            return None
        near, turn = near / w, turn / w
        onto = np.array(
            [
                [1 + near, -turn, dx - near * w / 2 + turn * h / 2],
                [turn, 1 + near, dy - turn * w / 2 - near * h / 2],
            ]
        )
        moved = np.asarray(cv2.warpAffine(one, onto, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return moved


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
