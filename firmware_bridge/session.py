"""The talk with the board, without a port and without a clock: bytes and the time come in as arguments.

One request is under way at a time (stop and wait): while an AVR writes its strip its interrupts are
off, 30 µs a lamp, and whatever arrives then is lost. A request is repeated under its old number until
its answer comes; the board answers a repeated request again without executing it twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from firmware_bridge.codec import Collector, Frame, encode
from firmware_bridge.errors import FrameError
from firmware_bridge.messages import (
    ANSWER,
    PROTOCOL_VERSION,
    REFUSED,
    Answer,
    Greeting,
    Hello,
    Message,
    Refusal,
    Refused,
    answer_of,
)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait before a request is repeated, how the wait grows, when to give up (seconds)."""

    again_s: float
    growth: float
    give_up_s: float


USUAL = Patience(again_s=0.1, growth=1.0, give_up_s=1.5)
"""The longest honest answer (150 lamps, two USB latencies) takes under 40 ms."""

GREETING = Patience(again_s=0.2, growth=2.0, give_up_s=4.5)
"""Opening the port resets a Nano. Its bootloader listens for a second, longer while it is talked to:
the pauses grow until one of them lets it go."""


class Silence(Enum):
    """The outcome of a request that nobody answered."""

    GAVE_UP = "gave up"


Outcome: TypeAlias = Answer | Silence


class Session:
    """Write what `ask`, `hear` and `tick` return; stop when `outcome` is there.

    `greeted` tells whether the board knows us; it forgets us when it is reset or falls asleep, and then
    `Hello` and the whole picture are due again.
    """

    def __init__(self, first_seq: int = 0, usual: Patience = USUAL, greeting: Patience = GREETING) -> None:
        """`first_seq` (0..255) should differ from run to run: late answers to others are then not ours."""
        self.greeted = False
        self.outcome: Outcome | None = None
        self.repeated = 0
        """Requests sent again since the start, for whatever reason."""
        self._seq = first_seq
        self._usual, self._greeting = usual, greeting
        self._collector = Collector()
        self._patience = usual
        self._request: Frame | None = None
        self._wire = b""
        self._again_at_s = self._give_up_at_s = self._wait_s = 0.0

    @property
    def broken_frames(self) -> int:
        """Answers that arrived damaged."""
        return self._collector.bad

    @property
    def wake_s(self) -> float | None:
        """When `tick` should be called at the latest; None while nothing is under way."""
        return None if self._request is None else min(self._again_at_s, self._give_up_at_s)

    def ask(self, message: Message, now_s: float) -> bytes:
        """Begin a request and return its bytes. The one before must have an outcome."""
        if self._request is not None:
            raise RuntimeError("the board has not yet answered the last request")
        self._seq = (self._seq + 1) & 0xFF
        self._request = Frame(message.type, self._seq, message.payload())
        self._wire = encode(self._request)
        self._patience = self._greeting if isinstance(message, Hello) else self._usual
        self.outcome = None
        self._wait_s = self._patience.again_s
        self._again_at_s = now_s + self._wait_s
        self._give_up_at_s = now_s + self._patience.give_up_s
        return self._wire

    def hear(self, data: bytes, now_s: float) -> bytes:
        """Take bytes from the board; returns the bytes of a repetition that it asked for, else nothing."""
        again = False
        for frame in self._collector.feed(data):
            # A damaged answer costs a wait: to repeat at once could meet the board while it writes.
            if frame is not None and self._request is not None:
                again = self._consider(frame) or again
        if not again or self._request is None:
            return b""
        self.repeated += 1
        self._again_at_s = now_s + self._wait_s
        return self._wire

    def tick(self, now_s: float) -> bytes:
        """Repeat the request or give it up when it is time."""
        if self._request is None:
            return b""
        if now_s >= self._give_up_at_s:
            self._end(Silence.GAVE_UP)
            return b""
        if now_s < self._again_at_s:
            return b""
        self.repeated += 1
        self._wait_s *= self._patience.growth
        self._again_at_s = now_s + self._wait_s
        return self._wire

    def _consider(self, frame: Frame) -> bool:
        """True when the board wants the request again."""
        assert self._request is not None
        try:
            answer = answer_of(frame.type, frame.payload)
        except FrameError:
            return False
        if isinstance(answer, Refused) and answer.why is Refusal.BAD_FRAME:
            return True  # it could not read the number, so it cannot name it
        if frame.seq != self._request.seq or frame.type not in (self._request.type | ANSWER, REFUSED):
            return False  # the late answer to a repetition of an earlier request
        if isinstance(answer, Greeting):
            self.greeted = answer.protocol == PROTOCOL_VERSION
        elif isinstance(answer, Refused) and answer.why in (Refusal.NOT_GREETED, Refusal.OUT_OF_ORDER):
            self.greeted = False
        self._end(answer)
        return False

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self._request = None
