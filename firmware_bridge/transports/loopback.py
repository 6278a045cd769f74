"""A board in Python that speaks the same bytes as the firmware, remembers what it showed and when.

For machines without a board and without an emulator, and for tests that want to break something at a
chosen byte. `hardware/board` is the law; the same tests run against both.
"""

from __future__ import annotations

import struct
import time
from collections import deque
from collections.abc import Callable

from firmware_bridge.codec import Collector, Frame, encode
from firmware_bridge.errors import BoardLostError
from firmware_bridge.lamps import DARK, Picture, dark
from firmware_bridge.messages import ANSWER, LATCH, PROTOCOL_VERSION, REFUSED, Refusal, Request, ResetCause

CAPACITY = 150
SILENCE_S = 5.0
ASLEEP: tuple[int, int, int] = (0, 0, 8)
MEMORY = 1_000
"""Pictures remembered: a demo runs for hours."""


class VirtualBoard:
    """The firmware's behaviour; time comes in as an argument. The fade before the sleep is one step here."""

    def __init__(self, lamps: int = 60, now_s: float = 0.0) -> None:
        """`lamps` is the length of the strip, `now_s` the time of power-on."""
        self.shown: deque[tuple[float, Picture]] = deque(maxlen=MEMORY)
        """Each write of the strip: when (s), and what the strip of `lamps` lamps looked like then."""
        self.executed: dict[Request, int] = {}
        """Requests carried out, repetitions not counted."""
        self._strip = dark(lamps)
        self._collector = Collector()
        self.reset(ResetCause.POWER, now_s)

    def reset(self, cause: ResetCause, now_s: float) -> None:
        """Start anew, as after a pressed reset button, a brown-out or the watchdog."""
        self._cause = cause
        self._started_s = self._heard_s = now_s
        self._picture: list[tuple[int, int, int]] = []
        self._greeted = False
        self._asleep = True
        self._seq = 0
        self._answer = b""
        self._down = self._pressed = 0
        self._show(now_s, (ASLEEP,))

    def press(self, button: int) -> None:
        """Push button 0..3 down."""
        self._down |= 1 << button
        self._pressed |= 1 << button

    def release(self, button: int) -> None:
        """Let it go."""
        self._down &= ~(1 << button)

    def tick(self, now_s: float) -> None:
        """Let time pass: after 5 s without a valid frame the board forgets its host and glows."""
        if not self._asleep and now_s - self._heard_s >= SILENCE_S:
            self._greeted, self._asleep = False, True
            self._show(now_s, (ASLEEP,))

    def hear(self, data: bytes, now_s: float) -> bytes:
        """Bytes from the host in, bytes to the host out."""
        self.tick(now_s)
        return b"".join(self._receive(frame, now_s) for frame in self._collector.feed(data))

    def _receive(self, frame: Frame | None, now_s: float) -> bytes:
        if frame is None:
            return self._refusal(0, Refusal.BAD_FRAME)
        self._heard_s = now_s
        if frame.type != Request.HELLO:
            if not self._greeted:
                return self._refusal(frame.seq, Refusal.NOT_GREETED)
            if frame.seq == self._seq:
                return self._answer
            if frame.seq != (self._seq + 1) & 0xFF:
                return self._refusal(frame.seq, Refusal.OUT_OF_ORDER)
        elif len(frame.payload) < 2:
            return self._refusal(frame.seq, Refusal.BAD_LENGTH)
        self._seq = frame.seq
        done = self._execute(frame, now_s)
        self._answer = (
            self._refusal(frame.seq, done)
            if isinstance(done, Refusal)
            else encode(Frame(frame.type | ANSWER, frame.seq, done))
        )
        return self._answer

    def _refusal(self, seq: int, why: Refusal) -> bytes:
        return encode(Frame(REFUSED, seq, bytes((why, (self._seq + 1) & 0xFF))))

    def _execute(self, frame: Frame, now_s: float) -> bytes | Refusal:
        payload = frame.payload
        try:
            request = Request(frame.type)
        except ValueError:
            return Refusal.UNKNOWN
        match request, len(payload):
            case Request.HELLO, _:
                self._picture = [DARK] * min(payload[1], CAPACITY)
                self._greeted, self._asleep = True, False
            case Request.SET, length if length >= 5 and (length - 2) % 3 == 0:
                first, count = payload[1], (length - 2) // 3
                if first + count > len(self._picture):
                    return Refusal.OUT_OF_RANGE
                self._picture[first : first + count] = [
                    (payload[at], payload[at + 1], payload[at + 2]) for at in range(2, length, 3)
                ]
            case Request.FILL, 4:
                self._picture = [(payload[1], payload[2], payload[3])] * len(self._picture)
            case Request.OFF, 0:
                self._picture = [DARK] * len(self._picture)
            case ((Request.SHOW | Request.PING), 0):
                pass
            case _:
                return Refusal.BAD_LENGTH
        self.executed[request] = self.executed.get(request, 0) + 1
        latched = request in (Request.SET, Request.FILL) and payload[0] & LATCH
        if latched or request in (Request.SHOW, Request.OFF):
            self._show(now_s, tuple(self._picture))
        return self._report(request, now_s)

    def _report(self, request: Request, now_s: float) -> bytes:
        buttons = self._down | self._pressed << 4
        self._pressed = 0
        uptime_ms = int((now_s - self._started_s) * 1000)
        bad = min(self._collector.bad, 0xFFFF)
        match request:
            case Request.HELLO:
                head = (PROTOCOL_VERSION, CAPACITY, self._cause, buttons)
                return struct.pack(">BBBBIIHH", *head, uptime_ms, 0, bad, 0)
            case Request.PING:
                return struct.pack(">BIHH", buttons, uptime_ms, bad, 0)
            case _:
                return bytes((buttons,))

    def _show(self, now_s: float, picture: Picture) -> None:
        lamps = len(self._strip)
        self._strip = (picture + dark(lamps))[:lamps]
        self.shown.append((now_s, self._strip))


class Loopback:
    """A transport to a `VirtualBoard` in the same process."""

    def __init__(
        self, board: VirtualBoard | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = "loopback"
        self.board = board or VirtualBoard(now_s=clock())
        self.plugged = True
        """Set it to False to pull the cable."""
        self._clock = clock
        self._answers = b""

    def write(self, data: bytes) -> None:
        """Hand `data` to the board; raises `BoardLostError` when unplugged."""
        self._check()
        self._answers += self.board.hear(data, self._clock())

    def read(self, patience_s: float) -> bytes:
        """What the board has answered. It answers at once, so silence is not waited for but slept."""
        self._check()
        answers, self._answers = self._answers, b""
        if not answers and patience_s > 0:
            time.sleep(patience_s)
        self.board.tick(self._clock())
        return answers

    def close(self) -> None:
        """Nothing to let go of; the board lives on."""

    def _check(self) -> None:
        if not self.plugged:
            raise BoardLostError("the loopback board was unplugged: plug it in again")
