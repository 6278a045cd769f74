"""`stammtisch board …` as a newcomer meets it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import table.cli.board as board_command
import table.cli.board_replugs as board_replugs
from firmware_bridge.faults import Fault
from firmware_bridge.link import Link
from firmware_bridge.transports import finding
from firmware_bridge.transports.finding import PortSeen
from firmware_bridge.transports.serial_port import SerialPort
from table.cli import main
from table.cli.board_monitor import Monitor
from tests.firmware_bridge.wire import StartBoard, enduring


@pytest.fixture
def no_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (finding, board_command):
        monkeypatch.setattr(module, "ports", list)


@pytest.mark.usefixtures("no_ports")
@pytest.mark.parametrize("action", ["find", "info", "monitor", "test", "torture"])
def test_without_a_board_one_sentence_says_what_to_do(
    action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["board", action]) == 1
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "no lamp board found" in said.err
    assert "plug" in said.err


def test_a_film_is_no_camera_that_sees_the_lamps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = tmp_path / "clip.mp4"
    film.write_bytes(b"")
    assert main(["board", "test", "--camera", str(film), "--table", "none.toml"]) == 2
    assert "only a live camera sees the lamps; give usb:0 or pi:0" in capsys.readouterr().err


def test_a_port_that_is_no_port_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "info", "--port", "/etc/hostname"]) == 1
    said = capsys.readouterr().err
    assert "/etc/hostname cannot be opened as a serial port (inappropriate ioctl for device)" in said
    assert "`stammtisch board find` lists them" in said


def test_find_asks_only_known_chips_and_names_the_board(
    start_board: StartBoard, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = start_board()
    seen = [PortSeen(board.port, "CH340", "USB Serial"), PortSeen("/dev/ttyS9", None, "a modem")]
    monkeypatch.setattr(board_command, "ports", lambda: seen)
    assert main(["board", "find"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{board.port}  CH340: lamp board, no serial number, protocol 2, ")
    assert "not asked" in lines[1]


def test_info_tells_who_the_board_is(start_board: StartBoard, capsys: pytest.CaptureFixture[str]) -> None:
    board = start_board()
    assert main(["board", "info", "--port", board.port]) == 0
    said = capsys.readouterr().out
    assert "drives up to 150 lamps" in said
    assert "last reset: power" in said


def test_test_lights_every_lamp_in_every_colour(
    start_board: StartBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    board = start_board(lamps=5)
    with board.watch() as writes:
        assert main(["board", "test", "--port", board.port, "--lamps", "5", "--pause", "0.05"]) == 0
    seen = {written.colours for written in writes}
    for colour in ((80, 0, 0), (0, 80, 0), (0, 0, 80), (40, 40, 40)):
        assert (colour,) * 5 in seen
    for lamp in range(5):
        assert any(p[lamp] == (80, 80, 80) and sum(map(sum, p)) == 240 for p in seen)
    assert board.colours == ((0, 0, 0),) * 5
    assert "pictures a second" in capsys.readouterr().out


@pytest.mark.parametrize("noise", ["0", "0.002"])
def test_torture_ends_well(noise: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--port", "loopback", "--seconds", "0.5", "--noise", noise]
    assert main(["board", "torture", *options]) == 0
    assert " 0 given up" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong", [[], ["test", "--lamps", "0"], ["test", "--lamps", "x"], ["torture", "--noise", "1"], ["juggle"]]
)
def test_wrong_use_has_status_2(wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["board", *wrong])
    assert ended.value.code == 2


def test_flash_without_avrdude_says_what_to_install(
    start_board: StartBoard, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda tool: None if tool == "avrdude" else which(tool))
    assert main(["board", "flash"]) == 1
    assert "apt install avrdude" in capsys.readouterr().err


def test_simulate_shows_the_lamps_and_stops_when_told(
    start_board: StartBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["board", "simulate", "--lamps", "3", "--seconds", "0.5"]) == 0
    said = capsys.readouterr().out
    assert "the board is on /dev/" in said
    assert "000008 000000 000000" in said, "asleep: nobody has spoken to it yet"


def test_monitor_tells_buttons_and_resets_as_they_happen(start_board: StartBoard) -> None:
    board = start_board()
    with Link(lambda: SerialPort(board.port), session=enduring) as link:
        monitor = Monitor(link)
        assert "last reset: power" in monitor.step()[0]
        board.press(1)
        board.wait(0.05)
        assert heard(monitor) == ["button 1 pressed"]
        board.release(1)
        board.wait(0.05)
        assert heard(monitor) == ["button 1 released"]
        board.reset("brown-out")
        board.wait(0.02)
        assert "last reset: brown-out" in heard(monitor)[0]
        assert monitor.step() == []


def heard(monitor: Monitor) -> list[str]:
    """The monitor's next line; the board of a busy machine may answer late."""
    return next(said for _ in range(100) if (said := monitor.step()))


def test_monitor_stops_when_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "monitor", "--port", "loopback", "--seconds", "0.1"]) == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_watching_lamps_needs_the_table_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "test", "--camera", "usb:0"]) != 0
    assert "--camera needs --table" in capsys.readouterr().err


def test_torture_with_each_fault_ends_well(
    start_board: StartBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["board", "torture", "--faults", "1", "--lamps", "8"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == len(Fault) + 1
    assert said[-1].startswith("12 faults, 0 wrong")


def test_torture_by_the_plug_ends_well(
    start_board: StartBoard, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """test_bootloaders.py tests the bootloaders themselves."""
    monkeypatch.setattr(board_replugs, "KINDS", {"no bootloader": None})
    assert main(["board", "torture", "--replugs", "2", "--lamps", "8"]) == 0
    assert "2 of 2 within 1.0 s" in capsys.readouterr().out


def test_measure_says_every_figure(start_board: StartBoard, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "measure", "--frames", "20"]) == 0
    said = capsys.readouterr().out.splitlines()
    delays = [float(line.split()[-2]) for line in said[:2]]
    assert 1.8 < delays[0] < 3.0, "60 lamps take 1.8 ms on the strip itself"
    assert 4.5 < delays[1] < 6.5, "150 lamps take 4.5 ms"
    assert all(float(line.split()[-1].rstrip("%")) >= 85 for line in said[2:4])
    assert all("0 of" in line for line in said[5:7])
    assert said[-1] == "bytes overrun at its UART meanwhile: 0"
