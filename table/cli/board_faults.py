"""`stammtisch board torture --faults`: one fault at a time, over the firmware in the emulator."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from firmware_bridge.errors import BridgeError
from firmware_bridge.faults import Fault, FaultyWire
from firmware_bridge.link import Link
from firmware_bridge.measure import random_picture
from firmware_bridge.transports.emulated import BoardSetup, EmulatedBoard
from firmware_bridge.transports.serial_port import SerialPort

TRIES = 20
"""Number of calls after which a picture counts as lost."""


def run_faults(lamps: int, rounds: int, seed: int) -> int:
    """Cause each fault `rounds` times during a picture; return 1 if one came out wrong or not at all."""
    chance = random.Random(seed)
    wrong = 0
    with EmulatedBoard(BoardSetup(lamps)) as board:

        def strike(fault: Fault) -> None:
            if fault is Fault.HANG:
                board.hang()
            else:
                board.reset("power" if fault is Fault.POWER else "brown-out")

        wire = FaultyWire(lambda: SerialPort(board.port), strike, chance)
        with Link(wire.dial) as link:
            link.show(random_picture(lamps, chance))
            for fault in Fault:
                failed, longest_s = _suffer(_Rig(link, wire, board, lamps), fault, rounds, chance)
                wrong += failed
                print(
                    f"{fault.value:34} {rounds:4} times  {failed} wrong  longest {longest_s:.2f} s",
                    flush=True,
                )
            status = link.status
    print(f"{wire.struck} faults, {wrong} wrong; {status.repeated} repetitions, {status.greetings} greetings")
    return 1 if wrong else 0


@dataclass(frozen=True, slots=True)
class _Rig:
    """The setup under test: a board with its lamps, the wire to it, and the link over that."""

    link: Link
    wire: FaultyWire
    board: EmulatedBoard
    lamps: int


def _suffer(rig: _Rig, fault: Fault, rounds: int, chance: random.Random) -> tuple[int, float]:
    """How many pictures were not shown after a fault, and how many seconds the slowest took."""
    failed, longest_s = 0, 0.0
    for _ in range(rounds):
        picture = random_picture(rig.lamps, chance)
        rig.wire.suffer(fault)
        begun_s = time.monotonic()
        shown = _shown(rig.link, picture)
        longest_s = max(longest_s, time.monotonic() - begun_s)
        failed += not shown or not rig.board.await_colours(rig.link.as_sent(picture), 5.0)
    return failed, longest_s


def _shown(link: Link, picture: tuple[tuple[int, int, int], ...]) -> bool:
    """Show a picture as the table does: if it cannot be shown now, the next call shows it."""
    for _ in range(TRIES):
        try:
            link.show(picture)
            return True
        except BridgeError:
            time.sleep(0.05)
    return False
