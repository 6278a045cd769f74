"""Files saved on Windows: a byte order mark at the start, CRLF at line ends."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from table.cli import main
from table.cli.config import read_config
from table.cli.watch import game_lines
from table.settings import read_table
from table.settings.camera import write_corners
from tests.rules.test_replay import GAME, log_file, revoke


def from_windows(file: Path) -> Path:
    text = file.read_text("utf-8")
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    return file


def test_a_log_is_folded_as_any_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = log_file(tmp_path, *revoke())
    assert main(["replay", str(log)]) == 0
    plain = capsys.readouterr().out
    assert main(["replay", str(from_windows(log))]) == 0
    assert capsys.readouterr().out == plain
    monkeypatch.setattr("sys.stdin", io.StringIO(log.read_text("utf-8")))
    assert main(["replay", "-"]) == 0
    assert capsys.readouterr().out == plain
    assert game_lines(str(from_windows(log_file(tmp_path, GAME))))[0].kind == "game"


def test_settings_and_table_files_are_read_and_corners_are_written_into_them(tmp_path: Path) -> None:
    settings, table = tmp_path / "evening.toml", tmp_path / "mat-4-A2.toml"
    settings.write_text('game = "dubbe"\n')
    assert read_config(from_windows(settings)).game == "dubbe"
    assert main(["print", "mat", "--out", str(tmp_path)]) == 0
    layout = read_table(table).layout
    assert read_table(from_windows(table)).layout == layout
    write_corners(table, [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)])
    assert read_table(table).layout.size_mm == layout.size_mm
