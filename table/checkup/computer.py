"""The machine itself: power and heat, disk and its wear, clock, versions; what cannot be read is told."""

from __future__ import annotations

import ctypes
import importlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from table.catalogue import fact, foreign
from table.checkup.verdict import CheckupLine
from table.journal.file import of_disk
from table.messages import CLOCK_SET_S

LEAST_DISK_MB = 200
"""Least free space: an evening takes a few megabytes, and with less the night may end early."""

_LARGE_DISK_MB = 10_000
"""Size from which on room is told in gigabytes."""

WORN = 80
"""Per cent of its life that a memory reports as used, from which on it should be replaced."""

_PACKAGES = ("cv2", "numpy", "serial", "starlette", "uvicorn", "websockets", "msgspec")

_TIME_ERROR = 5
"""adjtimex(2) returns this while the clock is not synchronised."""

_THROTTLED = (
    (0, fact("checkup.power.now-low")),
    (2, fact("checkup.power.now-slow")),
    (3, fact("checkup.power.now-hot")),
    (16, fact("checkup.power.was-low")),
    (18, fact("checkup.power.was-slow")),
    (19, fact("checkup.power.was-hot")),
)
"""Bits of `vcgencmd get_throttled`
(https://www.raspberrypi.com/documentation/computers/os.html#get_throttled)."""


