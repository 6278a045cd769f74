"""A journal is copied while a table plays, restored whole, and read by other programs."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from table import cli
from table.integrations.mqtt.outbox import Outbox
from table.journal import Journal, JournalError, JournalReader
from table.journal.copying import backup, restore
from table.rules.evening import evening
from table.rules.events import Event
from table.session import Session
from table.web import Page, PageAddress, PageLook
from table.web.host import HostDesk
from table.web.pin import HashedPin
from tests.table.running_page import OPENING, House

CARD = Event("card", {"seat": "S1", "card": "red-7"})


def lines(path: Path) -> list[Event]:
    with JournalReader.open(path) as journal:
        journal.check()
        return [entry.event for game in journal.games() for entry in journal.events(game)]


def identity(path: Path) -> int:
    with closing(sqlite3.connect(path)) as base:
        return int(base.execute("SELECT identity FROM journal").fetchone()[0])


def on_a_stick(monkeypatch: pytest.MonkeyPatch, ail: Callable[[sqlite3.Connection], object]) -> None:
    """Write copies to a stick; `ail` is what is wrong with the file from the start."""
    connect = sqlite3.connect

    def connected(place: Path, **how: Any) -> sqlite3.Connection:
        opened = connect(place, **how)
        if str(place).endswith(".part"):
            ail(opened)
        return opened

    monkeypatch.setattr("table.journal.copying.sqlite3.connect", connected)


def test_a_copy_is_made_while_the_table_plays_and_comes_back_whole(tmp_path: Path) -> None:
    path, copy = tmp_path / "evening.sqlite", tmp_path / "evening.backup"
    with Journal.open(path) as journal:
        game = journal.new_game(opening=OPENING)
        journal.append(game, CARD, crop=b"jpeg")
        assert "1 games, 4 events, checked" in backup(path, copy)
        journal.append(game, CARD)
        assert journal.events(game)
    assert [p.name for p in tmp_path.glob("evening.backup*")] == ["evening.backup"], "one file"
    assert copy.stat().st_mode & 0o077 == 0, "guests' names stand in it"
    said = restore(copy, path)
    (kept,) = tmp_path.glob("evening.sqlite.replaced-*")
    assert kept.name in said
    assert len(lines(kept)) == 5
    assert lines(path) == lines(copy)
    assert identity(path) != identity(copy), "who was told of the old one must not mistake its lines"
    with Journal.open(path) as journal:
        assert journal.lost is None
        assert journal.crop(1, 4) == b"jpeg"
        journal.append(1, CARD)


def test_a_journal_in_use_is_not_written_over(tmp_path: Path) -> None:
    path, copy = tmp_path / "evening.sqlite", tmp_path / "copy"
    with Journal.open(path) as journal:
        game = journal.new_game(opening=OPENING)
        backup(path, copy)
        with pytest.raises(JournalError, match="another table is writing this journal"):
            restore(copy, path)
        journal.append(game, CARD)
    assert len(lines(path)) == 4


def test_a_damaged_copy_a_newer_one_and_a_letter_are_refused_and_nothing_changes(tmp_path: Path) -> None:
    path, copy = tmp_path / "evening.sqlite", tmp_path / "copy"
    with Journal.open(path) as journal:
        journal.new_game(opening=OPENING)
    backup(path, copy)
    data = bytearray(copy.read_bytes())
    at = data.index(b"Bernd")
    data[at] ^= 1
    (tmp_path / "damaged").write_bytes(data)
    shutil.copy(copy, tmp_path / "newer")
    with closing(sqlite3.connect(tmp_path / "newer")) as base:
        base.execute("PRAGMA user_version = 99")
    (tmp_path / "letter").write_text("Dear Anna, " * 100)
    before = path.read_bytes()
    for name, said in (
        ("damaged", "this copy is damaged"),
        ("newer", "written by a newer stammtisch"),
        ("letter", "not a journal; choose another file$"),
        ("none", "no such file"),
    ):
        with pytest.raises(JournalError, match=said):
            restore(tmp_path / name, path)
        assert path.read_bytes() == before
    with pytest.raises(JournalError, match="choose another name"):
        backup(path, copy)


def test_a_damaged_journal_makes_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as journal:
        journal.new_game(opening=OPENING)
    data = bytearray(path.read_bytes())
    data[data.index(b"Bernd")] ^= 1
    path.write_bytes(data)
    with pytest.raises(JournalError, match="damaged"):
        backup(path, tmp_path / "copy")
    assert not list(tmp_path.glob("copy*"))


def test_after_a_restore_no_key_stands_for_two_lines_even_if_the_mark_is_behind(tmp_path: Path) -> None:
    """The mark of what was sent is not forced to the disk, so a reader may know more than the mark says."""
    path, copy = tmp_path / "evening.sqlite", tmp_path / "copy"
    with Journal.open(path) as journal:
        game = journal.new_game(opening=OPENING)
        outbox = Outbox(path, "window", wall=lambda: 1000.0)
        outbox.batch()
        outbox.confirm_batch()
        outbox.save()
        backup(path, copy)
        journal.append(game, CARD)
        told = {(line.boot, line.sequence): line.event for line in outbox.batch()}
        outbox.confirm_batch()  # and the power fails before the mark is saved
        outbox._saved = outbox.mark
        outbox.close()
    assert cli.main(["restore", str(copy), "--journal", str(path)]) == 0
    with Journal.open(path) as journal:
        journal.append(game, CARD.having(card="red-9"))
    outbox = Outbox(path, "window")
    anew = {(line.boot, line.sequence): line.event for line in outbox.batch()}
    outbox.close()
    assert anew
    assert not told.keys() & anew.keys()


def test_evenings_are_exported_with_points_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    opening = [OPENING[0].having(players=["=SUM(A1)", "Bernd", "Carla", "Dirk"]), *OPENING[1:]]
    with Journal.open(path) as journal:
        session = Session(journal)
        session.begin(opening)
        session.add(CARD.having(seat=session.view.turn, secret="x"))
        session.add(Event("end"))
    assert cli.main(["export", str(tmp_path / "all.json"), "--journal", str(path)]) == 0
    (evening,) = json.loads((tmp_path / "all.json").read_text())["evenings"]
    assert evening["players"]["S2"] == "Bernd"
    assert evening["result"]["game"] == "dubbe"
    assert len(evening["events"]) == 5
    assert "secret" not in (tmp_path / "all.json").read_text()
    assert cli.main(["export", str(tmp_path / "all.csv"), "--journal", str(path), "--lang", "en"]) == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "all.csv").read_text("utf-8-sig"))))
    assert {row["name"] for row in rows} == {"'=SUM(A1)", "Bernd", "Carla", "Dirk"}
    assert cli.main(["export", str(tmp_path / "all.pdf"), "--journal", str(path)]) == 2


def test_an_export_tells_which_rounds_came_to_an_end(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    rounds = [*evening({"kind": "game", "game": "dulle", "seats": ["S1", "S2", "S3", "S4"]}, 3, rounds=1)]
    going_on = [Event("round", {"dealer": "S1"}), Event("card", {"seat": "S2", "card": "HA"})]
    with Journal.open(path) as journal:
        journal.new_game(0.0, [*rounds, *going_on])
        journal.new_game(9.0, [*rounds, *going_on, Event("end")])
    assert cli.main(["export", str(tmp_path / "all.csv"), "--journal", str(path), "--lang", "en"]) == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "all.csv").read_text("utf-8-sig"))))
    told = [tuple(row[name] for name in ("game", "round", "state")) for row in rows if row["seat"] == "S1"]
    first, second = ("1", "complete"), ("2", "not finished")
    assert told == [("1", *first), ("1", *second), ("2", *first), ("2", "2", "broken off")]


def test_an_export_that_finds_no_room_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, file = tmp_path / "evening.sqlite", tmp_path / "all.json"
    with Journal.open(path) as journal:
        journal.new_game(opening=OPENING)
    assert cli.main(["export", str(file), "--journal", str(path)]) == 0
    whole = file.read_text()

    def full(place: Path, *_: object, **__: object) -> None:
        with place.open("w", encoding="utf-8") as half:
            half.write("{")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    monkeypatch.setattr(Path, "write_text", full)
    assert cli.main(["export", str(file), "--journal", str(path)]) == 1
    assert "No space left" in capsys.readouterr().err
    assert file.read_text() == whole


def test_a_strange_name_and_an_opening_that_no_rules_take_stop_no_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as journal:
        journal.new_game(opening=[OPENING[0].having(players=["A\ud83d", *"BCD"]), *OPENING[1:]])
        journal.new_game(opening=[OPENING[0].having(options={"rounds": -1}), *OPENING[1:]])
    assert cli.main(["export", str(tmp_path / "all.json"), "--journal", str(path)]) == 0
    said = capsys.readouterr()
    assert "2 games; game 2 cannot be exported (" in said.out
    assert (said.err, caplog.text) == ("", "")
    first, second = json.loads((tmp_path / "all.json").read_text())["evenings"]
    assert first["players"]["S1"] == "A\ufffd"
    assert (second["players"], len(second["events"])) == ({}, 3)
    assert cli.main(["export", str(tmp_path / "all.csv"), "--journal", str(path)]) == 0


def test_the_dice_of_a_box_bear_the_names_of_the_exports_language(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    opening = Event("game", {"game": "doppelx", "players": ["blue", "red", "green"], "field": "II"})
    with Journal.open(path) as journal:
        journal.new_game(opening=[opening, Event("round", {"first": "blue"})])
    assert cli.main(["export", str(tmp_path / "all.csv"), "--journal", str(path), "--lang", "de"]) == 0
    assert [row.split(";")[5] for row in (tmp_path / "all.csv").read_text().splitlines()[1:]] == [
        "Blau",
        "Rot",
        "Grün",
    ]


def test_pictures_of_doubts_are_forgotten_after_a_week_and_stand_nowhere_in_the_file(tmp_path: Path) -> None:
    path, day = tmp_path / "evening.sqlite", 86400.0
    with Journal.open(path) as journal:
        game = journal.new_game(0.0, OPENING)
        journal.append(game, CARD, 1 * day, crop=b"an old face " * 40)
        journal.append(game, CARD, 9 * day, crop=b"a new one " * 40)
        assert journal.forget_pictures(10 * day - 7 * day) == 1
        assert (journal.crop(game, 4), bool(journal.crop(game, 5))) == (None, True)
        journal.check()
    assert b"an old face" not in path.read_bytes()
    with Journal.open(path) as journal:
        assert journal.lost is None


def test_a_clock_that_was_wrong_takes_no_picture_of_an_open_doubt_and_keeps_none_for_ever(
    tmp_path: Path,
) -> None:
    day, now = 86400.0, 100 * 86400.0
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        wall = now
        session = Session(journal, wall=lambda: wall)
        for told in (now + 3650 * day, now - 8 * day, now):
            wall = told
            session.begin(OPENING)
            session.add(Event("unsure", {"seat": "S2", "candidates": [["red-6", 0.5]]}), b"a face")
        wall -= 8 * day
        session.add(Event("unsure", {"seat": "S3", "candidates": [["red-9", 0.5]]}), b"a face")
        wall = now
        last = [doubt.event for doubt in session.view.doubts]
        assert (len(last), session.forget_pictures(7 * day)) == (2, 2)
        assert [session.crop(number) for number in last] == [b"a face"] * 2
        session.correct(last[1], Event("card", {"seat": "S3", "card": "red-9"}))
        assert session.forget_pictures(7 * day) == 1
        assert session.forget_pictures(0.0) == 0, "it is not older yet"
        wall += 1.0
        assert session.forget_pictures(0.0) == 1


def test_two_restores_in_one_second_keep_both_journals_that_were_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copy = tmp_path / "evening.sqlite", tmp_path / "copy"
    monkeypatch.setattr("table.journal.recovery.time.strftime", lambda *_: "2026-10-25-023000")
    with Journal.open(path) as journal:
        journal.new_game(opening=OPENING)
    backup(path, copy)
    for more in (1, 2, 3):
        with Journal.open(path) as journal:
            for _ in range(more):
                journal.append(1, CARD)
        restore(copy, path)
    kept = sorted(tmp_path.glob("evening.sqlite.replaced-*"))
    assert [len(lines(each)) for each in kept] == [4, 5, 6]


def test_a_full_stick_is_blamed_and_not_the_journals_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copy = tmp_path / "evening.sqlite", tmp_path / "copy"
    with Journal.open(path) as journal:
        journal.new_game(opening=OPENING)
    on_a_stick(monkeypatch, lambda file: file.execute("PRAGMA max_page_count = 1"))
    with pytest.raises(JournalError) as said:
        backup(path, copy)
    assert str(said.value) == f"{copy}: cannot be written (the disk is full); choose another place"


def test_where_the_copy_cannot_be_finished_the_copy_is_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite reports an I/O error if a stick has no room for its own files beside the copy."""
    path, copy = tmp_path / "evening.sqlite", tmp_path / "copy"
    with Journal.open(path) as journal:
        journal.new_game(opening=OPENING)

    def allowed(what: int, *_: object) -> int:
        return sqlite3.SQLITE_DENY if what == sqlite3.SQLITE_PRAGMA else sqlite3.SQLITE_OK

    on_a_stick(monkeypatch, lambda file: file.set_authorizer(allowed))
    with pytest.raises(JournalError, match=f"^{copy}: cannot be written") as said:
        backup(path, copy)
    assert str(path) not in str(said.value)
    room = os.statvfs(tmp_path)
    monkeypatch.setattr(
        os, "statvfs", lambda _: SimpleNamespace(f_flag=0, f_bavail=8, f_frsize=room.f_frsize)
    )
    with pytest.raises(JournalError, match="the disk is full"):
        backup(path, copy)


