"""A link to a board in memory, on a clock moved by hand."""

from __future__ import annotations

from firmware_bridge.errors import (
    BoardLostError,
)
from firmware_bridge.lamps import RGB
from firmware_bridge.link import Link
from firmware_bridge.transports.loopback import Loopback, VirtualBoard

RED: RGB = (255, 0, 0)


BLUE: RGB = (0, 0, 255)


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Table:
    """A board in Python on a cable that can be pulled, and a link to it."""

    def __init__(self, lamps: int = 4) -> None:
        self.clock = Clock()
        self.board = VirtualBoard(lamps, self.clock.now_s)
        self.port = Loopback(self.board, self.clock)
        self.dialled = 0
        self.link = Link(self._dial, clock=self.clock)

    def _dial(self) -> Loopback:
        self.dialled += 1
        if not self.port.plugged:
            raise BoardLostError("no board")
        return self.port

    @property
    def lamps(self) -> tuple[RGB, ...]:
        return self.board.shown[-1][1]


def listen(table: Table, seconds: float = 0.5) -> None:
    for _ in range(int(seconds / 0.06)):
        table.clock.now_s += 0.06
        table.link.tend()
