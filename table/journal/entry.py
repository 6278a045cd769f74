"""One line of the journal, and the seal that shows whether the disk has changed it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

from table.rules.events import KINDS, Event, EventError, PlainEvent


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: `wall` in seconds since 1970; `crop`: whether a picture is stored with it."""

    id: int
    event: Event
    wall: float
    crop: bool = False
    wrong: EventError | None = None
    """Why the line cannot be understood but is kept: a disk damaged it, or a newer program wrote it."""

    @classmethod
    def read(cls, number: int, plain: PlainEvent, wall: float, crop: bool = False) -> Entry:
        """Read a line of the journal. An unintelligible line is kept unchanged, so that nothing is lost."""
        plain = {name: value for name, value in plain.items() if name != "id"}  # the journal numbers lines
        try:
            return cls(number, Event.from_dict(plain), wall, crop)
        except EventError as wrong:
            return cls(number, _as_it_is(plain), wall, crop, wrong)

    def told(self) -> Event:
        """Return the event; raise EventError if the line cannot be understood."""
        if self.wrong is not None:
            raise self.wrong
        return self.event


class Line(NamedTuple):
    """What is written: an event, its time (seconds since 1970) and the picture stored with it."""

    event: Event
    wall: float
    crop: bytes | None = None


def _as_it_is(plain: PlainEvent) -> Event:
    """An unchecked event: it is kept and shown, but the rules do not read it."""
    fields = {name: value for name, value in plain.items() if name != "kind"}
    if plain.get("kind") == "correction" and "event" in fields:
        fields["event"] = _as_it_is(fields["event"]) if isinstance(fields["event"], dict) else None
    return Event(str(plain.get("kind")), fields)


def seal(identity: int, game: int, number: int, wall: float, line: str) -> int:
    """The checksum of a line (CRC-32, bound to its place and to the journal of this `identity`).

    A line of another journal, in another place or with a single changed bit has another seal.
    """
    return crc32(f"{game} {number} {wall!r} {line}".encode("utf-8", "replace")) ^ identity


def seal_crop(identity: int, game: int, number: int, jpeg: bytes) -> int:
    """The checksum of the picture stored with a line, like `seal`."""
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
