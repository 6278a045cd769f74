"""A journal in memory stands in for one that cannot be opened, and its games come home."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from table.catalogue import fact
from table.cli.safe_mode import Starts, at_hand, end_stand_in, try_journal
from table.journal import Journal, JournalError, JournalReader, stand_in, while_running
from table.journal.file import at_start
from table.rules.events import Event
from table.web.pin import keep_pin, pin_place

WHY = fact("journal.full")
OPENING = Event("game", {"game": "dubbe", "players": ["A", "B", "C"], "seats": ["S1", "S2", "S3"]})
CARD = Event("card", {"seat": "S2", "card": "red-7"})


def kept(path: Path) -> list[tuple[int, int, int | None]]:
    """Number of each game, of its lines, and of the game that it continues."""
    with JournalReader.open(path) as journal:
        lines = {game: list(journal.events(game)) for game in journal.games()}
    return [(game, len(found), found[0].event.resumes) for game, found in lines.items()]


def played_before(path: Path, games: int) -> None:
    """A table's own journal, with games in which a card was played."""
    with Journal.open(path) as own:
        for _ in range(games):
            own.append(own.new_game(opening=[OPENING]), CARD)


def test_games_played_in_memory_come_home_after_those_of_before(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    played_before(path, 2)
    apart = stand_in(WHY)
    assert apart.apart == WHY
    assert apart.games() == (), "nobody can say what of a file that cannot be opened is true"
    apart.append(apart.new_game(opening=[OPENING]), CARD, crop=b"picture")
    apart.close()
    end_stand_in(apart, path)
    assert kept(path) == [(1, 2, None), (2, 2, None), (3, 2, None)]
    with JournalReader.open(path) as own:
        assert own.crop(3, 2) == b"picture"
        own.check()
    assert not apart.path.parent.exists()


def test_a_game_that_continues_another_one_of_the_stand_in_continues_the_same_at_home(tmp_path: Path) -> None:
    """Numbers of games differ between the two journals: `resumes` must never name a game of before."""
    path = tmp_path / "evening.sqlite"
    played_before(path, 3)
    apart = stand_in(WHY)
    apart.append(apart.new_game(opening=[OPENING]), CARD)
    apart.new_game(opening=[OPENING])  # begun by mistake, and taken back
    apart.append(apart.new_game(opening=[OPENING.having(resumes=1)]), CARD)
    apart.close()
    end_stand_in(apart, path)
    assert kept(path)[3:] == [(4, 2, None), (5, 2, 4)]
    with JournalReader.open(path) as own:
        assert own.counted() == (1, 2, 3, 5)


def test_a_game_without_a_card_does_not_hide_the_evening_of_before(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    played_before(path, 1)
    apart = stand_in(WHY)
    apart.append(apart.new_game(opening=[OPENING]), Event("round", {"dealer": "S1"}))
    apart.close()
    end_stand_in(apart, path)
    assert kept(path) == [(1, 2, None)]


def test_a_stand_in_that_cannot_come_home_stays(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "evening.sqlite"
    path.mkdir()
    apart = stand_in(WHY)
    apart.append(apart.new_game(opening=[OPENING]), CARD)
    apart.close()
    end_stand_in(apart, path)
    assert str(apart.path) in caplog.text
    assert kept(apart.path) == [(1, 2, None)]
    shutil.rmtree(apart.path.parent)


def test_a_journal_with_too_little_room_is_not_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "evening.sqlite"
    apart = stand_in(WHY)
    try_journal(path, apart.path)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: usage._replace(free=1000))
    with pytest.raises(JournalError, match="full"):
        try_journal(path, apart.path)
    apart.close()
    shutil.rmtree(apart.path.parent)


def test_what_the_disk_damaged_is_logged_by_the_look_that_mends_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A later start opens the mended file, which no longer knows what was lost."""
    path = tmp_path / "evening.sqlite"
    played_before(path, 1)
    data = bytearray(path.read_bytes())
    data[100:] = bytes(len(data) - 100)
    path.write_bytes(bytes(data))
    apart = stand_in(WHY)
    try_journal(path, apart.path)
    assert "damaged" in caplog.text
    apart.close()
    shutil.rmtree(apart.path.parent)


def test_a_folder_that_may_not_be_searched_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the rights of root `Path.exists` raises there."""

    def denied(self: Path, **_: object) -> bool:
        raise PermissionError(13, "denied", str(self))

    monkeypatch.setattr(Path, "exists", denied)
    monkeypatch.setattr(Path, "is_file", denied)
    Starts(tmp_path / "evening.sqlite")
    with pytest.raises(JournalError, match="allow the table to write there"):
        Journal.open(tmp_path / "evening.sqlite")


def test_a_pin_in_the_settings_is_kept_in_memory_where_the_disk_takes_none(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    keep_pin(pin_place(path), "123456")
    with stand_in(WHY) as apart:
        assert at_hand(path, apart, None) == path, "the host's PIN holds"
        assert at_hand(path, apart, "654321") == apart.path
    shutil.rmtree(apart.path.parent)


def test_what_a_start_asks_for_is_not_asked_of_those_who_play(tmp_path: Path) -> None:
    wrong = JournalError(fact("journal.at", path="x", why=WHY))
    assert at_start(wrong).fact != wrong.fact
    assert while_running(at_start(wrong)) == wrong.fact
