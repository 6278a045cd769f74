"""A camera that trembles: its frames are laid onto a settled one, as video stabilisation does.

Somebody leans on the table, or the bass shakes the camera's arm: every frame is shifted by a pixel
or two, each differently. Every edge then seems to move for as long as that lasts, and what lies there to
be pushed about. While nothing trembles no frame is changed.
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
"""Least shift (px) from frame to frame, on a mean of some frames: less is noise of the measurement."""
_LEARN = 0.15
_MOST_PX = 8.0
"""Shift (px) beyond which the camera was pushed: the table is then found anew."""
_TINY, _SOFT_PX = 2 * SHRINK, 0.8
_STEPS, _ARRIVED = 5, 0.02
"""Most steps, since one falls short of a shift; length in small pixels below which a step is the last."""
_NOISE, _EXPLAINED = 4.0, 0.6
"""Grey steps from which on a place tells of a shift; largest share of a difference that a true one leaves."""
_OUTLIER, _ROUNDS = 20.0, 3
"""Grey steps above which hands and cards are left out of the tremor, and the number of rounds."""


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
        """Lay frames onto this one from now on; it may have been laid onto another itself."""
        self._anchor = _green(frame)

    def steadied(self, frame: Frame) -> Frame:
        """The frame as a camera that hangs still would give it; unchanged while nothing trembles."""
        # Bands of mains light that roll down look like a moving picture.
        anchor, grey = self._anchor, self._deflicker.steadied(_green(frame))
        if anchor is None or anchor.shape != grey.shape:
            self._anchor = grey
            return frame
        aside_px = _shift(anchor, grey, _STEPS if self.trembles else 1) * _TINY
        step_px, self._before = float(np.abs(aside_px - self._before).max()), aside_px
        self._tremble_px += _LEARN * (min(step_px, _MOST_PX) - self._tremble_px)
        if self._tremble_px < _STEADY_PX:  # this picture, in this light, is what later frames are laid onto
            self._anchor, self._before = grey, np.zeros(2)
        if not self.trembles or np.abs(aside_px).max() > _MOST_PX:
            return frame
        picture = frame.picture
        back = np.array([[1.0, 0.0, -aside_px[0]], [0.0, 1.0, -aside_px[1]]])
        size = (picture.shape[1], picture.shape[0])
        laid = cv2.warpAffine(picture, back, size, borderMode=cv2.BORDER_REPLICATE)
        return Frame(np.asarray(laid, np.uint8))


def _green(frame: Frame) -> Grey:
    """A small copy, the channel with the least noise, each pixel a mean: thin edges are no steps in it."""
    return np.ascontiguousarray(frame.tiny[..., 1])


def _shift(anchor: Grey, grey: Grey, steps: int = _STEPS) -> NDArray[np.float64]:
    """Shift (x, y) of a small grey picture in its own pixels, whatever the light did."""
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
    """Whether a picture laid onto another (h, w) is much liker it than before, without hands.

    Light that comes and goes in bands looks like a shift, and is not explained by one.
    """
    apart, left = np.abs(before - now), np.abs(there - now)
    told = (apart > _NOISE) & (left < _OUTLIER)
    return float(left[told].sum()) < _EXPLAINED * float(apart[told].sum())
