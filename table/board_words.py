"""What the wire says of its troubles, in the house's own words where somebody at the table reads them."""

from __future__ import annotations

from firmware_bridge.errors import BridgeError
from table.catalogue import Argument, Fact, fact, foreign


def board_told(wrong: BaseException) -> Fact:
    """An error of the wire as a fact; a sentence of its own where the catalogue has no word for it.

    A test holds every code of `firmware_bridge` and what it tells to the catalogue.
    """
    if not isinstance(wrong, BridgeError) or wrong.code is None:
        return foreign(str(wrong))
    return fact(f"board.{wrong.code}", **{name: _argument(told) for name, told in wrong.told.items()})


def _argument(told: object) -> Argument:
    if isinstance(told, tuple):
        return [_argument(each) for each in told]
    return board_told(told) if isinstance(told, BaseException) else str(told)
