"""`stammtisch board flash`: write the firmware onto a board and give the board its own serial number."""

from __future__ import annotations

import secrets
import shutil
import subprocess
from pathlib import Path

from firmware_bridge.errors import EmulatorError, FirmwareFileError
from firmware_bridge.intel_hex import firmware
from firmware_bridge.link import Link
from firmware_bridge.transports.firmware import HEX, build
from firmware_bridge.transports.serial_port import SerialPort
from table.errors import StammtischError, not_text

LONGEST = 1_000_000
"""Most bytes read of a firmware file: more than 32 KB take even with a line for every byte."""


def run_flash(port: str, baud: int, serial: int | None, ready: Path | None = None) -> int:
    """Write the firmware and the serial number. `ready`: Intel HEX; None builds it from the checkout.

    Raises:
        EmulatorError: there is no avrdude.
        NoBoardError: another program uses the port.
        StammtischError: the firmware, the port or avrdude failed.
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
    SerialPort(
        port
    ).close()  # avrdude does not check: beside a running table it would get only half of the answers
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
    """Raise StammtischError unless it is a firmware: avrdude would accept some other files as one."""
    remedy = "`make -C hardware/board firmware` in a checkout makes hardware/board/build/board.hex"
    try:
        if file.exists() and not file.is_file() and not file.is_dir():
            raise StammtischError(f"{file}: this is a device or a pipe, not a file; {remedy}")
        firmware(_text(file))
    except (OSError, UnicodeDecodeError) as wrong:
        raise StammtischError(f"{file}: {not_text(wrong, 'give a firmware as board.hex')}") from None
    except FirmwareFileError as wrong:
        raise StammtischError(
            f"{file}: this is not a complete Intel HEX for the board ({wrong}); {remedy}"
        ) from None


def _text(file: Path) -> str:
    with file.open("rb") as opened:
        return opened.read(LONGEST).decode("ascii")


def christen(port: str, serial: int | None) -> str:
    """Give the board on `port` a serial number unless it has one and no other is wanted; return its name."""
    with Link.open(port) as link:
        welcome = link.status.welcome
        assert welcome is not None
        if serial is None:
            serial = welcome.serial or secrets.randbelow(0xFFFFFFFE) + 1
        if serial != welcome.serial:
            link.give_serial(serial)
    return f"lamp board {serial:08x}"
