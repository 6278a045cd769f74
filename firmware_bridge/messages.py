"""The protocol's numbers and the host's requests, as values; `answers` has the board's side.

`hardware/core/protocol.h` defines the same in C; `tests/firmware_bridge/test_messages.py` checks that they
agree. Numbers of more than one byte are big-endian. `codec` describes the layout of a frame.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar, TypeAlias

PROTOCOL_VERSION = 2
BAUD = 500_000
"""Exact at 16 MHz (16 MHz / 8 / 4); 115 200 would be off by 2 %."""
FRAME_MAX = 250
"""Longest frame before COBS, CRC included, in bytes; WELCOME says how long a frame this board takes."""
FRAME_OVERHEAD = 5
"""Type, seq, length, CRC."""
SET_OVERHEAD = 3
"""Flags and first lamp."""
LAMPS_MAX = 0xFFFF
"""Largest number of lamps that a HELLO can announce."""

RGB: TypeAlias = tuple[int, int, int]
"""Red, green, blue, each 0..255: the drive of the lamp, proportional to its light."""


class Request(IntEnum):
    """Types of the host's frames."""

    HELLO = 0x01
    SET = 0x02
    SHOW = 0x03
    FILL = 0x04
    OFF = 0x05
    PING = 0x06
    HEARD = 0x07
    SERIAL = 0x08


class Reply(IntEnum):
    """Types of the board's frames."""

    ACK = 0x80
    WELCOME = 0x81
    PONG = 0x86
    EVENT = 0x90
    REFUSED = 0xFF


LATCH = 0x01
"""Flag of SET, FILL and PING: write the strip, then answer."""


class RefusalReason(IntEnum):
    """Why the board refused a frame."""

    NOT_GREETED = 1
    OUT_OF_ORDER = 2
    BAD_FRAME = 3
    UNKNOWN = 4
    BAD_LENGTH = 5
    OUT_OF_RANGE = 6
    OVER_BUDGET = 7


class ResetCause(IntFlag):
    """MCUSR of the ATmega328P: why the board last started."""

    POWER = 1
    BUTTON = 2
    """Also set when the host opens the port and a Nano's DTR line pulls the reset pin."""
    BROWN_OUT = 4
    WATCHDOG = 8

    @property
    def words(self) -> str:
        """The causes for people; `unknown` if there is none."""
        return ", ".join((one.name or "").lower().replace("_", "-") for one in self) or "unknown"


class Feature(IntFlag):
    """What a board has or can do beyond lamps."""

    BUTTONS = 1
    SERIAL = 2
    """It stores a serial number."""
    WATCHDOG = 4
    OPTIBOOT = 8
    """It starts through Optiboot."""
    OLD_BOOTLOADER = 16
    """It starts through another bootloader."""


class EventKind(IntEnum):
    """The kinds of unsolicited reports."""

    PRESSED = 1
    RELEASED = 2
    OVERRUN = 3
    """Received bytes were lost; the frame that they belonged to is repeated."""
    MISSED = 4
    """Events came faster than the host acknowledged them; the value is the number dropped."""


@dataclass(frozen=True, slots=True)
class Hello:
    """Greet the board and announce the pictures' number of lamps and current budget.

    The board then forgets its picture.
    """

    lamps: int
    budget_ma: int = 0xFFFF
    type: ClassVar[Request] = Request.HELLO

    def payload(self) -> bytes:
        """Protocol version, number of lamps, milliamperes."""
        return struct.pack(">BHH", PROTOCOL_VERSION, self.lamps, self.budget_ma)


@dataclass(frozen=True, slots=True)
class Set:
    """Put colours into the board's picture from lamp `first` on; `latch` shows the picture at once."""

    first: int
    colours: tuple[RGB, ...]
    latch: bool = False
    type: ClassVar[Request] = Request.SET

    def payload(self) -> bytes:
        """Flags, first lamp, three bytes per lamp."""
        head = (LATCH if self.latch else 0, self.first >> 8, self.first & 0xFF)
        return bytes((*head, *(part for rgb in self.colours for part in rgb)))


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
    """Turn all lamps off, at once."""

    type: ClassVar[Request] = Request.OFF

    def payload(self) -> bytes:
        """Nothing."""
        return b""


@dataclass(frozen=True, slots=True)
class Ping:
    """Keep the board awake and query its state and picture; `latch` writes the strip again."""

    latch: bool = False
    type: ClassVar[Request] = Request.PING

    def payload(self) -> bytes:
        """Flags."""
        return bytes((LATCH if self.latch else 0,))


@dataclass(frozen=True, slots=True)
class Serial:
    """Give the board its serial number (1..0xFFFFFFFE), which it stores in EEPROM."""

    serial: int
    type: ClassVar[Request] = Request.SERIAL

    def payload(self) -> bytes:
        """The number."""
        return self.serial.to_bytes(4)


Message: TypeAlias = Hello | Set | Show | Fill | Off | Ping | Serial
