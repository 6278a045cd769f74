"""The machine itself: power and heat, disk and its wear, clock, versions; what cannot be read is said."""

from __future__ import annotations

import ctypes
import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from table.checkup.verdict import CheckupLine, Words

LEAST_DISK_MB = 200
"""An evening takes a few megabytes; less than this and the night may end early."""

WORN = 80
"""Per cent of its life that a memory has used, as it says itself; from here on it should be replaced."""

_PACKAGES = ("cv2", "numpy", "serial", "starlette", "uvicorn", "websockets", "msgspec")

_TIME_ERROR = 5
"""adjtimex(2) returns this while the clock is not synchronised."""

_THROTTLED = (
    (0, "voltage is too low now", "die Spannung ist jetzt zu niedrig"),
    (2, "the processor is slowed down now", "der Prozessor wird jetzt gebremst"),
    (3, "too hot now", "jetzt zu heiß"),
    (16, "voltage was too low since the start", "die Spannung war seit dem Start zu niedrig"),
    (18, "the processor was slowed down since the start", "der Prozessor wurde seit dem Start gebremst"),
    (19, "it was too hot since the start", "seit dem Start war es zu heiß"),
)
"""Bits of `vcgencmd get_throttled`
(https://www.raspberrypi.com/documentation/computers/os.html#get_throttled)."""


