"""What the firmware's tests need on this machine."""

from __future__ import annotations

import shutil
from pathlib import Path


def tools_missing() -> list[str]:
    """Packages to install before firmware and emulator can be built here; empty if nothing is missing."""
    needed = {
        "make": "make",
        "cc": "gcc",
        "avr-gcc": "gcc-avr avr-libc",
    }
    missing = [package for tool, package in needed.items() if shutil.which(tool) is None]
    if not Path("/usr/include/simavr/sim_avr.h").exists():
        missing.append("libsimavr-dev")
    return missing
