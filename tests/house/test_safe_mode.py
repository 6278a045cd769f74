"""The real `stammtisch run` with something missing: the page comes up and keeps the score by touch."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from table import cli
from table.catalogue import Fact, tell
from table.cli import INTERRUPTED, main, run
from table.cli.outside import undisturbed
from table.cli.safe_mode import FAILED, PROVEN_S, REFUSED, Starts, open_journal
from table.errors import UsageError
from table.journal import Journal, JournalHeldError, JournalNewerError, JournalReader
from table.journal.file import FORM
from table.web.port import bind

HOUSE = Path(__file__).parents[2]
MAT = HOUSE / "hardware" / "tables" / "mat-3-A3.toml"
GAME = HOUSE / "tests" / "data" / "games" / "dubbe-three-players"


class Guest:
    """A user of the page of a running process."""

    def __init__(self, said: list[str], line: httpx.Client, process: subprocess.Popen[str]) -> None:
        self.said, self.line, self.process = said, line, process

    def ailing(self) -> dict[str, Any]:
        """The camera's problem, once the table knows it; the page comes up without waiting for that."""
        for _ in range(600):
            camera = dict(self.line.get("/api/state").json()["health"]["camera"])
            if camera["what"] not in ("starting", "learning"):
                return camera
            time.sleep(0.1)
        raise AssertionError("the camera starts for ever")

    def tells(self, path: str, body: dict[str, Any]) -> None:
        answer = self.line.post(path, json=body)
        assert answer.status_code == 200, (body, answer.text)


@contextmanager
def running(
    folder: Path,
    words: Sequence[str] = (),
    end: int = signal.SIGTERM,
    table: Sequence[str] = ("--table", str(MAT)),
) -> Iterator[Guest]:
    command = [sys.executable, "-m", "table", "run", *table, "--port", "0"]
    command += ["--journal", str(folder / "evening.sqlite"), *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder, env=os.environ
    )
    assert process.stdout is not None
    said: list[str] = []
    try:
        while not (said and said[-1].startswith("page: ")):
            line = process.stdout.readline()
            assert line, said
            said.append(line)
        with httpx.Client(base_url=said[-1].split()[1].rstrip(","), trust_env=False, timeout=60) as guest:
            yield Guest(said, guest, process)
    finally:
        process.send_signal(end)
        process.communicate(timeout=60)