def vcgencmd(word: str) -> str | None:
    """The answer of a Raspberry Pi to `vcgencmd WORD`, empty where it refuses; None off a Pi."""
    if shutil.which("vcgencmd") is None:
        return None
    try:
        said = subprocess.run(["vcgencmd", word], capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return said.stdout.strip()


def power(ask: Callable[[str], str | None] = vcgencmd, sys_fs: Path = Path("/sys")) -> CheckupLine:
    """Power supply and heat, as the Pi's firmware reports them; off a Pi the kernel's thermometer alone."""
    told = ask("get_throttled")
    heat = (ask("measure_temp") or "").partition("=")[2].rstrip("'C") or _zone(sys_fs)
    warm = fact("checkup.heat", n=heat) if heat else fact("checkup.heat.none")
    if told is None:
        return CheckupLine("power", None, fact("checkup.power.off", heat=warm))
    try:
        bits = int(told.partition("=")[2], 16)
    except ValueError:
        mute = fact("checkup.power.mute", heat=warm)
        return CheckupLine("power", None, mute, fact("checkup.power.mute.do"))
    wrong = [told for bit, told in _THROTTLED if bits >> bit & 1]
    if not wrong:
        return CheckupLine("power", True, fact("checkup.power.well", heat=warm))
    said = fact("checkup.power.bad", what=wrong, heat=warm)
    weak, hot = bits & 0x10001, bits & 0x80008
    remedies = [fact("checkup.power.weak.do")] if weak else []
    if hot or not weak:
        remedies.append(fact("checkup.power.hot.do"))
    return CheckupLine("power", False, said, fact("checkup.power.do", what=remedies))


def _zone(sys_fs: Path) -> str:
    """Degrees of the hottest place that the kernel knows; empty where it knows none."""
    found = []
    for place in sys_fs.glob("class/thermal/thermal_zone*/temp"):
        try:
            found.append(int(place.read_text("utf-8")) / 1000)
        except (OSError, ValueError):
            continue
    return f"{max(found):.0f}" if found else ""


def disk(place: Path, sys_fs: Path = Path("/sys")) -> CheckupLine:
    """Free space and permissions where the journal lies, and how worn that disk is, if it reports it."""
    folder = next(parent for parent in place.absolute().parents if parent.exists())
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if of_disk(folder) == fact("journal.locked"):
        said = fact("checkup.disk.locked", folder=str(folder))
        return CheckupLine("disk", False, said, fact("checkup.disk.locked.do"))
    if not os.access(folder, os.W_OK):
        said = fact("checkup.disk.rights", folder=str(folder))
        return CheckupLine("disk", False, said, fact("checkup.disk.rights.do"))
    room = fact("checkup.disk.room", n=free_mb)
    if free_mb >= _LARGE_DISK_MB:
        room = fact("checkup.disk.room.large", n=free_mb // 1000)
    if free_mb < LEAST_DISK_MB:
        said = fact("checkup.disk.full", folder=str(folder), n=free_mb)
        return CheckupLine("disk", False, said, fact("checkup.disk.full.do"))
    device = _device(folder, sys_fs)
    errors, used = _number(device, "errors_count"), _life(device)
    if errors:
        said = fact("checkup.disk.errors", room=room, n=errors)
        remedy = fact("checkup.disk.errors.do")
        return CheckupLine("disk", False, said, remedy)
    if used is None:
        unknown = fact("checkup.disk.wear.none", room=room)
        return CheckupLine("disk", True, unknown)
    said = fact("checkup.disk.wear", room=room, n=used)
    soon = fact("checkup.disk.wear.do")
    return CheckupLine("disk", used < WORN, said, soon if used >= WORN else None)


def _device(folder: Path, sys_fs: Path) -> list[Path]:
    """Folders of the kernel about the file system and the disk on which a folder lies."""
    number = folder.stat().st_dev
    try:
        part = (sys_fs / f"dev/block/{os.major(number)}:{os.minor(number)}").resolve(strict=True)
    except OSError:  # a file system without a disk of its own
        return []
    return [sys_fs / "fs/ext4" / part.name, part / "device", part.parent / "device"]


def _number(places: list[Path], name: str) -> int | None:
    for place in places:
        try:
            return int((place / name).read_text("utf-8"))
        except (OSError, ValueError):
            continue
    return None


def _life(places: list[Path]) -> int | None:
    """Per cent used of an eMMC: two estimates in steps of ten (JEDEC JESD84-B51, EXT_CSD 268 and 269)."""
    for place in places:
        try:
            return max(int(word, 16) for word in (place / "life_time").read_text("utf-8").split()) * 10
        except (OSError, ValueError):
            continue
    return None


def synchronised() -> bool | None:
    """Whether the kernel's clock follows a time server (adjtimex(2)); None where that is unknown."""
    try:
        asked = ctypes.create_string_buffer(512)  # struct timex; all zeros: only ask
        state = ctypes.CDLL(None).adjtimex(asked)
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != _TIME_ERROR


def clock(now: float, newest: float | None, follows: bool | None) -> CheckupLine:
    """`now` and the time of the journal's newest line, seconds since 1970; `follows`: see `synchronised`."""
    if now < CLOCK_SET_S:
        said = fact("checkup.clock.unset", date=time.strftime("%Y-%m-%d", time.gmtime(now)))
        return CheckupLine("clock", False, said, fact("checkup.clock.back.do"))
    if newest is not None and newest > now + 60:
        said = fact("checkup.clock.back", n=round((newest - now) / 3600, 1))
        remedy = fact("checkup.clock.back.do")  # fmt: skip
        return CheckupLine("clock", False, said, remedy)
    if follows is None:
        return CheckupLine("clock", None, fact("checkup.clock.none"))
    if follows:
        return CheckupLine("clock", True, fact("checkup.clock.well"))
    said = fact("checkup.clock.alone")  # fmt: skip
    return CheckupLine("clock", None, said)


def program() -> CheckupLine:
    """This program, Python, and the packages that it depends on."""
    try:
        versions = [f"stammtisch {version('stammtisch')}"]
    except PackageNotFoundError:
        versions = ["stammtisch (not installed)"]
    versions.append(f"Python {sys.version.split()[0]}")
    for package in _PACKAGES:
        try:
            module = importlib.import_module(package)
        except ImportError as wrong:
            missing = "opencv-python-headless" if package == "cv2" else package
            said = fact("checkup.package", name=package, why=str(wrong))
            return CheckupLine("program", False, said, fact("checkup.package.do", name=missing))
        versions.append(f"{package} {getattr(module, '__version__', '')}".strip())
    told = ", ".join(versions)
    return CheckupLine("program", True, foreign(told))