def test_a_folder_is_no_journal_to_restore_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path, copy, folder = tmp_path / "evening.sqlite", tmp_path / "copy", tmp_path / "folder"
    with Journal.open(path) as journal:
        journal.new_game(opening=OPENING)
    backup(path, copy)
    folder.mkdir()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(JournalError, match="this is a folder, not a journal"):
        restore(copy, folder)
    assert sorted(tmp_path.iterdir()) == before


def test_pictures_of_doubts_need_the_pin_as_the_cameras_do_and_can_be_switched_off(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal, desk=HostDesk(HashedPin.of("271828")))
        house.session.begin(OPENING)
        number = house.session.add(
            Event("unsure", {"seat": "S1", "candidates": [["red-6", 0.5]]}), b"\xff\xd8"
        )
        house.open()
        try:
            place = f"{house.page.url}/crop/1/{number}.jpg"
            phone = {"x-forwarded-for": "192.168.1.50"}
            assert httpx.get(place, headers=phone, trust_env=False).status_code == 403
            assert httpx.get(place, trust_env=False).status_code == 200
        finally:
            house.close()
        dark = House(journal)
        dark.page.close()
        dark.page = Page(dark.table, PageAddress(0), PageLook(camera_picture=False))
        dark.session.resume()
        dark.open()
        try:
            for name in (f"crop/1/{number}.jpg", "camera.jpg"):
                assert httpx.get(f"{dark.page.url}/{name}", trust_env=False).status_code == 404
        finally:
            dark.close()
