"""A quiet table is looked at less often, and nothing that stirs is lost.

While all is quiet a frame is put by unseen. A later one decides: if as quiet as the table was, it stands for
those put by; otherwise they are looked at first, in order of their times, so that the eye sees every frame in
which a hand, a die or a cover came, a moment later. An awake table is looked at frame by frame.

    for frame, t in doze.due(frame, t, quiet):
        ...
"""

from __future__ import annotations

from collections.abc import Callable

from vision.frame import Frame

CALM_S = 1.0
"""How long a table must be quiet to be looked at less often."""
_CLOSE_S = 0.25
"""Time between frames from which on all are looked at: the camera stutters, or the machine is slow enough."""


class Doze:
    """Puts frames by, `most` of them at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._by: list[tuple[Frame, float]] = []
        self._last_t: float | None = None
        self._calm_since: float | None = None

    def due(
        self, frame: Frame, t: float, quiet: Callable[[Frame], bool], urgent: bool = False
    ) -> list[tuple[Frame, float]]:
        """The frames to be looked at now, with their times, oldest first; none while one is put by.

        `quiet`: whether a frame looks like the table at rest; `urgent`: this one is to be looked at anyhow.
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
        """Note whether nothing stirred in the frame of that time and nothing waits to be decided."""
        if not resting:
            self._calm_since = None
        elif self._calm_since is None:
            self._calm_since = t
