"""A Nano as avrdude sees it: a bootloader (STK500, version 1) on a pseudo terminal, then the board in Python.

It takes the commands of Atmel's application note AVR061 and answers them as Optiboot does.
"""

from __future__ import annotations

import os
import pty
import select
import threading
import time
import tty
from types import TracebackType
from typing import Self

from firmware_bridge.transports.loopback import VirtualBoard

IN_SYNC, OK, END = b"\x14", b"\x10", 0x20
SIGNATURE = b"\x1e\x95\x0f"  # ATmega328P
FLASH, PAGE = 32 * 1024, 128
WITH_ARGUMENTS = {0x41: 1, 0x42: 20, 0x45: 5, 0x55: 2, 0x56: 4}
"""Bytes after the command byte, without the closing space."""


class Bootloader:
    """avrdude opens `port` and fills `flash`. When avrdude leaves the bootloader, `board` answers."""

    def __init__(self, signature: bytes = SIGNATURE) -> None:
        self.flash = bytearray(b"\xff" * FLASH)
        self.board = VirtualBoard(10)
        self.left = False
        self._signature = signature
        self._address = 0
        self._buffer = b""
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)

    def _serve(self) -> None:
        while not self._ending.is_set():
            ready, _, _ = select.select([self._master], [], [], 0.02)
            data = os.read(self._master, 4096) if ready else b""
            if self.left:
                said = self.board.hear(data, time.monotonic())
            else:
                self._buffer += data
                said = self._obey()
            if said:
                os.write(self._master, said)

    def _obey(self) -> bytes:
        said = b""
        while (size := self._size()) is not None and len(self._buffer) >= size:
            command, self._buffer = self._buffer[:size], self._buffer[size:]
            said += IN_SYNC + self._do(command) + OK if command[-1] == END else b"\x15"
        return said

    def _size(self) -> int | None:
        """Length in bytes of the command at the start of the buffer; None while it cannot be known."""
        if not self._buffer:
            return None
        command = self._buffer[0]
        if command in (0x64, 0x74):
            if len(self._buffer) < 4:
                return None
            many = int.from_bytes(self._buffer[1:3]) if command == 0x64 else 0
            return 5 + many
        return 2 + WITH_ARGUMENTS.get(command, 0)

    def _do(self, command: bytes) -> bytes:
        match command[0]:
            case 0x41:
                return b"\x04" if command[1] == 0x82 else b"\x03"
            case 0x55:
                self._address = 2 * int.from_bytes(command[1:3], "little")
            case 0x56:
                return b"\x00"
            case 0x64:
                data = command[4:-1]
                assert len(data) <= PAGE
                self.flash[self._address : self._address + len(data)] = data
            case 0x74:
                return bytes(self.flash[self._address : self._address + int.from_bytes(command[1:3])])
            case 0x75:
                return self._signature
            case 0x51:
                self.left = True
        return b""


def image(hex_file: str) -> bytes:
    """The flash contents that an Intel HEX file describes, from address 0 on."""
    out = bytearray()
    for line in hex_file.split():
        size, at, kind = int(line[1:3], 16), int(line[3:7], 16), int(line[7:9], 16)
        if kind == 0:
            out[at : at + size] = bytes.fromhex(line[9 : 9 + 2 * size])
    return bytes(out)
