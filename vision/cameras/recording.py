"""Recorded evenings: a folder of the frames as the camera delivered them, with their times.

`frames.jsonl` has one line per frame, `{"file": "frames/000000.jpg", "t": 0.0}`, in order of time. A camera's
own JPEGs are kept byte for byte; a film is copied whole, with the single line
`{"film": "film.mp4", "until": 60.0}`. Frames of any other source are encoded once, and the eye is given the
encoded frame rather than the original: watching the folder again shows exactly what was seen the first time.
"""

from __future__ import annotations

import errno
import json
import shutil
import time
from pathlib import Path
from typing import TextIO

import cv2

from vision.cameras import Camera
from vision.cameras.replay import Film
from vision.errors import SourceError
from vision.frame import JPEG_START, Frame
from vision.sightings import Picture

INDEX = "frames.jsonl"
PICTURES = "frames"
QUALITY = 95
KEEP_FREE_BYTES = 200_000_000
"""Free disk space at which recording stops: a full disk would stop more than the recording."""

_PNG_START = b"\x89PNG"
_CHECK_EVERY = 30
"""Number of frames between two checks of the free disk space."""


class Recorder:
    """A camera that keeps every frame that passes through it in a new folder.

    It ends with its source or after `most_s` seconds of frames. `frames` counts the kept frames; `full` is
    True once the time is up. `film` is the file that `camera` plays, if it plays one.
    """

    def __init__(self, camera: Camera, folder: Path, most_s: float, film: Path | None = None) -> None:
        self.frames, self.last_t, self.full = 0, 0.0, False
        self._camera, self._folder, self._most_s = camera, folder, most_s
        self._own_decode_s = 0.0
        self._film = None if film is None else f"film{film.suffix}"
        try:
            (folder if film else folder / PICTURES).mkdir(parents=True, exist_ok=film is not None)
            self._index: TextIO = open(folder / INDEX, "x", encoding="utf-8")  # noqa: SIM115 - see close
        except OSError as wrong:
            raise SourceError(
                f"{folder}: a recording cannot be started here ({(wrong.strerror or 'it fails').lower()});"
                " give a new folder"
            ) from None
        if film is not None:
            try:
                shutil.copyfile(film, folder / f"film{film.suffix}")
            except OSError as wrong:
                self._index.close()
                raise SourceError(
                    f"{film}: cannot be copied into {folder} ({(wrong.strerror or 'it fails').lower()});"
                    " make room"
                ) from None
            self._note_film(most_s)

    @property
    def decode_s(self) -> float:
        """CPU seconds spent on decoding so far."""
        return self._camera.decode_s + self._own_decode_s

    def read(self) -> tuple[Picture, float] | None:
        """The next frame as it was kept, decoded. Raises SourceError."""
        if (came := self.read_frame()) is None:
            return None
        picture, took_s = _decoded(came[0])
        self._own_decode_s += took_s
        return picture, came[1]

    def read_frame(self) -> tuple[Frame, float] | None:
        """The next frame as it was kept. Raises SourceError if the source breaks off or the disk is full."""
        came = self._camera.read_frame()
        if came is None:
            return None
        frame, t = came
        if t > self._most_s:
            self.full = True
            return None
        if self._film is not None:
            self.frames, self.last_t = self.frames + 1, t
            return came
        data = frame.encoded
        if data is None or not data.startswith((JPEG_START, _PNG_START)):
            done, coded = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            if not done:
                raise SourceError("a frame cannot be encoded as JPEG; is OpenCV fully installed?")
            data = coded.tobytes()
        self._keep(data, t)
        return Frame(jpeg=data), t

    def close(self) -> None:
        """Complete the folder and release the source."""
        if self._film is not None and not self._index.closed:
            self._note_film(self.last_t)
        self._index.close()
        self._camera.close()

    def _note_film(self, until: float) -> None:
        self._index.seek(0)
        self._index.truncate()
        print(json.dumps({"film": self._film, "until": until}), file=self._index, flush=True)

    def _keep(self, data: bytes, t: float) -> None:
        name = f"{PICTURES}/{self.frames:06}{'.png' if data.startswith(_PNG_START) else '.jpg'}"
        try:
            if self.frames % _CHECK_EVERY == 0 and shutil.disk_usage(self._folder).free < KEEP_FREE_BYTES:
                raise OSError(errno.ENOSPC, "No space left on device")
            (self._folder / name).write_bytes(data)
            # The picture is written first, so that a line in the index has its picture unless power fails.
            print(json.dumps({"file": name, "t": t}), file=self._index, flush=True)
        except OSError as wrong:
            raise SourceError(
                f"{self._folder}: {'the disk is full' if wrong.errno == errno.ENOSPC else wrong.strerror}"
                f" after {self.frames} frames ({self.last_t:.0f} s); what was recorded until then can "
                "be watched; make room and continue into another folder"
            ) from None
        self.frames += 1
        self.last_t = t


