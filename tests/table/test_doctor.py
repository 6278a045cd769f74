"""`stammtisch doctor` names what is wrong and what to do; systemd is notified once the table listens."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from table import cli
from table.checkup import computer
from table.integrations.systemd import notify
from table.journal import Journal
from table.rules.events import Event
from table.session import Session

MAT = Path(__file__).parents[2] / "hardware" / "tables" / "mat-4-A2.toml"
GAME = Event("game", {"game": "dubbe", "seats": ["S1", "S2", "S3", "S4"], "players": ["A", "B", "C", "D"]})


def examine(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, str]]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])  # a table that runs on this computer is not the patient
    status = cli.main(["doctor", *(() if "--port" in words else ("--port", port)), *words])
    lines = capsys.readouterr().out.splitlines()
    return status, {line[5:15].strip(): line for line in lines[:-1]}


def test_the_doctor_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("no journal at all, but long enough to look like a file of some kind" * 30)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        status, said = examine(
            capsys,
            *("--table", str(MAT), "--camera", str(tmp_path / "none.mp4"), "--board", "none"),
            *("--journal", str(letter), "--port", str(taken.getsockname()[1])),
        )
    assert status == 1
    assert said["program"].startswith("ok")
    assert said["table"].startswith("ok")
    assert "4 seats" in said["table"]
    assert said["deck"].startswith("--")
    assert said["camera"].startswith("BAD")
    assert "no such film" in said["camera"]
    assert said["board"].startswith("--")
    assert "not a journal" in said["journal"]
    assert "choose another port (--port)" in said["page"]


def test_the_doctor_looks_at_journal_and_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(tmp_path / "e.sqlite") as journal:
        Session(journal).begin([GAME])
    status, said = examine(
        capsys, "--board", "loopback", "--journal", str(tmp_path / "e.sqlite"), "--camera", str(tmp_path)
    )
    assert "intact, games: 1" in said["journal"]
    assert said["board"].startswith("ok")
    assert "no pictures in this folder" in said["camera"]
    assert status == 1


def test_the_screen_is_sent_where_the_page_will_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chromium").write_text("")
    (tmp_path / "chromium").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    words = ("--board", "none", "--camera", "/nowhere", "--port", "19090")
    monkeypatch.setenv("DISPLAY", ":0")
    _, said = examine(capsys, *words)
    assert said["display"].endswith("chromium --kiosk http://localhost:19090/?kiosk")
    monkeypatch.delenv("DISPLAY")
    _, said = examine(capsys, *words)
    assert "this session has no screen" in said["display"]


def test_a_doctor_that_stumbles_says_so_and_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(computer, "program", fault)
    _, said = examine(capsys, "--board", "none", "--camera", "/nowhere")
    assert "a fault in this program (ZeroDivisionError())" in said["program"]
    assert "display" in said


def test_systemd_is_told_when_it_listens(tmp_path: Path) -> None:
    assert not notify("READY=1", {})
    place = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(place))
        systemd.settimeout(5)
        assert notify("READY=1", {"NOTIFY_SOCKET": str(place)})
        assert systemd.recv(100) == b"READY=1"
    os.unlink(place)
    assert not notify("READY=1", {"NOTIFY_SOCKET": str(place)})
