"""Properties of the machine on which speed depends; small boards also report their state."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

SEND = """\
Please send the lines above as they are, with a word on camera, cooling and power supply, as an issue
titled "bench: <your board>". Nothing in them tells who or where you are."""
_MODEL = Path("/proc/device-tree/model")
_HEAT = Path("/sys/class/thermal/thermal_zone0/temp")
_CLOCK = Path("/sys/devices/system/cpu/cpu0/cpufreq")
_LIBRARIES = ("opencv-python-headless", "numpy", "stammtisch")


def machine() -> dict[str, Any]:
    """Return board or processor, cores, memory, system and libraries; unknown ones are left out."""
    known = {
        "board": _read(_MODEL) or _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_mb": _memory_mb(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: found for name in _LIBRARIES if (found := _version(name))},
    }
    return {name: value for name, value in known.items() if value}


def condition() -> dict[str, Any]:
    """Return what changes during a run: heat in °C, clock in MHz, whether power or heat throttled it."""
    heat, clock = _read(_HEAT), _read(_CLOCK / "scaling_cur_freq")
    known = {
        "heat_c": int(heat) / 1000 if heat.isdigit() else None,
        "clock_mhz": int(clock) // 1000 if clock.isdigit() else None,
        "governor": _read(_CLOCK / "scaling_governor"),
        "throttled": _throttled(),
    }
    return {name: value for name, value in known.items() if value}


def _throttled() -> str:
    """The report of a Raspberry Pi's firmware: 0x0 is good (vcgencmd get_throttled)."""
    try:
        said = subprocess.run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.stdout.strip().removeprefix("throttled=")


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip("\0\n ")
    except OSError:
        return ""


def _processor() -> str:
    named = [line for line in _read(Path("/proc/cpuinfo")).splitlines() if line.startswith("model name")]
    return named[0].partition(":")[2].strip() if named else platform.processor()


def _memory_mb() -> int:
    told = _read(Path("/proc/meminfo")).split()
    return int(told[1]) // 1024 if len(told) > 1 and told[1].isdigit() else 0


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
