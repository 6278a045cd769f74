"""Gaps between frames: times without sight, in which one hand may have left and another come."""

from __future__ import annotations

import math
from collections import deque
from statistics import median

from vision.mat.watch_parameters import MAT_WATCH


class FrameGaps:
    """The gaps between the frames of one camera."""

    def __init__(self) -> None:
        self.ended_t = -math.inf
        """Time of the first frame after the last gap (s)."""
        self.step_s = math.inf
        """Time from the last frame but one to the last (s)."""
        self._t = -math.inf
        self._steps_s: deque[float] = deque(maxlen=MAT_WATCH.steps)

    def note(self, t: float) -> float:
        """Note the time of a frame (s); returns how long the gap before it was (s), 0 if none."""
        step_s, self._t = t - self._t, t
        self.step_s = step_s
        usual_s = median(self._steps_s) if self._steps_s else math.inf
        self._steps_s.append(step_s)
        if step_s <= max(MAT_WATCH.gap_s, MAT_WATCH.skipped * usual_s):
            return 0.0
        self.ended_t = t
        return step_s
