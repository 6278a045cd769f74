"""Ways to reach a board. A transport moves bytes and knows nothing of frames; `dial` opens one by name."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.transport import Transport

SERIAL = "serial:"
"""Prefix of a port name that specifies a board's serial number instead of a path."""


def dial(port: str = "auto") -> Transport:
    """Open a way to a board.

    `auto` searches the USB serial ports for one that answers a HELLO, `serial:5eed0001` for the board with
    that serial number, wherever it is plugged in; `loopback` is a board in Python, `emulated` the real
    firmware in simavr (checkout only), anything else a device path. Raises `NoBoardError` or `EmulatorError`
    with one sentence that says what to do.
    """
    # Imported on demand: a table without a serial port needs no pyserial, a Pi no emulator.
    match port:
        case "loopback":
            from firmware_bridge.transports.loopback import Loopback

            return Loopback()
        case "emulated":
            from firmware_bridge.transports.emulated import EmulatedPort

            return EmulatedPort()
        case "auto":
            from firmware_bridge.transports.finding import find_board

            return find_board()
        case _ if port.startswith(SERIAL):
            return dialler(port)()
        case _:
            from firmware_bridge.transports.serial_port import SerialPort

            return SerialPort(port)


def dialler(port: str) -> Callable[[], Transport]:
    """Return a function that dials `port`, each time searching all ports if it names a serial number."""
    if not port.startswith(SERIAL):
        return lambda: dial(port)
    from firmware_bridge.transports.finding import Seeker, serial_of

    return Seeker(serial_of(port.removeprefix(SERIAL)))
