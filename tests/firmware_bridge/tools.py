"""What the firmware's tests need of this machine."""

from __future__ import annotations

import shutil
from pathlib import Path


def tools_missing() -> list[str]:
    """What must be installed before firmware and emulator can be built here; empty when nothing is."""
    needed = {
        "make": "make",
        "cc": "gcc",
        "avr-gcc": "gcc-avr avr-libc",
    }
    missing = [package for tool, package in needed.items() if shutil.which(tool) is None]
    if not Path("/usr/include/simavr/sim_avr.h").exists():
        missing.append("libsimavr-dev")
    return missing
