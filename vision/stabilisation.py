"""Video stabilisation: the frames of a trembling camera are registered to a steady one.

When somebody leans on the table, or the bass shakes the camera's arm, every frame is shifted by a pixel or
two, each differently. All edges then seem to move, and resting things to be pushed about. Frames of a steady
camera are not changed.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.imgproc.change_detection import SHRINK
from vision.imgproc.flicker import Deflicker
from vision.imgproc.registration import Plane, shift
from vision.imgproc.small_change import Grey, lit_as

_TREMBLES_PX = 0.35
_STEADY_PX = 0.1
"""Running mean of the shift (px) from frame to frame, from which on the camera trembles, and below which it
is steady: less is measurement noise."""
_LEARN = 0.15
_MOST_PX = 8.0
"""Shift (px) above which the camera was pushed, so that the table must be found anew."""
_TINY, _SOFT_PX = 2 * SHRINK, 0.8
_STEPS, _ARRIVED = 5, 0.02
"""Largest number of steps, since one underestimates the shift; step in small pixels that ends the search."""
_NOISE, _EXPLAINED = 4.0, 0.6
"""Grey levels above which a pixel counts as changed; largest share of the change that a true shift leaves."""
_OUTLIER, _ROUNDS = 20.0, 3
"""Grey levels above which a pixel is an outlier of the shift (a hand, a card); number of rounds."""


class Stabiliser:
    """Stabilises the frames of one camera."""

    def __init__(self) -> None:
        self._anchor: Grey | None = None
        self._deflicker = Deflicker()
        self._before = np.zeros(2)
        self._tremble_px = 0.0

    @property
    def trembles(self) -> bool:
        """Whether the camera trembles now."""
        return self._tremble_px >= _TREMBLES_PX

    def begin(self, frame: Frame) -> None:
        """Register later frames to this one, which may itself have been stabilised."""
        self._anchor = _green(frame)

    def steadied(self, frame: Frame) -> Frame:
        """The frame as a steady camera would give it; unchanged while the camera does not tremble."""
        # Rolling bands of mains flicker look like a moving picture.
        anchor, grey = self._anchor, self._deflicker.steadied(_green(frame))
        if anchor is None or anchor.shape != grey.shape:
            self._anchor = grey
            return frame
        aside_px = _shift(anchor, grey, _STEPS if self.trembles else 1) * _TINY
        step_px, self._before = float(np.abs(aside_px - self._before).max()), aside_px
        self._tremble_px += _LEARN * (min(step_px, _MOST_PX) - self._tremble_px)
        if self._tremble_px < _STEADY_PX:  # later frames are registered to this one, in its light
            self._anchor, self._before = grey, np.zeros(2)
        if not self.trembles or np.abs(aside_px).max() > _MOST_PX:
            return frame
        picture = frame.picture
        back = np.array([[1.0, 0.0, -aside_px[0]], [0.0, 1.0, -aside_px[1]]])
        size = (picture.shape[1], picture.shape[0])
        laid = cv2.warpAffine(picture, back, size, borderMode=cv2.BORDER_REPLICATE)
        return Frame(np.asarray(laid, np.uint8))


def _green(frame: Frame) -> Grey:
    """The green channel of a small copy: it has the least noise, and pixel means soften thin edges."""
    return np.ascontiguousarray(frame.tiny[..., 1])


def _shift(anchor: Grey, grey: Grey, steps: int = _STEPS) -> NDArray[np.float64]:
    """Shift (x, y) of a small grey picture in its own pixels, independent of the light; 0 if unexplained."""
    before = cv2.GaussianBlur(lit_as(anchor, grey), (0, 0), _SOFT_PX).astype(np.float32)
    now = cv2.GaussianBlur(grey, (0, 0), _SOFT_PX).astype(np.float32)
    size, aside = (grey.shape[1], grey.shape[0]), np.zeros(2)
    there = before
    for _ in range(steps):
        step = shift(there, now, _OUTLIER, _ROUNDS)
        aside = aside + step
        if np.abs(step).max() < _ARRIVED:
            break
        onto = np.array([[1.0, 0.0, aside[0]], [0.0, 1.0, aside[1]]])
        there = np.asarray(cv2.warpAffine(before, onto, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
    small = np.abs(aside).max() < _ARRIVED
    return aside if small or _explains(before, there, now) else np.zeros(2)


def _explains(before: Plane, there: Plane, now: Plane) -> bool:
    """Whether the shifted picture `there` (h, w) fits `now` much better than `before` does, without hands.

    Bands of flickering light look like a shift, but no shift explains them.
    """
    apart, left = np.abs(before - now), np.abs(there - now)
    told = (apart > _NOISE) & (left < _OUTLIER)
    return float(left[told].sum()) < _EXPLAINED * float(apart[told].sum())
