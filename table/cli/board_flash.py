"""`stammtisch board flash`: write the firmware onto a board, and give the board a number of its own."""

from __future__ import annotations

import secrets
import shutil
import subprocess
from pathlib import Path

from firmware_bridge.errors import EmulatorError
from firmware_bridge.link import Link
from firmware_bridge.transports.firmware import HEX, build
from firmware_bridge.transports.serial_port import SerialPort
from table.errors import StammtischError, not_text

END = ":00000001FF"
"""The last record of an Intel HEX."""


def run_flash(port: str, baud: int, serial: int | None, ready: Path | None = None) -> int:
    """Write, christen, say so. `ready`: a firmware in Intel HEX; None builds it from the checkout.

    Raises:
        EmulatorError: there is no avrdude.
        NoBoardError: another program uses the port.
        StammtischError: it failed.
    """
    if ready is None:
        build("firmware")
    else:
        _check_hex(ready)
    image = ready or HEX
    if shutil.which("avrdude") is None:
        raise EmulatorError(f"avrdude is missing: apt install avrdude; the firmware is ready in {image}")
    if not Path(port).exists():
        raise StammtischError(
            f"there is no port {port}; plug the board in, `stammtisch board find` names its port"
        )
    SerialPort(port).close()  # avrdude does not check: beside a running table it hears half of the answers
    done = subprocess.run(
        [
            "avrdude",
            "-p",
            "atmega328p",
            "-c",
            "arduino",
            "-b",
            str(baud),
            "-P",
            port,
            "-D",
            "-U",
            f"flash:w:{image}:i",
        ],
        check=False,
    )
    if done.returncode:
        raise StammtischError(
            f"avrdude could not write to {port}: wrong port (`stammtisch board find`)? "
            "An older Nano wants --baud 57600"
        )
    print(f"done: {christen(port, serial)}; `stammtisch board test` shows it")
    return 0


def _check_hex(file: Path) -> None:
    """Raises StammtischError where it is no Intel HEX: avrdude would take some other files for one."""
    try:
        lines = file.read_text("ascii").split()
    except (OSError, UnicodeDecodeError) as wrong:
        raise StammtischError(f"{file}: {not_text(wrong, 'give a firmware as board.hex')}") from None
    if not lines or lines[-1] != END or not all(line.startswith(":") for line in lines):
        raise StammtischError(
            f"{file}: this is no whole Intel HEX; `make -C hardware/board firmware` in a checkout makes one"
        )


def christen(port: str, serial: int | None) -> str:
    """Give the board on `port` a serial number, unless it has one and no other is wanted; return which."""
    with Link.open(port) as link:
        welcome = link.status.welcome
        assert welcome is not None
        if serial is None:
            serial = welcome.serial or secrets.randbelow(0xFFFFFFFE) + 1
        if serial != welcome.serial:
            link.give_serial(serial)
    return f"lamp board {serial:08x}"
