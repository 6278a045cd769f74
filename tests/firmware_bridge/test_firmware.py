"""The real firmware, cycle by cycle in simavr, addressed through pyserial; the test moves the time.

Skipped, with the reason, only where avr-gcc or simavr is not installed.
"""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from firmware_bridge.answers import BoardEvent, answer_of
from firmware_bridge.codec import WireFrame, encode
from firmware_bridge.lamps import dark, sets
from firmware_bridge.link import Link
from firmware_bridge.measure import BITS_A_BYTE, floor_s, random_picture
from firmware_bridge.messages import BAUD, EventKind, Hello, Off, Ping, Reply, Request, Set, Show
from firmware_bridge.transports.emulated import EmulatedBoard
from firmware_bridge.transports.loopback import FRAME_MAX, ROOM
from firmware_bridge.transports.serial_port import SerialPort
from tests.firmware_bridge.wire import BLUE, GREEN, RED, StartBoard, Wire, enduring, patient

# --- colours -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lamps", [1, 2, 20, 80, 81, 150])
def test_the_strip_shows_what_the_house_demands(start_board: StartBoard, lamps: int) -> None:
    board = start_board(lamps=lamps)
    chance = random.Random(lamps)
    with Link(lambda: SerialPort(board.port), session=enduring, budget_ma=1e6) as link:
        for _ in range(5):
            picture = random_picture(lamps, chance, brightest=255)
            link.show(picture)
            assert board.await_colours(picture)
    assert board.written[-1].bits == 24 * lamps


def test_every_value_of_every_channel_arrives(board: EmulatedBoard, link: Link) -> None:
    for first in range(0, 256, 20):
        picture = tuple((v % 256, (v * 7 + 3) % 256, 255 - v % 256) for v in range(first, first + 20))
        link.show(picture)
        assert board.await_colours(picture)


def test_a_shorter_picture_darkens_the_rest(board: EmulatedBoard, link: Link) -> None:
    link.show([RED] * 20)
    link.show([BLUE] * 3)
    assert board.await_colours((BLUE,) * 3 + dark(17))


def test_set_alone_shows_nothing_until_show(board: EmulatedBoard) -> None:
    wire = Wire(board)
    wire.ask(Hello(20))
    with board.watch() as writes:
        wire.ask(Set(3, (RED, GREEN)))
        board.wait(0.01)
    assert not writes
    wire.ask(Show())
    assert board.await_colours((*dark(3), RED, GREEN, *dark(15)))
    wire.ask(Off())
    assert board.await_colours(dark(20))


# --- the strip's wire --------------------------------------------------------------------------------


def test_every_edge_keeps_to_the_data_sheet(board: EmulatedBoard, link: Link) -> None:
    """WS2812B: T0H 400, T1H 800, T0L 850, T1L 450 ns, each ±150; RES over 50 µs, newer ones over 280 µs."""
    chance = random.Random(5)
    with board.watch() as writes:
        for _ in range(20):
            link.show(random_picture(20, chance, brightest=255))
    assert len(writes) >= 20
    assert [written.violations for written in writes] == [0] * len(writes)
    assert all(later.started_s - earlier.ended_s > 280e-6 for earlier, later in pairwise(writes))
    lamp_s = (writes[-1].ended_s - writes[-1].started_s) / 20
    assert lamp_s == pytest.approx(30e-6, rel=0.02)


def test_the_answer_comes_after_the_strips_last_bit(start_board: StartBoard) -> None:
    board = start_board(trace=True)
    wire = Wire(board)
    wire.ask(Hello(20))
    for _ in range(5):
        board.counts()  # the reports of earlier frames have arrived
        board.events.clear()
        wire.ask(Set(0, (RED,) * 20, latch=True))
        board.counts()
        answer_began_s = next(e["cycle"] for e in board.events if e["event"] == "tx") / 16e6
        question_ended_s = [e["cycle"] for e in board.events if e["event"] == "rx"][-1] / 16e6
        assert question_ended_s < board.written[-1].started_s
        assert board.written[-1].ended_s < answer_began_s < board.written[-1].ended_s + 0.001


