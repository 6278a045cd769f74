"""Builds firmware and emulator in a checkout, in `hardware/board/build`."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path
from typing import Literal, TypeAlias

from firmware_bridge.errors import EmulatorError

BOARD = Path(__file__).resolve().parents[2] / "hardware" / "board"
ELF = BOARD / "build" / "board.elf"
HEX = BOARD / "build" / "board.hex"
RUNNER = BOARD / "build" / "simulator"

OLD_BOOTLOADER = Path(
    "/usr/share/arduino/hardware/arduino/avr/bootloaders/atmega/ATmegaBOOT_168_atmega328.hex"
)

Bootloader: TypeAlias = Literal["optiboot", "atmegaboot"]
"""The bootloaders of boards on sale: of an Uno or newer Nano, and of an older Nano. Debian packages both."""


def bootloader(name: Bootloader) -> Path:
    """The original bootloader as Intel HEX, for `EmulatedBoard`; raises `EmulatorError` if it is missing."""
    if name == "optiboot":
        build("optiboot")
        return BOARD / "build" / "optiboot.hex"
    if not OLD_BOOTLOADER.exists():
        raise EmulatorError(f"{OLD_BOOTLOADER} is missing: apt install arduino-core-avr")
    return OLD_BOOTLOADER


def build(what: Literal["all", "firmware", "optiboot"] = "all") -> None:
    """Bring firmware and emulator up to date with their sources.

    Raises:
        EmulatorError: this is not a checkout, a tool is missing, or the build fails; the text says which.
    """
    if not (BOARD / "Makefile").is_file():
        raise EmulatorError(
            "the firmware is only in the checkout, not in the installed package; run there "
            "`python3 -m venv .venv`, `.venv/bin/pip install -e .`, `.venv/bin/stammtisch` with the same "
            "arguments; for a board.hex from another computer, `stammtisch board flash --hex board.hex` is "
            "enough here"
        )
    done = {"all": [ELF, RUNNER], "firmware": [HEX], "optiboot": [BOARD / "build" / "optiboot.hex"]}[what]
    if shutil.which("make") is None:
        if all(path.exists() for path in done):
            return
        raise EmulatorError("`make` is missing, so the firmware cannot be built: apt install make")
    (BOARD / "build").mkdir(exist_ok=True)
    with (BOARD / "build" / ".lock").open(
        "w", encoding="utf-8"
    ) as lock:  # two test processes must not build at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(
            ["make", "-s", "-C", str(BOARD), what], capture_output=True, text=True, check=False
        )
    if made.returncode:
        lines = [line for line in made.stderr.splitlines() if line and not line.startswith("make")]
        raise EmulatorError(lines[0] if lines else f"make -C {BOARD} failed: {made.stderr.strip()}")
