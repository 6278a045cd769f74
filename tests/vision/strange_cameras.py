"""Cameras with a memory of earlier pictures: webcams with automatic modes, busy links, slow cameras.

`strange_films` makes one for each film; its houses remember no picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
House = Callable[[Picture, int], Picture]
_SEED = 7


def times(picture: Picture, gain: NDArray[np.float32]) -> Picture:
    """The picture times a `gain` (h, w) or (h, w, 1 or 3)."""
    h, w = picture.shape[:2]
    whole = np.broadcast_to(gain if gain.ndim == 3 else gain[..., None], (h, w, 3))
    return np.asarray(cv2.multiply(picture, np.ascontiguousarray(whole), dtype=cv2.CV_8U), np.uint8)


def moved(picture: Picture, move: NDArray[np.float64]) -> Picture:
    h, w = picture.shape[:2]
    return np.asarray(cv2.warpAffine(picture, move, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def hung(picture: Picture, degrees: float, scale: float) -> Picture:
    h, w = picture.shape[:2]
    return moved(picture, cv2.getRotationMatrix2D((w / 2, h / 2), degrees, scale))


class AutoExposure:
    """A webcam whose exposure is not held: it follows the mean, a fifth of the way each picture."""

    def __init__(self) -> None:
        self._gain = 1.0
        self._aim: float | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        mean = float(picture[::8, ::8].mean()) + 1
        self._aim = self._aim or mean
        self._gain += 0.2 * (self._aim / mean - self._gain)
        return times(picture, np.full((1, 1), self._gain, np.float32))


class AutoWhite:
    """White balance follows the mean of each colour, a tenth of the way each picture."""

    def __init__(self) -> None:
        self._gain = np.ones(3, np.float32)
        self._aim: NDArray[np.float32] | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        mean = picture[::8, ::8].reshape(-1, 3).mean(0).astype(np.float32) + 1
        shares = mean / mean.mean()
        if self._aim is None:
            self._aim = shares
        self._gain += 0.1 * (self._aim / shares - self._gain)
        return times(picture, self._gain[None, None])


class AutoFocus:
    """A camera that hunts for its focus for a second whenever much moved in the picture."""

    def __init__(self) -> None:
        self._before: Picture | None = None
        self._hunts = 0

    def __call__(self, picture: Picture, number: int) -> Picture:
        small = np.asarray(cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (64, 36)), np.uint8)
        moved = self._before is not None and float(cv2.absdiff(small, self._before).mean()) > 1.2
        self._before = small
        if moved and self._hunts == 0:
            self._hunts = 15
        if self._hunts == 0:
            return picture
        self._hunts -= 1
        off = abs(math.sin(math.pi * self._hunts / 7.5))
        soft = cv2.GaussianBlur(picture, (0, 0), 0.3 + 3.5 * off)
        # The picture breathes: out of focus it is a little larger.
        return hung(np.asarray(soft, np.uint8), 0, 1 + 0.004 * off)


class Stutter:
    """A busy link: now and then a picture is repeated two to five times."""

    def __init__(self) -> None:
        self._dice = np.random.default_rng(_SEED)
        self._left = 0
        self._held: Picture | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        if self._left > 0 and self._held is not None:
            self._left -= 1
            return self._held
        if self._dice.random() < 0.05:
            self._left = int(self._dice.integers(2, 6))
        self._held = picture.copy()
        return self._held


class SlowCamera:
    """Five pictures a second, each three times."""

    def __init__(self) -> None:
        self._held: Picture | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        if self._held is None or number % 3 == 0:
            self._held = picture.copy()
        return self._held


class Ghosted:
    """A camera with temporal noise reduction: moving things leave a trail, new things fade in."""

    def __init__(self) -> None:
        self._mean: NDArray[np.float32] | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        if self._mean is None:
            self._mean = picture.astype(np.float32)
        cv2.accumulateWeighted(picture, self._mean, 0.5)
        return np.asarray(cv2.convertScaleAbs(self._mean), np.uint8)


class Interlaced:
    """A capture stick: every second line is from the previous picture, so that moving things have combs."""

    def __init__(self) -> None:
        self._before: Picture | None = None

    def __call__(self, picture: Picture, number: int) -> Picture:
        woven = picture.copy()
        if self._before is not None:
            woven[1::2] = self._before[1::2]
        self._before = picture
        return woven


def clock(picture: Picture, number: int) -> Picture:
    """A surveillance camera: in two corners its name and the time in large letters, a new one each second."""
    shown = picture.copy()
    h, w = picture.shape[:2]
    scale, second = h / 720, number // 15
    told = f"2026-11-28 20:{second // 60:02}:{second % 60:02}"
    for text, at in ((told, (20, int(50 * scale))), ("CAM 01", (w - int(190 * scale), h - int(24 * scale)))):
        for colour, width in (((0, 0, 0), 6), ((255, 255, 255), 2)):
            cv2.putText(
                shown, text, at, cv2.FONT_HERSHEY_SIMPLEX, 1.3 * scale, colour, max(1, round(width * scale))
            )
    return shown


def letterboxed(picture: Picture, number: int) -> Picture:
    """A capture stick or a document camera: the picture .8 times as large, between black bars."""
    h, w = picture.shape[:2]
    small = cv2.resize(picture, (int(0.8 * w), int(0.8 * h)), interpolation=cv2.INTER_AREA)
    framed = np.zeros_like(picture)
    y, x = (h - small.shape[0]) // 2, (w - small.shape[1]) // 2
    framed[y : y + small.shape[0], x : x + small.shape[1]] = small
    return framed


def vivid(picture: Picture, number: int) -> Picture:
    """A camera with vivid settings: saturation half as much again, dark shadows and bright highlights."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[..., 1] = np.clip(1.5 * hsv[..., 1], 0, 255)
    share = hsv[..., 2] / 255
    hsv[..., 2] = 255 * share * share * (3 - 2 * share)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def vignetted(picture: Picture, number: int) -> Picture:
    """A wide lens: the corners have a third of the light in the middle."""
    h, w = picture.shape[:2]
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    return times(picture, 1 - 0.33 * (x * x + y * y))


CAMERAS: dict[str, Callable[[], House]] = {
    "stutter": Stutter,
    "slow_camera": SlowCamera,
    "ghosted": Ghosted,
    "auto_exposure": AutoExposure,
    "auto_white": AutoWhite,
    "auto_focus": AutoFocus,
    "interlaced": Interlaced,
    **{each.__name__: lambda each=each: each for each in (clock, letterboxed, vivid, vignetted)},
}
