"""Exposure and white balance of a USB camera: found by the camera itself, then held.

An automatic mode that keeps working darkens the whole table for every white card and tints it for every red
one. So it is held (`held_setting`) until the room's light changes for good. Some drivers report a default
instead of the value that the automatic mode has found.

The properties are those of OpenCV's V4L2 backend (V4L2_CID_EXPOSURE_AUTO: 1 is manual, 2 and 3 are automatic
modes; 0 also means a camera without the property); with any other backend nothing is changed.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.held_setting import Device, HeldSetting
from vision.sightings import Picture

SETTLED = 0.02
"""Relative change of every channel between two looks, below which the light has settled."""
AS_BEFORE = 0.12
"""Relative change of the picture that holding may cause: more is a wrong value, less may be a hand."""
FAR = (0.4, 2.0)
"""Brightness relative to when the setting was held, below and above which it may settle anew."""
_MANUAL = 1.0
"""V4L2_EXPOSURE_MANUAL."""

Levels = NDArray[np.float64]


class SteadyLight(HeldSetting[Levels]):
    """Holds exposure and white balance of one camera; it measures the mean level of each channel."""

    def __init__(self, device: Device, backend: str) -> None:
        self._automatic = device.get(cv2.CAP_PROP_AUTO_EXPOSURE) if backend == "V4L2" else _MANUAL
        self._automatic_tint = device.get(cv2.CAP_PROP_AUTO_WB)
        # If it is manual already, somebody has set this camera by hand, or there is nothing to set.
        super().__init__(device, known=self._automatic > 0 and self._automatic != _MANUAL)
        self._last: Levels | None = None

    def _measure(self, picture: Picture) -> Levels:
        return np.asarray(np.maximum(np.asarray(picture, np.float64).mean(axis=(0, 1)), 1.0), np.float64)

    def _has_settled(self, now: Levels) -> bool:
        last, self._last = self._last, now
        return last is not None and _apart(now, last) < SETTLED

    def _is_as_before(self, now: Levels) -> bool:
        assert self._last is not None
        return _apart(now, self._last) < AS_BEFORE

    def _is_strange(self, now: Levels) -> bool:
        assert self._last is not None
        return not FAR[0] < float(now.sum() / self._last.sum()) < FAR[1]

    def _hold(self) -> None:
        exposure = self._device.get(cv2.CAP_PROP_EXPOSURE)
        kelvin = self._device.get(cv2.CAP_PROP_WB_TEMPERATURE)
        self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
        if exposure > 0:
            self._device.set(cv2.CAP_PROP_EXPOSURE, exposure)
        if self._automatic_tint > 0:
            self._device.set(cv2.CAP_PROP_AUTO_WB, 0.0)
            if kelvin > 0:
                self._device.set(cv2.CAP_PROP_WB_TEMPERATURE, kelvin)

    def _let_go(self) -> None:
        self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._automatic)
        if self._automatic_tint > 0:
            self._device.set(cv2.CAP_PROP_AUTO_WB, self._automatic_tint)
        self._last = None


def _apart(one: Levels, other: Levels) -> float:
    return float(np.abs(one / other - 1.0).max())
