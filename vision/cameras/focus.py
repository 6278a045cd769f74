"""Focus of a USB camera: found by the camera itself, then held.

An autofocus that goes on working hunts whenever a hand comes into the picture: for a second everything is
soft and a little larger or smaller. So it is let settle on a table that lies still and then held where it is;
if the picture turns soft for good, it may settle anew.

Sharpness is the energy of the second derivative over that of the first, on a quarter of the picture's size:
what lies on the table changes both alike. Over ten films it moves by 0.7 to 2.3 with what happens there; a
Gaussian blur of 2 px of 1280 takes it to 0.38 to 0.50, one of 3.5 px to 0.17 to 0.26.

The property is that of OpenCV's V4L2 backend (V4L2_CID_FOCUS_AUTO: 1 is automatic, 0 or -1 where there is
none or somebody set it by hand); with any other backend nothing is touched.
"""

from __future__ import annotations

from enum import Enum, auto

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.exposure import Device
from vision.errors import SourceError
from vision.frame import Frame

LOOK_S = 0.5
"""How often the picture is looked at while it settles."""
HELD_LOOK_S = 5.0
"""How often once it is held."""
STILL = 1.5
"""Two looks that differ by less than this many grey levels on average: nothing moves."""
ALIKE = 0.05
"""Two looks whose sharpness differs by less than this share: the lens stands still."""
STILL_LOOKS = 4
"""Number of looks in a row, still and alike, after which the lens has settled."""
SOFT = 0.55
"""Below this share of the sharpness in which it was held the picture is out of focus."""
PATIENCE = 3
"""Looks in a row that must be soft: somebody's hand against a lens that was knocked."""
TRIALS = 3
"""Times that holding may make the picture soft before the autofocus is left alone for good."""


class _Stage(Enum):
    SETTLING = auto()
    TRYING = auto()
    HELD = auto()
    LEFT_ALONE = auto()


class SteadyFocus:
    """Holds the focus of one camera; call `look` with every frame from the thread that owns the device."""

    def __init__(self, device: Device, backend: str) -> None:
        self._device = device
        known = backend == "V4L2" and device.get(cv2.CAP_PROP_AUTOFOCUS) > 0
        self._now = _Stage.SETTLING if known else _Stage.LEFT_ALONE
        self._next: float | None = None
        self._last: NDArray[np.uint8] | None = None
        self._sharp = 0.0
        """Of the last look while it settles, else of the one before it was held."""
        self._in_a_row = self._trials = self._soft = 0

    @property
    def held(self) -> bool:
        """Tell whether the lens stands still."""
        return self._now is _Stage.HELD

    def look(self, frame: Frame, t: float) -> None:
        """Take in a frame at `t` seconds; now and then it is looked at, and the camera told something."""
        if self._now is _Stage.LEFT_ALONE or (self._next is not None and t < self._next):
            return
        self._next = t + (HELD_LOOK_S if self._now is _Stage.HELD else LOOK_S)
        try:
            grey = np.asarray(cv2.cvtColor(frame.small, cv2.COLOR_BGR2GRAY), np.uint8)
        except SourceError:
            return  # a damaged picture: whoever reads it will hear of it
        sharp = sharpness(grey)
        match self._now:
            case _Stage.SETTLING:
                self._settle(grey, sharp)
            case _Stage.TRYING if sharp > SOFT * self._sharp:
                self._now, self._soft = _Stage.HELD, 0
            case _Stage.TRYING:
                self._trials += 1
                self._let_go(_Stage.LEFT_ALONE if self._trials >= TRIALS else _Stage.SETTLING)
            case _:
                self._soft = self._soft + 1 if sharp < SOFT * self._sharp else 0
                if self._soft >= PATIENCE:
                    self._let_go(_Stage.SETTLING)

    def end(self) -> None:
        """Leave the camera as it was found, for whoever uses it next."""
        if self._now in (_Stage.TRYING, _Stage.HELD):
            self._let_go(_Stage.LEFT_ALONE)

    def _settle(self, grey: NDArray[np.uint8], sharp: float) -> None:
        last, before = self._last, self._sharp
        self._last, self._sharp = grey, sharp
        if last is None or last.shape != grey.shape:
            return
        still = float(cv2.absdiff(grey, last).mean()) < STILL
        self._in_a_row = self._in_a_row + 1 if still and abs(sharp - before) < ALIKE * before else 0
        if self._in_a_row >= STILL_LOOKS:
            self._device.set(cv2.CAP_PROP_AUTOFOCUS, 0.0)
            self._now = _Stage.TRYING

    def _let_go(self, then: _Stage) -> None:
        self._device.set(cv2.CAP_PROP_AUTOFOCUS, 1.0)
        self._now, self._last, self._in_a_row = then, None, 0


def sharpness(grey: NDArray[np.uint8]) -> float:
    """Return how sharp a picture is (h x w uint8): second derivative's energy over the first's; 0 if flat."""
    values = np.asarray(grey, np.float32)
    along, down = (cv2.Sobel(values, cv2.CV_32F, dx, 1 - dx) for dx in (1, 0))
    slope = float(np.mean(along * along + down * down))
    return float(np.mean(np.square(cv2.Laplacian(values, cv2.CV_32F)))) / slope if slope > 0 else 0.0
