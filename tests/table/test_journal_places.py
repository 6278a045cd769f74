"""Where a journal may be, and what somebody does to that place while the table writes."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from table.journal import Journal, JournalError, JournalReader
from table.journal.file import as_journal_errors
from table.rules.events import Event

ROOT = Path(__file__).parents[2]
GAME = Event("game", {"game": "dubbe"})


def cards(file: Path) -> list[str | None]:
    with JournalReader.open(file) as journal:
        return [entry.event.get("card") for entry in journal.events(1)]


def play(journal: Journal, card: str) -> None:
    journal.append(1, Event("card", {"seat": "S1", "card": card}))


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_journal_whose_folder_is_removed_is_put_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, goes_on: bool
) -> None:
    file = tmp_path / "state" / "evening.sqlite"
    with Journal.open(file) as journal:
        journal.new_game(1.0, (GAME,))
        play(journal, "red-1")
        shutil.rmtree(file.parent)
        if goes_on:
            play(journal, "red-2")
            assert cards(file) == [None, "red-1", "red-2"]
            with pytest.raises(JournalError, match="another table is writing"):
                Journal.open(file)
    assert caplog.messages == [
        f"{file}: the journal was removed while the table was writing it; it is put back"
    ]
    assert file.stat().st_mode & 0o777 == 0o600
    with Journal.open(file) as again:
        assert again.lost is None
        play(again, "red-3")
    assert cards(file) == [None, "red-1", *(["red-2"] if goes_on else []), "red-3"]
    assert not [each.name for each in file.parent.iterdir() if "rescued" in each.name]


def test_a_journal_that_is_put_back_keeps_its_rights_and_the_witness_of_earlier_games(tmp_path: Path) -> None:
    """It once came back readable for its owner only, and a loss in an earlier game went unnoticed."""
    file = tmp_path / "state" / "evening.sqlite"
    with Journal.open(file) as journal:
        for _ in range(2):
            game = journal.new_game(1.0, (GAME,))
            journal.append(game, Event("card", {"seat": "S1", "card": "red-1"}))
        file.chmod(0o640)
        play(journal, "red-2")
        if os.getuid() == 0:
            os.chown(file, 4711, 4712)
            play(journal, "red-3")
        before = file.stat()
        shutil.rmtree(file.parent)
        journal.append(2, Event("card", {"seat": "S1", "card": "red-4"}))
        after = file.stat()
    told = "st_mode", "st_uid", "st_gid"
    assert [getattr(after, each) for each in told] == [getattr(before, each) for each in told]
    with closing(sqlite3.connect(file)) as base, base:
        base.execute("DELETE FROM events WHERE game = 1 AND id = (SELECT max(id) FROM events WHERE game = 1)")
    with Journal.open(file) as again:
        assert "event 4 of game 1" in str(again.lost)


def test_a_journal_that_cannot_be_put_back_is_told_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's own error once dropped sightings; a full disk was written to ten times a second."""
    file = tmp_path / "evening.sqlite"
    refused = OSError(errno.EACCES, "Permission denied")
    with Journal.open(file) as journal:
        journal.new_game(1.0, (GAME,))
        for end in ("", "-wal", "-shm"):
            Path(f"{file}{end}").unlink()
        with monkeypatch.context() as context:
            context.setattr("table.journal.file.os.open", Mock(side_effect=refused))
            with pytest.raises(JournalError, match="permission denied"):
                play(journal, "red-1")
        with monkeypatch.context() as context:
            context.setattr("table.journal.file.room", lambda _: 0)
            with pytest.raises(JournalError, match="full"):
                play(journal, "red-1")
        assert [each.name for each in tmp_path.iterdir()] == [f"{file.name}.lock"]
        play(journal, "red-1")
    assert cards(file) == [None, "red-1"]


