"""Runs the emulated board and the house on the board's clock, so that measurements agree on any machine."""

from __future__ import annotations

from firmware_bridge.transports.emulated import EmulatedBoard
from firmware_bridge.transports.serial_port import SerialPort

STEP_S = 0.0005
"""Time between two reads by the house, on the board's clock."""


class LockstepPort(SerialPort):
    """The port of a board with pace `lockstep`, whose time passes only while a caller waits for an answer.

    Give the `Link` the same clock: `clock=lambda: board.now_s`.
    """

    def __init__(self, board: EmulatedBoard) -> None:
        """Open the board's port; closing the port does not end the board."""
        super().__init__(board.port)
        self._board = board

    def read(self, patience_s: float) -> bytes:
        """Whatever arrives within `patience_s` of the board's time; raises `BoardLostError`."""
        end_s = self._board.now_s + patience_s
        while not (data := super().read(0.0)) and self._board.now_s < end_s:
            self._board.wait(min(STEP_S, max(1e-6, end_s - self._board.now_s)))
        return data
