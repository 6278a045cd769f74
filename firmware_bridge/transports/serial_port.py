"""The board on a serial port (pyserial)."""

from __future__ import annotations

import contextlib
import errno
import re
import select
import termios

import serial

from firmware_bridge.errors import BoardLostError, NoBoardError
from firmware_bridge.messages import BAUD


class SerialPort:
    """A transport over a serial device at 500 000 baud, opened exclusively.

    A rising DTR resets a Nano. That cannot be avoided when a port is opened for the first time; but DTR stays
    high when this one is closed, so that opening it again does not reset a running board.
    """

    def __init__(self, path: str) -> None:
        """Open the device; raises `NoBoardError` that says what to do if that fails."""
        self.name = path
        try:
            self._serial = serial.Serial(path, BAUD, timeout=0, write_timeout=2.0, exclusive=True)
        except (OSError, ValueError) as wrong:  # SerialException is an OSError
            raise _closed(path, wrong) from wrong
        with contextlib.suppress(OSError, termios.error):
            settings = termios.tcgetattr(self._serial.fileno())
            settings[2] &= ~termios.HUPCL
            termios.tcsetattr(self._serial.fileno(), termios.TCSANOW, settings)
        with contextlib.suppress(OSError, ValueError, NotImplementedError):
            self._serial.set_low_latency_mode(True)  # an FTDI chip would hold answers for 16 ms

    def write(self, data: bytes) -> None:
        """Send all of `data`; raises `BoardLostError`."""
        try:
            self._serial.write(data)
        except OSError as wrong:
            raise self._lost(wrong) from wrong

    def read(self, patience_s: float) -> bytes:
        """Whatever has arrived, or empty after `patience_s`; raises `BoardLostError`."""
        try:
            ready, _, _ = select.select([self._serial.fileno()], [], [], max(0.0, patience_s))
            return bytes(self._serial.read(4096)) if ready else b""
        except (OSError, TypeError, ValueError) as wrong:  # a closed pyserial port has None as its descriptor
            raise self._lost(wrong) from wrong

    def close(self) -> None:
        """Release the device."""
        with contextlib.suppress(OSError):
            self._serial.close()

    def _lost(self, wrong: Exception) -> BoardLostError:
        text = f"the lamp board on {self.name} is gone ({wrong}): plug it in again"
        return BoardLostError(text, "gone", port=self.name)


def _closed(path: str, wrong: Exception) -> NoBoardError:
    number = getattr(wrong, "errno", None)
    if number == errno.ENOENT:
        text = f"there is no port {path}: plug the board in, then run `stammtisch board find`"
        return NoBoardError(text, "port.none", port=path)
    if number in (errno.EACCES, errno.EPERM):
        text = f"no permission to open {path}: `sudo usermod -aG dialout $USER`, then log in again"
        return NoBoardError(text, "port.denied", port=path)
    if number in (errno.EBUSY, errno.EAGAIN):
        text = (
            f"{path} is used by another program (stammtisch, a serial monitor): close it; "
            f"`fuser -v {path}` names it"
        )
        return NoBoardError(text, "port.busy", port=path)
    return NoBoardError(
        f"{path} cannot be opened as a serial port ({_reason(wrong)}): `stammtisch board find` lists them"
    )


def _reason(wrong: Exception) -> str:
    """The system's reason, without the words that pyserial and Python put around it."""
    quoted = re.search(r"\(\d+, '([^']+)'\)", str(wrong))
    return (quoted[1] if quoted else getattr(wrong, "strerror", None) or str(wrong)).lower()