def open_recording(folder: Path) -> Camera:
    """Open a recorded folder as a camera: the kept frames at their recorded times. Raises SourceError."""
    try:
        with open(folder / INDEX, encoding="utf-8") as index:
            told = json.loads(index.readline())
        film, until = str(told["film"]), float(told["until"])
    except (OSError, ValueError, KeyError, TypeError):
        return Recording(folder)
    return CutFilm(folder / film, until)


class CutFilm(Film):
    """A film up to the time until which it was watched when it was recorded."""

    def __init__(self, path: Path, until: float) -> None:
        super().__init__(path)
        self._until = until

    def read(self) -> tuple[Picture, float] | None:
        """The next frame; None after the last that was watched. Raises SourceError as `Film`."""
        frame = super().read()
        return None if frame is None or frame[1] > self._until else frame


def _kept(file: Path) -> bool:
    """Whether a file exists on the disk and is not empty."""
    try:
        return file.stat().st_size > 0
    except OSError:
        return False


class Recording:
    """Recorded frames, one picture file each, at their recorded times."""

    def __init__(self, folder: Path) -> None:
        self.decode_s = 0.0
        self._folder, self._next = folder, 0
        self._lines: list[tuple[str, float]] = []
        try:
            lines = (folder / INDEX).read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as wrong:
            raise SourceError(
                f"{folder / INDEX}: cannot be read ({wrong}); is the recording complete?",
                "recording.unread",
                path=str(folder / INDEX),
            ) from None
        for number, line in enumerate(lines, 1):
            try:
                told = json.loads(line)
                self._lines.append((str(told["file"]), float(told["t"])))
            except (ValueError, KeyError, TypeError):
                if number == len(lines):  # power failed while the last line was written
                    break
                raise SourceError(
                    f"{folder / INDEX}, line {number}: should be like"
                    ' {"file": "frames/000000.jpg", "t": 0.0}',
                    "recording.line",
                    path=str(folder / INDEX),
                    n=number,
                ) from None
            if len(self._lines) > 1 and self._lines[-1][1] <= self._lines[-2][1]:
                raise SourceError(
                    f"{folder / INDEX}, line {number}: its time is not after the one before it; frames "
                    "must be in time order",
                    "recording.order",
                    path=str(folder / INDEX),
                    n=number,
                )
        # If power failed, lines of the last pictures may have reached the disk before the pictures did.
        while self._lines and not _kept(folder / self._lines[-1][0]):
            self._lines.pop()
        if not self._lines:
            text = f"{folder / INDEX}: no frame in this recording; record again"
            raise SourceError(text, "recording.empty", path=str(folder / INDEX))

    def read(self) -> tuple[Picture, float] | None:
        """The next frame, decoded; None after the last. Raises SourceError for one that cannot be read."""
        if (came := self.read_frame()) is None:
            return None
        picture, took_s = _decoded(came[0])
        self.decode_s += took_s
        return picture, came[1]

    def read_frame(self) -> tuple[Frame, float] | None:
        """The next frame, decoded only as far as it is used. Raises SourceError as `read`."""
        if self._next == len(self._lines):
            return None
        name, t = self._lines[self._next]
        self._next += 1
        file = self._folder / name
        try:
            data = file.read_bytes()
        except OSError as wrong:
            raise SourceError(
                f"{file}: cannot be read ({(wrong.strerror or 'it fails').lower()}); is the recording "
                "complete?",
                "picture.unread",
                path=str(file),
            ) from None
        text = f"{file}: cannot be read as a picture; take it out of the recording"
        return Frame(jpeg=data, damaged=SourceError(text, "picture.damaged", path=str(file))), t

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def _decoded(frame: Frame) -> tuple[Picture, float]:
    """The picture of a frame, and the CPU seconds spent on decoding it."""
    started = time.process_time()
    picture = frame.picture
    return picture, time.process_time() - started
