"""Beside a running table the doctor asks that table; its bundle contains no name and no secret."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import httpx
import numpy as np
import pytest

from firmware_bridge.status import LinkStatus
from table import cli
from table.catalogue import tell
from table.checkup import CheckupLine, computer, picture, running
from table.equipment import Equipment
from table.journal import Journal
from table.printables.plan import plan_mat
from table.rules.events import Event
from table.session import Session
from table.settings import read_table
from table.web import HostTools, Page, PageAddress
from table.web.host import HostDesk
from table.web.pin import HashedPin
from tests.table.browser import CHROMIUM, Browser
from tests.table.lamp_film import LampFilm
from tests.table.running_table import Running
from tests.vision.test_geometry import camera, photograph
from vision.imgproc.colourless import without_colours
from vision.layout import Layout
from vision.sightings import Picture

TABLES = Path(__file__).parents[2] / "hardware" / "tables"
MAT = TABLES / "mat-2-A3.toml"


class Evening:
    """A running table with its page."""

    def __init__(self, journal: Journal) -> None:
        self.house = Running(journal)
        self.page = Page(self.house.table, PageAddress(0), host=HostTools(HostDesk(HashedPin.of("271828"))))

    def start(self) -> None:
        self.house.start(self.page.serve)
        # A rate needs two frames, and the doctor may be asked between the first and the second.
        self.house.until(lambda: self.house.table.frames_hz() and self.house.lamps.shown)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        table = Evening(journal)
        table.start()
        yield table
        table.house.stop()


def examine(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, str]]:
    status = cli.main(["doctor", *words])
    return status, {line[5:15].strip(): line for line in capsys.readouterr().out.splitlines()}


def test_beside_a_running_table_that_table_is_asked_and_nothing_is_opened_twice(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = (evening.house.film.opened, evening.house.lamps.opened)
    where = ("--journal", str(tmp_path / "evening.sqlite"), "--port", str(evening.page.port))
    _, said = examine(capsys, *where, "--camera", "none.mp4", "--board", "/dev/none")
    assert said["page"].startswith("ok")
    assert "the running table" in said["page"]
    assert said["camera"].startswith("ok")
    assert "frames a second" in said["rate"]
    assert said["board"].startswith("ok")
    assert "intact, games: 1" in said["journal"]
    assert {"program", "power", "clock", "disk", "deck"} <= said.keys()
    assert (evening.house.film.opened, evening.house.lamps.opened) == opened


def test_a_running_table_at_another_port_is_not_looked_at_from_outside(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = examine(capsys, "--journal", str(tmp_path / "evening.sqlite"), "--port", "1")
    assert status == 1
    assert "give the --port that it was started with" in said["page"]
    assert "camera" not in said


def test_another_tables_port_is_called_so(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--journal", str(tmp_path / "another.sqlite"), "--port", str(evening.page.port))
    _, said = examine(capsys, *where)
    assert "belongs to another table" in said["page"]


def test_a_phone_needs_the_hosts_pin_to_ask_the_doctor(evening: Evening) -> None:
    with httpx.Client(base_url=evening.page.url, trust_env=False, timeout=60) as line:
        asked = line.get("/api/doctor", headers={"x-forwarded-for": "192.168.1.50"})
        assert (asked.status_code, asked.json()["code"]) == (403, "pin.needed")
        told = line.get("/api/doctor?lang=de").json()["checks"]
        assert any(each["said"] == "antwortet" for each in told)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; `make test` installs it")
def test_the_page_shows_every_verdict_with_its_remedy(evening: Evening, tmp_path: Path) -> None:
    evening.house.film.refuses = True
    evening.house.film.frames.append(OSError("pulled"))
    evening.house.until(lambda: evening.house.feels("camera") == "lost")
    with Browser(tmp_path / "profile", 1280, 900) as screen:
        screen.go(f"{evening.page.url}/doctor?lang=de")
        screen.wait("document.body?.dataset.looked === 'yes'")
        text = screen.ask("document.getElementById('checks').innerText")
        assert "Kamera" in text
        assert "das Kabel der Kamera prüfen" in text
        assert screen.ask("document.querySelectorAll('tr.bad').length") >= 1
        assert not screen.complaints


# --- the bundle -----------------------------------------------------------------------------------------

ADDRESS = "192.0.2.2"
SECRETS = (ADDRESS, "271828", "hunter2", "Änne Geheim", "Zoltan", "haus.example", "broker.example", "/etc/pw")
PLUM = (200, 0, 255)


def mat_with_a_guest_beside_it() -> Picture:
    """A frame whose surroundings have a colour that the mat does not have."""
    frame = LampFilm([(0.0, 0.0)]).picture([(0, 0, 0)])
    found = picture.find_table(frame, read_table(MAT).layout)
    across, down = (size / 2 + 8 for size in read_table(MAT).layout.size_mm)
    rim = (
        found.to_px([(-across, -down), (across, -down), (across, down), (-across, down)]).round().astype(int)
    )
    mask = cv2.fillConvexPoly(np.zeros(frame.shape[:2], np.uint8), rim, 1)
    frame[mask == 0] = PLUM
    return frame


def test_the_bundle_does_not_tell_who_is_behind_root(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDO_USER", "annaschmidt")
    home = tmp_path / "annaschmidt"
    home.mkdir()
    words = ["--table", str(home / "table.toml"), "--camera", "/nowhere", "--board", "none", "--port", "0"]
    cli.main(["doctor", *words, "--journal", str(tmp_path / "e"), "--bundle", str(tmp_path / "report.zip")])
    assert "annaschmidt" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        assert not [name for name in packed.namelist() if b"annaschmidt" in packed.read(name)]


def test_the_bundle_holds_no_secret_no_name_and_no_picture_beyond_the_mat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = ["Änne Geheim", "Zoltan", "C", "D"]
    game = {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3", "S4"], "players": people}
    with Journal.open(tmp_path / "Zoltan.sqlite") as journal:
        session = Session(journal)
        session.begin([Event.from_dict(game), Event("round", {"dealer": "S4"})])
        session.add(Event("correction", {"of": 1, "event": Event.from_dict({**game, "note": "hunter2"})}))
    film = tmp_path / "film"
    film.mkdir()
    for number in range(3):
        cv2.imwrite(str(film / f"{number}.png"), mat_with_a_guest_beside_it())
    (tmp_path / "house.toml").write_text(
        f'table = "{MAT}"\ncamera = "film"\nboard = "none"\njournal = "Zoltan.sqlite"\nport = 0\n'
        'pin = "271828"\nplayers = ["Änne Geheim", "Zoltan"]\nnames = ["haus.example"]\n'
        '[mqtt]\nhost = "broker.example"\ntable = "window"\nuser = "hunter2"\npassword_file = "/etc/pw"\n'
    )
    words = ["--config", str(tmp_path / "house.toml"), "--listen", ADDRESS]
    cli.main(["doctor", *words, "--bundle", str(tmp_path / "report.zip")])
    capsys.readouterr()
    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    assert {"doctor.txt", "settings.json", "game.jsonl", "table.toml", "mat.jpg"} <= parts.keys()
    for name, data in parts.items():
        for secret in SECRETS:
            assert secret.encode() not in data, f"{secret} in {name}"
            assert json.dumps(secret).strip('"').encode() not in data, f"{secret} in {name}"
    assert len(parts["game.jsonl"].splitlines()) == 3
    shown = cv2.imdecode(np.frombuffer(parts["mat.jpg"], np.uint8), cv2.IMREAD_COLOR).astype(int)
    assert np.abs(shown - PLUM).sum(axis=2).min() > 100, "what is beside the mat is in the picture"


# --- single verdicts -----------------------------------------------------------------------------------


def test_a_pi_that_lacks_power_is_told_so_and_another_computer_that_nobody_measures_it(
    tmp_path: Path,
) -> None:
    def pi(word: str) -> str:
        return {"get_throttled": "throttled=0x50005", "measure_temp": "temp=61.2'C"}[word]

    weak = computer.power(pi, tmp_path)
    assert weak.well is False
    assert "voltage is too low now" in weak.line()
    assert "61.2 °C" in weak.line()
    assert "power supply" in weak.line()
    assert computer.power(lambda word: pi(word).replace("50005", "0"), tmp_path).well is True
    hot = computer.power(lambda word: pi(word).replace("50005", "C000C"), tmp_path)
    assert "heat sink" in hot.line()
    assert "power supply" not in hot.line()
    both = computer.power(lambda word: pi(word).replace("50005", "D000D"), tmp_path)
    assert "power supply" in both.line()
    assert "heat sink" in both.line()
    assert "no Raspberry Pi" in computer.power(lambda _: None, tmp_path).line()


@pytest.mark.parametrize("fails", ["exit 1", "echo VCHI initialization failed", "echo throttled=garbage"])
def test_a_pi_that_may_not_be_asked_is_a_pi_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    (tmp_path / "vcgencmd").write_text(f"#!/bin/sh\n{fails}\n")
    (tmp_path / "vcgencmd").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    line = computer.power(sys_fs=tmp_path)
    assert line.well is None
    assert "no Raspberry Pi" not in line.line()
    assert "group `video`" in line.line()


def test_a_clock_that_was_set_back_is_bad_and_one_without_a_server_is_not() -> None:
    assert computer.clock(1.8e9, 1.8e9 + 7200, True).well is False
    assert "2.0 h" in computer.clock(1.8e9, 1.8e9 + 7200, True).line()
    assert computer.clock(1.8e9, 1.8e9 - 5, False).well is None
    assert computer.clock(1.8e9, None, True).well is True


def test_a_worn_memory_and_a_file_system_with_errors_are_told(tmp_path: Path) -> None:
    number = tmp_path.stat().st_dev
    device, files = tmp_path / "devices" / "mmcblk0", tmp_path / "fs" / "ext4" / "mmcblk0p2"
    (device / "mmcblk0p2").mkdir(parents=True)
    (device / "device").mkdir()
    files.mkdir(parents=True)
    (tmp_path / "dev" / "block").mkdir(parents=True)
    link = tmp_path / "dev" / "block" / f"{number >> 8 & 0xFFF}:{number & 0xFF | number >> 12 & ~0xFF}"
    link.symlink_to(device / "mmcblk0p2")
    (device / "device" / "life_time").write_text("0x02 0x09\n")
    (files / "errors_count").write_text("0\n")
    worn = computer.disk(tmp_path / "evening.sqlite", tmp_path)
    assert worn.well is False
    assert "90 % of its life" in worn.line()
    (files / "errors_count").write_text("3\n")
    assert "3 errors" in computer.disk(tmp_path / "evening.sqlite", tmp_path).line()


@pytest.mark.parametrize(("free", "said"), [(83_440_000_000, "83 GB free"), (940_000_000, "940 MB free")])
def test_room_on_the_disk_is_told_in_the_unit_that_people_use(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free: int, said: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    assert said in computer.disk(tmp_path / "evening.sqlite", tmp_path).line()


def wire(shown: int, repeated: int, greetings: int = 1) -> LinkStatus:
    return LinkStatus(True, "/dev/x", None, shown, repeated, 0, greetings, 0, None, None)


def test_lost_messages_are_blamed_on_the_cable_and_restarts_on_the_supply() -> None:
    assert running.cable(wire(1000, 1)).well is True
    assert "better cable" in running.cable(wire(1000, 50)).line()
    assert "supply" in running.cable(wire(1000, 0, greetings=9)).line()
    assert "supply" in running.cable(wire(1000, 50, greetings=9)).line(), "each start loses some"
    assert running.cable(wire(10, 1)).well is None, "too few to say"


def test_a_slow_computer_says_which_share_of_the_frames_it_looks_at() -> None:
    slow = running.rate(7.2, 0.48)
    assert slow.well, "a card lies longer than that"
    assert "7.2 frames a second: 48 %" in slow.line()
    assert "close other programs" in slow.line()
    assert running.rate(7.2, 0.97).line() == "7.2 frames a second", "the camera gives no more"
    assert not running.rate(4.9, None).well


def test_the_runtime_asks_the_camera_that_is_open(evening: Evening) -> None:
    assert evening.house.table.frames_seen() is None
    evening.house.film.share_seen = 0.5
    assert evening.house.table.frames_seen() == 0.5


def test_a_deck_with_look_alikes_names_them() -> None:
    line = running.deck(lambda: (("red-6", "red-9"), ("CQ", "SQ")))
    assert tell(line.said, "de") == "Paare, die sich ähnlich sehen: 2 (Rot 6 / Rot 9, Kreuz Dame / Pik Dame)"
    assert running.deck(Equipment().alike).well is None


def test_a_clock_that_was_never_set_is_told_so_also_before_the_first_evening() -> None:
    told = computer.clock(60.0, None, True)
    assert told.well is False
    assert "1970-01-01" in told.line()
    assert "clock with a battery" in told.line()


@pytest.mark.parametrize(("pace_hz", "well"), [(2.0, False), (15.0, True)])
def test_a_slow_camera_is_told_before_the_table_runs(
    pace_hz: float, well: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = tmp_path / "slow.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), pace_hz, (320, 240))
    for _ in range(20):
        writer.write(np.full((240, 320, 3), 160, np.uint8))
    writer.release()
    _, said = examine(
        capsys,
        "--camera",
        str(film),
        "--board",
        "none",
        "--journal",
        str(tmp_path / "e.sqlite"),
        "--port",
        "0",
    )
    assert said["rate"].startswith("ok" if well else "BAD"), said["rate"]


def test_a_disk_that_can_only_be_read_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_RDONLY))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**9))
    told = computer.disk(tmp_path / "evening.sqlite", tmp_path)
    assert told.well is False
    assert f"the disk of {tmp_path} is read-only" in told.line()
    assert "--journal" not in told.line(), "an installed table has no such option"


def test_a_picture_is_judged_dark_blurred_mirroring_or_fine() -> None:
    layout = read_table(MAT).layout
    frame = LampFilm([(0.0, 0.0)]).picture([(0, 0, 0)])

    def bad(shown: Picture) -> set[str]:
        return {verdict.part for verdict in picture.examine(shown, layout) if verdict.well is False}

    assert bad(frame) == set()
    assert bad((frame * 0.3).astype(np.uint8)) == {"exposure"}
    (grey,) = (v for v in picture.examine(without_colours(frame), layout) if v.well is False)
    assert tell(grey.said, "de") == "die Kamera zeigt keine Farben"
    mirrored = frame.copy()
    cv2.circle(mirrored, (frame.shape[1] // 2, frame.shape[0] // 2), 80, (255, 255, 255), -1)
    assert bad(mirrored) == {"glare"}
    assert bad(np.full_like(frame, 200)) == {"sight"}
    for bright in (np.full_like(frame, 255), np.clip(frame * 3.5, 0, 255).astype(np.uint8)):
        (told,) = (v for v in picture.examine(bright, layout) if v.part == "exposure")
        assert told.well is False
        assert "less light" in told.line()
        assert not [v for v in picture.examine(bright, layout) if "turn the lamp" in v.line()]
        assert not [v for v in picture.examine(bright, layout) if "more light" in v.line()]
    lost = picture.examine(np.asarray(cv2.GaussianBlur(frame, (0, 0), 8.0), np.uint8), layout)
    assert [v.part for v in lost if v.well is False] == ["sharpness", "sight"], "first what is the cause"
    widths = [
        float(next(v for v in picture.examine(shown, layout) if v.part == "sharpness").said.args["n"])
        for shown in (frame, np.asarray(cv2.GaussianBlur(frame, (0, 0), 1.5), np.uint8))
    ]
    assert widths[1] > 1.5 * widths[0]


@pytest.mark.parametrize("weak", [lambda shown: shown, lambda shown: cv2.GaussianBlur(shown, (0, 0), 2.0)])
def test_another_mats_table_file_is_told_from_a_camera_that_sees_badly(
    weak: Callable[[Picture], Picture],
) -> None:
    """Its tags fit a mat of another size to a few pixels, but each tag alone is seen far better than that."""
    right, size = plan_mat(4, "A2").layout, (702.0, 420.0)
    longer = [replace(tag, center_mm=(tag.center_mm[0] * 1.15, *tag.center_mm[1:])) for tag in right.tags]
    frame = np.asarray(weak(photograph(right, camera(right))))

    def sight(layout: Layout) -> CheckupLine:
        return next(verdict for verdict in picture.examine(frame, layout) if verdict.part == "sight")

    assert sight(right).well is True
    wrong = sight(replace(right, tags=tuple(longer), size_mm=size))
    assert wrong.well is False
    assert "measure the tags again" in wrong.line()
    assert wrong.said.code == "checkup.elsewhere", (
        "the table is found all the same: nobody is kept from playing"
    )
