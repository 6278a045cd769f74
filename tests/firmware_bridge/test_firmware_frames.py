"""The real firmware and frames: lost, repeated, broken; what it refuses, and the reason it gives.

Skipped, with the reason, only where avr-gcc or simavr is not installed.
"""

from __future__ import annotations

import random

import pytest

from firmware_bridge.answers import answer_of
from firmware_bridge.codec import Collector, WireFrame, encode
from firmware_bridge.known import KnownBoard
from firmware_bridge.link import Link
from firmware_bridge.measure import random_picture
from firmware_bridge.messages import Hello, Ping, RefusalReason, Reply, Request, Serial, Set, Show
from firmware_bridge.patience import Patience
from firmware_bridge.session import WireSession
from firmware_bridge.transports.emulated import EmulatedBoard
from firmware_bridge.transports.loopback import VirtualBoard
from firmware_bridge.transports.noisy import Noisy
from firmware_bridge.transports.serial_port import SerialPort
from tests.firmware_bridge.wire import RED, StartBoard, Wire, but_for_the_clock, refused


def test_a_repeated_request_is_answered_again_but_not_executed_again(board: EmulatedBoard) -> None:
    wire = Wire(board)
    wire.ask(Hello(20, 2000))
    frame = wire.frame(Set(0, (RED,), latch=True))
    (first,) = wire.say(frame)
    with board.watch() as writes:
        for _ in range(3):
            assert wire.say(frame) == [first]
        board.wait(0.01)
    assert not writes


def test_broken_frames_are_counted_and_named(board: EmulatedBoard) -> None:
    wire = Wire(board)
    wire.ask(Hello(20, 2000))
    good = wire.frame(Set(0, (RED,) * 20, latch=True))
    for at in range(1, len(good) - 1, 7):
        bad = bytearray(good)
        bad[at] ^= 0x10 if bad[at] != 0x10 else 0x20
        (answer,) = wire.say(bytes(bad))
        assert refused(answer) is RefusalReason.BAD_FRAME
    board.counts()
    assert board.colours != (RED,) * 20
    (done,) = wire.say(good)
    assert done.type == Reply.ACK
    pong = answer_of(Reply.PONG, wire.ask(Ping()).payload)
    assert pong.bad_frames == len(range(1, len(good) - 1, 7))  # type: ignore[union-attr]


def test_what_cannot_be_done_is_refused_with_its_reason(board: EmulatedBoard) -> None:
    wire = Wire(board)
    assert refused(wire.ask(Show())) is RefusalReason.NOT_GREETED
    wire.ask(Hello(20, 2000))
    assert refused(wire.ask(Set(19, (RED, RED)))) is RefusalReason.OUT_OF_RANGE
    wire.seq -= 1
    assert refused(wire.ask(Set(255, (RED,)))) is RefusalReason.OUT_OF_RANGE
    wire.seq -= 1
    assert refused(wire.ask(Set(256, (RED,)))) is RefusalReason.OUT_OF_RANGE
    wire.seq += 5
    assert refused(wire.ask(Show())) is RefusalReason.OUT_OF_ORDER


@pytest.mark.parametrize("lamps", [20, 150])
def test_pictures_survive_a_bad_cable(start_board: StartBoard, lamps: int) -> None:
    board = start_board(lamps=lamps)
    chance = random.Random(11)
    hasty = Patience(again_s=0.02, growth=1.0, give_up_s=5.0)
    cable = Noisy(lambda: SerialPort(board.port), chance, per_byte=0.003, per_write=0.03)

    def session(known: KnownBoard) -> WireSession:
        return WireSession(chance.randrange(256), hasty, hasty, known)

    with board.watch() as writes, Link(cable.dial, session=session, budget_ma=1e6) as link:
        for _ in range(40):
            picture = random_picture(lamps, chance, brightest=255)
            link.show(picture)
            assert board.await_colours(picture)
        assert cable.suffered > 5
        assert link.status.repeated > 3
    assert len(writes) >= 40
    assert all(written.violations == 0 for written in writes)


def test_noise_of_any_length_leaves_the_board_able_to_listen(board: EmulatedBoard) -> None:
    wire = Wire(board)
    chance = random.Random(2)
    for length in (1, 255, 256, 700, 3000):
        wire.port.write(chance.randbytes(length))
        board.wait(0.2)
        while wire.port.read(0.01):
            pass
        wire.collector = Collector()
        answers = wire.say(encode(WireFrame(Request.HELLO, 1, Hello(20, 2000).payload())), answers=99)
        answers = [answer for answer in answers if answer.type != Reply.EVENT]
        assert answers[-1].type == Reply.WELCOME
        assert all(refused(answer) is RefusalReason.BAD_FRAME for answer in answers[:-1]), (
            "the end of the noise"
        )


def test_the_board_in_python_answers_what_the_firmware_answers(board: EmulatedBoard) -> None:
    """Random frames, in order or not, valid or not; only clock and build may differ."""
    wire, twin, chance = Wire(board), VirtualBoard(20), random.Random(4)
    seq = 0
    for _ in range(300):
        seq = (seq + chance.choice((0, 1, 1, 1, 1, 1, 7, 255))) & 0xFF
        type_ = chance.choice([*list(Request), Request.SET, Request.SET, 0x33])
        payload = {
            Request.HELLO: Hello(chance.choice((0, 5, 20)), chance.choice((60, 300, 5000))).payload(),
            Request.SET: bytes((chance.randrange(2), 0, chance.randrange(21))) + chance.randbytes(9),
            Request.FILL: bytes((chance.randrange(2),)) + chance.randbytes(3),
            Request.PING: bytes((chance.randrange(2),)),
            Request.SERIAL: Serial(77).payload(),
        }.get(Request(type_) if type_ != 0x33 else Request.SHOW, b"")
        if chance.random() < 0.1 and type_ != Request.SERIAL:
            payload = chance.randbytes(chance.randrange(12))
        data = encode(WireFrame(type_, seq, payload))
        answers = 0 if type_ == Request.HEARD else 1
        firmware = wire.say(data, answers)
        python = [frame for frame in Collector().feed(twin.hear(data, 0.0)) if frame is not None]
        assert [but_for_the_clock(frame) for frame in firmware] == [
            but_for_the_clock(frame) for frame in python
        ], (type_, payload.hex())
    board.wait(0.01)
    assert board.colours == twin.shown[-1][1]
