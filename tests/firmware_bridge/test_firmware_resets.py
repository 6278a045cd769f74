"""The real firmware under silence, resets and pulled cables: the lamps fade, the picture comes back.

Skipped, with the reason, only where avr-gcc or simavr is not installed.
"""

from __future__ import annotations

import random

import pytest

from firmware_bridge.errors import BridgeError, NoBoardError, RefusedError
from firmware_bridge.lamps import LampColours, dark
from firmware_bridge.link import Link
from firmware_bridge.measure import random_picture
from firmware_bridge.messages import Fill, Hello, Message, ResetCause, Set
from firmware_bridge.transports.emulated import EmulatedBoard
from firmware_bridge.transports.loopback import ASLEEP
from firmware_bridge.transports.serial_port import SerialPort
from tests.firmware_bridge.wire import BLUE, GREEN, RED, StartBoard, Wire, enduring

DIM = (0, 0, 9)


def test_without_a_host_the_lamps_fade_and_one_glows(board: EmulatedBoard, link: Link) -> None:
    link.show([(200, 100, 50)] * 20)
    board.wait(0.95)
    assert board.colours == ((200, 100, 50),) * 20
    with board.watch() as writes:
        board.wait(2.0)
    asleep: LampColours = (ASLEEP, *dark(19))
    assert board.colours == asleep
    fading = [written.colours[5][0] for written in writes]
    assert len(fading) > 10
    assert fading == sorted(fading, reverse=True), "darker step by step"
    board.wait(30.0)
    assert board.colours == asleep
    link.tend()
    assert board.await_colours(((200, 100, 50),) * 20), "the host is back, and so is the picture"


@pytest.mark.parametrize("said", [Fill((255, 255, 255), latch=True), Set(0, ((200, 0, 0),))])
def test_what_was_refused_or_not_shown_never_lights_when_the_host_falls_silent(
    board: EmulatedBoard, said: Message
) -> None:
    wire = Wire(board)
    wire.ask(Hello(20, 500))
    wire.ask(Set(0, (DIM,) * 20, latch=True))
    wire.ask(said)
    with board.watch() as writes:
        board.wait(2.0)
    assert board.colours == (ASLEEP, *dark(19))
    assert all(colour in (DIM, ASLEEP, (0, 0, 0)) for written in writes for colour in written.colours)


def test_a_tended_board_stays_awake(board: EmulatedBoard, link: Link) -> None:
    link.show([RED] * 20)
    with board.watch() as writes:
        for _ in range(20):
            board.wait(0.9)
            link.tend()
    assert not writes
    assert link.status.pong is not None
    assert 18.0 < link.status.pong.uptime_s < 18.5, "the board's clock stays true while strips are written"


def test_a_hung_firmware_is_bitten_by_its_watchdog_and_gets_its_picture_back(
    board: EmulatedBoard, link: Link
) -> None:
    link.show([RED] * 20)
    board.hang()
    board.wait(1.0)
    assert board.events[-1]["event"] == "reset"
    assert board.events[-1]["why"] == "watchdog"
    assert board.colours == (ASLEEP, *dark(19)), "a reset board does not leave old colours standing"
    link.tend()
    assert board.await_colours((RED,) * 20)
    assert link.status.welcome is not None
    assert link.status.welcome.reset_cause == ResetCause.WATCHDOG


@pytest.mark.parametrize(
    ("why", "cause"),
    [("power", ResetCause.POWER), ("button", ResetCause.BUTTON), ("brown-out", ResetCause.BROWN_OUT)],
)
def test_a_reset_board_says_why_and_gets_its_picture_back(
    board: EmulatedBoard, link: Link, why: str, cause: ResetCause
) -> None:
    link.show([GREEN] * 20)
    board.reset(why)  # type: ignore[arg-type]
    board.wait(0.02)
    link.show([GREEN] * 20)
    assert board.await_colours((GREEN,) * 20)
    assert link.status.welcome is not None
    assert link.status.welcome.reset_cause == cause
    assert link.status.greetings >= 2


def told(board: EmulatedBoard, link: Link, seconds: float = 0.3) -> list[tuple[str, int]]:
    """The board's events in so many seconds of its time."""
    events = []
    for _ in range(round(seconds / 0.02)):
        board.wait(0.02)
        link.tend()
        events += [(event.kind.name, event.value) for event in link.take_events()]
    return events


@pytest.mark.parametrize("why", ["watchdog", "button", "brown-out"])
def test_a_press_that_nobody_has_heard_outlives_a_reset(board: EmulatedBoard, link: Link, why: str) -> None:
    """And a button that is held during it is not pressed again."""
    link.tend()
    board.wait(1.1)  # the host is silent
    board.press(1)
    board.press(3)
    board.wait(0.05)
    board.release(3)
    board.wait(0.05)
    if why == "watchdog":
        board.hang()
    else:
        board.reset(why)  # type: ignore[arg-type]
    board.wait(0.7)
    assert told(board, link) == [("PRESSED", 1), ("PRESSED", 3), ("RELEASED", 3)]
    board.reset("brown-out")
    board.wait(0.05)
    assert told(board, link) == []
    assert link.buttons_down == 0b0010
    board.release(1)
    assert told(board, link) == [("RELEASED", 1)]


def test_without_power_presses_are_forgotten_and_a_held_button_is_none(
    board: EmulatedBoard, link: Link
) -> None:
    link.tend()
    board.wait(1.1)
    board.press(2)
    board.wait(0.05)
    board.reset("power")
    board.wait(0.05)
    assert told(board, link) == []
    assert link.buttons_down == 0b0100
    board.release(2)
    board.wait(0.05)
    board.press(2)
    assert told(board, link) == [("RELEASED", 2), ("PRESSED", 2)]


def test_a_memory_that_a_reset_has_spoilt_is_not_believed(start_board: StartBoard) -> None:
    """Each power cut increases the count although memory comes up the same: `boot` is in the EEPROM."""
    board = start_board()
    boots = []
    with Link(lambda: SerialPort(board.port), session=enduring) as link:
        for _ in range(3):
            link.tend()
            assert link.status.welcome is not None
            boots.append(link.status.welcome.boot)
            board.reset("power")
            board.wait(0.02)
    assert len(set(boots)) == 3


def test_resets_in_the_middle_of_pictures_lose_nothing(board: EmulatedBoard, link: Link) -> None:
    chance = random.Random(8)
    for _ in range(15):
        picture = random_picture(20, chance, brightest=255)
        link.show(picture)
        board.reset("brown-out")
        board.wait(chance.random() * 0.01)
        link.tend()
        assert board.await_colours(picture)


def test_unplugged_and_plugged_in_elsewhere(start_board: StartBoard) -> None:
    boards = [start_board()]
    with Link(lambda: SerialPort(boards[-1].port), session=enduring, budget_ma=1e6) as link:
        link.show([RED] * 20)
        boards[-1].close()
        with pytest.raises(BridgeError, match="plug"):
            link.show([BLUE] * 20)
        boards.append(start_board())
        link.tend()
        assert boards[-1].await_colours((BLUE,) * 20)


def test_two_programs_cannot_have_the_same_port(board: EmulatedBoard) -> None:
    first = SerialPort(board.port)
    with pytest.raises(NoBoardError, match="used by another program"):
        SerialPort(board.port)
    first.close()


def test_a_refusal_reaches_the_house_in_words(board: EmulatedBoard, link: Link) -> None:
    link.show([RED])
    link._do([Set(0, (RED,))])
    with pytest.raises(RefusedError, match="refused SET: out_of_range"):
        link._do([Set(5, (RED,))])
