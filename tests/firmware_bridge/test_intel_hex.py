"""A firmware file is checked completely before anything is written to a board."""

from __future__ import annotations

import os
import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from firmware_bridge.errors import FirmwareFileError
from firmware_bridge.intel_hex import BOOTLOADER_AT, firmware
from table.cli import main

END = ":00000001FF"


def record(address: int, data: bytes, kind: int = 0) -> str:
    body = bytes([len(data), *address.to_bytes(2, "big"), kind]) + data
    return f":{body.hex().upper()}{-sum(body) & 0xFF:02X}"


DATA = record(0, b"\x0c\x94\x36\x00")


@pytest.mark.parametrize(
    "text",
    [
        f"{DATA}\n{END}\n",
        f"{DATA}\r\n{END}\r\n\r\n",
        f"{DATA}\n{END}\n".lower(),
        f"{record(0, b'0000', 3)}\n{record(0, bytes(2), 4)}\n{DATA}\n{END}",
    ],
)
def test_a_whole_file_is_read_in_either_case_and_with_either_end_of_line(text: str) -> None:
    assert firmware(text) == b"\x0c\x94\x36\x00"


def test_a_gap_between_records_is_as_the_erased_flash() -> None:
    assert firmware(f"{DATA}\n{record(6, b'x')}\n{END}") == b"\x0c\x94\x36\x00\xff\xffx"


WRONG = {
    "": "the file is empty",
    "hello": "line 1 is not an Intel HEX record",
    f"{DATA}\n:nonsense\n{END}": "line 2 is not an Intel HEX record",
    DATA: "line 1 is the last, but not an end record",
    f"{END}\n": "there is nothing at address 0",
    f"{DATA[:-1]}F\n{END}": "line 1 is damaged: its checksum is wrong",
    f"{DATA}\n:05{DATA[3:]}\n{END}": "line 2 announces 5 bytes, but has 4",
    f"{DATA}\n{END}\n{DATA}\n{END}": "line 2 ends the file, but more follows",
    f"{DATA}\n{record(0, b'', 9)}\n{END}": "line 2 is a record of an unknown kind",
    f"{DATA}\n{record(0, b'x', 1)}": "line 2 is a record of an unknown kind",
    f"{DATA}\n{record(2, b'x')}\n{END}": "line 2 writes to 0x2 again",
    f"{DATA}\n{record(BOOTLOADER_AT - 1, b'xy')}\n{END}": "line 2 writes to 0x7800",
    f"{DATA}\n{record(0, bytes((0, 1)), 4)}\n{record(0, b'x')}\n{END}": "line 3 writes to 0x10000",
    f"{DATA}\n{record(0, bytes((16, 0)), 2)}\n{record(0, b'x')}\n{END}": "line 3 writes to 0x10000",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_file_that_is_no_firmware_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(FirmwareFileError, match=re.escape(WRONG[text])):
        firmware(text)


@pytest.mark.parametrize("text", WRONG)
def test_flash_writes_no_such_file(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    avrdude = Mock()
    monkeypatch.setattr("table.cli.board_flash.subprocess.run", avrdude)
    monkeypatch.setattr("table.cli.board_flash.shutil.which", lambda tool: tool)
    file = tmp_path / "board.hex"
    file.write_text(text, encoding="ascii")
    assert main(["board", "flash", "--port", str(tmp_path), "--hex", str(file)]) == 1
    said = capsys.readouterr().err
    assert str(file) in said
    assert WRONG[text] in said
    assert "make -C hardware/board firmware" in said
    avrdude.assert_not_called()


def test_flash_does_not_wait_for_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "board.hex")
    assert main(["board", "flash", "--hex", str(tmp_path / "board.hex")]) == 1
    assert "a device or a pipe, not a file" in capsys.readouterr().err
