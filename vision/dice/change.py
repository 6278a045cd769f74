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
    """Where `two` shows a colour that `one` has not there nor beside it (the camera sways): 1, else 0.

    What all pixels changed is the light's.
    """
    light = np.median(two[::4, ::4].astype(np.int16) - one[::4, ::4], axis=(0, 1)).astype(np.int16)
    now = two - light
    high, low = cv2.dilate(one, _BESIDE).astype(np.int16), cv2.erode(one, _BESIDE).astype(np.int16)
    return np.asarray(((now > high + _OTHER_TINT) | (now < low - _OTHER_TINT)).any(axis=2), np.uint8)


def changed_grey(one: Grey, two: Grey, jump: int) -> Changed:
    """Pixels that changed by more than `jump` beside what all pixels changed (exposure, flicker)."""
    change = two.astype(np.int16) - one
    return np.asarray(np.abs(change - int(np.median(change))) > jump)


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
