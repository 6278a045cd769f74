"""The real firmware, cycle by cycle in simavr, spoken to by pyserial; time is moved by the test.

Skipped, with the reason, only where avr-gcc or simavr are not installed.
"""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from conftest import StartBoard
from wire import BLUE, GREEN, RED, Wire, enduring, patient

from firmware_bridge.codec import Frame, encode
from firmware_bridge.lamps import dark
from firmware_bridge.link import Link
from firmware_bridge.measure import floor_s, random_picture
from firmware_bridge.messages import (
    ANSWER,
    Hello,
    Off,
    Ping,
    Request,
    Set,
    Show,
)
from firmware_bridge.transports.emulated import EmulatedBoard
from firmware_bridge.transports.serial_port import SerialPort

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
        board.counts()  # the reports of what came before are in
        board.events.clear()
        wire.ask(Set(0, (RED,) * 20, latch=True))
        board.counts()
        answer_began_s = next(e["cycle"] for e in board.events if e["event"] == "tx") / 16e6
        question_ended_s = [e["cycle"] for e in board.events if e["event"] == "rx"][-1] / 16e6
        assert question_ended_s < board.written[-1].started_s
        assert board.written[-1].ended_s < answer_began_s < board.written[-1].ended_s + 0.001


def test_the_wire_is_near_the_speed_of_its_bits(start_board: StartBoard) -> None:
    """60 lamps: over 150 pictures a second in the board's own time, under 1.15 of the bits' time."""
    board = start_board(lamps=60)
    picture = random_picture(60, random.Random(1), brightest=255)
    with Link(lambda: SerialPort(board.port), session=patient, budget_ma=1e6) as link:
        link.show(picture)
        with board.watch() as writes:
            for _ in range(40):
                link.show(picture)
        assert link.status.repeated == 0
    steps = sorted(later.ended_s - earlier.ended_s for earlier, later in pairwise(writes))
    median_s = steps[len(steps) // 2]
    assert 1 / median_s > 150
    assert 1.0 <= median_s / floor_s(picture) < 1.15


# --- the receive buffer ------------------------------------------------------------------------------


def test_who_talks_while_the_strip_is_written_is_not_heard(start_board: StartBoard) -> None:
    """The real UART holds two bytes and one in its shift register; simavr's own would have held 64."""
    board = start_board(lamps=150)
    wire = Wire(board)
    wire.ask(Hello(150))
    both = wire.frame(Show()) + wire.frame(Ping()) + encode(Frame(Request.PING, 77, b"")) * 20
    wire.say(both, answers=3)
    assert board.counts()["overrun"] > 50
    greeting = wire.say(encode(Frame(Request.HELLO, 9, bytes((1, 150)))), answers=99)[-1]
    assert greeting.type == Request.HELLO | ANSWER, "and afterwards all is well again"
    overruns = int.from_bytes(greeting.payload[-2:])
    assert overruns >= 1, "the board noticed"


def test_who_waits_for_the_answer_never_loses_a_byte(start_board: StartBoard) -> None:
    board = start_board(lamps=150)
    with Link(lambda: SerialPort(board.port), session=patient) as link:
        for _ in range(20):
            link.show([(9, 9, 9)] * 150)
        link.tend()
        assert link.status.pong is not None
        assert link.status.pong.overruns == 0
        assert link.status.repeated == 0
    assert board.counts()["overrun"] == 0


# --- buttons -----------------------------------------------------------------------------------------


def test_buttons_are_debounced_and_presses_remembered(board: EmulatedBoard, link: Link) -> None:
    link.show([RED])
    board.press(3)
    board.wait(0.005)
    board.release(3)
    board.wait(0.05)
    link.tend()
    assert link.take_presses() == 0, "5 ms are a bounce"
    board.press(3)
    board.wait(0.05)
    board.release(3)
    board.wait(0.05)
    link.tend()
    assert link.take_presses() == 0b1000
    assert link.buttons_down == 0
    board.press(0)
    board.press(2)
    board.wait(0.05)
    link.show([BLUE])
    assert link.buttons_down == 0b0101, "every answer brings the buttons"
