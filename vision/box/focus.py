"""Checks that a picture of the box is as sharp as usual: in a blurred one, dice are missed."""

from __future__ import annotations

import math
from collections import deque
from copy import copy
from statistics import median

import numpy as np

from vision.box.frame_diff import GREEN
from vision.box.pose_parameters import POSE_FIT
from vision.errors import BlurredError
from vision.geometry import Registration
from vision.imgproc.edge_blur import edge_blur_px
from vision.layout import Layout
from vision.sightings import Picture
from vision.tags import tag_corners_mm

_KEPT = 15
"""Number of last readings whose median is the usual sharpness."""
_PATIENCE = 50
"""Number of refused pictures, at least eight seconds, after which the lens will not sharpen by itself."""


class Focus:
    """The sharpness of one camera over one box, measured on the rims of the box's tags."""

    def __init__(self, layout: Layout) -> None:
        self._tags = [tag_corners_mm(tag) for tag in layout.tags]
        self._edge_mm = layout.edge_mm
        self._usual: deque[float] = deque(maxlen=_KEPT)
        self._refused = 0

    def apart(self) -> Focus:
        """Copy it, so that the copy learns independently."""
        other = copy(self)
        other._usual = self._usual.copy()
        return other

    def check(self, picture: Picture, fit: Registration) -> None:
        """Note how sharp a picture (h, w, 3) BGR is. Raises BlurredError if it is much softer than usual.

        A lens that stays slightly softer is accepted in the end, but not one too soft to read dice.
        """
        blur_px = self._blur_px(picture, fit)
        if blur_px is None:
            return
        more = self._more(blur_px, fit)
        if more > POSE_FIT.most_blur:
            if self._refused < _PATIENCE or more > 2 * POSE_FIT.most_blur:
                self._refused += 1
                raise BlurredError(
                    "the picture of the dice box is much less sharp than before; check the lens"
                )
            self._usual.clear()
        self._refused = 0
        self._usual.append(blur_px)

    def is_sharp(self, picture: Picture, fit: Registration) -> bool:
        """Whether a picture (h, w, 3) BGR is about as sharp as usual; True where that cannot be measured."""
        blur_px = self._blur_px(picture, fit)
        return blur_px is None or self._more(blur_px, fit) <= POSE_FIT.most_blur

    def _blur_px(self, picture: Picture, fit: Registration) -> float | None:
        squares = [fit.to_px(corners) for corners in self._tags]
        return edge_blur_px(np.ascontiguousarray(picture[..., GREEN]), squares)

    def _more(self, blur_px: float, fit: Registration) -> float:
        """Blur beyond the usual, in edges of a die."""
        usual_px = median(self._usual) if self._usual else blur_px
        more_px = math.sqrt(max(0.0, blur_px**2 - usual_px**2))
        return more_px / (self._edge_mm * _px_mm(fit))


def _px_mm(fit: Registration) -> float:
    """Pixels per millimetre in the middle of the box."""
    return float(np.linalg.norm(np.subtract(*fit.to_px([[0.5, 0.0], [-0.5, 0.0]]))))
