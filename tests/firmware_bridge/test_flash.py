"""`stammtisch board flash`: the real avrdude writes the firmware through an emulated bootloader."""

from __future__ import annotations

import re
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.transports.firmware import ELF, HEX, build
from firmware_bridge.transports.serial_port import SerialPort
from table.cli import main
from tests.firmware_bridge.bootloader import Bootloader, image
from tests.firmware_bridge.tools import tools_missing


@pytest.fixture(autouse=True)
def tools() -> None:
    missing = [*tools_missing(), *([] if shutil.which("avrdude") else ["avrdude"])]
    if missing:
        pytest.skip(f"nothing to flash with: apt install {' '.join(missing)}")


def test_flash_writes_the_firmware_and_gives_the_board_its_number(capfd: pytest.CaptureFixture[str]) -> None:
    with Bootloader() as nano:
        assert main(["board", "flash", "--port", nano.port, "--serial", "5eed0001"]) == 0
    firmware = image(HEX.read_text())
    assert len(firmware) > 4000
    assert bytes(nano.flash[: len(firmware)]) == firmware
    assert set(nano.flash[-(-len(firmware) // 128) * 128 :]) == {0xFF}, "and nothing behind it"
    assert nano.board.serial == 0x5EED0001
    assert "lamp board 5eed0001" in capfd.readouterr().out


def test_an_installed_table_writes_what_another_computer_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    build("firmware")
    ready = shutil.copy(HEX, tmp_path / "board.hex")
    monkeypatch.setattr("firmware_bridge.transports.firmware.BOARD", tmp_path / "no checkout")
    with Bootloader() as nano:
        assert main(["board", "flash", "--port", nano.port]) == 1
        assert "board flash --hex board.hex" in capfd.readouterr().err
        assert main(["board", "flash", "--port", nano.port, "--hex", str(ready)]) == 0
    firmware = image(HEX.read_text())
    assert bytes(nano.flash[: len(firmware)]) == firmware


def test_half_a_firmware_is_not_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    build("firmware")
    half = tmp_path / "half.hex"
    half.write_text("\n".join(HEX.read_text().splitlines()[:-1]))
    with Bootloader() as nano:
        assert main(["board", "flash", "--port", nano.port, "--hex", str(half)]) == 1
    assert set(nano.flash) == {0xFF}
    assert "not a complete Intel HEX" in capfd.readouterr().err


def test_another_chip_is_not_written(capfd: pytest.CaptureFixture[str]) -> None:
    with Bootloader(signature=b"\x1e\x98\x01") as mega:
        assert main(["board", "flash", "--port", mega.port]) == 1
    assert set(mega.flash) == {0xFF}
    assert f"avrdude could not write to {mega.port}" in capfd.readouterr().err


def test_beside_a_running_table_nothing_is_written_and_it_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    with Bootloader() as nano, closing(SerialPort(nano.port)):
        assert main(["board", "flash", "--port", nano.port]) == 1
    assert set(nano.flash) == {0xFF}
    assert "used by another program" in capfd.readouterr().err


def test_the_firmware_leaves_room_for_what_somebody_may_add() -> None:
    build("firmware")
    said = subprocess.run(["avr-size", "-A", str(ELF)], capture_output=True, text=True, check=True).stdout
    size = {name: int(many) for name, many in re.findall(r"^\.(\w+) +(\d+)", said, re.M)}
    assert size["text"] + size["data"] <= 8 * 1024
    assert size["data"] + size["bss"] + size.get("noinit", 0) <= 1024, "half of the RAM is the stack's"
