"""`stammtisch board measure` must not call a picture wrong when its own connection to the board was cut."""

from __future__ import annotations

import pytest

from firmware_bridge.errors import BoardLostError
from firmware_bridge.lamps import LampColours
from firmware_bridge.transports.loopback import Loopback, VirtualBoard
from table.cli.board_measure import LAMPS, MeasuredBoard, damaged


class CutAfter(Loopback):
    """A port that is lost after so many writes and, like a serial one, useless once closed."""

    def __init__(self, board: VirtualBoard, writes: int) -> None:
        super().__init__(board)
        self._left = writes

    def write(self, data: bytes) -> None:
        self._left -= 1
        if self._left < 0:
            raise BoardLostError("the cable was pulled")
        super().write(data)

    def close(self) -> None:
        self._left = 0


def test_a_link_that_is_lost_is_dialled_anew_and_no_picture_is_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    board = VirtualBoard(LAMPS)
    cuts = [5, 1, 30, 0, 10_000]
    wrong = damaged(
        MeasuredBoard("board", lambda: CutAfter(board, cuts.pop(0)), lambda: board.shown[-1][1]), 100, 1
    )
    assert wrong == 0
    assert cuts == [], "it was lost each time"
    assert "0 of 50 pictures wrong in 100 frames" in capsys.readouterr().out


def test_a_board_that_shows_something_else_is_counted() -> None:
    board, asked = VirtualBoard(LAMPS), iter(range(1000))

    def shown() -> LampColours:
        return board.shown[0 if next(asked) % 5 == 0 else -1][1]

    assert damaged(MeasuredBoard("board", lambda: Loopback(board), shown), 20, 1) == 2


def test_a_board_that_never_comes_back_is_an_error_and_no_wrong_picture() -> None:
    board = VirtualBoard(LAMPS)

    def gone() -> Loopback:
        raise BoardLostError("there is no port")

    with pytest.raises(BoardLostError, match="no port"):
        damaged(MeasuredBoard("board", gone, lambda: board.shown[-1][1]), 20, 1)