def play_by_hand(guest: Guest) -> dict[str, Any]:
    """Enter a whole recorded game line by line, as the page's grid does; return the table's points."""
    lines = [
        json.loads(line)
        for line in Path(f"{GAME}.jsonl").read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    guest.tells("/api/begin", {"game": "dubbe", "rounds": 1, "players": ["Anna", "Bernd", "Carla"],
                               "seats": ["S1", "S2", "S3"], "dealer": "S3"})  # fmt: skip
    for event in lines[1:]:
        begun = guest.line.get("/api/state").json()["view"]["round"]
        if event["kind"] != "round" or not begun:
            guest.tells("/api/event", event)
    return dict(guest.line.get("/api/result").json()["points"])


def test_without_deck_camera_board_and_network_a_game_is_kept_by_hand(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    absent = ("--deck", "empty", "--camera", "usb:99", "--board", "/dev/none", "--listen", "203.0.113.7")
    with running(tmp_path, absent) as guest:
        assert any("not an address of this computer" in line for line in guest.said)
        ailing = guest.ailing()
        assert ailing["what"] == "unread"
        assert ailing["detail"]["args"]["source"] == "usb:99", "the camera is not there either"
        missing = tell(Fact(**ailing["detail"]["args"]["why"]))
        assert "empty" in missing, "what is missing"
        assert "needs one .jpg or .png of each card" in missing, "with its remedy"
        assert guest.line.get("/").status_code == 200
        assert (
            play_by_hand(guest)
            == json.loads(Path(f"{GAME}.result.json").read_text(encoding="utf-8"))["points"]
        )
    with JournalReader.open(tmp_path / "evening.sqlite") as journal:
        journal.check()


def test_pins_that_cannot_be_used_are_said_and_keep_no_page_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table file with the pins of docs/reference/lamps.md, on a computer that has none."""
    table = tmp_path / "table.toml"
    table.write_text(f"{MAT.read_text()}\n[pins]\ncamera_light = 18\nboard_reset = 23\n")
    words = ("--table", str(table), "--camera", "usb:99", "--board", "none")
    with running(tmp_path, words) as guest:
        health = guest.line.get("/api/state").json()["health"]["pins"]
        assert health["what"] == "missing"
        assert health["detail"]
        (line,) = [
            each for each in guest.line.get("/api/doctor?lang=en").json()["checks"] if each["part"] == "pins"
        ]
        assert line["well"] is False
        assert "cannot be used" in line["said"]
    main(["doctor", *words, "--port", "0", "--journal", str(tmp_path / "evening.sqlite")])
    assert re.search(r"^BAD  pins ", capsys.readouterr().out, re.M)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody knows which cameras are there")
def test_where_nothing_is_known_the_page_also_tells_of_a_named_camera_that_is_not_there(
    tmp_path: Path,
) -> None:
    """Only a line of output at the start used to say so, and nobody reads that at the table."""
    with running(tmp_path, ("--camera", "usb:99")) as guest:
        detail = guest.ailing()["detail"]
        assert (detail["code"], detail["args"]["source"]) == ("sight.absent", "usb:99")
        assert detail["args"]["why"] == {"code": "sight.cards", "args": {}}


def test_after_starts_that_were_killed_the_next_one_leaves_camera_and_lamps_alone(tmp_path: Path) -> None:
    (tmp_path / "evening.sqlite.starts").write_text(f"{FAILED - 1}\n")
    with running(tmp_path, end=signal.SIGKILL) as guest:
        assert guest.ailing()["what"] == "unread"
        assert guest.ailing()["detail"] == {"code": "sight.cards", "args": {}}
    with running(tmp_path) as guest:  # this one ends properly, so the next one tries everything again
        assert guest.ailing()["what"] == "safe"
        assert "lamps: none\n" in guest.said
        guest.tells("/api/begin", {"game": "dubbe", "players": ["A", "B", "C"], "seats": ["S1", "S2", "S3"]})
    with running(tmp_path) as guest:
        assert guest.ailing()["what"] == "unread"
        assert guest.line.get("/api/state").json()["view"]["players"] == ["A", "B", "C"], "the game went on"


def test_a_start_that_was_refused_in_a_sentence_has_not_failed(tmp_path: Path) -> None:
    """A user who reads the message corrects the command; a service would repeat it again and again."""
    place = tmp_path / "evening.sqlite"
    for kind in REFUSED:
        with pytest.raises(kind), Starts(place):
            raise kind("no such game")
    assert not (tmp_path / "evening.sqlite.starts").exists()
    Starts(place)
    with pytest.raises(UsageError), Starts(place):
        raise UsageError("no such game")
    assert Starts(place).failed == 1
    with pytest.raises(UsageError), Starts(place, again=True):
        raise UsageError("no such table file")
    with pytest.raises(RuntimeError), Starts(place):
        raise RuntimeError("a fault")
    assert Starts(place).failed == 4


def test_a_start_whose_journal_another_table_writes_has_not_failed(tmp_path: Path) -> None:
    """Of two units enabled by mistake, one plays; the failed starts of the other must not cause safe mode."""
    place = tmp_path / "evening.sqlite"
    with Journal.open(place):
        for _ in range(FAILED):
            with pytest.raises(JournalHeldError), Starts(place, again=True), Journal.open(place):
                raise AssertionError("two write")
    assert Starts(place).safe is None


@pytest.mark.parametrize("broken", ["settings", "table"])
def test_files_that_a_service_cannot_read_bring_up_the_page_which_says_so_until_they_are_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """The screen on the wall used to stay dark, and nobody reads the output of a service."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    settings, table = tmp_path / "stammtisch.toml", tmp_path / "mat.toml"
    fine = {settings: 'language = "en"\ntable = "mat.toml"\n', table: MAT.read_text(encoding="utf-8")}
    for file, text in fine.items():
        file.write_text(text, encoding="utf-8")
    wrong = settings if broken == "settings" else table
    wrong.write_text(f"{fine[wrong]}camera = usb:0\n", encoding="utf-8")
    begun = {"game": "dubbe", "players": ["A", "B", "C"], "seats": ["S1", "S2", "S3"]}
    with running(tmp_path, ("--config", str(settings)), table=()) as guest:
        ailing = guest.ailing()
        assert ailing["what"] == "unfit"
        said = tell(Fact(**ailing["detail"]), "de")
        assert f"{wrong}, Zeile {len(wrong.read_text(encoding='utf-8').splitlines())}: " in said
        assert guest.line.get("/api/state").json()["language"] == "en", "what can be read is kept"
        guest.tells("/api/begin", begun)
        wrong.write_text(fine[wrong], encoding="utf-8")
        assert guest.process.wait(60) == 0, "it ends, and the service starts it as usual"
    with running(tmp_path, ("--config", str(settings)), table=()) as guest:
        assert guest.ailing()["what"] != "unfit"
        assert guest.line.get("/api/state").json()["view"]["players"] == begun["players"], "the game goes on"
    monkeypatch.delenv("NOTIFY_SOCKET")
    wrong.write_text(f"{fine[wrong]}camera = usb:0\n", encoding="utf-8")
    assert main(["run", "--config", str(settings)]) == 1, "who typed it reads it there"


@pytest.mark.parametrize(
    ("settings", "words", "said"),
    [
        ('game = "dubble"\n', (), "dubble"),
        ('pin = "12345"\ngame = dubbe\n', ("--game", "dubbe", "--players", "A,B,C,D"), "line 2"),
        ('pin = "12345"\n', ("--listen", "0.0.0.0"), "six digits"),
        ('table = "~nobody-here/x.toml"\n', (), "no such user"),
        ('table = "a\\u0000b"\n', (), "there is no such table file"),
        (f"port = 1{'0' * 5000}\n", (), "cannot be read"),
    ],
)
def test_settings_that_a_service_cannot_use_bring_up_the_page_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, words: tuple[str, ...], said: str
) -> None:
    """The file is readable, and only later does it turn out that its settings are invalid."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    file = tmp_path / "stammtisch.toml"
    named = "" if "table" in settings else f'table = "{MAT}"\n'
    file.write_text(settings + named, encoding="utf-8")
    with running(tmp_path, ("--config", str(file), *words), table=()) as guest:
        ailing = guest.ailing()
        assert ailing["what"] == "unfit"
        assert ailing["detail"]["code"] != "foreign", "in the page's language"
        parts = [each["part"] for each in guest.line.get("/api/doctor").json()["checks"]]
        assert "deck" not in parts, "nobody knows whether this is a box, which has none"
        assert said in tell(Fact(**ailing["detail"]), "en")


def test_settings_that_somebody_mistypes_at_a_terminal_are_no_failed_start(tmp_path: Path) -> None:
    place = tmp_path / "evening.sqlite"
    for _ in range(FAILED + 1):
        assert main(["run", "--table", str(tmp_path / "none.toml"), "--journal", str(place)]) == 1
    assert Starts(place).safe is None


def test_a_game_begun_while_nobody_knew_the_table_keeps_no_page_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat of the game does not exist at the table; the service used to fail at every start."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    file = tmp_path / "stammtisch.toml"
    file.write_text(f'table = "{MAT}"\ncamera = usb:0\n', encoding="utf-8")
    begun = {"game": "dubbe", "players": ["A", "B", "C"], "seats": ["S1", "S2", "S5"]}
    with running(tmp_path, ("--config", str(file)), table=()) as guest:
        guest.tells("/api/begin", begun)
        file.write_text(f'table = "{MAT}"\n', encoding="utf-8")
        assert guest.process.wait(60) == 0
    for _ in range(2):
        with running(tmp_path, ("--config", str(file)), table=()) as guest:
            assert "is played at seat S5" in tell(Fact(**guest.ailing()["detail"]), "en")
            assert guest.line.get("/api/state").json()["view"]["players"] == begun["players"]
            with pytest.raises(subprocess.TimeoutExpired):
                guest.process.wait(7)  # it must not restart again and again


def test_a_journal_that_a_service_cannot_open_keeps_no_page_away_and_what_is_played_comes_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, or one that can only be read: the screen on the wall stayed dark."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    folder, aside = tmp_path / "state", tmp_path / "aside"
    folder.mkdir()
    begun = {"game": "dubbe", "players": ["A", "B", "C"], "seats": ["S1", "S2", "S3"]}
    with running(folder) as guest:
        guest.tells("/api/begin", begun)
    folder.rename(aside)
    folder.write_text("no folder")  # root may write anywhere else
    place = folder / "evening.sqlite"
    words = ("--table", str(MAT), "--journal", str(place))
    with running(tmp_path, words, table=()) as guest:
        state = guest.line.get("/api/state").json()
        assert state["health"]["journal"]["what"] == "apart"
        assert str(place) in tell(Fact(**state["health"]["journal"]["detail"]), "de")
        guest.tells("/api/begin", {**begun, "players": ["D", "E", "F"]})
        guest.tells("/api/event", {"kind": "die", "colour": "red", "value": 1, "spot": "aagewwer"})
        folder.unlink()
        aside.rename(folder)
        assert guest.process.wait(60) == 0, "it ends, and the service starts it as usual"
    with running(tmp_path, words, table=()) as guest:
        state = guest.line.get("/api/state").json()
        assert state["health"]["journal"]["what"] == "fine"
        assert state["view"]["players"] == ["D", "E", "F"], "the game goes on"
    with JournalReader.open(place) as journal:
        journal.check()
        first = [next(iter(journal.events(game))).event for game in journal.games()]
        assert [event.get("players") for event in first] == [["A", "B", "C"], ["D", "E", "F"]]
    monkeypatch.delenv("NOTIFY_SOCKET")
    assert main(["run", "--table", str(MAT), "--journal", str(MAT.parent)]) == 1, (
        "who typed it reads it there"
    )


def test_nothing_stands_in_for_the_journal_of_a_newer_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update that did not get well is taken back: the page must not answer without the games."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    place = tmp_path / "evening.sqlite"
    Journal.open(place).close()
    with closing(sqlite3.connect(place)) as base:
        base.execute(f"PRAGMA user_version = {FORM + 1}")
    with pytest.raises(JournalNewerError):
        open_journal(place)


def test_a_service_whose_port_is_taken_shows_its_page_elsewhere_until_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with running(tmp_path, ("--port", str(port))) as guest:
            assert any(f"port {port} (" in line for line in guest.said), "said in the log"
            assert guest.line.base_url.port != port
            taken.close()
            assert guest.process.wait(60) == 0, "it ends, and the service starts it as usual"
    monkeypatch.delenv("NOTIFY_SOCKET")
    with bind("127.0.0.1", 0) as taken:
        words = ("--table", str(MAT), "--journal", str(tmp_path / "evening.sqlite"))
        assert main(["run", *words, "--port", str(taken.getsockname()[1])]) == 1, (
            "who typed it reads it there"
        )


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Let Ctrl-C interrupt: tests run in the background of a shell inherit an ignored SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_second_ctrl_c_disturbs_no_closing(monkeypatch: pytest.MonkeyPatch, ctrl_c: None) -> None:
    with undisturbed():
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(os.getpid(), each)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)

    def interrupted(_: object) -> argparse.ArgumentParser:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "program", interrupted)  # as if a command was still being imported
    assert main(["run"]) == INTERRUPTED


def test_a_start_that_the_system_ends_has_not_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may end before the loop runs: `systemctl stop` while the deck is read, or a closed terminal."""
    place = tmp_path / "evening.sqlite"
    closed: list[bool] = []

    def play(*_: object) -> int:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            raise AssertionError("nobody heard it")
        finally:
            os.kill(os.getpid(), signal.SIGTERM)  # a second signal must not disturb the closing
            closed.append(True)

    monkeypatch.setattr(run, "_play", play)
    assert main(["run", "--table", str(MAT), "--journal", str(place)]) == 0
    assert closed
    assert not (tmp_path / "evening.sqlite.starts").exists()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with pytest.raises(KeyboardInterrupt), Starts(place, again=True):
        raise KeyboardInterrupt
    assert Starts(place).failed == 0


def test_a_start_that_lasts_or_ends_in_order_has_not_failed(tmp_path: Path) -> None:
    place = tmp_path / "evening.sqlite"
    assert [Starts(place).safe is None for _ in range(FAILED + 1)] == [True] * FAILED + [False]
    Starts(place).mark_proven()
    assert Starts(place).safe is None
    (tmp_path / "evening.sqlite.starts").write_text("rubbish")
    assert Starts(place).failed == 0
    assert PROVEN_S > 30, "longer than the watchdog waits"
