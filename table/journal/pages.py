"""Reads records from a SQLite file page by page, whatever the state of the rest of the file.

SQLite itself reads a tree from its root downwards: if the first page or one on the way is gone, it gives up
everything below. The records are in the leaves, and each leaf can be read alone
(https://sqlite.org/fileformat2.html, 1.6 B-tree pages, 2.1 record format, 4.1 WAL file format).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import TypeAlias

Pages: TypeAlias = Mapping[int, bytes]
"""Pages by number, from 1."""

Value: TypeAlias = int | float | str | bytes | None

PAGE_SIZES = tuple(1 << power for power in range(9, 17))

_INDEX_INNER, _INDEX_LEAF, _TABLE_LEAF = 0x02, 0x0A, 0x0D


def main_pages(data: bytes, size: int) -> dict[int, bytes]:
    """The pages of a main file; a last page that was cut off is filled with zeros."""
    return {
        at // size + 1: data[at : at + size].ljust(size, b"\0")
        for at in range(0, len(data), size)
        if any(data[at : at + size])
    }


def wal_page_size(data: bytes) -> int | None:
    """The page size that a write-ahead log names; None if its header is damaged."""
    if len(data) < 32 or data[:4] not in (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"):
        return None
    size = struct.unpack(">I", data[8:12])[0]
    return int(size) if size in PAGE_SIZES else None


def wal_pages(data: bytes, size: int) -> dict[int, bytes]:
    """The newest state of each page in a write-ahead log, from complete transactions only.

    A frame with a damaged header is skipped; the pages of the other frames are still good.
    """
    salts = data[16:24] if wal_page_size(data) else data[32 + 8 : 32 + 16]
    done: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    for at in range(32, len(data) - 24 - size + 1, 24 + size):
        number, after = struct.unpack(">II", data[at : at + 8])
        if data[at + 8 : at + 16] != salts or not number:
            continue  # from an earlier use of the log, or damaged
        pending[number] = data[at + 24 : at + 24 + size]
        if after:
            done.update(pending)
            pending.clear()
    return done


def records(pages: Pages) -> Iterator[tuple[int | None, list[Value]]]:
    """Yield every readable record as (rowid, values); the rowid is None in a table without rowids."""
    for number in sorted(pages):
        yield from _records_of(pages[number], 100 if number == 1 else 0, pages)


def _records_of(page: bytes, head: int, pages: Pages) -> Iterator[tuple[int | None, list[Value]]]:
    kind = page[head]
    if kind not in (_INDEX_INNER, _INDEX_LEAF, _TABLE_LEAF):
        return
    first = head + (12 if kind == _INDEX_INNER else 8)
    count = struct.unpack(">H", page[head + 3 : head + 5])[0]
    for place in range(first, min(first + 2 * count, len(page) - 1), 2):
        try:
            yield _cell(page, struct.unpack(">H", page[place : place + 2])[0], kind, pages)
        except (ValueError, IndexError, struct.error):
            continue  # this record is damaged; its neighbours do not depend on it


def _cell(page: bytes, at: int, kind: int, pages: Pages) -> tuple[int | None, list[Value]]:
    at += 4 if kind == _INDEX_INNER else 0
    size, at = _varint(page, at)
    rowid = None
    if kind == _TABLE_LEAF:
        rowid, at = _varint(page, at)
    usable = len(page)
    most = usable - 35 if kind == _TABLE_LEAF else (usable - 12) * 64 // 255 - 23
    if size <= most:
        payload = page[at : at + size]
    else:
        least = (usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (usable - 4)
        local = local if local <= most else least
        (further,) = struct.unpack(">I", page[at + local : at + local + 4])
        payload = page[at : at + local] + _overflow(pages, further, size - local)
    if len(payload) != size:
        raise ValueError("cut off")
    return rowid, _record(payload)


def _overflow(pages: Pages, number: int, size: int) -> bytes:
    """The rest of a long record: a chain of pages, each beginning with the number of the next."""
    parts: list[bytes] = []
    seen: set[int] = set()
    while size > 0:
        if number in seen or number not in pages:
            raise ValueError("the chain is broken")
        seen.add(number)
        page = pages[number]
        parts.append(page[4 : 4 + size])
        size -= len(parts[-1])
        (number,) = struct.unpack(">I", page[:4])
    return b"".join(parts)


def _record(payload: bytes) -> list[Value]:
    length, at = _varint(payload, 0)
    types = []
    while at < length:
        code, at = _varint(payload, at)
        types.append(code)
    values: list[Value] = []
    for code in types:
        size = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[code] if code < 10 else (code - 12) // 2
        raw = payload[at : at + size]
        if size < 0 or len(raw) != size:
            raise ValueError("cut off")
        at += size
        if code == 0:
            values.append(None)
        elif code in (8, 9):
            values.append(code - 8)
        elif code == 7:
            values.append(float(struct.unpack(">d", raw)[0]))
        elif code < 7:
            values.append(int.from_bytes(raw, signed=True))
        else:
            values.append(raw.decode() if code % 2 else raw)
    return values


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for index in range(9):
        byte = data[at + index]
        if index == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    raise ValueError("unreachable")