def test_the_wire_is_near_the_speed_of_its_bits(start_board: StartBoard) -> None:
    """60 lamps: over 150 pictures a second in the board's own time, under 1.25 of the bits' time."""
    board = start_board(lamps=60)
    picture = random_picture(60, random.Random(1), brightest=255)
    with Link(lambda: SerialPort(board.port), session=patient, budget_ma=1e6) as link:
        link.show(picture)
        with board.watch() as writes:
            for _ in range(20):
                link.show(picture[::-1])
                link.show(picture)
        assert link.status.repeated == 0
    steps = sorted(later.ended_s - earlier.ended_s for earlier, later in pairwise(writes))
    median_s = steps[len(steps) // 2]
    assert 1 / median_s > 150
    assert 1.0 <= median_s / floor_s(picture, FRAME_MAX) < 1.25


@pytest.mark.parametrize("lamps", [60, 150])
def test_the_board_keeps_up_with_a_wire_that_is_never_idle(start_board: StartBoard, lamps: int) -> None:
    """Pictures without a pause: colours fill over 85 % of the wire's time, in the board's own time."""
    board, chance = start_board(lamps=lamps), random.Random(1)
    wire = Wire(board)
    wire.ask(Hello(lamps, 5000))
    pictures = [random_picture(lamps, chance) for _ in range(1500 // (3 * lamps))]
    frames = [wire.frame(message) for picture in pictures for message in sets(picture, FRAME_MAX)]
    with board.watch() as writes:
        wire.say(b"".join(frames), answers=len(frames))
    assert [written.colours for written in writes] == pictures
    assert board.counts()["overrun"] == 0
    step_s = (writes[-1].ended_s - writes[0].ended_s) / (len(writes) - 1)
    assert lamps * 3 * BITS_A_BYTE / BAUD / step_s > 0.85


# --- the receive buffer ------------------------------------------------------------------------------


def test_one_changed_lamp_is_on_the_strip_before_its_wire_has_carried_a_picture(
    start_board: StartBoard,
) -> None:
    """From the first byte at the board to the last edge at the pin: 0.3 ms of wire, 1.8 ms of strip."""
    board = start_board(lamps=60, trace=True)
    picture = [(9, 9, 9)] * 60
    with Link(lambda: SerialPort(board.port), session=patient) as link:
        link.show(picture)
        board.counts()
        board.events.clear()
        picture[33] = (0, 0, 200)
        link.show(picture)
        board.counts()
    began_s = next(event["cycle"] for event in board.events if event["event"] == "rx") / 16e6
    assert board.written[-1].ended_s - began_s < 3e-3


def test_the_board_hears_while_it_writes_the_strip(start_board: StartBoard) -> None:
    """The real UART holds two bytes and one in its shift register; the code for the strip empties it."""
    board = start_board(lamps=150)
    wire = Wire(board)
    wire.ask(Hello(150, 5000))
    frames = [wire.frame(Show())]
    while sum(map(len, frames[1:])) < ROOM - 10:
        frames.append(wire.frame(Ping()))
    answers = wire.say(b"".join(frames), answers=len(frames))
    assert [answer.seq for answer in answers] == list(range(2, len(frames) + 2))
    assert board.counts()["overrun"] == 0


def test_every_picture_of_a_stream_reaches_the_strip(start_board: StartBoard) -> None:
    board = start_board(lamps=150)
    chance = random.Random(3)
    pictures = [random_picture(150, chance) for _ in range(30)]
    with Link(lambda: SerialPort(board.port), session=patient, budget_ma=1e6) as link:
        link.show(pictures[-1])
        with board.watch() as writes:
            for picture in pictures:
                link.stream(picture)
            link.tend()
        assert link.status.pong is not None
        assert (link.status.pong.overruns, link.status.pong.bad_frames, link.status.repeated) == (0, 0, 0)
    assert [written.colours for written in writes] == pictures
    assert all(written.violations == 0 for written in writes)
    assert board.counts()["overrun"] == 0


def test_who_says_more_than_there_is_room_for_is_told_so(start_board: StartBoard) -> None:
    board = start_board(lamps=150)
    wire = Wire(board)
    wire.ask(Hello(150, 5000))
    shows = b"".join(wire.frame(Show()) for _ in range(4))
    wire.say(shows + bytes(range(1, 256)) * 4 + b"\0", answers=5)
    answers = wire.say(encode(WireFrame(Request.HELLO, 9, Hello(150, 5000).payload())), answers=99)
    welcome = next(answer for answer in answers if answer.type == Reply.WELCOME)
    assert answer_of(welcome.type, welcome.payload).overruns >= 1  # type: ignore[union-attr]
    events = [answer_of(frame.type, frame.payload) for frame in answers if frame.type == Reply.EVENT]
    assert BoardEvent(EventKind.OVERRUN, 0) in events


# --- buttons -----------------------------------------------------------------------------------------


def test_buttons_are_debounced_and_presses_remembered(board: EmulatedBoard, link: Link) -> None:
    link.show([RED])
    board.press(3)
    board.wait(0.005)
    board.release(3)
    board.wait(0.05)
    link.tend()
    assert link.take_events() == [], "5 ms are a bounce"
    for _ in range(2):
        board.press(3)
        board.wait(0.05)
        board.release(3)
        board.wait(0.05)
    for _ in range(6):
        board.wait(0.06)
        link.tend()
    told = [(event.kind.name, event.value) for event in link.take_events()]
    assert told == [("PRESSED", 3), ("RELEASED", 3)] * 2
    assert link.buttons_down == 0
    board.press(0)
    board.press(2)
    for _ in range(3):
        board.wait(0.06)
        link.show([BLUE])
    assert link.take_presses() == 0b101
    assert link.buttons_down == 0b101


def test_a_press_is_told_until_it_is_heard(board: EmulatedBoard) -> None:
    wire = Wire(board)
    wire.ask(Hello(20, 2000))
    board.press(1)
    board.wait(0.3)
    told = wire.say(b"", answers=3)
    assert len(told) >= 3
    assert {(frame.type, frame.seq, frame.payload) for frame in told} == {(Reply.EVENT, 1, b"\1\1")}
    board.counts()
    while wire.port.read(0.1):
        pass
    wire.port.write(encode(WireFrame(Request.HEARD, 1, b"")))
    board.wait(0.3)
    assert wire.port.read(0.1) == b""
