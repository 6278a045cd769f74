"""The talk with the board, bytes and time moved by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_bridge.codec import Collector, Frame, encode
from firmware_bridge.messages import (
    ANSWER,
    PROTOCOL_VERSION,
    REFUSED,
    Done,
    Greeting,
    Hello,
    Ping,
    Refusal,
    Refused,
    Request,
    Show,
)
from firmware_bridge.session import GREETING, USUAL, Session, Silence
from firmware_bridge.transports.loopback import VirtualBoard


def _frame(wire: bytes) -> Frame:
    (frame,) = Collector().feed(wire)
    assert frame is not None
    return frame


def _answer(wire: bytes, payload: bytes = b"\0") -> bytes:
    asked = _frame(wire)
    return encode(Frame(asked.type | ANSWER, asked.seq, payload))


def _refusal(wire: bytes, why: Refusal) -> bytes:
    return encode(Frame(REFUSED, 0 if why is Refusal.BAD_FRAME else _frame(wire).seq, bytes((why, 0))))


def test_a_question_and_its_answer() -> None:
    session = Session(first_seq=41)
    wire = session.ask(Show(), 0.0)
    assert _frame(wire) == Frame(Request.SHOW, 42, b"")
    assert session.outcome is None
    assert session.hear(_answer(wire), 0.01) == b""
    assert isinstance(session.outcome, Done)
    assert session.wake_s is None


def test_numbers_go_round_after_255() -> None:
    session = Session(first_seq=255)
    assert _frame(session.ask(Show(), 0.0)).seq == 0


def test_a_lost_question_is_repeated_under_its_old_number() -> None:
    session = Session()
    wire = session.ask(Show(), 0.0)
    assert session.tick(USUAL.again_s - 0.001) == b""
    assert session.tick(USUAL.again_s) == wire
    assert session.tick(2 * USUAL.again_s) == wire
    assert session.repeated == 2
    session.hear(_answer(wire), 0.25)
    assert isinstance(session.outcome, Done)


def test_who_never_answers_is_given_up() -> None:
    session = Session()
    session.ask(Show(), 0.0)
    now_s, sent = 0.0, 0
    while session.outcome is None:
        assert session.wake_s is not None
        now_s = session.wake_s
        sent += bool(session.tick(now_s))
    assert session.outcome is Silence.GAVE_UP
    assert now_s == pytest.approx(USUAL.give_up_s)
    assert 5 < sent < 20


def test_a_greeting_leaves_the_bootloader_a_pause_of_more_than_a_second() -> None:
    """Optiboot goes on listening while it is spoken to; it starts the firmware after one second of quiet."""
    session, now_s = Session(), 0.0
    session.ask(Hello(1), now_s)
    said = [now_s]
    while session.outcome is None:
        assert session.wake_s is not None
        now_s = session.wake_s
        if session.tick(now_s):
            said.append(now_s)
    pauses = [later - earlier for earlier, later in pairwise(said)]
    assert max(pauses) > 1.2
    assert GREETING.give_up_s - said[-1] > 1.2, "the firmware has time to answer after the long pause"


def test_the_late_answer_to_a_repetition_is_not_taken_for_the_next_one() -> None:
    session = Session()
    first = session.ask(Show(), 0.0)
    session.tick(0.1)
    session.hear(_answer(first), 0.11)
    second = session.ask(Show(), 0.12)
    session.hear(_answer(first), 0.13)
    assert session.outcome is None
    session.hear(_answer(second), 0.14)
    assert isinstance(session.outcome, Done)


def test_an_answer_of_another_kind_is_no_answer() -> None:
    session = Session()
    seq = _frame(session.ask(Show(), 0.0)).seq
    session.hear(encode(Frame(Request.PING | ANSWER, seq, bytes(9))), 0.01)
    assert session.outcome is None


def test_a_board_that_could_not_read_the_frame_gets_it_again_at_once() -> None:
    session = Session()
    wire = session.ask(Show(), 0.0)
    assert session.hear(_refusal(wire, Refusal.BAD_FRAME), 0.02) == wire
    assert session.tick(0.1) == b"", "the clock for the next repetition starts anew"


def test_a_damaged_answer_is_waited_for() -> None:
    session = Session()
    wire = session.ask(Show(), 0.0)
    broken = bytearray(_answer(wire))
    broken[3] ^= 0x40
    assert session.hear(bytes(broken), 0.01) == b""
    assert session.broken_frames == 1
    assert session.tick(USUAL.again_s) == wire


@pytest.mark.parametrize("why", [Refusal.NOT_GREETED, Refusal.OUT_OF_ORDER])
def test_a_board_that_has_forgotten_us_wants_to_be_greeted(why: Refusal) -> None:
    session = Session()
    session.greeted = True
    session.hear(_refusal(session.ask(Show(), 0.0), why), 0.01)
    assert isinstance(session.outcome, Refused)
    assert not session.greeted


def test_a_board_with_another_protocol_is_not_greeted() -> None:
    session = Session()
    wire = session.ask(Hello(3), 0.0)
    session.hear(_answer(wire, bytes((PROTOCOL_VERSION + 1,)) + bytes(15)), 0.1)
    assert isinstance(session.outcome, Greeting)
    assert not session.greeted


def test_two_questions_at_once_are_a_mistake_of_ours() -> None:
    session = Session()
    session.ask(Ping(), 0.0)
    with pytest.raises(RuntimeError):
        session.ask(Ping(), 0.0)


def test_noise_before_and_between_answers_does_no_harm() -> None:
    session = Session()
    wire = session.ask(Show(), 0.0)
    session.hear(b"\xff\x80garbage", 0.01)
    session.hear(b"\0\0\0" + _answer(wire), 0.02)
    assert isinstance(session.outcome, Done)


def test_a_conversation_with_the_board_in_python() -> None:
    board, session = VirtualBoard(), Session(first_seq=9)
    session.hear(board.hear(session.ask(Hello(4), 1.0), 1.0), 1.0)
    assert session.greeted
    session.hear(board.hear(session.ask(Ping(), 1.1), 1.1), 1.1)
    board.tick(9.0)
    session.hear(board.hear(session.ask(Ping(), 9.0), 9.0), 9.0)
    assert not session.greeted
