"""The conversation with the board; the test supplies bytes and time."""

from __future__ import annotations

import pytest

from firmware_bridge.answers import Acknowledged, Pong, Refused, Welcome
from firmware_bridge.codec import Collector, WireFrame, encode
from firmware_bridge.known import KnownBoard
from firmware_bridge.messages import (
    EventKind,
    Fill,
    Hello,
    Message,
    Ping,
    RefusalReason,
    Reply,
    Request,
    ResetCause,
    Show,
)
from firmware_bridge.patience import GREETING, LET_GO, USUAL
from firmware_bridge.session import Asked, Silence, WireSession
from firmware_bridge.transports.loopback import ROOM, VirtualBoard


def _frames(wire: bytes) -> list[WireFrame]:
    return [frame for frame in Collector().feed(wire) if frame is not None]


def _frame(wire: bytes) -> WireFrame:
    (frame,) = _frames(wire)
    return frame


def _ack(wire: bytes) -> bytes:
    return encode(WireFrame(Reply.ACK, _frames(wire)[-1].seq, b""))


def _refusal(seq: int, why: RefusalReason, expected: int = 0) -> bytes:
    return encode(WireFrame(Reply.REFUSED, seq, bytes((why, expected))))


def _ask(session: WireSession, message: Message, now_s: float = 0.0) -> tuple[Asked, bytes]:
    (asked,), wire = session.ask([message], now_s)
    return asked, wire


@pytest.fixture
def session() -> WireSession:
    """A session that has been greeted; its last frame number is 0."""
    session = WireSession(first_seq=255)
    session.hear(VirtualBoard().hear(_ask(session, Hello(20, 2000))[1], 0.0), 0.0)
    assert session.greeted
    return session


def test_a_question_and_its_answer(session: WireSession) -> None:
    asked, wire = _ask(session, Show())
    assert _frame(wire) == WireFrame(Request.SHOW, 1, b"")
    assert asked.outcome is None
    assert session.hear(_ack(wire), 0.01) == b""
    assert isinstance(asked.outcome, Acknowledged)
    assert session.wake_s is None


def test_numbers_go_round_after_255() -> None:
    assert _frame(_ask(WireSession(first_seq=255), Hello(1))[1]).seq == 0


def test_several_frames_are_under_way_and_one_answer_speaks_for_all(session: WireSession) -> None:
    asked, wire = session.ask([Show(), Ping(), Show()], 0.0)
    assert [frame.seq for frame in _frames(wire)] == [1, 2, 3]
    session.hear(_ack(wire), 0.01)
    assert [type(one.outcome) for one in asked] == [Acknowledged] * 3


def test_no_more_is_under_way_than_the_board_has_room_for(session: WireSession) -> None:
    fills = [Fill((1, 2, 3)) for _ in range(40)]
    asked, wire = session.ask(fills, 0.0)
    frames = _frames(wire)
    sizes = [len(encode(frame)) for frame in frames]
    assert len(frames) < 40
    assert ROOM - sizes[0] < sum(sizes[1:]) <= ROOM
    more = session.hear(encode(WireFrame(Reply.ACK, frames[2].seq, b"")), 0.01)
    assert [frame.seq for frame in _frames(more)] == [len(frames) + n for n in (1, 2, 3)]
    assert [one.outcome is not None for one in asked] == [True] * 3 + [False] * 37


def test_before_the_greeting_nothing_else_goes_out() -> None:
    session = WireSession()
    asked, wire = session.ask([Hello(20, 2000), Show()], 0.0)
    assert [frame.type for frame in _frames(wire)] == [Request.HELLO]
    more = session.hear(VirtualBoard().hear(wire, 0.0), 0.0)
    assert _frame(more).type == Request.SHOW
    assert isinstance(asked[0].outcome, Welcome)


def test_a_lost_question_is_repeated_under_its_old_number(session: WireSession) -> None:
    asked, wire = _ask(session, Show())
    assert session.tick(USUAL.again_s - 0.001) == b""
    assert session.tick(USUAL.again_s) == wire
    assert session.tick(2 * USUAL.again_s) == LET_GO + wire, "it may sit in its bootloader"
    session.hear(_ack(wire), 0.25)
    assert isinstance(asked.outcome, Acknowledged)
    assert session.repeated == 2


