"""The board's port as tests use it: raw frames, colours, what the emulator has written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from firmware_bridge.answers import Refused, answer_of
from firmware_bridge.codec import Collector, WireFrame, encode
from firmware_bridge.known import KnownBoard
from firmware_bridge.lamps import RGB
from firmware_bridge.messages import Message, RefusalReason, Reply
from firmware_bridge.patience import GREETING, USUAL, Patience
from firmware_bridge.session import WireSession
from firmware_bridge.transports.emulated import EmulatedBoard
from firmware_bridge.transports.serial_port import SerialPort

StartBoard = Callable[..., EmulatedBoard]
"""A function that starts an emulated board: takes the options of `EmulatedBoard`, returns the board."""

RED: RGB = (255, 0, 0)
GREEN: RGB = (0, 255, 0)
BLUE: RGB = (0, 0, 255)


def patient(known: KnownBoard | None = None) -> WireSession:
    """The house's side of the wire when nothing gets lost: a busy machine answers late, but it answers."""
    calm = Patience(again_s=60.0, growth=1.0, give_up_s=120.0)
    return WireSession(7, calm, calm, known)


def enduring(known: KnownBoard | None = None) -> WireSession:
    """The house's usual session, but it waits for a board that a busy machine emulates slowly."""
    return WireSession(7, replace(USUAL, give_up_s=60.0), replace(GREETING, give_up_s=60.0), known)


class Wire:
    """The board's bare port: raw frames, no repetition."""

    def __init__(self, board: EmulatedBoard) -> None:
        self.port = SerialPort(board.port)
        self.collector = Collector()
        self.seq = 0

    def say(self, data: bytes, answers: int = 1) -> list[WireFrame]:
        """Send bytes and collect up to so many answers; stop when no more come."""
        self.port.write(data)
        heard: list[WireFrame] = []
        while len(heard) < answers and (got := self.port.read(0.3 if heard else 5.0)):
            heard += [frame for frame in self.collector.feed(got) if frame is not None]
        return heard

    def frame(self, message: Message) -> bytes:
        """Encode `message` as the next frame."""
        self.seq = (self.seq + 1) & 0xFF
        return encode(WireFrame(message.type, self.seq, message.payload()))

    def ask(self, message: Message) -> WireFrame:
        (answer,) = self.say(self.frame(message))
        return answer


def refused(frame: WireFrame) -> RefusalReason:
    answer = answer_of(frame.type, frame.payload)
    assert isinstance(answer, Refused)
    return answer.why


def but_for_the_clock(frame: WireFrame) -> tuple[int, int, bytes]:
    """The part of a frame in which two boards must agree: not watchdog, boot number, time, build."""
    match frame.type:
        case Reply.WELCOME:
            return (frame.type, frame.seq, frame.payload[:2] + frame.payload[3:10] + frame.payload[20:24])
        case Reply.PONG:
            return (frame.type, frame.seq, frame.payload[8:])
    return (frame.type, frame.seq, frame.payload)
