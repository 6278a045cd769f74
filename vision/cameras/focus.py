"""Focus of a USB camera: found by the camera itself, then held.

An autofocus that keeps working hunts whenever a hand comes into the picture: for a second everything is
soft and a little larger or smaller. So it may settle on a still table and is then held (`held_setting`) until
the picture turns soft for good.

Sharpness is the energy of the second derivative over that of the first, on a quarter of the picture's size;
what lies on the table changes both alike. Over ten films it varies by factors of 0.7 to 2.3 with what happens
on the table; a Gaussian blur of 2 px of 1280 takes it to 0.38 to 0.50, one of 3.5 px to 0.17 to 0.26.

The property is that of OpenCV's V4L2 backend (V4L2_CID_FOCUS_AUTO: 1 is automatic; 0 or -1 where there is no
autofocus or focus was set by hand); with any other backend nothing is changed.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.held_setting import Device, HeldSetting
from vision.sightings import Picture

STILL = 1.5
"""Mean difference of two looks, in grey levels, below which nothing has moved."""
ALIKE = 0.05
"""Relative change of sharpness below which the lens has not moved between two looks."""
STILL_LOOKS = 4
"""Number of consecutive looks without motion of table or lens after which the lens has settled."""
SOFT = 0.55
"""Share of the sharpness at which focus was held, below which the picture is out of focus."""


class SteadyFocus(HeldSetting[tuple[NDArray[np.uint8], float]]):
    """Holds the focus of one camera; it measures the grey picture and its sharpness."""

    def __init__(self, device: Device, backend: str) -> None:
        super().__init__(device, known=backend == "V4L2" and device.get(cv2.CAP_PROP_AUTOFOCUS) > 0)
        self._last: NDArray[np.uint8] | None = None
        self._sharp = 0.0
        """Sharpness of the last look while the focus settles, then of the look before it was held."""
        self._in_a_row = 0

    def _measure(self, picture: Picture) -> tuple[NDArray[np.uint8], float]:
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        return grey, sharpness(grey)

    def _has_settled(self, now: tuple[NDArray[np.uint8], float]) -> bool:
        last, before = self._last, self._sharp
        self._last, self._sharp = grey, sharp = now
        if last is None or last.shape != grey.shape:
            return False
        still = float(cv2.absdiff(grey, last).mean()) < STILL
        self._in_a_row = self._in_a_row + 1 if still and abs(sharp - before) < ALIKE * before else 0
        return self._in_a_row >= STILL_LOOKS

    def _is_as_before(self, now: tuple[NDArray[np.uint8], float]) -> bool:
        return now[1] > SOFT * self._sharp

    def _is_strange(self, now: tuple[NDArray[np.uint8], float]) -> bool:
        return now[1] < SOFT * self._sharp

    def _hold(self) -> None:
        self._device.set(cv2.CAP_PROP_AUTOFOCUS, 0.0)

    def _let_go(self) -> None:
        self._device.set(cv2.CAP_PROP_AUTOFOCUS, 1.0)
        self._last, self._in_a_row = None, 0


def sharpness(grey: NDArray[np.uint8]) -> float:
    """Sharpness of a picture (h, w) uint8: energy of the second derivative over the first's; 0 if flat."""
    values = np.asarray(grey, np.float32)
    along, down = (cv2.Sobel(values, cv2.CV_32F, dx, 1 - dx) for dx in (1, 0))
    slope = float(np.mean(along * along + down * down))
    return float(np.mean(np.square(cv2.Laplacian(values, cv2.CV_32F)))) / slope if slope > 0 else 0.0
