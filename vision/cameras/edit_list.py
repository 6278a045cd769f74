"""How much of an MP4 or QuickTime film its edit list leaves out: cut without encoding, a film keeps it all.

ISO/IEC 14496-12: a box is its size (4 bytes, big endian), its kind (4 bytes) and what it holds. `elst` is in
`moov/trak/edts` and counts in the units of `moov/trak/mdia/mdhd`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

_MOST_BYTES = 64 << 20
"""A longer index is no film that anybody shows to a table."""


def left_out_s(path: Path) -> float:
    """Return how many seconds of the film's pictures are not shown; 0 where nothing says so."""
    try:
        return max(map(_left_out_s, _tracks(path)), default=0.0)
    except (OSError, struct.error, ZeroDivisionError):
        return 0.0


def _tracks(path: Path) -> Iterator[bytes]:
    """Yield what each track of a film holds."""
    with path.open("rb") as film:
        while len(head := film.read(8)) == 8:
            size, kind = struct.unpack(">I4s", head)
            begun = 8
            if size == 1:
                (size,), begun = struct.unpack(">Q", film.read(8)), 16
            if kind == b"moov" and size - begun <= _MOST_BYTES:
                yield from (held for kind, held in _boxes(film.read(size - begun)) if kind == b"trak")
                return
            if size < begun:
                return  # the last box reaches to the end of the file, or this is no film
            film.seek(size - begun, 1)


def _boxes(held: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(held):
        size, kind = struct.unpack_from(">I4s", held, at)
        if size < 8:
            return
        yield kind, held[at + 8 : at + size]
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
    if media is None or edits is None or handler is None or handler[8:12] != b"vide":
        return 0.0
    (units,) = struct.unpack_from(">I", media, 20 if media[0] == 1 else 12)
    (count,) = struct.unpack_from(">I", edits, 4)
    one = struct.Struct(">Qqi" if edits[0] == 1 else ">Iii")
    starts = (one.unpack_from(edits, 8 + one.size * which)[1] for which in range(count))
    return float(next((start for start in starts if start > 0), 0)) / float(units)
