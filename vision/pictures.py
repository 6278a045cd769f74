"""Picture files: each is read whole, or refused with one sentence that says what is wrong."""

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
"""Grey levels by which the last row of any photograph varies, even of plain cloth: sensors are noisy."""
_READ = (
    *(".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".bmp", ".tif", ".tiff"),
    *(".gif", ".avif", ".jp2"),
)
_UNREAD = (".heic", ".heif", ".dng")
"""Formats of phones that OpenCV cannot read: they are listed, so that reading one names the problem."""
_OF_TELEPHONES = (".heic", ".heif")
_BASELINE, _PROGRESSIVE = (0xC0, 0xC1), (0xC2,)
"""Start-of-frame markers of a JPEG (ITU-T T.81, table B.1)."""
_AFTER_END = 1 << 16
"""Bytes at the end of a file in which the end marker may lie: some phones write data after it."""
SMALLEST_PX = 16
"""Least side of a picture: the eye also reads an eighth of its size, in which less would show nothing."""
AT_HAND_BYTES = 64 << 20
"""Bytes of decoded pictures kept in memory: twenty of 1280 x 720, or one of 12 megapixels."""


def picture_files(folder: Path) -> list[Path]:
    """The picture files of a folder, by their suffix, sorted by name.

    Hidden files are left out: macOS keeps a file named `._red-1.jpg` beside each file on a stick.
    """
    named = (p for p in folder.iterdir() if is_picture(p) and not p.name.startswith("."))
    return sorted(p for p in named if not p.is_dir())


def is_picture(file: Path) -> bool:
    """Whether a file's name ends as pictures' do."""
    return file.suffix.lower() in (*_READ, *_UNREAD)


def as_counted(file: Path) -> list[tuple[bool, int, str]]:
    """Sort key that orders numbers in names by value: frame-2 before frame-10."""
    parts = re.split(r"(\d+)", file.name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


class Album:
    """Picture files, read when needed: those of a whole deck do not fit into a small computer's memory.

    Pictures are kept up to `AT_HAND_BYTES` in total; the others are read again each time.
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
    """Read a picture file as (h, w, 3) BGR, rotated as its EXIF says. Raises SourceError.

    A truncated JPEG is refused: libjpeg fills the missing part with grey, which may hide a card.
    """
    picture = _read(file, cv2.IMREAD_COLOR)
    refuse_specks(picture, file)
    return picture


def read_within_reach(file: str | Path, most_px: int) -> tuple[Picture, float]:
    """As `within_reach` of the file's picture, in half the time and with a quarter of the memory.

    A JPEG's blocks of 8 x 8 pixels can be decoded to 4 x 4 (the full size is then known to within a pixel).
    """
    try:
        half = _read(file, cv2.IMREAD_REDUCED_COLOR_2)
    except cv2.error:  # a side of one pixel cannot be halved
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
        picture = _decode(data + _END, how)  # some cameras omit the end marker
    if picture is None and Path(file).suffix.lower() in _OF_TELEPHONES:
        text = f"{file}: pictures of this kind cannot be read; set the phone to JPEG (“Most Compatible”)"
        raise SourceError(f"{text}, or export them as JPEG", "picture.telephone", path=str(file))
    if picture is None:
        text = f"{file}: cannot be read as a picture; give a JPEG or PNG file"
        raise SourceError(text, "picture.none", path=str(file))
    if _breaks_off_between_passes(data) or (not whole and _ends_plain(picture)):
        text = f"{file}: the picture breaks off, the file is incomplete; copy or take it again"
        raise SourceError(text, "picture.breaks", path=str(file))
    return picture


def refuse_specks(picture: np.ndarray[Any, Any], source: str | Path) -> None:
    """Raise SourceError for a picture with a side of fewer than `SMALLEST_PX` pixels."""
    h, w = picture.shape[:2]
    if min(h, w) < SMALLEST_PX:
        text = f"{source}: the picture is only {w} x {h} pixels; give the picture as the camera took it"
        raise SourceError(text, "picture.small", path=str(source), w=w, h=h)


def _breaks_off_between_passes(data: bytes) -> bool:
    """Whether a progressive JPEG lacks its end: it decodes to the whole picture, only softer."""
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
    """Shrink the picture so that no side exceeds `most_px`; return it and the factor it was shrunk by."""
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
    """Whether a rim has one colour throughout: the file's last row, wherever EXIF rotated it to."""
    rims = (picture[-1], picture[0], picture[:, 0], picture[:, -1])
    return any(float(np.asarray(rim, np.float32).std(axis=0).max()) < _FLAT for rim in rims)
