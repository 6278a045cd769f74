"""A board in Python that speaks the firmware's protocol and records what it showed and when.

It is for machines without a board and without an emulator, and for tests that break something at a chosen
byte. `hardware/board` is authoritative; the same tests run against both.
"""

from __future__ import annotations

import struct
import time
from collections import deque
from collections.abc import Callable

from firmware_bridge.codec import Collector, WireFrame, encode
from firmware_bridge.errors import BoardLostError
from firmware_bridge.lamps import CHANNEL_MA, DARK, IDLE_MA, LampColours, checksum, dark
from firmware_bridge.messages import (
    LATCH,
    PROTOCOL_VERSION,
    EventKind,
    Feature,
    RefusalReason,
    Reply,
    Request,
    ResetCause,
)

CAPACITY = 150
ROOM = 255
FRAME_MAX = 122
SILENCE_S = 1.0
EVENT_AGAIN_S = 0.05
QUEUE = 8
ASLEEP: tuple[int, int, int] = (0, 0, 8)
MEMORY = 1_000
"""Number of pictures that are kept, since a demo runs for hours."""

_FEATURES = Feature.BUTTONS | Feature.SERIAL


class VirtualBoard:
    """The firmware's behaviour; time comes in as an argument. The fade before sleep is a single step here."""

    def __init__(
        self, lamps: int = 60, now_s: float = 0.0, serial: int = 0, capacity: int = CAPACITY
    ) -> None:
        """`lamps` is the length of the strip, `now_s` the time of power-on."""
        self.shown: deque[tuple[float, LampColours]] = deque(maxlen=MEMORY)
        """Each write of the strip: its time (s), and the strip of `lamps` lamps after it."""
        self.executed: dict[Request, int] = {}
        """Number of requests executed, without repetitions."""
        self.serial, self.capacity = serial, capacity
        self._strip = dark(lamps)
        self._collector = Collector(FRAME_MAX)
        self._boot = self._down = 0
        self.reset(ResetCause.POWER, now_s)

    def reset(self, cause: ResetCause, now_s: float) -> None:
        """Restart, as after power-on, a pressed reset button, a brown-out or a watchdog reset.

        The board forgets its events only without power; a button held meanwhile is not pressed again.
        """
        self._cause = cause
        self._told, self._told_s = 0, now_s
        if cause & ResetCause.POWER:
            self._boot = (self._boot + 1) & 0xFFFF
            self._events: deque[tuple[EventKind, int]] = deque()
            self._last_event = self._missed = 0
        self._started_s = self._heard_s = now_s
        self._picture: list[tuple[int, int, int]] = []
        self._greeted = False
        self._asleep = True
        self._seq = 0
        self._budget_ma = 0
        self._show(now_s, (ASLEEP,))

    def press(self, button: int) -> None:
        """Push button 0..3 down."""
        if not self._down >> button & 1:
            self._down |= 1 << button
            self._happened(EventKind.PRESSED, button)

    def release(self, button: int) -> None:
        """Release a button."""
        if self._down >> button & 1:
            self._down &= ~(1 << button)
            self._happened(EventKind.RELEASED, button)

    def spoil(self, lamp: int, colour: tuple[int, int, int]) -> None:
        """Corrupt the picture in memory, as a bit flipped by a cosmic ray would."""
        self._picture[lamp] = colour

    def tick(self, now_s: float) -> bytes:
        """Let time pass: after 1 s without a valid frame the board forgets its host and shows a dim glow.

        Returns the bytes that it sends unsolicited.
        """
        said = self._tell(now_s)
        if not self._asleep and now_s - self._heard_s >= SILENCE_S:
            self._greeted, self._asleep = False, True
            self._show(now_s, (ASLEEP,))
        return said

    def hear(self, data: bytes, now_s: float) -> bytes:
        """Take bytes from the host; return the bytes to the host."""
        said = self.tick(now_s)
        return said + b"".join(self._receive(frame, now_s) for frame in self._collector.feed(data))

    def _happened(self, kind: EventKind, value: int) -> None:
        if self._missed or len(self._events) == QUEUE:
            self._missed = min(255, self._missed + 1)
        else:
            self._events.append((kind, value))

    def _tell(self, now_s: float) -> bytes:
        if not self._greeted:
            return b""
        if not self._events and self._missed:
            self._events.append((EventKind.MISSED, self._missed))
            self._missed = 0
        number = (self._last_event + 1) & 0xFF
        waits = number == self._told and now_s - self._told_s < EVENT_AGAIN_S
        if not self._events or waits:
            return b""
        self._told, self._told_s = number, now_s
        return encode(WireFrame(Reply.EVENT, number, bytes(self._events[0])))

    def _receive(self, frame: WireFrame | None, now_s: float) -> bytes:
        if frame is None:
            return self._refusal(0, RefusalReason.BAD_FRAME)
        self._heard_s = now_s
        if frame.type == Request.HELLO:
            return self._hello(frame, now_s)
        if frame.type == Request.HEARD:
            if self._events and frame.seq == (self._last_event + 1) & 0xFF:
                self._events.popleft()
                self._last_event = frame.seq
            return b""
        ahead = (frame.seq - self._seq) & 0xFF
        if not self._greeted:
            return self._refusal(frame.seq, RefusalReason.NOT_GREETED)
        if ahead == 0 or ahead > 0x80:
            return encode(WireFrame(Reply.ACK, self._seq, b""))
        if ahead > 1:
            return self._refusal(frame.seq, RefusalReason.OUT_OF_ORDER)
        if why := self._execute(frame, now_s):
            return self._refusal(frame.seq, why)
        self._seq = frame.seq
        if frame.type == Request.PING:
            uptime_ms = int((now_s - self._started_s) * 1000)
            crc = checksum(self._picture)
            return encode(
                WireFrame(Reply.PONG, self._seq, struct.pack(">IHHH", uptime_ms, self._bad, 0, crc))
            )
        return encode(WireFrame(Reply.ACK, self._seq, b""))

    @property
    def _bad(self) -> int:
        return min(self._collector.bad, 0xFFFF)

    def _refusal(self, seq: int, why: RefusalReason) -> bytes:
        return encode(WireFrame(Reply.REFUSED, seq, bytes((why, (self._seq + 1) & 0xFF))))

    def _hello(self, frame: WireFrame, now_s: float) -> bytes:
        if len(frame.payload) < 5:
            return self._refusal(frame.seq, RefusalReason.BAD_LENGTH)
        _, lamps, self._budget_ma = struct.unpack(">BHH", frame.payload[:5])
        self._picture = [DARK] * min(lamps, self.capacity)
        self._greeted, self._asleep = True, False
        self._seq, self._told = frame.seq, self._last_event
        self._count(Request.HELLO)
        uptime_ms = int((now_s - self._started_s) * 1000)
        said = struct.pack(
            ">BBBBHHHHIIIHHB",
            *(PROTOCOL_VERSION, self._cause, _FEATURES, self._down),
            *(self.capacity, ROOM, FRAME_MAX, self._boot),
            *(uptime_ms, 0, self.serial, self._bad, 0, self._last_event),
        )
        return encode(WireFrame(Reply.WELCOME, self._seq, said))

    def _execute(self, frame: WireFrame, now_s: float) -> RefusalReason | None:
        payload = frame.payload
        try:
            request = Request(frame.type)
        except ValueError:
            return RefusalReason.UNKNOWN
        match request, len(payload):
            case Request.SET, length if length >= 6 and length % 3 == 0:
                first, count = payload[1] << 8 | payload[2], length // 3 - 1
                if first + count > len(self._picture):
                    return RefusalReason.OUT_OF_RANGE
                self._picture[first : first + count] = [
                    (payload[at], payload[at + 1], payload[at + 2]) for at in range(3, length, 3)
                ]
            case Request.FILL, 4:
                self._picture = [(payload[1], payload[2], payload[3])] * len(self._picture)
            case Request.OFF, 0:
                self._picture = [DARK] * len(self._picture)
            case Request.SERIAL, 4:
                self.serial = int.from_bytes(payload)
            case (Request.SHOW, 0) | (Request.PING, 1):
                pass
            case _:
                return RefusalReason.BAD_LENGTH
        latches = request in (Request.SET, Request.FILL, Request.PING) and payload[0] & LATCH
        if latches or request in (Request.SHOW, Request.OFF):
            if self._draws_too_much():
                return RefusalReason.OVER_BUDGET
            self._show(now_s, tuple(self._picture))
        self._count(request)
        return None

    def _draws_too_much(self) -> bool:
        drive = sum(map(sum, self._picture))
        needed_ma = len(self._picture) * int(IDLE_MA) - (-drive * int(CHANNEL_MA) // 255)
        return drive > 0 and needed_ma > self._budget_ma

    def _count(self, request: Request) -> None:
        self.executed[request] = self.executed.get(request, 0) + 1

    def _show(self, now_s: float, picture: LampColours) -> None:
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
        """Set to False to pull the cable."""
        self._clock = clock
        self._answers = b""

    def write(self, data: bytes) -> None:
        """Pass `data` to the board; raises `BoardLostError` if unplugged."""
        self._check()
        self._answers += self.board.hear(data, self._clock())

    def read(self, patience_s: float) -> bytes:
        """What the board has answered. It answers at once, so if there is nothing, sleep for `patience_s`."""
        self._check()
        self._answers += self.board.tick(self._clock())
        if not self._answers and patience_s > 0:
            time.sleep(patience_s)
            self._answers += self.board.tick(self._clock())
        answers, self._answers = self._answers, b""
        return answers

    def close(self) -> None:
        """Do nothing: there is nothing to release, and the board stays usable."""

    def _check(self) -> None:
        if not self.plugged:
            raise BoardLostError("the loopback board was unplugged: plug it in again")
