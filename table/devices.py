"""What a running table requires of its camera, its eye and its lamp board. `runtime` gives each a thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from firmware_bridge.lamps import RGB
from firmware_bridge.status import LinkStatus
from vision.frame import Frame
from vision.sightings import Picture, Sighting


class FrameSource(Protocol):
    """A source of frames (vision/cameras, or the virtual table)."""

    def read(self) -> tuple[Picture | Frame, float] | None:
        """The newest frame (BGR uint8 or not yet decoded) and its time in seconds; None at the film's end.

        Raises:
            SourceError: the camera is gone.
        """

    def close(self) -> None:
        """Release the device."""


@runtime_checkable
class LeavesOut(Protocol):
    """A frame source that skips frames when they come faster than they are examined."""

    @property
    def share_seen(self) -> float | None:
        """Share 0..1 of the latest frames that were examined; None where none is skipped."""


@runtime_checkable
class Wakes(FrameSource, Protocol):
    """A frame source whose `read` may wait for long, but can be woken."""

    def wake(self) -> None:
        """End a waiting `read` with SourceError; called from another thread; nothing is read afterwards."""


class SightingSource(Protocol):
    """`vision.mat.pipeline.Eye`."""

    def see(self, picture: Picture | Frame, t: float) -> Sequence[Sighting]:
        """The sightings that this frame gives rise to."""


class Board(Protocol):
    """`firmware_bridge.link.Link`."""

    def show(self, colours: Sequence[RGB]) -> None:
        """Light the whole chain; return when the board has acknowledged.

        Raises:
            BridgeError: the board is gone.
        """

    def take_presses(self) -> int:
        """Bit mask of the buttons pressed since the last call, as reported in the answers to `show`."""

    @property
    def status(self) -> LinkStatus | None:
        """Counters of the wire; None where nothing counts."""

    def close(self) -> None:
        """Release the port."""