def test_what_was_said_into_silence_and_to_a_bootloader_was_not_lost_on_the_way(session: WireSession) -> None:
    _, wire = _ask(session, Show())
    session.tick(USUAL.again_s)
    session.hear(_refusal(_frame(wire).seq, RefusalReason.NOT_GREETED, expected=0), 0.3)
    _ask(session, Hello(20, 2000))
    session.tick(10.0)
    _, wire = _ask(session, Show())
    while session.wake_s is not None and not session.idle:
        session.tick(session.wake_s)
    assert session.repeated == 0


def test_what_comes_after_a_gap_is_repeated_from_the_gap_on_and_once(session: WireSession) -> None:
    asked, wire = session.ask([Show(), Show(), Show()], 0.0)
    first, second, third = (encode(frame) for frame in _frames(wire))
    assert session.hear(_ack(first), 0.01) == b""
    again = session.hear(_refusal(3, RefusalReason.OUT_OF_ORDER, expected=2), 0.02)
    assert again == second + third
    assert session.hear(_refusal(0, RefusalReason.BAD_FRAME, expected=2), 0.03) == b"", "of the same loss"
    session.hear(_ack(again), 0.04)
    assert all(one.outcome is not None for one in asked)


def test_who_never_answers_is_given_up(session: WireSession) -> None:
    asked, _ = _ask(session, Show())
    now_s, sent = 0.0, 0
    while asked.outcome is None:
        assert session.wake_s is not None
        now_s = session.wake_s
        sent += bool(session.tick(now_s))
    assert asked.outcome is Silence.GAVE_UP
    assert now_s == pytest.approx(USUAL.give_up_s)
    assert 5 < sent < 20


@pytest.mark.parametrize("longer_while_talked_to", [False, True])
@pytest.mark.parametrize("listens_s", [1.0, 1.2])
def test_an_unknown_bootloader_is_let_go_by_the_first_pause(
    listens_s: float, longer_while_talked_to: bool
) -> None:
    """It swallows input for a second (its clock may be a fifth slow), or for longer while it gets any."""
    session, now_s = WireSession(), 0.0
    asked, _ = _ask(session, Hello(1))
    ends_s = listens_s
    while now_s < ends_s:
        assert asked.outcome is None
        if longer_while_talked_to:
            ends_s = now_s + listens_s
        assert session.wake_s is not None
        now_s = session.wake_s
        assert session.tick(now_s)
    assert now_s < 2.4, "the HELLO that the firmware hears"
    assert GREETING.give_up_s - now_s > 1.2, "and it has time to answer"


def test_the_late_answer_to_a_repetition_is_not_taken_for_the_next_one(session: WireSession) -> None:
    _, first = _ask(session, Show())
    session.tick(0.1)
    session.hear(_ack(first), 0.11)
    asked, second = _ask(session, Show(), 0.12)
    session.hear(_ack(first), 0.13)
    assert asked.outcome is None
    session.hear(_ack(second), 0.14)
    assert isinstance(asked.outcome, Acknowledged)


def test_a_board_that_could_not_read_the_frame_gets_it_again_at_once(session: WireSession) -> None:
    _, wire = _ask(session, Show())
    assert session.hear(_refusal(0, RefusalReason.BAD_FRAME, expected=1), 0.02) == wire
    assert session.tick(0.1) == b"", "the clock for the next repetition starts anew"


def test_a_damaged_answer_is_waited_for(session: WireSession) -> None:
    _, wire = _ask(session, Show())
    broken = bytearray(_ack(wire))
    broken[2] ^= 0x40
    assert session.hear(bytes(broken), 0.01) == b""
    assert session.broken_frames == 1
    assert session.tick(USUAL.again_s) == wire


def test_a_board_that_has_forgotten_us_wants_to_be_greeted(session: WireSession) -> None:
    asked, _ = session.ask([Show(), Show()], 0.0)
    session.hear(_refusal(1, RefusalReason.NOT_GREETED, expected=1), 0.01)
    assert all(isinstance(one.outcome, Refused) for one in asked)
    assert not session.greeted


def test_a_board_that_counts_otherwise_was_greeted_by_somebody_else(session: WireSession) -> None:
    asked, _ = _ask(session, Show())
    session.hear(_refusal(1, RefusalReason.OUT_OF_ORDER, expected=99), 0.01)
    assert isinstance(asked.outcome, Refused)
    assert not session.greeted


def test_what_the_board_reset_meanwhile_expects_is_never_taken_for_done(session: WireSession) -> None:
    """After a power loss, a board that hears half a frame expects number 1, whatever we had sent."""
    asked, wire = session.ask([Show(), Show(), Show()], 0.0)
    again = session.hear(_refusal(0, RefusalReason.BAD_FRAME, expected=2), 0.01)
    assert again == wire
    assert all(one.outcome is None for one in asked)


