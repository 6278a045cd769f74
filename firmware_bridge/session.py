"""The conversation with the board, without a port or a clock: bytes and the time come in as arguments.

Several frames may be in flight: as many bytes after the oldest one as the board has room for (WELCOME).
The board executes them in order, and one answer acknowledges all up to its number. From a lost or damaged
frame on, all are sent again under their old numbers (go-back-N); the board executes none twice. This class
acknowledges the events that the board reports, and hands each over once, in order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from firmware_bridge.answers import Acknowledged, Answer, BoardEvent, Pong, Refused, Welcome, answer_of
from firmware_bridge.codec import Collector, WireFrame, encode
from firmware_bridge.errors import FrameError
from firmware_bridge.known import KnownBoard
from firmware_bridge.messages import PROTOCOL_VERSION, Hello, Message, RefusalReason, Request
from firmware_bridge.patience import GREETING, LET_GO, USUAL, Patience


class Silence(Enum):
    """The outcome of an unanswered request."""

    GAVE_UP = "gave up"


Outcome: TypeAlias = Answer | Silence


@dataclass(slots=True)
class Asked:
    """One request: `outcome` is None until the board has executed or refused it, or the host gave it up."""

    message: Message
    outcome: Outcome | None = None
    seq: int = field(default=-1, repr=False)
    wire: bytes = field(default=b"", repr=False)


class WireSession:
    """A session with the board; the caller writes the bytes that `ask`, `hear` and `tick` return to the port.

    `greeted` says whether the board knows us; it forgets us when it is reset or falls asleep, and then
    `Hello` and the whole picture are due again.
    """

    def __init__(
        self,
        first_seq: int = 0,
        usual: Patience = USUAL,
        greeting: Patience = GREETING,
        known: KnownBoard | None = None,
        listens: bool = True,
    ) -> None:
        """`first_seq` (0..255) should differ from run to run: late answers to other hosts are then not ours.

        A session that only asks who is there has `listens` off: the board then keeps its events for the next.
        """
        self.greeted = False
        self.welcome: Welcome | None = None
        self.repeated = 0
        """Number of requests that were sent again and then answered: something was lost on the way.

        Greetings do not count, since a bootloader makes them wait; nor do requests to a silent board
        that was reset or unplugged."""
        self.broken_frames = 0
        """Number of damaged answers of a board that knows us."""
        self._in_doubt = 0
        self.known = known or KnownBoard()
        self._listens = listens
        self._events: list[BoardEvent] = []
        self._seq = first_seq
        self._usual, self._greeting = usual, greeting
        self._collector = Collector()
        self._under_way: deque[Asked] = deque()
        self._waiting: deque[Asked] = deque()
        self._rewound: int | None = None
        self._heard_bytes = self._heard_frames = 0
        self._again_at_s = self._give_up_at_s = 0.0
        self._times_said_again = 0

    @property
    def heard_nonsense(self) -> bool:
        """Whether bytes arrived but never one of our frames: another sketch, or another baud rate."""
        return self._heard_bytes > 0 and not self._heard_frames

    @property
    def wake_s(self) -> float | None:
        """When `tick` should be called at the latest; None while nothing is in flight."""
        return min(self._again_at_s, self._give_up_at_s) if self._under_way else None

    @property
    def idle(self) -> bool:
        """Whether all requests have an outcome."""
        return not self._under_way and not self._waiting

    @property
    def backlog(self) -> int:
        """Number of requests that wait for room on the wire."""
        return len(self._waiting)

    def take_events(self) -> list[BoardEvent]:
        """The events reported since the last call, each once, oldest first."""
        events, self._events = self._events, []
        return events

    def ask(self, messages: Iterable[Message], now_s: float) -> tuple[list[Asked], bytes]:
        """Begin requests, in order; return them and the bytes to be written now."""
        asked = [Asked(message) for message in messages]
        self._waiting += asked
        return asked, self._send(now_s)

    def hear(self, data: bytes, now_s: float) -> bytes:
        """Take in bytes from the board; return the bytes to be written."""
        out = b""
        self._heard_bytes += len(data)
        bad = self._collector.bad
        for frame in self._collector.feed(data):
            self._heard_frames += frame is not None
            # A damaged answer does no harm if a later one comes, which covers both.
            if frame is not None:
                out += self._consider(frame, now_s)
        self.broken_frames += (self._collector.bad - bad) * self.greeted
        return out + self._send(now_s)

    def tick(self, now_s: float) -> bytes:
        """Repeat what is in flight, or give it up, when it is time; return the bytes to be written."""
        if not self._under_way or now_s < min(self._again_at_s, self._give_up_at_s):
            return b""
        if now_s >= self._give_up_at_s:
            self._drop(Silence.GAVE_UP)
            return b""
        self._times_said_again += 1
        return self._again(now_s)

    @property
    def _patience(self) -> Patience:
        return self._greeting if isinstance(self._under_way[0].message, Hello) else self._usual

    def _send(self, now_s: float) -> bytes:
        """Put as many waiting requests in flight as the board has room for; return their bytes."""
        out = b""
        while self._waiting and self._fits(self._waiting[0]):
            asked = self._waiting.popleft()
            self._number(asked)
            if not self._under_way:
                self._under_way.append(asked)
                self._start(now_s)
            else:
                self._under_way.append(asked)
            out += asked.wire
        return out

    def _number(self, asked: Asked) -> None:
        self._seq = asked.seq = (self._seq + 1) & 0xFF
        asked.wire = encode(WireFrame(asked.message.type, asked.seq, asked.message.payload()))

    def _fits(self, asked: Asked) -> bool:
        if not self._under_way:
            return True
        if isinstance(asked.message, Hello) or not self.greeted or self.welcome is None:
            return False
        size = len(asked.message.payload()) + 9  # type, seq, length, CRC, COBS, delimiters
        behind = sum(len(other.wire) for other in list(self._under_way)[1:])
        return behind + size <= self.welcome.room and len(self._under_way) < 64

    def _start(self, now_s: float) -> None:
        """Restart the timers, since the oldest request has changed."""
        self._rewound = None
        if self._under_way:
            self._times_said_again = 0
            self._again_at_s = now_s + self._patience.wait_s(0)
            self._give_up_at_s = now_s + self._patience.give_up_s

    def _again(self, now_s: float) -> bytes:
        if not isinstance(self._under_way[0].message, Hello):
            self._in_doubt += len(self._under_way)
        self._again_at_s = now_s + self._patience.wait_s(self._times_said_again)
        silent = isinstance(self._under_way[0].message, Hello) or self._times_said_again > 1
        return (LET_GO if silent else b"") + b"".join(asked.wire for asked in self._under_way)

    def _consider(self, frame: WireFrame, now_s: float) -> bytes:
        try:
            answer = answer_of(frame.type, frame.payload)
        except FrameError:
            return b""
        match answer:
            case BoardEvent():
                return self._told(frame.seq, answer)
            case Refused():
                return self._refused(frame.seq, answer, now_s)
            case Welcome():
                self._welcomed(frame.seq, answer, now_s)
            case Acknowledged() | Pong():
                self._done(frame.seq, answer, now_s)
        return b""

    def _told(self, number: int, event: BoardEvent) -> bytes:
        if not self.greeted or not self._listens:
            return b""
        ahead = (number - self.known.last_event) & 0xFF
        if ahead == 1:
            self.known.last_event = number
            self._events.append(event)
        return (
            encode(WireFrame(Request.HEARD, number, b"")) if ahead == 1 or ahead > 0x80 or not ahead else b""
        )

    def _welcomed(self, seq: int, welcome: Welcome, now_s: float) -> None:
        if not self._under_way or not isinstance(self._under_way[0].message, Hello):
            return
        if seq != self._under_way[0].seq:
            return  # the late answer to another host's greeting
        self.greeted = welcome.protocol == PROTOCOL_VERSION
        self.welcome = welcome
        self.known.meet(welcome)
        self._under_way.popleft().outcome = welcome
        self._start(now_s)

    def _done(self, seq: int, answer: Acknowledged | Pong, now_s: float) -> None:
        if not any(asked.seq == seq for asked in self._under_way) or not self.greeted:
            return  # the late answer to a repetition of an earlier request
        while self._under_way:
            asked = self._under_way.popleft()
            asked.outcome = answer if asked.seq == seq else Acknowledged()
            if asked.seq == seq:
                break
        self.repeated += self._in_doubt
        self._in_doubt = 0
        self._start(now_s)

    def _refused(self, seq: int, answer: Refused, now_s: float) -> bytes:
        if not self._under_way:
            return b""
        oldest = self._under_way[0]
        if answer.why in (RefusalReason.BAD_FRAME, RefusalReason.OUT_OF_ORDER):
            return self._rewind(answer, now_s)
        if all(asked.seq != seq for asked in self._under_way):
            return b""
        if answer.why is not RefusalReason.NOT_GREETED and seq != oldest.seq:
            self._done((seq - 1) & 0xFF, Acknowledged(), now_s)  # it executed all before the refused one
        self.greeted = False
        self._drop(answer)
        return b""

    def _rewind(self, answer: Refused, now_s: float) -> bytes:
        """Go back to the frame that the board waits for, once: further refusals concern the same loss."""
        expected = answer.expected_seq
        if isinstance(self._under_way[0].message, Hello):
            # The board could not read the greeting, or refers to earlier frames: its number means nothing.
            again = answer.why is RefusalReason.BAD_FRAME and self._rewound is None
            self._rewound = -1
            return self._again(now_s) if again else b""
        if all(asked.seq != expected for asked in self._under_way):
            if answer.why is RefusalReason.OUT_OF_ORDER and expected != (self._under_way[-1].seq + 1) & 0xFF:
                self.greeted = False  # the board's numbers differ from ours: another host has greeted it
                self._drop(answer)
            return b""
        if answer.why is RefusalReason.OUT_OF_ORDER and expected != self._under_way[0].seq:
            self._done((expected - 1) & 0xFF, Acknowledged(), now_s)
        if self._rewound == expected:
            return b""
        self._rewound = expected
        return self._again(now_s)

    def _drop(self, outcome: Outcome) -> None:
        self._in_doubt = 0
        for asked in (*self._under_way, *self._waiting):
            asked.outcome = outcome
        self._under_way.clear()
        self._waiting.clear()
