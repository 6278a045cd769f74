"""Picture files: read whole or not at all, with one sentence about what is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.errors import SourceError
from vision.sightings import Picture

_START, _END = b"\xff\xd8", b"\xff\xd9"
_FLAT = 1.0
"""Grey levels above which the last row of any photograph varies, even of a plain cloth: sensors are noisy."""
_READ = (
    *(".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".bmp", ".tif", ".tiff"),
    *(".gif", ".avif", ".jp2"),
)
_UNREAD = (".heic", ".heif", ".dng")
"""Formats of telephones that OpenCV does not read: they are named when read, not silently skipped."""
_OF_TELEPHONES = (".heic", ".heif")
_BASELINE, _PROGRESSIVE = (0xC0, 0xC1), (0xC2,)
"""Markers that begin a JPEG's picture (ITU-T T.81, table B.1)."""
_AFTER_END = 1 << 16
"""Bytes that some telephones write after a picture's end."""
SMALLEST_PX = 16
"""Least side: the eye also looks at pictures at an eighth of their size, and in less nothing shows."""
AT_HAND_BYTES = 64 << 20
"""Bytes kept at hand: twenty pictures of 1280 x 720, or two of 12 megapixels."""


def picture_files(folder: Path) -> list[Path]:
    """Files of a folder whose names end as pictures' do, in the order of their names.

    Hidden ones are left out: macOS keeps a file named `._red-1.jpg` beside each file on a stick.
    """
    kinds = (*_READ, *_UNREAD)
    named = (p for p in folder.iterdir() if p.suffix.lower() in kinds and not p.name.startswith("."))
    return sorted(p for p in named if not p.is_dir())


def as_counted(file: Path) -> list[tuple[bool, int, str]]:
    """A key by which files are sorted as people count: frame-2 before frame-10."""
    parts = re.split(r"(\d+)", file.name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


class Album:
    """Picture files that are read when they are needed: a whole deck's do not fit a small computer.

    As many as fit `AT_HAND_BYTES` are kept; the others are read again each time.
    """

    def __init__(self) -> None:
        self._kept: dict[Path, Picture] = {}
        self._left = AT_HAND_BYTES

    def read(self, file: Path) -> Picture:
        """As `read_picture`; the returned picture is shared by all callers."""
        picture = self._kept.get(file)
        if picture is None:
            picture = read_picture(file)
            if picture.nbytes <= self._left:
                self._left -= picture.nbytes
                self._kept[file] = picture
        return picture


def read_picture(file: str | Path) -> Picture:
    """A picture file as (h, w, 3) BGR, turned upright as its EXIF says. Raises SourceError.

    A JPEG that breaks off is refused: libjpeg fills what is missing with grey, in which a card may lie.
    """
    picture = _read(file, cv2.IMREAD_COLOR)
    refuse_specks(picture, file)
    return picture


def read_within_reach(file: str | Path, most_px: int) -> tuple[Picture, float]:
    """As `within_reach` of the picture in the file, in half the time and a quarter of the memory.

    A JPEG's blocks of 8 x 8 pixels can be decoded to 4 x 4 (the picture's size is then known to a pixel).
    """
    try:
        half = _read(file, cv2.IMREAD_REDUCED_COLOR_2)
    except cv2.error:  # a side of one pixel has no half
        return within_reach(read_picture(file), most_px)
    if max(half.shape[:2]) < most_px:
        return within_reach(read_picture(file), most_px)
    picture, by = within_reach(half, most_px)
    return picture, 2 * by


def _read(file: str | Path, how: int) -> Picture:
    data = _bytes(file)
    picture = _decode(data, how)
    whole = picture is not None
    if picture is None and data.startswith(_START):
        picture = _decode(data + _END, how)  # some cameras leave out the end mark
    if picture is None and Path(file).suffix.lower() in _OF_TELEPHONES:
        text = (
            f"{file}: pictures of this kind cannot be read; let the telephone take JPEG (“Most Compatible”)"
        )
        raise SourceError(f"{text}, or export them as JPEG", "picture.telephone", path=str(file))
    if picture is None:
        text = f"{file}: cannot be read as a picture; give a JPEG or PNG file"
        raise SourceError(text, "picture.none", path=str(file))
    if _breaks_off_between_passes(data) or (not whole and _ends_plain(picture)):
        text = f"{file}: the picture breaks off, the file is not whole; copy or take it again"
        raise SourceError(text, "picture.breaks", path=str(file))
    return picture


def refuse_specks(picture: np.ndarray[Any, Any], source: str | Path) -> None:
    """Raise SourceError for a picture with a side of fewer than `SMALLEST_PX` pixels."""
    h, w = picture.shape[:2]
    if min(h, w) < SMALLEST_PX:
        text = f"{source}: the picture is only {w} x {h} pixels; give the picture as the camera took it"
        raise SourceError(text, "picture.small", path=str(source), w=w, h=h)


def _breaks_off_between_passes(data: bytes) -> bool:
    """Tell whether a progressive JPEG has no end: what is there is the whole picture, only soft."""
    at = 2
    while data.startswith(_START) and at + 4 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if kind in _BASELINE:
            return False
        if kind in _PROGRESSIVE:
            return _END not in data[-_AFTER_END:]
        at += 2 + length
    return False


def within_reach(picture: Picture, most_px: int) -> tuple[Picture, float]:
    """The picture with no side longer than `most_px`, and how many of its own pixels make one of these."""
    by = max(picture.shape[:2]) / most_px
    if by <= 1:
        return picture, 1.0
    h, w = (max(1, round(side / by)) for side in picture.shape[:2])
    return np.asarray(cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA), np.uint8), by


def _decode(data: bytes, how: int) -> Picture | None:
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), how) if data else None
    return None if picture is None else np.asarray(picture, np.uint8)


def _bytes(file: str | Path) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as wrong:
        reason = (wrong.strerror or "it cannot be read").lower()
        text = f"{file}: {reason}; give a JPEG or PNG file"
        raise SourceError(text, "picture.unread", path=str(file)) from None


def _ends_plain(picture: Picture) -> bool:
    """Whether the last row (where the picture lies on its side, a last column) has one colour throughout."""
    rims = (picture[-1], picture[0], picture[:, 0], picture[:, -1])
    return any(float(np.asarray(rim, np.float32).std(axis=0).max()) < _FLAT for rim in rims)
