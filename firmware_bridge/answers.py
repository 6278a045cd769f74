"""The board's answers and unsolicited reports, as values; `messages` has the requests."""

from __future__ import annotations

import struct
from dataclasses import dataclass, fields
from typing import TypeAlias

from firmware_bridge.errors import FrameError
from firmware_bridge.messages import (
    PROTOCOL_VERSION,
    EventKind,
    Feature,
    RefusalReason,
    Reply,
    ResetCause,
)


@dataclass(frozen=True, slots=True)
class Welcome:
    """The board's answer to `Hello`: who it is and why it last started."""

    protocol: int
    reset_cause: ResetCause
    features: Feature
    buttons: int
    """Bit mask of the buttons held down."""
    capacity: int
    """Number of lamps that the board can drive."""
    room: int
    """Bytes that may be in flight after the oldest unacknowledged frame."""
    frame_max: int
    """Longest frame that the board takes, in bytes before COBS."""
    boot: int
    """A number that changes whenever the board forgets its events: after a power cut, not another reset."""
    uptime_s: float
    build: int
    """Checksum of the firmware's sources."""
    serial: int
    """The serial number; 0 if it has none."""
    bad_frames: int
    overruns: int
    last_event: int
    """Number of the last event that a host has acknowledged."""

    @property
    def started(self) -> str:
        """Why the board last started, for people."""
        if Feature.OPTIBOOT in self.features and not self.reset_cause:
            return (
                "reset pin (as when its port is opened) or brown-out: its Optiboot cannot tell them "
                "apart until the pin has been pulled once since it got power"
            )
        return self.reset_cause.words

    @property
    def bootloader(self) -> str:
        """The board's bootloader, for people, with the remedy if it is a problem."""
        if Feature.OPTIBOOT in self.features:
            return "Optiboot"
        if Feature.OLD_BOOTLOADER in self.features:
            return (
                "an old bootloader (flash with --baud 57600) that hangs after a watchdog reset: if the "
                "board stays dark, unplug it; Optiboot avoids that (hardware/board/README.md)"
            )
        return "an unknown bootloader"


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The board has carried out this frame and all before it."""


@dataclass(frozen=True, slots=True)
class Pong:
    """The board's answer to `Ping`; counters since its last reset."""

    uptime_s: float
    bad_frames: int
    overruns: int
    picture_crc: int
    """CRC-16/CCITT-FALSE over red, green, blue of every lamp of the picture in its memory."""


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """An unsolicited report of the board; `value` is the button, or how many events are missing."""

    kind: EventKind
    value: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The board refuses a frame; `expected_seq` is the sequence number that it waits for."""

    why: RefusalReason
    expected_seq: int


Answer: TypeAlias = Welcome | Acknowledged | Pong | BoardEvent | Refused

_WELCOME = struct.Struct(">BBBBHHHHIIIHHB")
_PONG = struct.Struct(">IHHH")


def answer_of(type_: int, payload: bytes) -> Answer:
    """Parse the payload of a board's frame; raises `FrameError` if type and payload do not fit."""
    try:
        match Reply(type_):
            case Reply.ACK:
                () = payload
                return Acknowledged()
            case Reply.WELCOME:
                return _welcome(payload)
            case Reply.PONG:
                uptime, bad, overruns, crc = _PONG.unpack(payload)
                return Pong(uptime / 1000, bad, overruns, crc)
            case Reply.EVENT:
                kind, value = payload
                return BoardEvent(EventKind(kind), value)
            case Reply.REFUSED:
                why, expected = payload
                return Refused(RefusalReason(why), expected)
    except (ValueError, struct.error):
        raise FrameError(
            f"answer of type 0x{type_:02x} with an impossible payload: {payload.hex()}"
        ) from None


def _welcome(payload: bytes) -> Welcome:
    """Parse a WELCOME. A later protocol may send more, an earlier one less; its version is still readable."""
    protocol = payload[0] if payload else 0
    if protocol < PROTOCOL_VERSION and payload:
        payload = bytes((protocol,)) + bytes(_WELCOME.size - 1)
    said = dict(
        zip((field.name for field in fields(Welcome)), _WELCOME.unpack(payload[: _WELCOME.size]), strict=True)
    )
    said["reset_cause"] = ResetCause(said["reset_cause"] & 0x0F)
    said["features"] = Feature(said["features"] & 0x1F)
    said["uptime_s"] /= 1000
    return Welcome(**said)
