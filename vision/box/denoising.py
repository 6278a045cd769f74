"""Temporal averaging: in dim light frames are noisy, so a resting box is read from the mean of several."""

from __future__ import annotations

import numpy as np

from vision.frame import Frame
from vision.sightings import Picture

NOISY = 2.0
"""Gain above which a single frame is too noisy."""
_MOST = 4
"""Number of frames averaged: four halve the noise, and more would come too late."""


class RestingFrames:
    """The latest frames of a rest."""

    def __init__(self) -> None:
        self._frames: list[Frame] = []

    def see(self, frame: Frame) -> None:
        """Add a frame in which all is still."""
        self._frames = [*self._frames[1 - _MOST :], frame]

    def forget(self) -> None:
        """Forget the frames, because something stirs or nothing was seen."""
        self._frames = []

    def mean(self, frame: Frame) -> Picture:
        """Average a frame with those before it in its rest, (h, w, 3) BGR uint8."""
        pictures = [f.picture for f in self._frames if f is not frame] + [frame.picture]
        alike = [p for p in pictures if p.shape == pictures[-1].shape]
        if len(alike) < 2:
            return pictures[-1]
        total = np.zeros(alike[0].shape, np.uint16)
        for picture in alike:
            total += picture
        return ((total + len(alike) // 2) // len(alike)).astype(np.uint8)
