"""The portable core (`hardware/core`), compiled for this computer, and random input for two boards."""

from __future__ import annotations

import fcntl
import random
import subprocess
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from firmware_bridge.codec import WireFrame, encode
from firmware_bridge.messages import Request
from firmware_bridge.transports.loopback import ROOM, VirtualBoard

FOLDER = Path(__file__).parents[2] / "hardware" / "core"
STEPS_MS = (0, 0, 7, 31, 137, 611)
"""No sum of these is 50: a float must not decide at which moment an event is repeated."""


class Core:
    """The core as a board: see `hardware/core/host/main.c`."""

    def __init__(self) -> None:
        (FOLDER / "build").mkdir(exist_ok=True)
        with (FOLDER / "build" / ".lock").open("w") as lock:  # two test processes must not build at once
            fcntl.flock(lock, fcntl.LOCK_EX)
            made = subprocess.run(
                ["make", "-s", "-C", str(FOLDER)], capture_output=True, text=True, check=False
            )
        assert not made.returncode, made.stderr
        self._process = subprocess.Popen(
            [FOLDER / "build" / "host"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()
        assert self._process.returncode == 0

    def say(self, lines: Sequence[str]) -> list[bytes]:
        """The core's answers to these lines; at most a few hundred lines at once, because pipes are short."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()
        answers = [self._process.stdout.readline().strip() for _ in lines]
        assert all(answers), "the core has ended"
        return [b"" if text == "-" else bytes.fromhex(text) for text in answers]


class Both:
    """The core and the board in Python, given the same input at the same millisecond."""

    def __init__(self, core: Core) -> None:
        self.core, self.python = core, VirtualBoard(150, cast(float, Fraction(0)))
        self._now_ms = 0

    def differences(self, lines: Sequence[str]) -> list[tuple[str, bytes, bytes]]:
        """The lines on which the two differ, each with the core's answer and Python's."""
        said = self.core.say(lines)
        expected = [self._python(*line.split()) for line in lines]
        return [three for three in zip(lines, said, expected, strict=True) if three[1] != three[2]]

    def _python(self, word: str, rest: str = "") -> bytes:
        if word == "tick":
            self._now_ms += int(rest)
        now_s = cast(float, Fraction(self._now_ms, 1000))
        match word:
            case "tick":
                return self.python.tick(now_s)
            case "hear":
                return self.python.hear(bytes.fromhex(rest), now_s)
            case "press":
                self.python.press(int(rest))
            case _:
                self.python.release(int(rest))
        return b""


def talk(chance: random.Random, frames: int) -> Iterator[str]:
    """Input lines for both boards with so many frames: mostly sound, often damaged, cut anywhere."""
    seq = 0
    for _ in range(frames):
        number = (seq + chance.choice((*[1] * 12, 0, 2, 200))) & 0xFF
        frame = encode(WireFrame(*_request(chance, number)))
        wire = _damaged(chance, frame)
        if wire == frame and number == (seq + 1) & 0xFF:
            seq = number  # without it every later frame would be out of order
        cut = chance.randrange(max(0, len(wire) - ROOM), min(ROOM, len(wire)) + 1)  # else the ring overruns
        for piece in filter(None, (wire[:cut], wire[cut:])):
            yield f"hear {piece.hex()}"
        if chance.random() < 0.3:
            yield f"tick {chance.choice(STEPS_MS)}"
        if chance.random() < 0.1:
            yield f"{chance.choice(('press', 'release'))} {chance.randrange(4)}"


def _request(chance: random.Random, seq: int) -> tuple[int, int, bytes]:
    type_ = chance.choice((*Request, Request.HELLO, *[Request.SET] * 3, chance.randrange(256)))
    sizes = {Request.HELLO: 5, Request.FILL: 4, Request.PING: 1, Request.SERIAL: 4}
    size = sizes.get(Request(type_), 0) if type_ in set(Request) else chance.randrange(20)
    if type_ == Request.SET:
        first = chance.choice((0, 1, 17, 140, 149, 150, 300))
        colours = chance.randbytes(3 * chance.randrange(1, 40))
        return type_, seq, bytes((chance.randrange(2), first >> 8, first & 0xFF)) + colours
    if type_ == Request.HELLO:
        lamps, milliamperes = chance.choice((0, 1, 60, 150, 151, 999)), chance.choice((0, 500, 3000, 65535))
        return type_, seq, b"\2" + lamps.to_bytes(2) + milliamperes.to_bytes(2)
    if type_ == Request.HEARD:
        seq = chance.randrange(12)
    if chance.random() < 0.05:
        size = chance.randrange(246)
    return type_, seq, chance.randbytes(size)


def _damaged(chance: random.Random, wire: bytes) -> bytes:
    bytes_ = bytearray(wire)
    match chance.randrange(12):
        case 0:
            bytes_[chance.randrange(len(bytes_))] ^= 1 << chance.randrange(8)
        case 1:
            del bytes_[chance.randrange(len(bytes_))]
        case 2:
            bytes_.insert(chance.randrange(len(bytes_)), chance.randrange(256))
        case 3:
            bytes_ = bytes_[: chance.randrange(1, len(bytes_) + 1)]
        case 4:
            bytes_ += bytes(chance.randrange(3)) + chance.randbytes(chance.randrange(150))
    return bytes(bytes_)
