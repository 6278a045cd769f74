"""A damaged journal is kept aside, the readable part goes on, and losses are reported."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from table.journal import Journal, JournalError, JournalReader
from table.rules.events import Event
from tests.table import journal_damage as damage
from tests.table import journal_row_damage  # noqa: F401  (adds its kinds)

FILES = damage.ENDS[:3]


def survives(folder: Path, name: str, seed: int) -> tuple[str, int]:
    """Damage an evening and open it; return the report and the number of lost events."""
    chance = random.Random(f"{name}/{seed}")
    ends, hurt = damage.KINDS[name]
    path = folder / "evening.sqlite"
    truth = damage.evening(path, chance, ends=ends)
    hurt(path, chance)
    found = {end: Path(f"{path}{end}").read_bytes() for end in FILES[:2] if Path(f"{path}{end}").exists()}
    try:
        journal = Journal.open(path)
    except JournalError as wrong:
        refused = str(wrong)  # a header of a newer program, or one that nobody would take for ours
    else:
        refused = ""
    if refused:
        assert {end: Path(f"{path}{end}").read_bytes() for end in found} == found
        assert re.search("newer stammtisch|not a journal|another program", refused), refused
        assert "\n" not in refused
        return refused, 0
    with journal:
        said = str(journal.lost or "")
        assert "\n" not in said
        games = {game: [entry.event for entry in journal.events(game)] for game in journal.games()}
        gone = 0
        for game, events in truth.items():
            kept = games.get(game, [])
            if game == 3:
                kept = [
                    event for event in kept if event.get("card") != damage.MORE.card or "t" in event.fields
                ]
            assert kept == events[: len(kept)], "what goes on was written so, up to one place"
            gone += len(events) - len(kept)
        assert set(games) <= set(truth)
        if gone:
            assert said, "something is lost and nobody says so"
            assert "No event is lost" not in said, said
        asides = sorted(folder.glob("evening.sqlite.damaged-*"))
        if "kept as" in said:
            kept_main = [aside for aside in asides if not aside.name.endswith(("-wal", "-shm"))]
            assert [aside.read_bytes() for aside in kept_main] == ([found[""]] if "" in found else [])
            assert {a.read_bytes() for a in asides if a.name.endswith("-wal")} == (
                {found["-wal"]} if found.get("-wal") else set()
            )
        game = journal.games()[-1] if journal.games() else journal.new_game()
        number = journal.append(game, Event("end"))
    with Journal.open(path) as again:
        assert again.lost is None, "the next start finds it whole"
        again.check()
        assert list(again.events(game))[-1].id == number
    return said, gone


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory if possible, because these tests open and write a damaged journal many times."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        yield Path(memory)


@pytest.mark.parametrize("name", damage.KINDS)
def test_whatever_happens_to_the_files_what_is_lost_is_said_and_the_rest_goes_on(
    name: str, folder: Path
) -> None:
    for seed in range(3):
        (folder / str(seed)).mkdir()
        survives(folder / str(seed), name, seed)


@pytest.mark.soak
@pytest.mark.parametrize("name", damage.KINDS)
def test_whatever_happens_to_the_files_a_hundred_times(name: str, folder: Path) -> None:
    for seed in range(100, 200):
        (folder / str(seed)).mkdir()
        survives(folder / str(seed), name, seed)


def test_a_head_that_asks_not_to_be_written_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    truth = damage.evening(path, random.Random(7), ends="close")
    damage.put(path, 18, b"\x03")
    with Journal.open(path) as journal:
        assert journal.lost
        assert [entry.event for entry in journal.events(3)] == truth[3]


@pytest.mark.parametrize(("gone", "n"), [("id = (SELECT max(id) FROM events WHERE game = 2)", 1), ("1", 0)])
def test_the_end_of_an_earlier_game_is_missed_too(tmp_path: Path, gone: str, n: int) -> None:
    path = tmp_path / "evening.sqlite"
    truth = damage.evening(path, random.Random(8), ends="close")
    with damage.opened(path) as base:
        base.execute(f"DELETE FROM events WHERE game = 2 AND {gone}")
        base.execute("DELETE FROM crops WHERE (game, id) NOT IN (SELECT game, id FROM events)")
        base.execute("VACUUM")  # so that their contents are gone from the file
    last = len(truth[2])
    with Journal.open(path) as journal:
        assert f"game 2 ends with event {last - 1 if n else 0}, but had event {last}" in str(journal.lost)
        assert "no event is lost" not in str(journal.lost)
        kept = {game: [entry.event for entry in journal.events(game)] for game in (1, 2, 3)}
        assert kept == {**truth, 2: truth[2][: -n or 0] if n else []}
    with Journal.open(path) as again:
        assert again.lost is None


def test_games_that_were_dropped_are_missed_by_nobody(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    damage.evening(path, random.Random(9), games=5, ends="close")
    with Journal.open(path) as journal:
        assert journal.prune(2) == 3
    with Journal.open(path) as again:
        assert again.lost is None
        assert again.games() == (4, 5)
    with damage.opened(path) as base:
        base.execute("DELETE FROM events WHERE game = 4 AND id > 3")
    with Journal.open(path) as hurt:
        assert "game 4" in str(hurt.lost)
        assert "game 1" not in str(hurt.lost)


def test_a_witness_with_a_wrong_bit_says_nothing_of_earlier_games(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite"
    damage.evening(path, random.Random(9), ends="close")
    lock = Path(f"{path}.lock")
    text = lock.read_text(encoding="utf-8")
    assert " 1:" in text
    lock.write_text(text.replace(" 1:", " 1:9"), encoding="utf-8")
    with Journal.open(path) as journal:
        assert journal.lost is None


def test_an_empty_file_is_no_damage_and_a_new_journal_begins_in_it(tmp_path: Path) -> None:
    """Somebody touched or emptied it, or the power failed while it was made."""
    path = tmp_path / "evening.sqlite"
    path.touch()
    with pytest.raises(JournalError, match="this file is empty"):
        JournalReader.open(path)
    with Journal.open(path) as journal:
        assert str(journal.lost).startswith(f"{path}: this file is empty, a new journal begins in it")
        journal.new_game(1.0, (Event("game", {"game": "dubbe"}),))
    path.write_bytes(b"")
    with Journal.open(path) as journal:
        assert "had event 1 of game 1" in str(journal.lost), "the lock beside it knows better"
    assert not [*tmp_path.glob("*damaged*")], "an empty file is kept aside for nobody"


def test_a_folder_or_a_pipe_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="a folder, not a journal; choose another place"):
        Journal.open(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(JournalError, match="a device or a pipe, not a journal"):
        Journal.open(pipe)
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]
    assert pipe.is_fifo()


def test_a_picture_or_a_log_is_left_as_it_is(tmp_path: Path) -> None:
    photo, log = b"\xff\xd8" + bytes(range(256)) * 40, b'{"kind":"end"}\n' * 99
    for name, data in (("photo.jpg", photo), ("log", log)):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(JournalError, match="this is not a journal; choose another file"):
            Journal.open(path)
        assert path.read_bytes() == data
        assert sorted(tmp_path.glob(f"{name}*")) == [path]


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """A disk on which no file grows beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


