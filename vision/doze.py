"""Frames of a quiet table are examined less often, without missing any motion.

While the table is quiet, frames are held back unexamined. A later frame decides: if it is as quiet, the
frames held back are dropped; otherwise they are examined first, in order of time. So the eye sees every frame
in which a hand, a die or a cover came, only a moment later. At an active table every frame is examined.

    for frame, t in doze.due(frame, t, quiet):
        ...
"""

from __future__ import annotations

from collections.abc import Callable

from vision.frame import Frame

CALM_S = 1.0
"""How long a table must be quiet before frames are held back."""
_CLOSE_S = 0.25
"""Time between frames from which on all are examined: the camera stutters, or the machine cannot keep up."""


class Doze:
    """Holds back frames, at most `most` at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._by: list[tuple[Frame, float]] = []
        self._last_t: float | None = None
        self._calm_since: float | None = None

    def due(
        self, frame: Frame, t: float, quiet: Callable[[Frame], bool], urgent: bool = False
    ) -> list[tuple[Frame, float]]:
        """The frames to examine now, with their times, oldest first; empty when this one is held back.

        `quiet`: whether a frame looks like the table at rest; `urgent`: this frame must be examined now.
        """
        close = self._last_t is not None and t - self._last_t < _CLOSE_S
        self._last_t = t
        calm = self._calm_since is not None and t - self._calm_since >= CALM_S
        if calm and close and not urgent and len(self._by) < self._most:
            self._by.append((frame, t))
            return []
        by, self._by = self._by, []
        return [(frame, t)] if not by or (close and quiet(frame)) else [*by, (frame, t)]

    def rests(self, t: float, resting: bool) -> None:
        """Note whether, at time `t`, nothing moved in the frame and no decision is pending."""
        if not resting:
            self._calm_since = None
        elif self._calm_since is None:
            self._calm_since = t
