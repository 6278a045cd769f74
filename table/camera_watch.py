"""The camera's thread: opens the camera, reads frames, and posts what the eye sees to the table's loop.

It tries an unplugged camera again every second. It also makes the eye if there is none yet, so that the loop
does not wait for it.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from table.catalogue import fact
from table.devices import FrameSource, LeavesOut, SightingSource, Wakes
from table.eye_words import told_by
from table.live import Table
from table.pulse import Pulse
from vision.errors import SilentCameraError, SourceError, VisionError
from vision.frame import Frame, as_picture
from vision.sightings import Picture

log = logging.getLogger(__name__)

RETRY_S = 1.0
"""Time between two searches for a camera that went away."""

_IDLE_S = 0.2
"""Time between two checks whether the camera is wanted: a camera that nobody uses stays closed."""


class Visitor(Protocol):
    """Takes the camera's frames while somebody sets up the table (`table.setup`)."""

    def see(self, picture: Picture, t: float) -> bool:
        """Take one frame (BGR uint8) at `t` seconds; return True to keep it from the eye."""


@dataclass(frozen=True, slots=True)
class Watching:
    """What watches the table. All of it is called in the camera's thread.

    Args:
        camera: opens the camera; called again after its cable was pulled.
        eye: turns frames into sightings; None: `learn` makes it.
        learn: makes the eye, again each time somebody has set up the table.
        visitor: the visitor that uses the camera to set up the table; usually None.
    """

    camera: Callable[[], FrameSource]
    eye: SightingSource | None = None
    learn: Callable[[], SightingSource | None] | None = None
    visitor: Callable[[], Visitor | None] = lambda: None


class CameraWatch:
    """`run` is the thread's work; `stop`, `relearn`, `frame` and `silent_s` may be called from any thread."""

    def __init__(
        self,
        table: Table,
        watching: Watching,
        pulse: Pulse,
        post: Callable[..., None],
        clock: Callable[[], float],
    ) -> None:
        """`post(call, *arguments)` hands a call to the table's loop."""
        self._table, self._pulse, self._post, self._clock = table, pulse, post, clock
        self._open_camera, self._eye, self._learn = watching.camera, watching.eye, watching.learn
        self._visitor = watching.visitor
        self._anew, self._stopping = threading.Event(), threading.Event()
        self._camera: FrameSource | None = None
        self._picture: Picture | Frame | None = None
        self._last_frame = clock()
        self._waiting_since: float | None = None
        """Since when the camera owes a frame; None while a frame is processed, however long that takes."""
        self._eye_t = 0.0
        self._hangs = False
        """Whether the camera fell silent and has given no frame since; it may hang in its driver."""

    @property
    def silent_s(self) -> float:
        """How long the camera has owed a frame."""
        waits = self._waiting_since
        return 0.0 if waits is None else self._clock() - waits

    @property
    def share_seen(self) -> float | None:
        """Share 0..1 of the camera's frames that are examined; None for a camera that skips none."""
        camera = self._camera
        return camera.share_seen if isinstance(camera, LeavesOut) else None

    def frame(self) -> Picture | None:
        """The newest frame (h, w, 3) BGR; None if there is none or it is damaged."""
        picture = self._picture  # read once: the camera's thread may replace it
        try:
            return None if picture is None else as_picture(picture)
        except SourceError:  # the camera's thread reports it; the caller does without
            return None

    def stop(self) -> None:
        """End `run` after the current frame, without waiting for the next one."""
        self._stopping.set()
        camera = self._camera  # a camera that is still being opened will not be read any more
        if isinstance(camera, Wakes):
            camera.wake()

    def relearn(self) -> None:
        """Have `learn` make a new eye between two frames."""
        self._anew.set()

    def run(self) -> None:
        """Watch until `stop`, or until the film is over."""
        opened_before = False
        self._last_frame = self._clock()
        if self._eye is None:
            self._learn_eye()
        while not self._stopping.is_set():
            if not self._awaited():
                self._stopping.wait(_IDLE_S)
                continue
            try:
                camera = self._open_camera()
            except Exception as wrong:
                self._camera_lost(wrong)
                continue
            # The eye's time runs on while a camera that was unplugged starts again from zero.
            ahead = self._eye_t + self._clock() - self._last_frame if opened_before else 0.0
            opened_before = True
            with contextlib.closing(camera):
                self._camera = camera
                try:
                    ended = self._see(camera, ahead)
                except Exception as wrong:
                    self._camera_lost(wrong)
                    continue
                finally:
                    self._camera = None
            if self._stopping.is_set():
                return
            self._pulse.rest("camera")
            if ended:
                self._post(self._table.ail, "camera", "ended")
                return
            self._picture = None

    def _awaited(self) -> bool:
        """Whether anybody uses the camera: the eye, or the visitor that sets up the table."""
        if self._anew.is_set():
            self._anew.clear()
            self._pulse.rest("camera")  # making an eye takes longer than a camera may hang
            self._learn_eye()
        return self._eye is not None or self._visitor() is not None

    def _learn_eye(self) -> None:
        """Make the eye; if there is none, `learn` itself reports why."""
        if self._learn is None:
            return
        try:
            self._eye = self._learn()
        except Exception as fault:
            log.exception("the eye cannot be created")
            self._eye = None
            self._post(self._table.ail, "camera", "unread", fact("program.fault", why=repr(fault)))

    def _camera_lost(self, why: Exception) -> None:
        if self._stopping.is_set():  # `stop` released the camera
            return
        # Drivers raise errors of any kind; the table tries again after each.
        if not isinstance(why, VisionError):
            log.error("the camera failed unexpectedly", exc_info=why)
        self._hangs |= isinstance(why, SilentCameraError)
        if not self._hangs:
            self._pulse.seek("camera")
        if self._eye is not None:  # otherwise the table already reports why it has no eye
            self._post(self._table.ail, "camera", "lost", told_by(why))
        self._stopping.wait(RETRY_S)

    def _see(self, camera: FrameSource, ahead: float) -> bool:
        """Read and examine frames; return True at a film's end, False if the camera is no longer wanted."""
        while not self._stopping.is_set() and self._awaited():
            self._waiting_since = self._clock()
            frame = camera.read()
            self._waiting_since = None
            if frame is None:
                return True
            self._pulse.beat("camera")
            self._hangs = False
            self._picture, t = frame
            self._eye_t, self._last_frame = t + ahead, self._clock()
            try:
                visitor = self._visitor()
                if visitor is not None and visitor.see(as_picture(self._picture), self._eye_t):
                    continue
                if self._eye is None:
                    continue
                sightings = self._eye.see(self._picture, self._eye_t)
            except SourceError:
                raise
            except VisionError as wrong:
                self._post(self._table.ail, "camera", "blind", told_by(wrong))
                continue
            except Exception:
                log.exception("the eye failed on a frame at %.3f s and goes on", self._eye_t)
                self._post(self._table.ail, "camera", "blind", fact("camera.stumbled"))
                continue
            self._post(self._table.ail, "camera", "fine")
            if sightings:
                self._post(self._table.hear_all, sightings)
        return False