@pytest.mark.parametrize("room", [0, 1, 1000, 3000, 9000, 20_000, 30_000, 50_000, 90_000])
@pytest.mark.parametrize("hurt", ["gap in the ids", "flipped bit after a power cut", "rubbish in shm"])
def test_without_room_for_a_new_file_the_damaged_one_stays_until_there_is(
    hurt: str, room: int, folder: Path
) -> None:
    chance = random.Random(f"{hurt}/{room}")
    path = folder / "evening.sqlite"
    truth = damage.evening(path, chance, ends=damage.KINDS[hurt][0])
    damage.KINDS[hurt][1](path, chance)
    before = path.read_bytes()
    with room_for(room):
        try:
            Journal.open(path).close()
        except JournalError as wrong:
            said = str(wrong)
        else:
            said = ""
    if said:
        assert re.search("disk is full|does not answer|cannot be|check", said), said
        assert hurt == "rubbish in shm" or path.read_bytes() == before
    with Journal.open(path) as journal:
        for game, events in truth.items():
            kept = [entry.event for entry in journal.events(game)]
            assert kept == events[: len(kept)]
            assert kept == events or said == "" or journal.lost


@pytest.mark.parametrize("room", [0, 1000, 9000])
def test_a_first_start_without_room_leaves_nothing_that_looks_like_a_loss(room: int, folder: Path) -> None:
    path = folder / "evening.sqlite"
    with room_for(room), pytest.raises(JournalError) as refused:
        Journal.open(path)
    assert "by itself" not in str(refused.value), "the program ends"
    assert not any(folder.iterdir())
    with Journal.open(path) as journal:
        assert journal.lost is None


