"""What the wire says of its troubles, in the house's own words where somebody at the table reads them."""

from __future__ import annotations

from firmware_bridge.errors import BridgeError
from table.catalogue import Fact, fact, foreign


def board_told(wrong: BaseException) -> Fact:
    """An error of the wire as a fact; a sentence of its own where the catalogue has no word for it."""
    if not isinstance(wrong, BridgeError) or wrong.code is None:
        return foreign(str(wrong))
    told = {name: each for name, each in wrong.told.items() if isinstance(each, str | int)}
    match wrong.code, told:
        case "board.port.none", {"port": port}:
            return fact("board.port.none", port=port)
        case "board.port.denied", {"port": port}:
            return fact("board.port.denied", port=port)
        case "board.port.busy", {"port": port}:
            return fact("board.port.busy", port=port)
        case "board.gone", {"port": port}:
            return fact("board.gone", port=port)
        case "board.silent", {"port": port}:
            return fact("board.silent", port=port)
        case "board.nonsense", {"port": port}:
            return fact("board.nonsense", port=port)
        case "board.absent", {"serial": serial}:
            return fact("board.absent", serial=serial)
        case "board.none", _:
            return fact("board.none")
        case "board.several", {"boards": boards, "name": name}:
            return fact("board.several", boards=boards, name=name)
        case "board.other", {"serial": serial, "boards": boards}:
            return fact("board.other", serial=serial, boards=boards)
        case "board.resets", _:
            return fact("board.resets")
        case "board.protocol", {"board": board, "program": program}:
            return fact("board.protocol", board=board, program=program)
        case "board.capacity", {"lamps": lamps, "capacity": capacity}:
            return fact("board.capacity", n=lamps, capacity=capacity)
        case "board.tried", _:
            return fact("board.tried", why=_each(wrong.told.get("tried")))
    return foreign(str(wrong))


def _each(tried: object) -> list[Fact]:
    return (
        [board_told(each) for each in tried if isinstance(each, BridgeError)]
        if isinstance(tried, tuple)
        else []
    )
