"""A journal in memory stands in for one that cannot be opened, and what was played comes home."""

from __future__ import annotations

import shutil
from pathlib import Path

from table.catalogue import fact
from table.journal import Journal, JournalError, JournalReader, bring_home, stand_in, while_running
from table.journal.file import at_start
from table.rules.events import Event

WHY = fact("journal.full")
OPENING = Event("game", {"game": "dubbe", "players": ["A", "B", "C"], "seats": ["S1", "S2", "S3"]})


def kept(path: Path) -> list[tuple[int, int, int | None]]:
    """Number of each game, of its lines, and of the game that it continues."""
    with JournalReader.open(path) as journal:
        lines = {game: list(journal.events(game)) for game in journal.games()}
    return [(game, len(found), found[0].event.resumes) for game, found in lines.items()]


def test_the_game_goes_on_in_memory_and_comes_home_with_what_was_noted_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as own:
        own.append(own.new_game(opening=[OPENING]), Event("round", {"dealer": "S1"}), crop=b"picture")
    with stand_in(path, WHY) as apart:
        assert apart.apart == WHY
        (game,) = apart.games()
        assert apart.crop(game, 2) == b"picture"
        apart.append(game, Event("card", {"seat": "S2", "card": "red-7"}))
    with stand_in(path, WHY) as apart:
        assert apart.games() == (game,), "the process was killed: it is opened once more, not filled anew"
    with Journal.open(path) as own:
        assert bring_home(own) == 1
        assert bring_home(own) == 0, "only once"
        assert own.counted() == (2,), "the game of before counts no more: this one continues it"
    assert kept(path) == [(1, 2, None), (2, 3, 1)]


def test_a_game_is_also_read_where_sqlite_finds_no_room_for_its_index(tmp_path: Path) -> None:
    """A full or read-only disk: the table was killed, and its last lines stand in the -wal file."""
    path = tmp_path / "evening.sqlite"
    with Journal.open(tmp_path / "open.sqlite") as own:
        own.append(own.new_game(opening=[OPENING]), Event("round", {"dealer": "S1"}))
        for end in ("", "-wal"):
            shutil.copyfile(f"{own.path}{end}", f"{path}{end}")
    Path(f"{path}-shm").mkdir()  # root may write the rest
    with stand_in(path, WHY) as apart:
        assert [len(list(apart.events(game))) for game in apart.games()] == [2]
        assert {each.name for each in apart.path.parent.glob("before*")} == set()
        shutil.rmtree(apart.path.parent)


def test_a_game_in_which_nothing_was_noted_meanwhile_is_not_written_twice(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as own:
        own.new_game(opening=[OPENING])
    stand_in(path, WHY).close()
    with Journal.open(path) as own:
        assert bring_home(own) == 0
    assert kept(path) == [(1, 1, None)]


def test_a_game_whose_beginning_the_disk_has_lost_comes_home_and_names_no_other(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    with Journal.open(path) as own:
        own.new_game(opening=[OPENING])
    stand_in(path, WHY).close()
    path.unlink()
    Path(f"{path}.lock").unlink()
    with Journal.open(path) as own:
        assert bring_home(own) == 1
    assert kept(path) == [(1, 1, None)]


def test_what_a_start_asks_for_is_not_asked_of_those_who_play(tmp_path: Path) -> None:
    wrong = JournalError(fact("journal.at", path="x", why=WHY))
    assert at_start(wrong).fact != wrong.fact
    assert while_running(at_start(wrong)) == wrong.fact
