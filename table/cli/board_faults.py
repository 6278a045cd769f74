"""`stammtisch board torture --faults`: one fault at a time, over the firmware in the emulator."""

from __future__ import annotations

import random
import time

from firmware_bridge.errors import BridgeError
from firmware_bridge.faults import Fault, FaultyWire
from firmware_bridge.link import Link
from firmware_bridge.measure import random_picture
from firmware_bridge.transports.emulated import BoardSetup, EmulatedBoard
from firmware_bridge.transports.serial_port import SerialPort

TRIES = 20
"""A picture that so many calls do not bring is lost."""


def run_faults(lamps: int, rounds: int, seed: int) -> int:
    """Strike each fault `rounds` times in a picture; 1 when a picture came out wrong or not at all."""
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
                failed, longest_s = _suffer(link, wire, board, fault, lamps, rounds, chance)
                wrong += failed
                print(
                    f"{fault.value:34} {rounds:4} times  {failed} wrong  longest {longest_s:.2f} s",
                    flush=True,
                )
            status = link.status
    print(f"{wire.struck} faults, {wrong} wrong; {status.repeated} repetitions, {status.greetings} greetings")
    return 1 if wrong else 0


def _suffer(
    link: Link,
    wire: FaultyWire,
    board: EmulatedBoard,
    fault: Fault,
    lamps: int,
    rounds: int,
    chance: random.Random,
) -> tuple[int, float]:
    failed, longest_s = 0, 0.0
    for _ in range(rounds):
        picture = random_picture(lamps, chance)
        wire.suffer(fault)
        begun_s = time.monotonic()
        shown = _shown(link, picture)
        longest_s = max(longest_s, time.monotonic() - begun_s)
        failed += not shown or not board.await_colours(link.as_sent(picture), 5.0)
    return failed, longest_s


def _shown(link: Link, picture: tuple[tuple[int, int, int], ...]) -> bool:
    """As the house does it: what cannot be shown now is shown by the next call."""
    for _ in range(TRIES):
        try:
            link.show(picture)
            return True
        except BridgeError:
            time.sleep(0.05)
    return False
