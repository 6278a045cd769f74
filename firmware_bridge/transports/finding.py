"""Finds the port of the lamp board by its answer, not by its path."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from serial.tools import list_ports

from firmware_bridge.answers import Welcome
from firmware_bridge.errors import BridgeError, NoBoardError
from firmware_bridge.messages import Hello
from firmware_bridge.patience import GREETING, Patience
from firmware_bridge.session import WireSession
from firmware_bridge.talk import ask
from firmware_bridge.transports.serial_port import SerialPort

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
"""USB vendor and product numbers of the chips between USB and an ATmega328P."""

SILENT_S = 30.0
"""Time after which a silent port is tried again: a try takes as long as a greeting."""


@dataclass(frozen=True, slots=True)
class PortSeen:
    """A serial port of this computer; `chip` is None if its USB numbers are not in `USB_IDS`."""

    path: str
    chip: str | None
    description: str


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """A lamp board that has answered."""

    path: str
    welcome: Welcome


def ports() -> list[PortSeen]:
    """The serial ports of this computer, those with a known USB chip first."""
    seen = [
        PortSeen(port.device, USB_IDS.get((port.vid, port.pid)), port.description or "")
        for port in list_ports.comports()
    ]
    return sorted(seen, key=lambda port: (port.chip is None, port.path))


def serial_of(text: str) -> int:
    """Parse a serial number in hexadecimal, such as `5eed0001`; raises `NoBoardError`."""
    try:
        serial = int(text, 16)
    except ValueError:
        serial = 0
    if not 0 < serial < 0xFFFFFFFF:
        raise NoBoardError(f"{text!r} is not a serial number: see `stammtisch board find`")
    return serial


def find_board(
    candidates: Sequence[str] | None = None, serial: int | None = None, first: str | None = None
) -> SerialPort:
    """The open port on which the lamp board answers.

    Args:
        candidates: paths to try; None: all ports with a known USB chip.
        serial: the board's serial number; None takes any board, if it is the only one.
        first: the path to try first, such as where the board last was.

    Raises:
        NoBoardError: there is no board, or several to choose from; the text says what was tried.
    """
    paths = [port.path for port in ports() if port.chip] if candidates is None else list(candidates)
    if first is not None:
        paths = sorted(paths, key=lambda path: path != first)
    found: list[tuple[BoardSeen, SerialPort]] = []
    tried: list[BridgeError] = []
    for path in paths:
        try:
            port, welcome = meet(path)
        except BridgeError as wrong:
            tried.append(wrong)
            continue
        if serial is not None and welcome.serial == serial:
            _close(other for _, other in found)
            return port
        found.append((BoardSeen(path, welcome), port))
    if serial is None and len(found) == 1:
        return found[0][1]
    _close(port for _, port in found)
    raise _nobody([seen for seen, _ in found], tried, serial)


class Seeker:
    """Opens the port of one board again and again, wherever it is plugged in.

    A port with another board is asked only once while it stays plugged in, so that other people's boards are
    not greeted all evening. A silent port is tried now and then, since it may be our board without power. The
    board's last port is tried every time.
    """

    def __init__(
        self,
        serial: int,
        paths: Callable[[], Sequence[str]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`paths` lists the ports to try (default: those with a known USB chip)."""
        self._serial, self._clock = serial, clock
        self._paths = paths or (lambda: [port.path for port in ports() if port.chip])
        self._last: str | None = None
        self._asked_again_s: dict[str, float] = {}

    def __call__(self) -> SerialPort:
        """Find and open the board's port; raises `NoBoardError`."""
        paths = list(self._paths())
        self._asked_again_s = {path: at_s for path, at_s in self._asked_again_s.items() if path in paths}
        for path in sorted(paths, key=lambda path: path != self._last):
            if self._clock() < self._asked_again_s.get(path, 0.0):
                continue
            try:
                port, welcome = meet(path)
            except NoBoardError:
                continue  # gone, busy or denied: that may change
            except BridgeError:
                if path != self._last:
                    self._asked_again_s[path] = self._clock() + SILENT_S
                continue
            if welcome.serial == self._serial:
                self._last = path
                return port
            port.close()
            self._asked_again_s[path] = math.inf
        raise NoBoardError(
            f"the lamp board {self._serial:08x} is not plugged in (or its port is in use): plug it in; "
            "`stammtisch board find` lists what is there",
            "absent",
            serial=f"{self._serial:08x}",
        )


def meet(path: str, greeting: Patience = GREETING) -> tuple[SerialPort, Welcome]:
    """Open a port and greet the board on it; raises `BridgeError`."""
    port = SerialPort(path)
    try:
        welcome = ask(port, WireSession(greeting=greeting, listens=False), Hello(lamps=0))
    except BridgeError:
        port.close()
        raise
    assert isinstance(welcome, Welcome)
    return port, welcome


def _close(ports: Iterable[SerialPort]) -> None:
    for port in ports:
        port.close()


def _nobody(found: Sequence[BoardSeen], tried: Sequence[BridgeError], serial: int | None) -> NoBoardError:
    if found:
        boards = ", ".join(
            f"{seen.welcome.serial:08x} on {seen.path}"
            if seen.welcome.serial
            else f"one without number on {seen.path}"
            for seen in found
        )
        if serial is None:
            name = f"serial:{found[0].welcome.serial:08x}"
            text = f"several lamp boards: {boards}; say which one (run: --board, else --port), e.g. {name}"
            return NoBoardError(text, "several", boards=boards, name=name)
        text = f"no lamp board with serial number {serial:08x}; there is: {boards}"
        return NoBoardError(text, "other", serial=f"{serial:08x}", boards=boards)
    if tried:
        text = "no lamp board found: " + "; ".join(map(str, tried))
        return NoBoardError(text, "tried", tried=tuple(tried))
    text = (
        "no lamp board found: there is no USB serial port; plug the board in, "
        "or name its port (run: --board, else --port)"
    )
    return NoBoardError(text, "none")
