"""Boards to test against: the firmware in simavr, whose time the test moves, and the one in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from firmware_bridge.link import Link
from firmware_bridge.transports.emulated import MEMORY, BoardPace, BoardSetup, EmulatedBoard
from firmware_bridge.transports.serial_port import SerialPort
from tests.firmware_bridge.tools import tools_missing
from tests.firmware_bridge.wire import StartBoard, enduring


@pytest.fixture
def start_board() -> Iterator[StartBoard]:
    """Start emulated boards (time moves only when asked); they are switched off after the test."""
    if missing := tools_missing():
        pytest.skip(f"no emulated board without: apt install {' '.join(missing)}")
    started: list[EmulatedBoard] = []

    def start(pace: BoardPace = "asked", memory: int = MEMORY, **setup: Any) -> EmulatedBoard:
        board = EmulatedBoard(BoardSetup(**{"lamps": 20, **setup}), pace=pace, memory=memory)
        started.append(board)
        board.wait(0.02)  # start-up is over
        return board

    yield start
    for board in started:
        board.close()


@pytest.fixture
def board(start_board: StartBoard) -> EmulatedBoard:
    """The real firmware with a strip of 20 lamps."""
    return start_board()


@pytest.fixture
def link(board: EmulatedBoard) -> Iterator[Link]:
    """A link to `board` over pyserial; no power budget, so that colours arrive as they are."""
    with Link(lambda: SerialPort(board.port), session=enduring, budget_ma=1e6) as link:
        yield link
