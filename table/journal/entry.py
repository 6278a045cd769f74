"""One line of the journal, and the seal by which a line is known that the disk has changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from zlib import crc32

from table.rules.events import KINDS, PlainEvent


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: `wall` in seconds since 1970; `crop`: a picture lies beside it."""

    id: int
    event: PlainEvent
    wall: float
    crop: bool = False


def seal(identity: int, game: int, number: int, wall: float, line: str) -> int:
    """The checksum kept beside a line (CRC-32, bound to the journal of this `identity` and to its place).

    A line of another journal, in another place or with a single changed bit has another seal.
    """
    return crc32(f"{game} {number} {wall!r} {line}".encode("utf-8", "replace")) ^ identity


def seal_crop(identity: int, game: int, number: int, jpeg: bytes) -> int:
    """The same for the picture beside a line."""
    return crc32(jpeg, crc32(f"{game} {number} ".encode())) ^ identity


def sound(line: object) -> bool:
    """Whether a line without a seal can be an event: a JSON object of a known kind."""
    if not isinstance(line, str):
        return False
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(event, dict) and isinstance(event.get("kind"), str) and event["kind"] in KINDS
