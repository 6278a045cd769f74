"""Recorded frames: a film or a folder of pictures, every frame in order."""

from __future__ import annotations

import os
import time
from pathlib import Path

import cv2
import numpy as np

from vision.cameras.edit_list import left_out_s
from vision.errors import SourceError
from vision.frame import Frame
from vision.pictures import as_counted, picture_files, refuse_specks
from vision.sightings import Picture

# FFmpeg would report every damaged block on stderr; the user gets one error message from us instead.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

WIDEST = 4.0
"""Largest ratio of a pixel's sides that is believed when a film states it."""
_BROKEN = (0.9, 2)
"""A film with fewer than this share of its stated frames, less this number, is truncated; containers count
roughly."""
FOLDER_HZ = 15.0
"""Frame rate of a folder of pictures."""


class Film:
    """A film, frame by frame, at the times stated in the file."""

    def __init__(self, path: Path) -> None:
        self.decode_s = 0.0
        self._path = path
        # Decode in one thread: more would each hold pictures, and their CPU time would count as the eye's.
        # Pass an absolute path: FFmpeg takes the text before a colon for a protocol.
        self._film = cv2.VideoCapture(str(path.absolute()), cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, 1])
        if not self._film.isOpened():
            text = f"{path}: cannot be opened as a film; is it one, and is it complete?"
            raise SourceError(text, "film.unread", path=str(path))
        self._hz = self._film.get(cv2.CAP_PROP_FPS) or 15.0
        self._promised = int(self._film.get(cv2.CAP_PROP_FRAME_COUNT))
        self._stretch = _stretch(self._film)
        self._read = 0
        self._black = True
        """Whether all pictures so far were nothing but zeros, which no camera delivers."""
        self._first_ms: float | None = None
        self._first_number = 0.0
        """Presentation time stamp of the first picture, in frames."""
        self._last_t = -1.0
        self.seconds = self._promised / self._hz if self._promised > 0 else None
        """The film's stated length; None where it states none."""

    def read(self) -> tuple[Picture, float] | None:
        """The next frame; None after the last. Raises SourceError when the film breaks off."""
        started = time.process_time()
        good, picture = self._film.read()
        self.decode_s += time.process_time() - started
        if not good or picture is None:
            self._check_end()
            return None
        refuse_specks(picture, self._path)
        self._black = self._black and not picture.any()
        if self._stretch != 1.0:
            size = (round(picture.shape[1] * self._stretch), picture.shape[0])
            picture = cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR)
        now_ms = self._film.get(cv2.CAP_PROP_POS_MSEC)
        if self._first_ms is None:
            self._first_ms = now_ms
            self._first_number = self._film.get(cv2.CAP_PROP_PTS)
        t = (now_ms - self._first_ms) / 1000.0
        if t <= self._last_t:  # some containers store no times
            t = self._last_t + 1.0 / self._hz
        self._last_t = t
        self._read += 1
        return np.asarray(picture, np.uint8), t

    def _check_end(self) -> None:
        """Raise SourceError for a film that cannot be decoded, or that ended before its stated length."""
        name = str(self._path)
        if self._read == 0:
            codec = int(self._film.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little").decode("latin-1").strip()
            text = (
                f"{name}: no picture can be read from this film ({codec or 'unknown codec'}); is it complete?"
            )
            text += " If so, convert it: ffmpeg -i FILM -c:v libx264 NEW.mp4"
            raise SourceError(text, "film.codec", path=name, codec=codec or "?")
        if self._black:
            text = f"{name}: all pictures are black; interlaced films cannot be decoded here; convert it:"
            text += " ffmpeg -i FILM -vf yadif -c:v libx264 NEW.mp4"
            raise SourceError(text, "film.black", path=name)
        # The stated count may assume the fastest rate or ignore edit lists, and the first frame may be late.
        promised = self._promised - self._hz * left_out_s(self._path)
        late = self._first_number if self._first_number < promised else 0.0
        came = max(self._read, self._hz * self._last_t + 1) + late
        share, fewer = _BROKEN
        if came < share * promised - fewer:
            text = f"{name}: the film breaks off after {self._read} of {promised:.0f} frames; copy it again"
            raise SourceError(text, "film.breaks", path=name, n=self._read, of=round(promised))

    def read_frame(self) -> tuple[Frame, float] | None:
        """As `read`: a film's frame is already decoded."""
        frame = self.read()
        return None if frame is None else (Frame(frame[0]), frame[1])

    def close(self) -> None:
        """Close the film."""
        self._film.release()


def _stretch(film: cv2.VideoCapture) -> float:
    """Return a film's pixel aspect ratio (width over height); 1 where it states none that is credible."""
    wide, high = film.get(cv2.CAP_PROP_SAR_NUM), film.get(cv2.CAP_PROP_SAR_DEN)
    by = wide / high if wide > 0 and high > 0 else 1.0
    return by if 1 / WIDEST < by < WIDEST else 1.0


class Folder:
    """A folder of pictures, sorted by name with numbers by value, as frames at `FOLDER_HZ`."""

    def __init__(self, path: Path) -> None:
        self.decode_s = 0.0
        self._files = sorted(picture_files(path), key=as_counted)
        self._next = 0
        self._shape: tuple[int, ...] | None = None
        if not self._files:
            text = f"{path}: no pictures in this folder; it should hold .jpg or .png files"
            raise SourceError(text, "folder.empty", path=str(path))

    def read(self) -> tuple[Picture, float] | None:
        """The next picture; None after the last. Raises SourceError for one that cannot be read."""
        frame = self.read_frame()
        if frame is None:
            return None
        started = time.process_time()
        try:
            picture = frame[0].picture
        finally:
            self.decode_s += time.process_time() - started
        if self._shape is not None and picture.shape != self._shape:
            raise SourceError(
                f"{self._files[self._next - 1]}: this picture has another size than those before it;"
                " one folder holds one camera's frames",
                "folder.sizes",
                path=str(self._files[self._next - 1]),
            )
        self._shape = picture.shape
        return picture, frame[1]

    def read_frame(self) -> tuple[Frame, float] | None:
        """As `read`, but a JPEG is decoded only as far as it is used."""
        if self._next == len(self._files):
            return None
        file = self._files[self._next]
        try:
            content = file.read_bytes()
        except OSError as wrong:
            text = f"{file}: cannot be read ({(wrong.strerror or 'it fails').lower()})"
            raise SourceError(text, "picture.unread", path=str(file)) from None
        t = self._next / FOLDER_HZ
        self._next += 1
        text = f"{file}: cannot be read as a picture; take it out of the folder"
        return Frame(jpeg=content, damaged=SourceError(text, "picture.damaged", path=str(file))), t

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
