"""`stammtisch board simulate`: an emulated board that prints what is written onto its strip."""

from __future__ import annotations

import sys
import time

from firmware_bridge.lamps import LampColours
from firmware_bridge.transports.emulated import BoardSetup, EmulatedBoard, Written


def run_simulate(lamps: int, seconds: float | None) -> int:
    """Run the emulated board until Ctrl-C or for `seconds`."""
    with EmulatedBoard(BoardSetup(lamps, dtr=True), on_written=_print_lamps) as board:
        print(
            f"the board is on {board.port}; try `stammtisch board test --port {board.port} --lamps {lamps}`"
        )
        print("Ctrl-C switches it off", flush=True)
        end_s = None if seconds is None else time.monotonic() + seconds
        while board.running and (end_s is None or time.monotonic() < end_s):
            time.sleep(0.2)
    return 0


def _print_lamps(written: Written) -> None:
    wrong = f"  {written.violations} edges against the data sheet" if written.violations else ""
    print(f"{written.ended_s:10.3f} s  {_blocks(written.colours)}{wrong}", flush=True)


def _blocks(picture: LampColours) -> str:
    if not sys.stdout.isatty():
        return " ".join(f"{r:02x}{g:02x}{b:02x}" for r, g, b in picture)
    return "".join(f"\x1b[38;2;{r};{g};{b}m■" for r, g, b in picture) + "\x1b[0m"