@contextmanager
def nobody() -> Iterator[None]:
    """Drop root's rights, if this runs as root."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.mark.parametrize(("lock", "file"), [(0o000, 0o600), (0o666, 0o000), (0o666, 0o444)])
def test_who_may_not_write_is_told_so(lock: int, file: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "evening.sqlite"
        damage.evening(path, random.Random(1), ends="close")
        Path(f"{path}.lock").chmod(lock)
        path.chmod(file)
        Path(name).chmod(0o555)
        with nobody(), pytest.raises(JournalError, match=r"permissions|cannot be written there"):
            Journal.open(path)
        Path(name).chmod(0o755)


def test_a_rescue_that_is_cut_short_is_gone_on_with(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plug is pulled at every rename; the next start knows all that one without a cut would know."""
    rename = Path.rename
    left = [0]

    def cut(self: Path, target: str) -> Path:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return rename(self, target)

    cuts = 0
    for step in (99, 1, 2, 3, 4):
        path = folder / str(step) / "evening.sqlite"
        path.parent.mkdir()
        chance = random.Random(7)
        damage.evening(path, chance)
        os.truncate(f"{path}-wal", 3000)
        main = path.read_bytes()
        left[0] = step
        with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
            patched.setattr(Path, "rename", cut)
            Journal.open(path).close()
        cuts += left[0] == 0
        with Journal.open(path) as journal:
            kept = [[entry.event for entry in journal.events(game)] for game in journal.games()]
        if step == 99:
            without_cut = kept
        assert kept == without_cut
        assert main in [aside.read_bytes() for aside in path.parent.glob("*.damaged-*")], "it is kept"
    assert cuts == 4


def test_a_journal_of_the_first_form_goes_on_whole(tmp_path: Path) -> None:
    """Written by last month's program: other pages, no seals, readable by everybody."""
    path = tmp_path / "evening.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.executescript(FIRST_FORM)
        base.execute("INSERT INTO games VALUES (1, 5.0)")
        for number in range(1, 60):
            base.execute(
                "INSERT INTO events VALUES (1, ?, 6.5, ?)", (number, json.dumps({"kind": "end", "n": number}))
            )
        base.execute("INSERT INTO crops VALUES (1, 7, x'ffd8')")
    with Journal.open(path) as journal:
        assert journal.lost is None
        assert [(e.id, e.event.fields["n"], e.wall, e.crop) for e in journal.events(1)] == [
            (number, number, 6.5, number == 7) for number in range(1, 60)
        ]
        assert journal.crop(1, 7) == b"\xff\xd8"
        journal.append(1, Event("end"))
    (kept,) = tmp_path.glob("evening.sqlite.old-form-*")
    assert journal.renewed is not None
    assert kept.name in journal.renewed, "one sentence says where the old file is"
    with closing(sqlite3.connect(kept)) as base:
        assert base.execute("PRAGMA user_version").fetchone() == (1,)
        assert base.execute("SELECT count(*) FROM events").fetchone() == (59,)
    with Journal.open(path) as journal:
        assert journal.renewed is None, "it is said once"
    assert {p.name for p in tmp_path.iterdir()} == {"evening.sqlite", "evening.sqlite.lock", kept.name}


def test_a_journal_of_the_first_form_whose_renewal_is_cut_short_is_kept_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename, left = Path.rename, [0]

    def cut(self: Path, target: str) -> Path:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return rename(self, target)

    for step in (1, 2, 3):
        path = tmp_path / f"{step}.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None)) as base:
            base.executescript(FIRST_FORM)
            base.execute("INSERT INTO games VALUES (1, 5.0)")
            base.execute("INSERT INTO events VALUES (1, 1, 6.5, ?)", ('{"kind":"end"}',))
        left[0] = step
        with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
            patched.setattr(Path, "rename", cut)
            Journal.open(path).close()
        assert left[0] == 0
        with Journal.open(path) as journal:
            assert [entry.event for entry in journal.events(1)] == [Event("end")]
            assert journal.lost is None
            assert journal.renewed is not None
        assert len(list(tmp_path.glob(f"{path.name}.old-form-*"))) == 1


FIRST_FORM = """
PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
CREATE TABLE games (id INTEGER PRIMARY KEY, started REAL NOT NULL) STRICT;
CREATE TABLE events (game INTEGER NOT NULL REFERENCES games(id) ON DELETE CASCADE, id INTEGER NOT NULL,
    wall REAL NOT NULL, json TEXT NOT NULL, PRIMARY KEY (game, id)) STRICT, WITHOUT ROWID;
CREATE TABLE crops (game INTEGER NOT NULL, id INTEGER NOT NULL, jpeg BLOB NOT NULL, PRIMARY KEY (game, id),
    FOREIGN KEY (game, id) REFERENCES events(game, id) ON DELETE CASCADE) STRICT;
CREATE TRIGGER events_only_grow BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'only grows'); END;
PRAGMA application_id = 1398033748; PRAGMA user_version = 1;
"""
