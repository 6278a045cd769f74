"""`stammtisch board torture --replugs`: a plugged-in board must show its picture once its port is open."""

from __future__ import annotations

import random
from statistics import median

from firmware_bridge.errors import BridgeError
from firmware_bridge.link import Link
from firmware_bridge.measure import random_picture
from firmware_bridge.transports.emulated import BoardSetup, EmulatedBoard
from firmware_bridge.transports.firmware import Bootloader, bootloader
from firmware_bridge.transports.lockstep import LockstepPort

AIM_S = 1.0
"""How long after its port is opened a board may take to show its picture again."""

KINDS: dict[str, Bootloader | None] = {
    "no bootloader": None,
    "Optiboot": "optiboot",
    "ATmegaBOOT": "atmegaboot",
}


def run_replugs(lamps: int, rounds: int, seed: int) -> int:
    """Plug in a board of each kind `rounds` times, on the board's clock; return 1 if one was late or wrong.

    Raises:
        EmulatorError: the emulator or a bootloader is missing.
    """
    late = 0
    for name, kind in KINDS.items():
        chance = random.Random(seed)
        took_s = [_plugged_in(kind, lamps, chance) for _ in range(rounds)]
        in_time = [seconds for seconds in took_s if seconds is not None and seconds <= AIM_S]
        late += rounds - len(in_time)
        seen = sorted(seconds for seconds in took_s if seconds is not None)
        times = f"median {median(seen):.2f} s, longest {seen[-1]:.2f} s" if seen else "never"
        print(f"{name:14} {len(in_time)} of {rounds} within {AIM_S:.1f} s  {times}", flush=True)
    return 1 if late else 0


def _plugged_in(kind: Bootloader | None, lamps: int, chance: random.Random) -> float | None:
    """Board time in seconds from the opening of the port to the picture's last edge; None: none came."""
    found = None if kind is None else bootloader(kind)
    with EmulatedBoard(BoardSetup(lamps, dtr=True, bootloader=found), pace="lockstep") as board:
        board.wait(chance.uniform(0.0, 1.0))  # until the computer has noticed the plug
        opened_s, picture = board.now_s, random_picture(lamps, chance)

        def dial() -> LockstepPort:
            port = LockstepPort(board)
            board.wait(chance.uniform(0.0001, 0.1))  # after opening, another process gets the CPU
            return port

        with Link(dial, budget_ma=1e6, clock=lambda: board.now_s) as link:
            try:
                link.show(picture)
            except BridgeError:
                return None
            board.counts()
        shown = board.written[-1]
        return shown.ended_s - opened_s if shown.colours == picture else None
