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
from table.errors import StammtischError


def run_flash(port: str, baud: int, serial: int | None) -> int:
    """Write, christen, say so.

    Raises:
        EmulatorError: there is no avrdude.
        NoBoardError: another program uses the port.
        StammtischError: it failed.
    """
    build("firmware")
    if shutil.which("avrdude") is None:
        raise EmulatorError(f"avrdude is missing: apt install avrdude; the firmware is ready in {HEX}")
    if not Path(port).exists():
        raise StammtischError(
            f"there is no port {port}; plug the board in, `stammtisch board find` names its port"
        )
    SerialPort(port).close()  # avrdude asks nobody: beside a running table it hears half of the answers
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
            f"flash:w:{HEX}:i",
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


def christen(port: str, serial: int | None) -> str:
    """Give the board on `port` a serial number, unless it has one and no other is wanted; tells which."""
    with Link.open(port) as link:
        welcome = link.status.welcome
        assert welcome is not None
        if serial is None:
            serial = welcome.serial or secrets.randbelow(0xFFFFFFFE) + 1
        if serial != welcome.serial:
            link.give_serial(serial)
    return f"lamp board {serial:08x}"
