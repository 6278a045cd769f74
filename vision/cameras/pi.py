"""The Raspberry Pi's camera: JPEG after JPEG from `rpicam-vid` on a pipe."""

from __future__ import annotations

import shutil
import subprocess

from vision.cameras.newest import NewestFrame
from vision.errors import SourceError
from vision.frame import Frame
from vision.sightings import Picture

PROGRAM = "rpicam-vid"
SIZE_PX = (1280, 720)
RATE_HZ = 15
_START, _END = b"\xff\xd8", b"\xff\xd9"


class PiCamera:
    """`pi:N`. Raises SourceError when rpicam-vid is not there or gives nothing."""

    def __init__(self, number: int, program: str = PROGRAM) -> None:
        self._name = f"pi:{number}"
        path = shutil.which(program)
        if path is None:
            raise SourceError(
                f"{self._name}: {program} is not installed; on a Pi: sudo apt install rpicam-apps"
            )
        width, height = SIZE_PX
        self._process = subprocess.Popen(
            [
                path, "--camera", str(number), "--codec", "mjpeg", "--quality", "90", "--nopreview",
                "--width", str(width), "--height", str(height), "--framerate", str(RATE_HZ),
                "--timeout", "0", "--flush", "-o", "-",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._rest = bytearray()
        self._newest = NewestFrame(self._name, self._grab)

    @property
    def decode_s(self) -> float:
        """CPU seconds spent on decoding JPEGs."""
        return self._newest.decode_s

    def read(self) -> tuple[Picture, float]:
        """The newest frame. Raises SourceError when the camera is gone."""
        return self._newest.read()

    def read_frame(self) -> tuple[Frame, float]:
        """The newest frame, decoded on demand. Raises SourceError when the camera is gone."""
        return self._newest.read_frame()

    def close(self) -> None:
        """End rpicam-vid."""
        self._process.terminate()
        try:
            self._process.wait(3.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._newest.close()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _grab(self) -> Frame | None:
        """The next whole JPEG from the pipe; None when the pipe has ended."""
        assert self._process.stdout is not None
        while True:
            start = self._rest.find(_START)
            end = self._rest.find(_END, start + 2) if start >= 0 else -1
            if end >= 0:
                jpeg = bytes(self._rest[start : end + 2])
                del self._rest[: end + 2]
                return Frame(
                    jpeg=jpeg, damaged=f"{self._name}: a damaged picture came; check the ribbon cable"
                )
            try:
                piece = self._process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
            except (OSError, ValueError):
                return None
            if not piece:
                return None
            self._rest += piece
