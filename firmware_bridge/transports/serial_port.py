"""The board on a serial port (pyserial), and how to find it among others."""

from __future__ import annotations

import contextlib
import errno
import select
from collections.abc import Sequence
from dataclasses import dataclass

import serial
from serial.tools import list_ports

from firmware_bridge.errors import BoardLostError, BridgeError, NoBoardError
from firmware_bridge.messages import BAUD, Hello
from firmware_bridge.session import Session
from firmware_bridge.talk import ask

USB_IDS: dict[tuple[int, int], str] = {
    (0x1A86, 0x7523): "CH340",
    (0x1A86, 0x5523): "CH341",
    (0x1A86, 0x55D4): "CH9102",
    (0x0403, 0x6001): "FT232R",
    (0x0403, 0x6015): "FT231X",
    (0x10C4, 0xEA60): "CP2102",
    (0x067B, 0x2303): "PL2303",
    (0x2341, 0x0001): "Arduino Uno",
    (0x2341, 0x0043): "Arduino Uno R3",
    (0x2341, 0x0243): "Arduino Uno R3",
    (0x2A03, 0x0043): "Arduino Uno R3 (arduino.org)",
}
"""USB vendor and product numbers of what stands between USB and an ATmega328P."""


@dataclass(frozen=True, slots=True)
class PortSeen:
    """A serial port of this computer; `chip` is None when its USB numbers are not in `USB_IDS`."""

    path: str
    chip: str | None
    description: str


class SerialPort:
    """A transport over a serial device, 500 000 baud, used by one program only."""

    def __init__(self, path: str) -> None:
        """Open the device; raises `NoBoardError` with what to do when that fails."""
        self.name = path
        try:
            self._serial = serial.Serial(path, BAUD, timeout=0, write_timeout=2.0, exclusive=True)
        except (OSError, ValueError) as wrong:  # SerialException is an OSError
            raise NoBoardError(_why_closed(path, wrong)) from wrong
        with contextlib.suppress(OSError, ValueError, NotImplementedError):
            self._serial.set_low_latency_mode(True)  # an FTDI chip would keep answers for 16 ms

    def write(self, data: bytes) -> None:
        """Send all of `data`; raises `BoardLostError`."""
        try:
            self._serial.write(data)
        except OSError as wrong:
            raise self._lost(wrong) from wrong

    def read(self, patience_s: float) -> bytes:
        """Whatever has arrived; raises `BoardLostError`."""
        try:
            ready, _, _ = select.select([self._serial.fileno()], [], [], max(0.0, patience_s))
            return bytes(self._serial.read(4096)) if ready else b""
        except (OSError, TypeError, ValueError) as wrong:  # pyserial reads a closed port's None
            raise self._lost(wrong) from wrong

    def close(self) -> None:
        """Let go of the device."""
        with contextlib.suppress(OSError):
            self._serial.close()

    def _lost(self, wrong: Exception) -> BoardLostError:
        return BoardLostError(f"the lamp board on {self.name} is gone ({wrong}): plug it in again")


def _why_closed(path: str, wrong: Exception) -> str:
    number = getattr(wrong, "errno", None)
    if number == errno.ENOENT:
        return f"there is no port {path}: plug the board in, and see `stammtisch board find`"
    if number in (errno.EACCES, errno.EPERM):
        return f"{path} may not be opened: `sudo usermod -aG dialout $USER`, then log in again"
    if number in (errno.EBUSY, errno.EAGAIN):
        return f"{path} is used by another program (stammtisch, a serial monitor): close that one"
    return f"{path} cannot be opened as a serial port: {wrong}"


def ports() -> list[PortSeen]:
    """The serial ports of this computer, those with a known USB chip first."""
    seen = [
        PortSeen(port.device, USB_IDS.get((port.vid, port.pid)), port.description or "")
        for port in list_ports.comports()
    ]
    return sorted(seen, key=lambda port: (port.chip is None, port.path))


def find_board(candidates: Sequence[str] | None = None) -> SerialPort:
    """The first port behind which a lamp board says HELLO (default: all with a known USB chip).

    Raises:
        NoBoardError: there is none; the text says what was tried.
    """
    paths = [port.path for port in ports() if port.chip] if candidates is None else list(candidates)
    tried: list[str] = []
    for path in paths:
        try:
            port = SerialPort(path)
        except NoBoardError as wrong:
            tried.append(str(wrong))
            continue
        with contextlib.suppress(BridgeError):
            ask(port, Session(), Hello(lamps=0))
            return port
        port.close()
        tried.append(
            f"{path} does not answer; if it is the board, flash it: `stammtisch board flash --port {path}`"
        )
    if not tried:
        raise NoBoardError(
            "no lamp board found: there is no USB serial port; plug the board in, "
            "or name its port (run: --board, else --port)"
        )
    raise NoBoardError("no lamp board found: " + "; ".join(tried))