def vcgencmd(word: str) -> str | None:
    """What a Raspberry Pi says to `vcgencmd WORD`; None off a Pi."""
    if shutil.which("vcgencmd") is None:
        return None
    try:
        said = subprocess.run(["vcgencmd", word], capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return said.stdout.strip()


def power(ask: Callable[[str], str | None] = vcgencmd, sys_fs: Path = Path("/sys")) -> CheckupLine:
    """Power supply and heat, as the Pi's firmware reports them; off a Pi the kernel's thermometer alone."""
    told = ask("get_throttled")
    heat = (ask("measure_temp") or "").partition("=")[2].rstrip("'C") or _zone(sys_fs)
    warm = (
        Words(f"{heat} °C", f"{heat} °C") if heat else Words("its heat cannot be read", "Wärme nicht lesbar")
    )
    try:
        bits = int((told or "").partition("=")[2], 16)
    except ValueError:
        off = Words(
            f"{warm.en}; no vcgencmd here, so nobody measures the power (this is no Raspberry Pi)",
            f"{warm.de}; kein vcgencmd, also misst niemand den Strom (kein Raspberry Pi)",
        )
        return CheckupLine("power", None, off)
    wrong = [(en, de) for bit, en, de in _THROTTLED if bits >> bit & 1]
    if not wrong:
        return CheckupLine("power", True, Words(f"enough power, {warm.en}", f"genug Strom, {warm.de}"))
    said = Words(*(", ".join(each) + f", {heat} °C" for each in zip(*wrong, strict=True)))
    weak = bits & 0x10001
    remedy = (
        Words(
            "use the Pi's own power supply and a short cable",
            "das Netzteil des Pi und ein kurzes Kabel nehmen",
        )
        if weak
        else Words("give it air or a heat sink", "Luft lassen oder kühlen")
    )
    return CheckupLine("power", False, said, remedy)


def _zone(sys_fs: Path) -> str:
    """Degrees of the hottest place that the kernel knows of; empty where it knows of none."""
    found = []
    for place in sys_fs.glob("class/thermal/thermal_zone*/temp"):
        try:
            found.append(int(place.read_text()) / 1000)
        except (OSError, ValueError):
            continue
    return f"{max(found):.0f}" if found else ""


def disk(place: Path, sys_fs: Path = Path("/sys")) -> CheckupLine:
    """Room and rights where the journal lies, and how worn that disk is where it says so."""
    folder = next(parent for parent in place.absolute().parents if parent.exists())
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if not os.access(folder, os.W_OK):
        said = Words(f"{folder} may not be written", f"in {folder} darf nicht geschrieben werden")
        return CheckupLine(
            "disk", False, said, Words("choose another place with --journal", "anderes --journal wählen")
        )
    room = Words(f"{free_mb} MB free", f"{free_mb} MB frei")
    if free_mb < LEAST_DISK_MB:
        said = Words(f"{folder} has only {free_mb} MB left", f"{folder} hat nur noch {free_mb} MB frei")
        return CheckupLine(
            "disk", False, said, Words("free some space before the evening", "vorher Platz schaffen")
        )
    device = _device(folder, sys_fs)
    errors, used = _number(device, "errors_count"), _life(device)
    if errors:
        said = Words(
            f"{room.en}, its file system has met {errors} errors",
            f"{room.de}, {errors} Fehler im Dateisystem",
        )
        remedy = Words(
            "make a copy (stammtisch backup), replace the disk", "stammtisch backup, Karte ersetzen"
        )
        return CheckupLine("disk", False, said, remedy)
    if used is None:
        unknown = Words(f"{room.en}; this disk does not tell its wear", f"{room.de}; Abnutzung nicht lesbar")
        return CheckupLine("disk", True, unknown)
    said = Words(
        f"{room.en}, {used} % of its life are used", f"{room.de}, {used} % der Lebensdauer verbraucht"
    )
    soon = Words(
        "replace the card or disk soon; make a stammtisch backup",
        "Karte bald ersetzen; stammtisch backup machen",
    )
    return CheckupLine("disk", used < WORN, said, soon if used >= WORN else Words())


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
            return int((place / name).read_text())
        except (OSError, ValueError):
            continue
    return None


def _life(places: list[Path]) -> int | None:
    """Per cent used of an eMMC: two estimates in steps of ten (JEDEC JESD84-B51, EXT_CSD 268 and 269)."""
    for place in places:
        try:
            return max(int(word, 16) for word in (place / "life_time").read_text().split()) * 10
        except (OSError, ValueError):
            continue
    return None


def synchronised() -> bool | None:
    """Whether the kernel's clock follows a time server (adjtimex(2)); None where nobody can say."""
    try:
        asked = ctypes.create_string_buffer(512)  # struct timex; all zeros: only ask
        state = ctypes.CDLL(None).adjtimex(asked)
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != _TIME_ERROR


def clock(now: float, newest: float | None, follows: bool | None) -> CheckupLine:
    """`now` and the time of the journal's newest line, seconds since 1970; `follows`: see `synchronised`."""
    if newest is not None and newest > now + 60:
        behind = f"{(newest - now) / 3600:.1f}"
        said = Words(f"{behind} h behind the newest line of the journal: it was set back",
                     f"{behind} h hinter der neuesten Zeile im Protokoll, also zurückgestellt")  # fmt: skip
        remedy = Words("let it onto the network, or give it a clock with a battery",
                       "ins Netz lassen oder eine Uhr mit Batterie einbauen")  # fmt: skip
        return CheckupLine("clock", False, said, remedy)
    if follows is None:
        return CheckupLine(
            "clock", None, Words("nobody can say whether it is right", "ob sie stimmt, weiß niemand")
        )
    if follows:
        return CheckupLine("clock", True, Words("follows a time server", "folgt einem Zeitserver"))
    said = Words("follows no time server; dates may be wrong, the game does not mind",
                 "folgt keinem Zeitserver; das Datum kann falsch sein, dem Spiel ist es gleich")  # fmt: skip
    return CheckupLine("clock", None, said)


def program() -> CheckupLine:
    """This program, Python, and the packages that it stands on."""
    try:
        versions = [f"stammtisch {version('stammtisch')}"]
    except PackageNotFoundError:
        versions = ["stammtisch (not installed)"]
    versions.append(f"Python {sys.version.split()[0]}")
    for package in _PACKAGES:
        try:
            module = importlib.import_module(package)
        except ImportError as wrong:
            missing = "libgl1 libglib2.0-0 (apt)" if package == "cv2" else package
            said = Words(
                f"{package} cannot be used ({wrong})", f"{package} ist nicht zu gebrauchen ({wrong})"
            )
            return CheckupLine("program", False, said, Words(f"install {missing}", f"{missing} installieren"))
        versions.append(f"{package} {getattr(module, '__version__', '')}".strip())
    told = ", ".join(versions)
    return CheckupLine("program", True, Words(told, told))
