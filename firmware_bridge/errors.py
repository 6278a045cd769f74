"""All errors between the house and the lamp board."""

from __future__ import annotations


class BridgeError(Exception):
    """Base of all errors of the wire; the text says what, where and what to do.

    `code` and `told` (arguments) let the house use its own words; `code` is None where it has none.
    """

    def __init__(self, text: str = "", code: str | None = None, **told: object) -> None:
        super().__init__(text)
        self.code, self.told = code, told


class FrameError(BridgeError):
    """Bytes from the wire are no frame: COBS, CRC or length is wrong. Only `WireSession` needs to see it."""


class NoBoardError(BridgeError):
    """No lamp board was found, or the named port cannot be opened."""


class BoardLostError(BridgeError):
    """The port is gone: unplugged, or the device vanished while it was in use."""


class NoAnswerError(BridgeError):
    """The port is there, but the board did not answer in spite of repeated requests."""


class RefusedError(BridgeError):
    """The board understood the frame and refused it; `why` gives the reason."""

    def __init__(self, why: str, text: str) -> None:
        super().__init__(text)
        self.why = why


class ProtocolError(BridgeError):
    """Firmware and host speak different versions of the protocol, so the board must be flashed again."""

    def __init__(self, board: int, program: int) -> None:
        super().__init__(
            f"the board speaks protocol {board}, this program {program}: "
            "flash the board again, in a checkout of this version: `.venv/bin/stammtisch board flash`",
            "protocol",
            board=board,
            program=program,
        )


class PictureError(BridgeError):
    """No strip can show this picture: it is too long, or a colour is outside 0..255."""


class CapacityError(PictureError):
    """The table has more lamps than this board drives."""

    def __init__(self, lamps: int, capacity: int) -> None:
        super().__init__(
            f"the table has {lamps} lamps, but this board drives only {capacity}: "
            "shorten [lamps] or raise LAMPS_MAX in hardware/board/config.h",
            "capacity",
            lamps=lamps,
            capacity=capacity,
        )


class EmulatorError(BridgeError):
    """The emulated board cannot be started here; the text says what is missing and how to get it."""


class PinsError(BridgeError):
    """The computer has no GPIO pins that RPi.GPIO can use."""


class FirmwareFileError(BridgeError):
    """A file is not a firmware for the lamp board; the text gives the file reader's reason."""
