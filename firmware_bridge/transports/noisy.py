"""Bad cables: damage what passes through them, at a given rate and reproducibly."""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Self

from firmware_bridge.transport import Transport
from firmware_bridge.transports.around import TransportAround


class _BadCable(TransportAround, ABC):
    """A bad cable, with the name of the port behind it."""

    def __init__(self, dial: Callable[[], Transport], chance: random.Random) -> None:
        super().__init__(dial, "bad cable")
        self._chance = chance

    def dial(self) -> Self:
        """Open the way to the board; raises `BridgeError`."""
        super().dial()
        self.name = self._open.name
        return self

    def write(self, data: bytes) -> None:
        """Pass on `data`, or what is left of it."""
        self._open.write(self._damage(data))

    def read(self, patience_s: float) -> bytes:
        """Return what arrived, or what is left of it."""
        return self._damage(self._open.read(patience_s))

    @abstractmethod
    def _damage(self, data: bytes) -> bytes: ...


class Noisy(_BadCable):
    """Each byte may be lost, damaged or followed by a stray one, each write lost or doubled."""

    def __init__(
        self,
        dial: Callable[[], Transport],
        chance: random.Random,
        *,
        per_byte: float = 0.001,
        per_write: float = 0.01,
    ) -> None:
        """`per_byte` and `per_write` are the probabilities 0..1 of damage to a byte or a whole write."""
        super().__init__(dial, chance)
        self.suffered = 0
        """Number of bytes and writes damaged so far."""
        self._per_byte, self._per_write = per_byte, per_write

    def write(self, data: bytes) -> None:
        """Pass on `data`, damaged or not, once, twice or not at all."""
        copies = 1
        if self._chance.random() < self._per_write:
            self.suffered += 1
            copies = self._chance.choice((0, 2))
        for _ in range(copies):
            super().write(data)

    def _damage(self, data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            if self._chance.random() >= self._per_byte:
                out.append(byte)
                continue
            self.suffered += 1
            match self._chance.randrange(3):
                case 0:
                    out.append(byte ^ 1 << self._chance.randrange(8))
                case 1:
                    out += bytes((byte, self._chance.randrange(256)))
        return bytes(out)


class BitErrors(_BadCable):
    """Each bit, in both directions, flips with the probability `rate`."""

    def __init__(self, dial: Callable[[], Transport], chance: random.Random, rate: float) -> None:
        super().__init__(dial, chance)
        self.flipped = 0
        self._rate = rate
        self._next = self._gap()

    def _gap(self) -> int:
        """Number of intact bits until the next one that flips."""
        return int(math.log(1.0 - self._chance.random()) / math.log1p(-self._rate))

    def _damage(self, data: bytes) -> bytes:
        out, at = bytearray(data), self._next
        while at < 8 * len(out):
            out[at // 8] ^= 1 << at % 8
            self.flipped += 1
            at += 1 + self._gap()
        self._next = at - 8 * len(out)
        return bytes(out)
