"""A bad cable: damages what passes through it, as often as it is told and reproducibly."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from firmware_bridge.transport import Transport


class Noisy:
    """A transport around another one. Each byte may be lost or damaged, each write lost or doubled."""

    def __init__(
        self,
        inner: Transport,
        chance: random.Random,
        *,
        per_byte: float = 0.001,
        per_write: float = 0.01,
    ) -> None:
        """`per_byte` and `per_write` are probabilities 0..1 of a byte or a whole write suffering."""
        self.inner = inner
        self.name = inner.name
        self.suffered = 0
        """Bytes and writes damaged so far."""
        self._chance = chance
        self._per_byte, self._per_write = per_byte, per_write

    def write(self, data: bytes) -> None:
        """Pass `data` on, or some of it, or twice."""
        copies = 1
        if self._chance.random() < self._per_write:
            self.suffered += 1
            copies = self._chance.choice((0, 2))
        for _ in range(copies):
            self.inner.write(self._damage(data))

    def read(self, patience_s: float) -> bytes:
        """Pass back what came, or some of it."""
        return self._damage(self.inner.read(patience_s))

    def close(self) -> None:
        """Close the inner transport."""
        self.inner.close()

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


class BitErrors:
    """A wire on which each bit, both ways, flips with the probability `rate`; a link dials it by `dial`."""

    def __init__(self, dial: Callable[[], Transport], chance: random.Random, rate: float) -> None:
        """`dial` opens the way to the board, again whenever the link has hung up."""
        self.name = "bit errors"
        self.flipped = 0
        self._dial, self._chance, self._rate = dial, chance, rate
        self._inner: Transport | None = None
        self._next = self._gap()

    def dial(self) -> Transport:
        """What a `Link` calls to open the port."""
        self._inner = self._dial()
        self.name = self._inner.name
        return self

    def write(self, data: bytes) -> None:
        """Pass `data` on."""
        self._open.write(self._damage(data))

    def read(self, patience_s: float) -> bytes:
        """Pass back what came."""
        return self._damage(self._open.read(patience_s))

    def close(self) -> None:
        """Close the way to the board."""
        if self._inner is not None:
            self._inner.close()

    @property
    def _open(self) -> Transport:
        assert self._inner is not None, "a link dials before it speaks"
        return self._inner

    def _gap(self) -> int:
        """Whole bits until the next one that flips."""
        return int(math.log(1.0 - self._chance.random()) / math.log1p(-self._rate))

    def _damage(self, data: bytes) -> bytes:
        out, at = bytearray(data), self._next
        while at < 8 * len(out):
            out[at // 8] ^= 1 << at % 8
            self.flipped += 1
            at += 1 + self._gap()
        self._next = at - 8 * len(out)
        return bytes(out)