def test_a_board_with_another_protocol_is_not_greeted() -> None:
    session = WireSession()
    asked, wire = _ask(session, Hello(3))
    session.hear(encode(WireFrame(Reply.WELCOME, _frame(wire).seq, bytes((9,)) + bytes(40))), 0.1)
    assert isinstance(asked.outcome, Welcome)
    assert not session.greeted


def test_noise_before_and_between_answers_does_no_harm(session: WireSession) -> None:
    asked, wire = _ask(session, Show())
    session.hear(b"\xff\x80garbage", 0.01)
    session.hear(b"\0\0\0" + _ack(wire), 0.02)
    assert isinstance(asked.outcome, Acknowledged)


def test_a_conversation_with_the_board_in_python() -> None:
    board, session = VirtualBoard(), WireSession(first_seq=9)
    session.hear(board.hear(_ask(session, Hello(4), 1.0)[1], 1.0), 1.0)
    assert session.greeted
    asked, wire = _ask(session, Ping(), 1.1)
    session.hear(board.hear(wire, 1.1), 1.1)
    assert isinstance(asked.outcome, Pong)
    board.tick(9.0)
    session.hear(board.hear(_ask(session, Ping(), 9.0)[1], 9.0), 9.0)
    assert not session.greeted


# --- events ------------------------------------------------------------------------------------------


def _told(number: int, button: int) -> bytes:
    return encode(WireFrame(Reply.EVENT, number, bytes((EventKind.PRESSED, button))))


def test_an_event_is_handed_over_once_however_often_it_is_told(session: WireSession) -> None:
    heard = encode(WireFrame(Request.HEARD, 1, b""))
    assert session.hear(_told(1, 3), 0.1) == heard
    assert session.hear(_told(1, 3), 0.2) == heard, "our word got lost: it is said again"
    assert session.hear(_told(2, 3), 0.3) == encode(WireFrame(Request.HEARD, 2, b""))
    assert [event.value for event in session.take_events()] == [3, 3]
    assert session.take_events() == []


def test_no_event_counts_twice_over_a_new_cable() -> None:
    known, board, now_s = KnownBoard(), VirtualBoard(), 1.0
    board.press(2)
    heard = []
    for attempt in range(3):  # our HEARD never arrives
        session = WireSession(attempt, known=known)
        session.hear(board.hear(_ask(session, Hello(4), now_s)[1], now_s), now_s)
        session.hear(board.tick(now_s), now_s)
        heard += session.take_events()
    assert [event.value for event in heard] == [2]


@pytest.mark.parametrize("cause", list(ResetCause))
def test_each_event_is_heard_once_over_a_reset(cause: ResetCause) -> None:
    """Without power the numbers start again, which the board shows by another boot number."""
    known, board = KnownBoard(), VirtualBoard()
    heard = []
    for attempt in range(3):
        session = WireSession(attempt, known=known)
        session.hear(board.hear(_ask(session, Hello(4), 1.0)[1], 1.0), 1.0)
        board.press(attempt)
        board.hear(session.hear(board.tick(1.0), 1.0), 1.0)
        heard += session.take_events()
        board.reset(cause, 1.0)
    assert [event.value for event in heard] == [0, 1, 2]


@pytest.mark.parametrize("cause", [cause for cause in ResetCause if cause is not ResetCause.POWER])
def test_a_press_that_nobody_heard_outlives_a_reset_and_is_heard_once(cause: ResetCause) -> None:
    known, board, heard = KnownBoard(), VirtualBoard(), []
    for attempt in range(3):  # our HEARD never arrives
        session = WireSession(attempt, known=known)
        session.hear(board.hear(_ask(session, Hello(4), 1.0)[1], 1.0), 1.0)
        if not attempt:
            board.press(2)
        session.hear(board.tick(1.0), 1.0)
        heard += session.take_events()
        board.reset(cause, 1.0)
    assert [(event.kind, event.value) for event in heard] == [(EventKind.PRESSED, 2)]


def test_a_count_that_cannot_be_ours_begins_anew_even_with_the_same_boot_number() -> None:
    known, heard = KnownBoard(last_event=77, boot=1), []
    board, session = VirtualBoard(), WireSession(known=known)
    session.hear(board.hear(_ask(session, Hello(4), 1.0)[1], 1.0), 1.0)
    board.press(0)
    board.hear(session.hear(board.tick(1.0), 1.0), 1.0)
    heard += session.take_events()
    assert len(heard) == 1
