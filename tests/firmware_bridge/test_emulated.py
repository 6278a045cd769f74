"""The emulated board itself: built on demand, clear about what is missing, gone when switched off."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.errors import EmulatorError
from firmware_bridge.link import Link
from firmware_bridge.transports import firmware
from firmware_bridge.transports.emulated import EmulatedPort
from firmware_bridge.transports.firmware import build
from firmware_bridge.transports.serial_port import SerialPort
from tests.firmware_bridge.wire import StartBoard


def test_an_installed_package_says_that_the_firmware_is_in_the_checkout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(firmware, "BOARD", tmp_path)
    with pytest.raises(EmulatorError, match="only in the checkout"):
        build()


def test_a_missing_compiler_is_named_with_its_package(
    start_board: StartBoard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    board = tmp_path / "board"
    board.mkdir()
    (tmp_path / "core").symlink_to(firmware.BOARD.parent / "core")
    for source in firmware.BOARD.glob("*.*"):
        (board / source.name).write_bytes(source.read_bytes())
    (board / "Makefile").write_bytes((firmware.BOARD / "Makefile").read_bytes())
    monkeypatch.setattr(firmware, "BOARD", board)
    monkeypatch.setenv("CC_AVR", "avr-gcc-that-is-not-there")
    with pytest.raises(EmulatorError, match="apt install gcc-avr avr-libc"):
        build("firmware")


def test_the_port_vanishes_when_the_board_is_switched_off(start_board: StartBoard) -> None:
    board = start_board()
    assert Path(board.port).exists()
    board.close()
    assert not Path(board.port).exists()
    assert not board.running
    with pytest.raises(EmulatorError, match="has ended"):
        board.wait(1.0)


def test_a_watch_sees_every_write_while_the_board_remembers_only_the_last(start_board: StartBoard) -> None:
    board = start_board(lamps=2, memory=10)
    with Link(lambda: SerialPort(board.port), budget_ma=1e6) as link:
        link.show([(99, 0, 0)] * 2)
        with board.watch() as writes:
            for value in range(1, 41):
                link.show([(value, 0, 0)] * 2)
        link.show([(0, 99, 0)] * 2)
    assert [written.colours[0][0] for written in writes] == list(range(1, 41))
    assert len(board.written) == 10


def test_the_emulated_port_brings_its_own_board_in_real_time(start_board: StartBoard) -> None:
    with Link(EmulatedPort, budget_ma=1e6) as link:
        link.show([(1, 2, 3)] * 60)
        assert link.status.port == "emulated"
        port = link._contact._transport
        assert isinstance(port, EmulatedPort)
        assert port.board.await_colours(((1, 2, 3),) * 60)
    assert not port.board.running


def test_an_idle_board_in_real_time_hardly_costs_anything(start_board: StartBoard) -> None:
    """The demo runs for hours beside the eye."""
    board = start_board(pace="real")

    def ticks() -> int:
        fields = Path(f"/proc/{board.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    before = ticks()
    board.wait(1.0)
    assert ticks() - before <= 15, "percent of one core"
