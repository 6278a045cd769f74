"""Ways to a board. A transport moves bytes and knows nothing of frames; `dial` opens one by its name."""

from __future__ import annotations

from firmware_bridge.transport import Transport


def dial(port: str = "auto") -> Transport:
    """Open a way to a board.

    `auto` looks through the USB serial ports for one that says HELLO, `loopback` is a board in Python,
    `emulated` the real firmware in simavr (checkout only), anything else a device path. Raises
    `NoBoardError` or `EmulatorError` with one sentence that says what to do.
    """
    # Imported when asked for: a table without a serial port needs no pyserial, a Pi no emulator.
    match port:
        case "loopback":
            from firmware_bridge.transports.loopback import Loopback

            return Loopback()
        case "emulated":
            from firmware_bridge.transports.emulated import EmulatedPort

            return EmulatedPort()
        case "auto":
            from firmware_bridge.transports.serial_port import find_board

            return find_board()
        case _:
            from firmware_bridge.transports.serial_port import SerialPort

            return SerialPort(port)
