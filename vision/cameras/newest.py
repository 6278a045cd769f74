"""Live frames: a thread reads as fast as the camera delivers, and only the newest frame is kept."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections import deque

from vision.errors import SilentCameraError, SourceError
from vision.frame import Frame
from vision.sightings import Picture

WAIT_S = 5.0
"""How long a camera may deliver nothing before `read` raises SilentCameraError."""
END_S = 2.0
"""How long closing waits for the reading thread, which ends once its pending frame has come."""

_REMEMBERED = 50
"""Number of frames read last that `share_seen` covers."""


class LiveCamera(ABC):
    """Keeps the newest frame; a subclass opens its device, then starts reading by `super().__init__`."""

    def __init__(self, name: str) -> None:
        self.decode_s = 0.0
        """CPU seconds of decoding in `read`; the frames of `read_frame` are decoded by their users."""
        self._name = name
        self._news = threading.Condition()
        self._raw: Frame | None = None
        self._raw_t = 0.0
        self._lost = False
        self._fault: Exception | None = None
        """The driver's exception that ended the reading thread."""
        self._closing = threading.Event()
        self._first: float | None = None
        self._came = 0
        self._came_to_each: deque[int] = deque(maxlen=_REMEMBERED)
        """For each frame that was read, how many frames came since the previous one, itself included."""
        self._thread = threading.Thread(target=self._pump, name=name, daemon=True)
        self._thread.start()

    @abstractmethod
    def _grab(self) -> Frame | None:
        """Wait for the next frame; None when the camera is gone."""

    def read(self) -> tuple[Picture, float]:
        """The newest frame not yet read, decoded. Raises SourceError when the camera is gone or stalls."""
        frame, t = self.read_frame()
        started = time.thread_time()
        picture = frame.picture
        self.decode_s += time.thread_time() - started
        return picture, t

    def read_frame(self) -> tuple[Frame, float]:
        """The newest frame not yet read, decoded on demand. Raises SourceError as `read`."""
        with self._news:
            if not self._news.wait_for(lambda: self._raw is not None or self._lost, WAIT_S):
                raise SilentCameraError(
                    f"{self._name}: no picture for {WAIT_S:.0f} seconds; check its cable,"
                    " then it goes on by itself",
                    "camera.silent",
                    camera=self._name,
                    seconds=round(WAIT_S),
                )
            if self._raw is None and (why := self._complaint()):
                raise SourceError(
                    f"{self._name}: the camera failed ({why}); close other programs that use it or plug it in"
                    " again, then it goes on by itself",
                    "camera.failed",
                    camera=self._name,
                    why=why,
                ) from self._fault
            if self._raw is None:
                raise SourceError(
                    f"{self._name}: the camera is gone; plug it in again, then it goes on by itself",
                    "camera.gone",
                    camera=self._name,
                )
            raw, t = self._raw, self._raw_t
            self._raw = None
            self._came_to_each.append(self._came)
            self._came = 0
        if self._first is None:
            self._first = t
        return raw, t - self._first

    @property
    def share_seen(self) -> float | None:
        """Share 0..1 of the latest frames that were read; None before the first was."""
        with self._news:
            came = sum(self._came_to_each)
            return len(self._came_to_each) / came if came else None

    def wake(self) -> None:
        """End a waiting `read`, as if the camera were gone; may be called from any thread."""
        with self._news:
            self._lost = True
            self._news.notify_all()

    def close(self) -> None:
        """Stop reading, and wait up to `END_S` for the thread, which releases the device."""
        self._closing.set()
        self._thread.join(END_S)

    @abstractmethod
    def _let_go(self) -> None:
        """Release the device. The reading thread does this last, so that it cannot be reading meanwhile."""

    def _complaint(self) -> str:
        """The driver's error message for a camera that is gone; empty where there is none."""
        return " ".join(str(self._fault or "").split())

    def _pump(self) -> None:
        try:
            self._read_on()
        except Exception as fault:  # drivers may raise anything
            with self._news:
                self._fault, self._lost = fault, True
                self._news.notify_all()
        self._closing.wait()
        self._let_go()

    def _read_on(self) -> None:
        while not self._closing.is_set():
            raw = self._grab()
            with self._news:
                if raw is None:
                    self._lost = True
                    self._news.notify_all()
                    return
                self._raw, self._raw_t = raw, time.monotonic()
                self._came += 1
                self._news.notify_all()
