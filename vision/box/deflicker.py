"""Small copies of a box's pictures without the bands that mains light draws over them."""

from __future__ import annotations

import numpy as np

from vision.box.frame_diff import Small
from vision.imgproc.change_detection import Coarse
from vision.imgproc.flicker import Flicker

_FLARE = np.float32(8.0)
"""Steps of 255 added before logarithms are taken: of what is dark, noise is a large share."""
_FOLLOW = 0.03
"""What stays of a band's gain for some seconds is no flicker: a hand that rests, a lamp on one side."""


class Deflicker:
    """Follows the bands of one camera's pictures; while the light is steady nothing is touched."""

    def __init__(self) -> None:
        self._flicker: Flicker | None = None
        self._nobody = np.zeros((0, 0), np.bool_)
        self._first: Coarse | None = None
        self._mean: Coarse | None = None

    def steadied(self, small: Small) -> Small:
        """The small copy (h, w, 3) as it were in steady light; in steady light itself."""
        light = np.log(small.transpose(2, 0, 1) + _FLARE)
        first, flicker = self._begun(light)
        bands = flicker.bands(light, first, self._nobody)
        if bands is None:
            self._mean = None
            return small
        if self._mean is None:
            self._mean = bands.copy()
        self._mean += _FOLLOW * (bands - self._mean)
        steady = np.exp(light - (bands - self._mean)) - _FLARE
        return np.asarray(steady.transpose(1, 2, 0).round().clip(0, 255), np.uint8)

    def _begun(self, light: Coarse) -> tuple[Coarse, Flicker]:
        """The copy to which all others are held, and who holds them: begun anew with another size."""
        first, flicker = self._first, self._flicker
        if first is None or flicker is None or first.shape != light.shape:
            h, w = light.shape[1:]
            rows = np.repeat(np.arange(h, dtype=np.float32)[:, None], w, axis=1)
            flicker = Flicker(rows, np.ones((h, w), np.bool_))
            self._first, self._flicker, self._mean = light, flicker, None
            self._nobody = np.zeros((h, w), np.bool_)
            return light, flicker
        return first, flicker
