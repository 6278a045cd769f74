"""Reads Intel HEX, the format of firmware files, and checks it before anything is written to a board.

Records as in Intel's "Hexadecimal Object File Format Specification", revision A, 1988.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from firmware_bridge.errors import FirmwareFileError

BOOTLOADER_AT = 0x7800
"""First byte that a program must leave alone. An older Nano's bootloader takes the last 2 KB of 32 KB
(ATmegaBOOT_168_atmega328.hex); the Uno's takes less."""

_RECORD = re.compile(
    r":([0-9A-F]{2})([0-9A-F]{4})([0-9A-F]{2})((?:[0-9A-F]{2})*)([0-9A-F]{2})", re.IGNORECASE
)


class _Kind(IntEnum):
    """The type of a record."""

    DATA = 0
    END = 1
    SEGMENT = 2
    START_SEGMENT = 3
    LINEAR = 4
    START_LINEAR = 5


_LENGTHS = {
    _Kind.END: 0,
    _Kind.SEGMENT: 2,
    _Kind.START_SEGMENT: 4,
    _Kind.LINEAR: 2,
    _Kind.START_LINEAR: 4,
}
"""Number of data bytes in each type of record other than DATA."""

_SHIFTS = {_Kind.SEGMENT: 4, _Kind.LINEAR: 16}
"""Bits by which the number in such a record is shifted before it is added to the addresses that follow."""


class _Record(NamedTuple):
    """One line of the file."""

    line: int
    address: int
    kind: _Kind
    data: bytes


def firmware(text: str) -> bytes:
    """The program in an Intel HEX file, from address 0 on; bytes between its records are 0xFF.

    Raises:
        FirmwareFileError: the file is incomplete or damaged, or has no program for the lamp board.
    """
    records = [_record(number, line) for number, line in _lines(text)]
    if not records:
        raise FirmwareFileError("the file is empty")
    if (last := records[-1]).kind != _Kind.END:
        raise FirmwareFileError(f"line {last.line} is the last, but not an end record: the file is cut off")
    written: dict[int, int] = {}
    above = 0
    for record in records[:-1]:
        if record.kind == _Kind.END:
            raise FirmwareFileError(f"line {record.line} ends the file, but more follows")
        if (shift := _SHIFTS.get(record.kind)) is not None:
            above = int.from_bytes(record.data, "big") << shift
        elif record.kind == _Kind.DATA:
            _write(written, above, record)
    if 0 not in written:
        raise FirmwareFileError("there is nothing at address 0, where the board starts")
    return bytes(written.get(at, 0xFF) for at in range(max(written) + 1))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, line.strip()


def _record(number: int, line: str) -> _Record:
    if (found := _RECORD.fullmatch(line)) is None:
        raise FirmwareFileError(f"line {number} is not an Intel HEX record")
    size, address, kind, *_ = (int(each, 16) for each in found.groups()[:3])
    data = bytes.fromhex(found[4])
    if len(data) != size:
        raise FirmwareFileError(f"line {number} announces {size} bytes, but has {len(data)}")
    if sum(bytes.fromhex(line[1:])) & 0xFF:
        raise FirmwareFileError(f"line {number} is damaged: its checksum is wrong")
    if kind not in _Kind.__members__.values() or size != _LENGTHS.get(_Kind(kind), size):
        raise FirmwareFileError(f"line {number} is a record of an unknown kind")
    return _Record(number, address, _Kind(kind), data)


def _write(written: dict[int, int], above: int, record: _Record) -> None:
    for at, byte in enumerate(record.data, above + record.address):
        if at >= BOOTLOADER_AT:
            raise FirmwareFileError(
                f"line {record.line} writes to {at:#x}, where the bootloader is ({BOOTLOADER_AT:#x})"
            )
        if written.setdefault(at, byte) != byte:
            raise FirmwareFileError(f"line {record.line} writes to {at:#x} again, with another value")
