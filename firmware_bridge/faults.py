"""Twelve ways in which a wire and a board can fail, each triggered at a chosen moment.

`Noisy` damages at random and often; here each fault comes alone, to show which ones the link survives.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import StrEnum

from firmware_bridge.errors import BoardLostError
from firmware_bridge.transport import Transport
from firmware_bridge.transports.around import TransportAround


class Fault(StrEnum):
    """What goes wrong, in words."""

    BIT = "a bit of a request flips"
    BYTE_LOST = "a byte of a request is lost"
    BYTE_EXTRA = "a byte comes into a request"
    CUT = "a request ends in its middle"
    LOST = "a request is lost"
    TWICE = "a request comes twice"
    ANSWER_LOST = "an answer is lost"
    ANSWER_BIT = "a bit of an answer flips"
    UNPLUGGED = "the cable is pulled in a request"
    POWER = "the power goes in a request"
    BROWN_OUT = "the supply sags in a request"
    HANG = "the firmware hangs in a request"


OF_THE_BOARD = (Fault.POWER, Fault.BROWN_OUT, Fault.HANG)


class FaultyWire(TransportAround):
    """A transport that passes everything on until `suffer` sets the fault of the next request."""

    def __init__(
        self,
        dial: Callable[[], Transport],
        strike: Callable[[Fault], None],
        chance: random.Random,
    ) -> None:
        """`dial` opens the way to the board, again after a pulled cable.

        `strike` causes the faults of the board itself (`OF_THE_BOARD`).
        """
        super().__init__(dial, "faulty wire")
        self.struck = 0
        """Number of faults that have happened."""
        self._strike, self._chance = strike, chance
        self._due: Fault | None = None
        self._answer_due: Fault | None = None

    def suffer(self, fault: Fault) -> None:
        """Let this fault happen to the next request, or to the next answer."""
        if fault in (Fault.ANSWER_LOST, Fault.ANSWER_BIT):
            self._answer_due = fault
        else:
            self._due = fault

    def write(self, data: bytes) -> None:
        """Pass on `data`, or what the fault leaves of it. Raises `BoardLostError`."""
        fault, self._due = self._due, None
        if fault is None:
            self._open.write(data)
            return
        self.struck += 1
        at = self._chance.randrange(1, len(data))
        if fault is Fault.UNPLUGGED:
            self._open.write(data[:at])
            self._open.close()
            raise BoardLostError("the cable was pulled")
        if fault in OF_THE_BOARD:
            self._open.write(data[:at])
            self._strike(fault)
            self._open.write(data[at:])
        elif left := self._left(fault, data, at):
            self._open.write(left)

    def read(self, patience_s: float) -> bytes:
        """Return what arrived, or what the fault leaves of it."""
        data = self._open.read(patience_s)
        if not data or self._answer_due is None:
            return data
        self.struck += 1
        fault, self._answer_due = self._answer_due, None
        return b"" if fault is Fault.ANSWER_LOST else self._flipped(data)

    def _left(self, fault: Fault, data: bytes, at: int) -> bytes:
        match fault:
            case Fault.BIT:
                return self._flipped(data)
            case Fault.BYTE_LOST:
                return data[: at - 1] + data[at:]
            case Fault.BYTE_EXTRA:
                return data[:at] + bytes((self._chance.randrange(256),)) + data[at:]
            case Fault.CUT:
                return data[:at]
            case Fault.TWICE:
                return data + data
        return b""

    def _flipped(self, data: bytes) -> bytes:
        damaged = bytearray(data)
        damaged[self._chance.randrange(len(data))] ^= 1 << self._chance.randrange(8)
        return bytes(damaged)