def test_another_file_in_the_journals_place_is_left_alone_and_told(tmp_path: Path) -> None:
    file, other = tmp_path / "evening.sqlite", tmp_path / "other"
    other.write_bytes(b"somebody's")
    with Journal.open(file) as journal:
        journal.new_game(1.0, (GAME,))
        other.replace(file)
        with pytest.raises(JournalError, match="another file took its place"):
            play(journal, "red-1")
        assert file.read_bytes() == b"somebody's"
        file.unlink()
        for card in ("red-1", "red-2"):
            play(journal, card)
        assert cards(file) == [None, "red-1", "red-2"]
        shutil.copy(file, other)
        shutil.copy(f"{file}-wal", f"{other}-wal")
    for each in (file, other):
        assert cards(each) == [None, "red-1", "red-2"], "the -wal is the new file's own, also at a power cut"


def test_a_disk_that_has_no_room_for_another_file_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once such a disk was reported as full, although it had gigabytes free."""
    full = SimpleNamespace(f_flag=0, f_bavail=1 << 20, f_frsize=4096, f_files=9, f_favail=0)
    monkeypatch.setattr("table.journal.file.os.statvfs", lambda _: full)
    file, opened = tmp_path / "evening.sqlite", os.open
    for name in ("evening.sqlite.lock", "evening.sqlite"):

        def refusing(path: str | Path, *more: int, name: str = name) -> int:
            if Path(path).name == name:
                raise OSError(errno.ENOSPC, "No space left on device")
            return opened(path, *more)

        with monkeypatch.context() as context:
            context.setattr(os, "open", refusing)
            with pytest.raises(JournalError, match=r"no room for another file.* and start again"):
                Journal.open(file)
    assert [*tmp_path.iterdir()] == []


def test_a_quota_that_is_used_up_is_no_broken_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite does not know quotas; it once advised people to check cable and disk."""
    wrong = sqlite3.OperationalError("disk I/O error")
    wrong.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    monkeypatch.setattr("table.journal.file.os.write", Mock(side_effect=OSError(errno.EDQUOT, "quota")))
    with (
        pytest.raises(JournalError, match="quota on this disk is used up"),
        as_journal_errors(tmp_path / "e"),
    ):
        raise wrong
    monkeypatch.undo()
    with pytest.raises(JournalError, match="check cable and disk"), as_journal_errors(tmp_path / "e"):
        raise wrong
    assert [*tmp_path.iterdir()] == []


def test_a_link_that_leads_in_a_circle_is_told_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "evening.sqlite"
    file.symlink_to(file)
    with pytest.raises(JournalError, match="choose another place"):
        Journal.open(file)


def test_a_path_that_is_too_long_is_told_so_and_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*["l" * 99] * 6)
    folder.mkdir(parents=True)
    with pytest.raises(JournalError, match="bytes, at most 480 are allowed; choose a shorter one"):
        Journal.open(folder / "evening.sqlite")
    assert list(folder.iterdir()) == []


def test_a_stick_that_knows_no_rights_holds_a_journal_and_what_is_mended_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAT, mounted for another user, refuses chmod."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    for name in ("chmod", "fchmod"):
        monkeypatch.setattr(os, name, refused)
    file = tmp_path / "evening.sqlite"
    with Journal.open(file) as journal:
        journal.new_game(1.0, (GAME,))
        play(journal, "red-1")
    file.write_bytes(file.read_bytes()[:3000])
    with Journal.open(file) as journal:
        assert journal.lost is not None
        if not journal.games():
            journal.new_game(2.0, (GAME,))
        play(journal, "red-2")


@pytest.mark.parametrize("name", ["Jürgens Spiele.sqlite", "e.sqlite"])
def test_a_locale_that_cannot_write_a_name_is_told_so(tmp_path: Path, name: str) -> None:
    house = tmp_path / "run.toml"
    house.write_text(f'journal = "{name}"\n', "utf-8")
    bare = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "table", "backup", "--config", str(house), str(tmp_path / "copy")],
        env={**os.environ, **bare, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    said = "start with LC_ALL=C.UTF-8" if "ü" in name else "there is no such journal"
    assert said in done.stderr
