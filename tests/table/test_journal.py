"""The journal keeps every event, whatever happens to the process, the file or the disk."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.journal import Journal, JournalError, JournalReader, lock
from table.journal.file import connect_read_only
from table.rules.events import Event

CARD = Event("card", {"seat": "S1", "card": "red-7"})

# Appends forever, starts a new game now and then, prunes, and prints each id after `append` returned.
WRITER = """
import sys
from table.journal import Journal
from table.rules.events import Event
journal = Journal.open(sys.argv[1])
print("open", flush=True)
game = (journal.games() or (journal.new_game(),))[-1]
while True:
    for _ in range(40):
        event = Event("card", {"seat": "S1", "card": "red-7", "pad": "x" * 300})
        number = journal.append(game, event, crop=b"jpeg" * 200)
        print(game, number, flush=True)
    game = journal.new_game()
    journal.prune(keep_games=3)
"""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "evening.sqlite") as opened:
        yield opened


def power_cuts(path: Path, times: int, seed: int) -> int:
    """Kill a writing table `times` times at random moments; return the number of confirmed events."""
    chance, confirmed_in_all = random.Random(seed), 0
    for _ in range(times):
        table = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert table.stdout is not None
        assert table.stderr is not None
        said: list[str] = []
        if chance.random() < 0.8:  # otherwise the cut may also hit the opening itself
            # First read a number of lines, whatever the machine's speed, then cut anywhere in the next one.
            said += [table.stdout.readline() for _ in range(1 + chance.randrange(60))]
        time.sleep(chance.uniform(0, 0.02))
        table.send_signal(signal.SIGKILL)
        said += table.stdout.read().splitlines()
        assert not table.stderr.read()
        table.wait()
        table.stdout.close()
        table.stderr.close()
        confirmed: dict[int, int] = {}
        for line in said:  # the last one may be cut off
            words = line.split()
            if len(words) == 2:
                confirmed[int(words[0])] = int(words[1])
                confirmed_in_all += 1
        with Journal.open(path) as journal:
            journal.check()
            for game in journal.games():
                ids = [entry.id for entry in journal.events(game)]
                assert ids == list(range(1, len(ids) + 1))
                if game in confirmed:
                    assert len(ids) >= confirmed[game], "an event was confirmed and is not there"
                assert all(entry.crop for entry in journal.events(game))
    return confirmed_in_all


def test_the_plug_is_pulled_at_random_moments_and_nothing_confirmed_is_lost(tmp_path: Path) -> None:
    assert power_cuts(tmp_path / "evening.sqlite", times=12, seed=1) > 12


@pytest.mark.soak
def test_the_plug_is_pulled_every_night_of_a_year(tmp_path: Path) -> None:
    assert power_cuts(tmp_path / "evening.sqlite", times=365, seed=2) > 365


def test_the_disk_is_told_to_write_before_append_returns(journal: Journal) -> None:
    assert journal._base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._base.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_events_come_back_in_order_with_umlauts_fields_and_pictures(journal: Journal) -> None:
    game = journal.new_game(wall=5.0)
    odd = Event("say", {"seat": "S1", "what": "gesund", "note": "Jörg lacht"})
    assert journal.append(game, odd, wall=6.0) == 1
    assert journal.append(game, CARD, wall=7.5, crop=b"\xff\xd8") == 2
    assert [(e.id, e.event, e.wall, e.crop) for e in journal.events(game)] == [
        (1, odd, 6.0, False),
        (2, CARD, 7.5, True),
    ]
    assert journal.crop(game, 2) == b"\xff\xd8"
    assert journal.crop(game, 1) is None


def test_the_journal_only_grows(journal: Journal) -> None:
    game = journal.new_game()
    journal.append(game, CARD)
    with pytest.raises(sqlite3.IntegrityError, match="only grows"):
        journal._base.execute("UPDATE events SET json = '{}'")
    with pytest.raises(sqlite3.IntegrityError, match="never pruned"):
        journal._base.execute("DELETE FROM games")


def test_pruning_drops_whole_old_games_with_their_pictures_and_the_file_stays_small(journal: Journal) -> None:
    for _ in range(30):
        game = journal.new_game()
        for _ in range(20):
            journal.append(game, CARD, crop=os.urandom(4000))
        journal.prune(keep_games=2)
    assert journal.games() == (29, 30)
    assert [e.id for e in journal.events(29)] == list(range(1, 21))
    assert journal.crop(28, 1) is None
    assert journal.prune(keep_games=0) == 1
    assert journal.games() == (30,)
    assert journal.path.stat().st_size < 600_000  # 30 games of 80 kB were written
    assert Path(f"{journal.path}-wal").stat().st_size < 4_500_000


def test_what_a_long_evening_took_on_the_disk_is_free_again_when_it_is_forgotten(journal: Journal) -> None:
    long = journal.new_game()
    for _ in range(40):
        journal.append(long, CARD, crop=os.urandom(50_000))
    journal.append(journal.new_game(), CARD)
    assert journal.path.stat().st_size + Path(f"{journal.path}-wal").stat().st_size > 2_000_000
    journal.prune(keep_games=1)
    assert journal.path.stat().st_size < 100_000


def test_numbers_of_pruned_games_are_not_used_again(journal: Journal) -> None:
    for _ in range(3):
        journal.new_game()
    journal.prune(keep_games=1)
    assert journal.new_game() == 4


def test_others_may_read_while_the_table_writes(journal: Journal) -> None:
    game = journal.new_game()
    journal.append(game, CARD)
    with JournalReader.open(journal.path) as reader:
        assert [e.event for e in reader.events(game)] == [CARD]
        journal.append(game, CARD)
        assert len(list(reader.events(game))) == 2


def test_who_only_reads_cannot_write(journal: Journal) -> None:
    base = connect_read_only(journal.path)
    with contextlib.closing(base), pytest.raises(sqlite3.OperationalError, match="readonly"):
        base.execute("DELETE FROM games")


def test_two_tables_never_write_one_journal(journal: Journal) -> None:
    with pytest.raises(JournalError, match=rf"another table .*process {os.getpid()}\); stop it or choose"):
        Journal.open(journal.path)
    journal.close()
    Journal.open(journal.path).close()


def test_a_place_where_nothing_can_be_locked_is_said_and_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unlockable(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", unlockable)
    with pytest.raises(JournalError, match="No locks available"):
        Journal.open(tmp_path / "evening.sqlite")
    held = [each.resolve() for each in Path("/proc/self/fd").iterdir()]
    assert tmp_path / "evening.sqlite.lock" not in held


def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Liebe Wirtin, der Tisch wackelt. " * 50)
    before = letter.read_bytes()
    for way in (Journal.open, JournalReader.open):
        with pytest.raises(JournalError, match="not a journal"):
            way(letter)
    assert letter.read_bytes() == before


def test_another_programs_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "recipes.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="another program's database"):
        Journal.open(path)
    assert path.read_bytes() == before


def test_a_journal_of_a_newer_program_is_not_touched(journal: Journal) -> None:
    journal._base.execute("PRAGMA user_version = 99")
    journal.close()
    with pytest.raises(JournalError, match=r"newer stammtisch \(journal format 99, .* knows 2\); update"):
        Journal.open(journal.path)


def test_a_full_disk_is_said_in_words_and_the_journal_goes_on_when_there_is_room(journal: Journal) -> None:
    game = journal.new_game()
    journal.append(game, CARD)
    pages = journal._base.execute("PRAGMA page_count").fetchone()[0]
    journal._base.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalError, match="disk is full; free some space"):
        journal.append(game, CARD, crop=b"x" * 50_000)
    assert [e.id for e in journal.events(game)] == [1]
    journal._base.execute("PRAGMA max_page_count = 100000")
    assert journal.append(game, CARD, crop=b"x" * 50_000) == 2
    journal.check()


def test_a_full_disk_at_the_start_is_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL

    def create(path: Path) -> sqlite3.Connection:
        raise full

    monkeypatch.setattr("table.journal.journal.create", create)
    with pytest.raises(JournalError, match="the disk is full; free some space and start again"):
        Journal.open(tmp_path / "evening.sqlite")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        JournalError, match=r"file/evening.sqlite: the journal cannot be written there .*--journal"
    ):
        Journal.open(tmp_path / "file" / "evening.sqlite")
    with pytest.raises(JournalError, match="no such journal"):
        JournalReader.open(tmp_path / "none.sqlite")


def test_a_damaged_journal_is_called_damaged(journal: Journal) -> None:
    game = journal.new_game()
    for _ in range(200):
        journal.append(game, CARD.having(pad="y" * 500))
    journal.close()
    raw = bytearray(journal.path.read_bytes())
    raw[8192:40960] = os.urandom(40960 - 8192)
    journal.path.write_bytes(raw)
    with (
        pytest.raises(JournalError, match=r"\(its pages are damaged\); the next start puts it aside"),
        JournalReader.open(journal.path) as again,
    ):
        again.check()


def test_a_lock_whose_lines_are_empty_is_no_witness_and_is_read_in_one_pass() -> None:
    assert lock._WITNESS.match("  41\n 5  3 17\n")
    assert lock._WITNESS.match("41" + "\n" * 100_000 + "5 3 17\n") is None
