"""Boards are found by their identity, and opening a port leaves a running board alone. In simavr."""

from __future__ import annotations

import os
import pty
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.answers import Welcome
from firmware_bridge.errors import NoAnswerError, NoBoardError
from firmware_bridge.known import KnownBoard
from firmware_bridge.link import Link
from firmware_bridge.messages import ResetCause
from firmware_bridge.patience import GREETING
from firmware_bridge.transports.emulated import EmulatedBoard
from firmware_bridge.transports.finding import Seeker, find_board, meet, serial_of
from firmware_bridge.transports.serial_port import SerialPort
from table.cli.board_flash import christen
from tests.firmware_bridge.wire import BLUE, RED, StartBoard, enduring

Named = Callable[[int], EmulatedBoard]


@pytest.fixture
def named(start_board: StartBoard, tmp_path: Path) -> Named:
    """Boards with a serial number that they keep while unplugged."""

    def start(serial: int) -> EmulatedBoard:
        board = start_board(eeprom=tmp_path / f"{serial:08x}")
        with Link(lambda: SerialPort(board.port), session=enduring) as link:
            link.give_serial(serial)
            assert link.status.welcome is not None
            assert link.status.welcome.serial == serial
        return board

    return start


def test_the_board_is_found_among_ports(board: EmulatedBoard) -> None:
    port = find_board(["/dev/not-there", board.port])
    assert port.name == board.port
    port.close()


def test_a_serial_number_outlives_the_power(named: Named, start_board: StartBoard, tmp_path: Path) -> None:
    named(0x5EED0001).close()
    again = start_board(eeprom=tmp_path / "5eed0001")
    port, welcome = meet(again.port)
    port.close()
    assert welcome.serial == 0x5EED0001
    assert christen(again.port, None) == "lamp board 5eed0001"


def test_two_boards_are_told_apart(named: Named) -> None:
    left, right = named(0xA), named(0xB)
    both = [left.port, right.port]
    port = find_board(both, serial=0xB)
    assert port.name == right.port
    port.close()
    with pytest.raises(
        NoBoardError, match=r"several lamp boards: 0000000a on .*0000000b on .*serial:0000000a"
    ):
        find_board(both)
    with pytest.raises(NoBoardError, match="no lamp board with serial number 0000000c; there is"):
        find_board(both, serial=0xC)


def test_a_board_plugged_in_elsewhere_gets_its_picture_beside_another_one(
    named: Named, start_board: StartBoard, tmp_path: Path
) -> None:
    boards = [named(0xB), named(0xA)]
    seeker = Seeker(0xA, lambda: [board.port for board in boards if board.running])
    with Link(seeker, session=enduring, budget_ma=1e6) as link:
        link.show([RED] * 20)
        boards[1].close()
        with pytest.raises(NoBoardError, match="0000000a is not plugged in"):
            link.show([BLUE] * 20)
        boards.append(start_board(eeprom=tmp_path / "0000000a"))
        link.tend()
        assert boards[2].await_colours((BLUE,) * 20)
        assert RED not in (boards[0].colours or ())


def test_a_button_pushed_while_the_port_was_closed_is_told_once_the_board_is_found_again(
    named: Named,
) -> None:
    """The search greets the board as well and must not receive events in the table's place."""
    board = named(0xA)
    seeker = Seeker(0xA, lambda: [board.port])
    known = KnownBoard()
    with Link.open(seeker, budget_ma=1e6, known=known) as link:
        link.show([RED] * 20)
    board.press(1)
    board.wait(0.03)
    board.release(1)
    board.wait(0.2)
    with Link.open(seeker, budget_ma=1e6, known=known) as link:
        told = []
        for _ in range(100):
            link.tend()
            told += [(event.kind.name, event.value) for event in link.take_events()]
            if len(told) == 2:
                break
            board.wait(0.02)
    assert told == [("PRESSED", 1), ("RELEASED", 1)]


def test_a_board_that_was_silent_for_a_while_is_found_though_its_port_never_went(
    named: Named, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own supply was off while the USB chip had power; a stranger's silent port is asked seldom."""
    ours, asked, now_s = named(0xA).port, list[str](), [100.0]
    silent = {ours, "/dev/strange"}

    def met(path: str) -> tuple[SerialPort, Welcome]:
        asked.append(path)
        if path in silent:
            raise NoAnswerError("silence")
        return meet(path)

    monkeypatch.setattr("firmware_bridge.transports.finding.meet", met)
    seeker = Seeker(0xA, lambda: ["/dev/strange", ours], clock=lambda: now_s[0])
    for now_s[0] in (100.0, 101.0):
        with pytest.raises(NoBoardError):
            seeker()
    assert asked == ["/dev/strange", ours]
    silent.remove(ours)
    now_s[0] = 131.0
    seeker().close()
    silent.add(ours)
    for _ in range(3):
        with pytest.raises(NoBoardError):
            seeker()
    silent.remove(ours)
    seeker().close()
    assert asked[2:] == ["/dev/strange", ours, ours, ours, ours, ours]


def test_opening_the_port_again_leaves_a_running_board_alone(start_board: StartBoard) -> None:
    """A Nano resets when DTR rises; it keeps running if nobody lets DTR fall (HUPCL)."""
    board = start_board(dtr=True)
    for _ in range(4):
        with Link(lambda: SerialPort(board.port), session=enduring, budget_ma=1e6) as link:
            link.show([RED] * 20)
        board.wait(0.01)
    resets = [event["why"] for event in board.events if event["event"] == "reset"]
    assert resets == ["power", "button"], "the first opening only"
    assert link.status.welcome is not None
    assert link.status.welcome.reset_cause == ResetCause.BUTTON
    assert board.colours == (RED,) * 20


def test_another_sketch_is_told_from_silence_with_the_command_that_mends_it() -> None:
    ours, theirs = pty.openpty()
    path = os.ttyname(theirs)
    ended = threading.Event()

    def chatter() -> None:
        while not ended.wait(0.05):
            os.write(ours, b"Temperature: 21.5\r\n")

    talker = threading.Thread(target=chatter)
    talker.start()
    try:
        with pytest.raises(
            NoAnswerError, match=rf"{path} answers, but not as a lamp board.*board flash --port"
        ):
            meet(path, replace(GREETING, give_up_s=0.5))
    finally:
        ended.set()
        talker.join()
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("text", ["", "xyz", "0", "ffffffff", "123456789"])
def test_what_is_no_serial_number_is_said_in_words(text: str) -> None:
    with pytest.raises(NoBoardError, match="is not a serial number: see `stammtisch board find`"):
        serial_of(text)
