"""The Raspberry Pi's camera: a stream of JPEGs from `rpicam-vid` on a pipe.

Its exposure is metered over the whole table, so that one white card changes little. A running `rpicam-vid`
cannot be made to hold it, so the eye divides out what still changes (`vision/imgproc/change_detection`).
A lens that can focus (Camera Module 3) does so once, at the start; otherwise it would hunt at every hand.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections import deque

from vision.cameras.newest import LiveCamera
from vision.errors import SourceError
from vision.frame import Frame, damaged_by

PROGRAM = "rpicam-vid"
SIZE_PX = (1280, 720)
RATE_HZ = 15
END_S = 1.0
"""How long rpicam-vid may take to end after SIGTERM; then it is killed."""
_START, _END = b"\xff\xd8", b"\xff\xd9"


class PiCamera(LiveCamera):
    """`pi:N`. Raises SourceError when rpicam-vid is not installed or delivers nothing."""

    def __init__(self, number: int, program: str = PROGRAM) -> None:
        name = f"pi:{number}"
        path = shutil.which(program)
        if path is None:
            text = f"{name}: {program} is not installed; on a Pi: sudo apt install rpicam-apps"
            raise SourceError(text, "camera.program", camera=name, program=program)
        width, height = SIZE_PX
        self._process = subprocess.Popen(
            [
                path, "--camera", str(number), "--codec", "mjpeg", "--quality", "90", "--nopreview",
                "--width", str(width), "--height", str(height), "--framerate", str(RATE_HZ),
                "--metering", "average", "--awb", "auto", "--autofocus-mode", "auto", "--timeout", "0",
                "--flush", "-o", "-",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        self._rest = bytearray()
        self._errors: deque[str] = deque(maxlen=1)
        self._listening = threading.Thread(target=self._listen, name=f"{name} says", daemon=True)
        self._listening.start()
        super().__init__(name)

    def close(self) -> None:
        """End rpicam-vid."""
        self._process.terminate()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        super().close()

    def _let_go(self) -> None:
        self._listening.join(END_S)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _listen(self) -> None:
        """Keep the last error that rpicam-vid prints; it would block on a pipe that nobody reads."""
        assert self._process.stderr is not None
        with self._process.stderr as said:
            for line in said:
                _, error, words = line.decode(errors="replace").partition("ERROR")
                if error:
                    self._errors.append(words.strip(": *\n"))

    def _complaint(self) -> str:
        self._listening.join(END_S)  # the last line may still be in the pipe
        return super()._complaint() or "".join(self._errors)

    def _grab(self) -> Frame | None:
        """The next whole JPEG from the pipe; None when the pipe has ended."""
        assert self._process.stdout is not None
        while True:
            start = self._rest.find(_START)
            if start < 0:
                del self._rest[:-1]  # the last byte may be the first half of a start marker
            end = self._rest.find(_END, start + 2) if start >= 0 else -1
            if end >= 0:
                jpeg = bytes(self._rest[start : end + 2])
                del self._rest[: end + 2]
                return Frame(jpeg=jpeg, damaged=damaged_by(self._name))
            try:
                piece = self._process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
            except (OSError, ValueError):
                return None
            if not piece:
                return None
            self._rest += piece
