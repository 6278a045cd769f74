"""The words on the wire, as values: what the host asks and what the board answers.

`hardware/board/protocol.h` says the same in C; `tests/firmware_bridge/test_messages.py` holds both
together. Numbers of more than one byte are big-endian. Layout of a frame: see `codec`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar, TypeAlias

from firmware_bridge.errors import FrameError

PROTOCOL_VERSION = 1
BAUD = 500_000
"""Exact at 16 MHz (16 MHz / 8 / 4); 115 200 would be off by 2 %."""
FRAME_MAX = 250
"""Bytes of a frame before COBS, CRC included."""
SET_LAMPS_MAX = 80
"""Lamps in one SET."""

RGB: TypeAlias = tuple[int, int, int]
"""Red, green, blue, each 0..255, as the lamp shall be driven."""


class Request(IntEnum):
    """Types of the host's frames."""

    HELLO = 0x01
    SET = 0x02
    SHOW = 0x03
    FILL = 0x04
    OFF = 0x05
    PING = 0x06


ANSWER = 0x80
"""Type of an answer = type of its request | ANSWER."""
REFUSED = 0xFF
LATCH = 0x01
"""Flag of SET and FILL: write the strip, then answer."""


class Refusal(IntEnum):
    """Why the board refused a frame."""

    NOT_GREETED = 1
    OUT_OF_ORDER = 2
    BAD_FRAME = 3
    UNKNOWN = 4
    BAD_LENGTH = 5
    OUT_OF_RANGE = 6


class ResetCause(IntFlag):
    """MCUSR of the ATmega328P: why the board started last."""

    POWER = 1
    BUTTON = 2
    """Also the host opening the port: a Nano's DTR line pulls the reset pin."""
    BROWN_OUT = 4
    WATCHDOG = 8


@dataclass(frozen=True, slots=True)
class Buttons:
    """Four push buttons: `down` now, `pressed` since the last answer (bit 0 = button 0)."""

    down: int = 0
    pressed: int = 0


@dataclass(frozen=True, slots=True)
class Hello:
    """Greet the board and say how many lamps the pictures will have; the board forgets its picture."""

    lamps: int
    type: ClassVar[Request] = Request.HELLO

    def payload(self) -> bytes:
        """Protocol version and number of lamps."""
        return bytes((PROTOCOL_VERSION, self.lamps))


@dataclass(frozen=True, slots=True)
class Set:
    """Put colours into the board's picture from lamp `first` on; `latch` shows the picture at once."""

    first: int
    colours: tuple[RGB, ...]
    latch: bool = False
    type: ClassVar[Request] = Request.SET

    def payload(self) -> bytes:
        """Flags, first lamp, three bytes a lamp."""
        return bytes(
            (LATCH if self.latch else 0, self.first, *(part for rgb in self.colours for part in rgb))
        )


@dataclass(frozen=True, slots=True)
class Show:
    """Write the picture to the strip; answered when the last bit has left the board."""

    type: ClassVar[Request] = Request.SHOW

    def payload(self) -> bytes:
        """Nothing."""
        return b""


@dataclass(frozen=True, slots=True)
class Fill:
    """One colour for all lamps."""

    colour: RGB
    latch: bool = False
    type: ClassVar[Request] = Request.FILL

    def payload(self) -> bytes:
        """Flags, red, green, blue."""
        return bytes((LATCH if self.latch else 0, *self.colour))


@dataclass(frozen=True, slots=True)
class Off:
    """All lamps dark, at once."""

    type: ClassVar[Request] = Request.OFF

    def payload(self) -> bytes:
        """Nothing."""
        return b""


@dataclass(frozen=True, slots=True)
class Ping:
    """Keep the board awake and ask how it is."""

    type: ClassVar[Request] = Request.PING

    def payload(self) -> bytes:
        """Nothing."""
        return b""


Message: TypeAlias = Hello | Set | Show | Fill | Off | Ping


@dataclass(frozen=True, slots=True)
class Greeting:
    """The board's answer to `Hello`: who it is and how it came to be awake."""

    protocol: int
    capacity: int
    """Lamps that the board can drive."""
    reset_cause: ResetCause
    buttons: Buttons
    uptime_s: float
    build: int
    """Checksum of the firmware's sources."""
    bad_frames: int
    overruns: int


@dataclass(frozen=True, slots=True)
class Done:
    """The board's answer to SET, SHOW, FILL, OFF."""

    buttons: Buttons


@dataclass(frozen=True, slots=True)
class Pong:
    """The board's answer to `Ping`; counters since its last reset."""

    buttons: Buttons
    uptime_s: float
    bad_frames: int
    overruns: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The board will not do it; `expected_seq` is the number that it waits for."""

    why: Refusal
    expected_seq: int


Answer: TypeAlias = Greeting | Done | Pong | Refused

_GREETING = struct.Struct(">BBBBIIHH")
_PONG = struct.Struct(">BIHH")


def _buttons(byte: int) -> Buttons:
    return Buttons(down=byte & 0x0F, pressed=byte >> 4)


def answer_of(type_: int, payload: bytes) -> Answer:
    """Read an answer's payload; raises `FrameError` when type and length do not belong together."""
    try:
        if type_ == REFUSED:
            why, expected = payload
            return Refused(Refusal(why), expected)
        match Request(type_ & ~ANSWER):
            case Request.HELLO:
                protocol, capacity, cause, buttons, uptime, build, bad, overruns = _GREETING.unpack(
                    payload[
                        : _GREETING.size
                    ]  # a later protocol may say more: its version must still be readable
                )
                return Greeting(
                    protocol,
                    capacity,
                    ResetCause(cause & 0x0F),
                    _buttons(buttons),
                    uptime / 1000,
                    build,
                    bad,
                    overruns,
                )
            case Request.PING:
                buttons, uptime, bad, overruns = _PONG.unpack(payload)
                return Pong(_buttons(buttons), uptime / 1000, bad, overruns)
            case _:
                (buttons,) = payload
                return Done(_buttons(buttons))
    except (ValueError, struct.error):
        raise FrameError(
            f"answer of type 0x{type_:02x} with an impossible payload: {payload.hex()}"
        ) from None
