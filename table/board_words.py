"""Errors of the wire to the lamp board as facts of the catalogue, for people at the table."""

from __future__ import annotations

from firmware_bridge.errors import BridgeError
from table.catalogue import Argument, Fact, fact, foreign


def board_told(wrong: BaseException) -> Fact:
    """An error of the wire as a fact; its own English sentence if it has no code.

    A test checks that the catalogue has every code of `firmware_bridge` and its arguments.
    """
    if not isinstance(wrong, BridgeError) or wrong.code is None:
        return foreign(str(wrong))
    return fact(f"board.{wrong.code}", **{name: _argument(told) for name, told in wrong.told.items()})


def _argument(told: object) -> Argument:
    if isinstance(told, tuple):
        return [_argument(each) for each in told]
    return board_told(told) if isinstance(told, BaseException) else str(told)
