"""Exposure and white balance of a USB camera: found by the camera itself, then held.

An automatic that goes on working darkens the whole table for every white card and tints it for every red one.
So it is let settle and then held; if the room's light changes for good, it may settle anew. Drivers differ in
what they tell (some give a default instead of what the automatic has found), so holding is a trial: if the
picture changes with it, the automatic gets its way again, and after some trials for good.

The properties are those of OpenCV's V4L2 backend (V4L2_CID_EXPOSURE_AUTO: 1 is manual, 2 and 3 are kinds of
automatic; 0 also stands for a camera without it); with any other backend nothing is touched.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import SourceError
from vision.frame import Frame

LOOK_S = 0.5
"""How often the picture is looked at while it settles; a quarter of its size is enough."""
HELD_LOOK_S = 5.0
"""How often once it is held."""
SETTLED = 0.02
"""Two looks that differ by less than this share in every channel: it has settled."""
AS_BEFORE = 0.12
"""Holding may change the picture by this share: more is a wrong value, less may be a hand."""
FAR = (0.4, 2.0)
"""Darker or brighter than this, beside the light it was held in, for `PATIENCE` looks: it may settle anew."""
PATIENCE = 3
"""Looks in a row: lamps that are switched against somebody who leans over the table."""
TRIALS = 3
"""Times that holding may change the picture before the automatic is left alone for good."""
_MANUAL = 1.0
"""V4L2_EXPOSURE_MANUAL."""

Levels = NDArray[np.float64]


class Device(Protocol):
    """What is needed of `cv2.VideoCapture`."""

    def get(self, setting: int, /) -> float:
        """The value of a property, 0 or -1 where there is none."""

    def set(self, setting: int, value: float, /) -> bool:
        """Ask for a value."""


class _Now(Enum):
    SETTLING = auto()
    TRYING = auto()
    HELD = auto()
    LEFT_ALONE = auto()


class SteadyLight:
    """Holds the light of one camera; call `look` with every frame from the thread that owns the device."""

    def __init__(self, device: Device, backend: str) -> None:
        self._device = device
        self._automatic = device.get(cv2.CAP_PROP_AUTO_EXPOSURE) if backend == "V4L2" else _MANUAL
        self._automatic_tint = device.get(cv2.CAP_PROP_AUTO_WB)
        # Manual already: somebody has set this camera by hand, or there is nothing to set.
        known = self._automatic > 0 and self._automatic != _MANUAL
        self._now = _Now.SETTLING if known else _Now.LEFT_ALONE
        self._next: float | None = None
        self._last: Levels | None = None
        self._trials = self._strange = 0

    @property
    def held(self) -> bool:
        """Tell whether exposure and white balance stand still."""
        return self._now is _Now.HELD

    def look(self, frame: Frame, t: float) -> None:
        """Take in a frame at `t` seconds; now and then it is looked at, and the camera told something."""
        if self._now is _Now.LEFT_ALONE or (self._next is not None and t < self._next):
            return
        self._next = t + (HELD_LOOK_S if self._now is _Now.HELD else LOOK_S)
        try:
            levels = np.maximum(np.asarray(frame.small, np.float64).mean(axis=(0, 1)), 1.0)
        except SourceError:
            return  # a damaged picture: whoever reads it will hear of it
        match self._now:
            case _Now.SETTLING:
                if self._last is not None and _apart(levels, self._last) < SETTLED:
                    self._hold()
                self._last = levels
            case _Now.TRYING:
                assert self._last is not None
                if _apart(levels, self._last) < AS_BEFORE:
                    self._now = _Now.HELD
                    return
                self._trials += 1
                self._let_go(_Now.LEFT_ALONE if self._trials >= TRIALS else _Now.SETTLING)
            case _:
                assert self._last is not None
                share = float(levels.sum() / self._last.sum())
                self._strange = self._strange + 1 if not FAR[0] < share < FAR[1] else 0
                if self._strange >= PATIENCE:
                    self._let_go(_Now.SETTLING)

    def end(self) -> None:
        """Leave the camera as it was found, for whoever uses it next."""
        if self._now in (_Now.TRYING, _Now.HELD):
            self._let_go(_Now.LEFT_ALONE)

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
        self._now = _Now.TRYING

    def _let_go(self, then: _Now) -> None:
        self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._automatic)
        if self._automatic_tint > 0:
            self._device.set(cv2.CAP_PROP_AUTO_WB, self._automatic_tint)
        self._now, self._last, self._strange = then, None, 0


def _apart(one: Levels, other: Levels) -> float:
    return float(np.abs(one / other - 1.0).max())
