"""How much of an MP4 or QuickTime film its edit list hides: cutting without re-encoding keeps all frames.

ISO/IEC 14496-12: a box is its size (4 bytes, big endian), its type (4 bytes) and its content. `elst` is in
`moov/trak/edts` and counts in the time units of `moov/trak/mdia/mdhd`.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path

_MOST_BYTES = 64 << 20
"""Size above which an index (`moov`) is not read: no film of a table has one so large."""
_HEAD, _LARGE = struct.Struct(">I4s"), struct.Struct(">Q")
"""A box's size and type; a size of 1 means that the size follows in eight bytes."""
_UNITS = (struct.Struct(">12xI"), struct.Struct(">20xI"))
"""Time units per second in `mdhd`, by its version."""
_COUNT, _EDITS = struct.Struct(">4xI"), (struct.Struct(">Iii"), struct.Struct(">Qqi"))
"""The number of edits in `elst`, then one edit by its version: duration, start in the media, rate."""
_KIND = slice(8, 12)
"""Position of the track's media type in `hdlr`."""


def left_out_s(path: Path) -> float:
    """Return how many seconds of the film's pictures are not shown; 0 where there is no edit list."""
    try:
        return max(map(_left_out_s, _tracks(path)), default=0.0)
    except (OSError, struct.error, ZeroDivisionError, IndexError):
        return 0.0


def _tracks(path: Path) -> Iterator[bytes]:
    """Yield the content of each track (`trak`) of a film."""
    with path.open("rb") as film:
        while len(head := film.read(_HEAD.size)) == _HEAD.size:
            size, kind = _HEAD.unpack(head)
            begun = _HEAD.size
            if size == 1:
                (size,), begun = _LARGE.unpack(film.read(_LARGE.size)), begun + _LARGE.size
            if kind == b"moov" and size - begun <= _MOST_BYTES:
                yield from (held for kind, held in _boxes(film.read(size - begun)) if kind == b"trak")
                return
            if size < begun:
                return  # the last box extends to the end of the file, or the file is no film
            film.seek(size - begun, os.SEEK_CUR)


def _boxes(held: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + _HEAD.size <= len(held):
        size, kind = _HEAD.unpack_from(held, at)
        if size < _HEAD.size:
            return
        yield kind, held[at + _HEAD.size : at + size]
        at += size


def _within(held: bytes, *kinds: bytes) -> bytes | None:
    for wanted in kinds:
        inner = next((inner for kind, inner in _boxes(held) if kind == wanted), None)
        if inner is None:
            return None
        held = inner
    return held


def _left_out_s(track: bytes) -> float:
    media, edits = _within(track, b"mdia", b"mdhd"), _within(track, b"edts", b"elst")
    handler = _within(track, b"mdia", b"hdlr")
    if media is None or edits is None or handler is None or handler[_KIND] != b"vide":
        return 0.0
    (units,), (count,) = _UNITS[media[0]].unpack_from(media), _COUNT.unpack_from(edits)
    edit = _EDITS[edits[0]]
    starts = (edit.unpack_from(edits, _COUNT.size + edit.size * which)[1] for which in range(count))
    return float(next((start for start in starts if start > 0), 0)) / float(units)
