"""What disks, copies and people do to a journal: thirty kinds of damage, each random by a seed."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from table.journal import Journal
from table.rules.events import Event

Truth = dict[int, list[Event]]

ENDS = ("", "-wal", "-shm", ".lock")
CARDS = [f"{colour}-{value}" for colour in ("red", "blue", "green", "brown") for value in range(1, 11)]


def evening(path: Path, chance: random.Random, games: int = 3, ends: str = "kill") -> Truth:
    """Write an evening, leave its files as after a power cut (`kill`) or a clean end, return its lines."""
    truth: Truth = {}
    work = path.with_name("at-work")
    work.mkdir()
    with Journal.open(work / path.name) as journal:
        for _ in range(games):
            opening = [Event("game", {"game": "dubbe", "players": ["Änne", "Bernd", "Ç", "D"]})]
            game = journal.new_game(chance.uniform(1e9, 2e9), opening)
            truth[game] = list(opening)
            for _ in range(chance.randrange(30, 60)):
                event = some_event(chance)
                crop = chance.randbytes(chance.randrange(200, 4000)) if chance.random() < 0.1 else None
                journal.append(game, event, chance.uniform(1e9, 2e9), crop)
                truth[game].append(event)
                if chance.random() < 0.05:
                    journal.settle()
        if ends == "kill":
            carry(work / path.name, path)
    if ends == "close":
        carry(work / path.name, path)
    shutil.rmtree(work)
    return truth


def some_event(chance: random.Random) -> Event:
    seat = chance.choice(["S1", "S2", "S3", "S4"])
    if chance.random() < 0.3:
        return Event("hand", {"t": round(chance.uniform(0, 999), 3), "seat": seat, "until": 5.0})
    if chance.random() < 0.05:
        return Event("say", {"seat": seat, "what": "x" * chance.randrange(300, 9000)})
    return Event("card", {"seat": seat, "card": chance.choice(CARDS), "t": round(chance.uniform(0, 999), 3)})


def carry(source: Path, target: Path, ends: tuple[str, ...] = ENDS) -> None:
    for end in ends:
        if Path(f"{source}{end}").exists():
            shutil.copyfile(f"{source}{end}", f"{target}{end}")


def beside(path: Path, end: str) -> Path:
    return Path(f"{path}{end}")


@contextlib.contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file by hand as somebody does who knows SQLite; the -wal is merged into the main file."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as base:
        triggers = base.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            base.execute(f"DROP TRIGGER {name}")
        yield base
        for _, made in triggers:
            base.execute(made)


def some_line(base: sqlite3.Connection, chance: random.Random) -> tuple[int, int]:
    game, number = chance.choice(base.execute("SELECT game, id FROM events").fetchall())
    return game, number


def change(path: Path, chance: random.Random, first: int = 0, last: int | None = None, bits: int = 1) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(bits):
        data[chance.randrange(first, min(last or len(data), len(data)))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def put(path: Path, at: int, data: bytes) -> None:
    whole = bytearray(path.read_bytes())
    whole[at : at + len(data)] = data
    path.write_bytes(whole)


def pages(path: Path) -> int:
    return path.stat().st_size // 1024


MORE = Event("card", {"seat": "S1", "card": "red-7"})
"""The event that some kinds add to the newest game before they do damage."""

Damage = Callable[[Path, random.Random], None]
KINDS: dict[str, tuple[str, Damage]] = {}
"""By name: how the evening ended before the damage (`kill`, `close`), and what is done to the files."""


def kind(ends: str) -> Callable[[Damage], Damage]:
    def register(damage: Damage) -> Damage:
        KINDS[damage.__name__.replace("_", " ")] = (ends, damage)
        return damage

    return register


@kind("close")
def cut_off_at_a_page(path: Path, chance: random.Random) -> None:
    os.truncate(path, 1024 * chance.randrange(1, pages(path)))


@kind("kill")
def cut_off_anywhere(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.randrange(1, path.stat().st_size))


@kind("close")
def zeroed_page(path: Path, chance: random.Random) -> None:
    put(path, 1024 * chance.randrange(pages(path)), bytes(1024))


@kind("close")
def zeroed_first_page(path: Path, chance: random.Random) -> None:
    put(path, 0, bytes(1024))


@kind("close")
def zeroed_block_of_the_disk(path: Path, chance: random.Random) -> None:
    put(path, 4096 * chance.randrange(pages(path) // 4), bytes(4096))


@kind("close")
def rubbish_in_a_page(path: Path, chance: random.Random) -> None:
    put(path, 1024 * chance.randrange(pages(path)), chance.randbytes(1024))


@kind("close")
def a_page_over_another(path: Path, chance: random.Random) -> None:
    one, other = (1024 * chance.randrange(pages(path)) for _ in range(2))
    put(path, one, path.read_bytes()[other : other + 1024])


@kind("close")
def two_pages_swapped(path: Path, chance: random.Random) -> None:
    one, other = (1024 * chance.randrange(pages(path)) for _ in range(2))
    data = path.read_bytes()
    put(path, one, data[other : other + 1024])
    put(path, other, data[one : one + 1024])


@kind("close")
def a_hole_of_zeros_anywhere(path: Path, chance: random.Random) -> None:
    size = path.stat().st_size
    at = chance.randrange(size)
    put(path, at, bytes(min(chance.randrange(1, 20_000), size - at)))


@kind("close")
def the_end_is_zeros(path: Path, chance: random.Random) -> None:
    """The file system knew the length of the file, but its last blocks were never written."""
    size = path.stat().st_size
    os.truncate(path, chance.randrange(1, size))
    os.truncate(path, size)


@kind("kill")
def a_piece_is_missing(path: Path, chance: random.Random) -> None:
    """Everything behind the gap moves up."""
    data = path.read_bytes()
    at, length = chance.randrange(len(data)), chance.randrange(1, 5000)
    path.write_bytes(data[:at] + data[at + length :])


@kind("kill")
def both_files_are_hurt(path: Path, chance: random.Random) -> None:
    change(path, chance, bits=3)
    os.truncate(wal := beside(path, "-wal"), chance.randrange(1, wal.stat().st_size + 1))


@kind("close")
def rubbish_behind_the_end(path: Path, chance: random.Random) -> None:
    with path.open("ab") as file:
        file.write(chance.randbytes(5000))


@kind("close")
def flipped_bit_in_the_head(path: Path, chance: random.Random) -> None:
    change(path, chance, 0, 100)


@kind("close")
def flipped_bits_in_the_schema(path: Path, chance: random.Random) -> None:
    change(path, chance, 100, 4096, bits=3)


@kind("close")
def flipped_bit(path: Path, chance: random.Random) -> None:
    change(path, chance, 1024)


@kind("kill")
def flipped_bit_after_a_power_cut(path: Path, chance: random.Random) -> None:
    change(path, chance, 1024)


@kind("close")
def flipped_bits_everywhere(path: Path, chance: random.Random) -> None:
    change(path, chance, bits=200)


@kind("kill")
def wal_is_gone(path: Path, chance: random.Random) -> None:
    beside(path, "-wal").unlink()


@kind("kill")
def main_file_alone_is_copied(path: Path, chance: random.Random) -> None:
    for end in ENDS[1:]:
        beside(path, end).unlink(missing_ok=True)


@kind("kill")
def wal_of_another_journal(path: Path, chance: random.Random) -> None:
    other = path.with_name("another.sqlite")
    evening(other, chance)
    shutil.copyfile(f"{other}-wal", f"{path}-wal")
    for end in ENDS:
        beside(other, end).unlink(missing_ok=True)


@kind("close")
def old_wal_beside_a_new_file(path: Path, chance: random.Random) -> None:
    """A -wal from an hour ago beside a file that has been written since."""
    old = path.with_name("old-wal")
    with Journal.open(path) as journal:
        game = journal.games()[-1]
        for _ in range(chance.randrange(1, 40)):
            journal.append(game, MORE)
        shutil.copyfile(f"{path}-wal", old)
        for _ in range(60):
            journal.append(game, MORE)
            if chance.random() < 0.1:
                journal.settle()
    old.rename(f"{path}-wal")


@kind("kill")
def rubbish_in_shm(path: Path, chance: random.Random) -> None:
    beside(path, "-shm").write_bytes(chance.randbytes(32768))


@kind("kill")
def wal_cut_off(path: Path, chance: random.Random) -> None:
    wal = beside(path, "-wal")
    os.truncate(wal, chance.randrange(wal.stat().st_size))


@kind("kill")
def flipped_bits_in_wal(path: Path, chance: random.Random) -> None:
    change(beside(path, "-wal"), chance, bits=chance.randrange(1, 6))


@kind("kill")
def wal_without_a_head(path: Path, chance: random.Random) -> None:
    put(beside(path, "-wal"), 0, bytes(32))


@kind("kill")
def rubbish_instead_of_wal(path: Path, chance: random.Random) -> None:
    beside(path, "-wal").write_bytes(chance.randbytes(9000))


@kind("kill")
def empty_file(path: Path, chance: random.Random) -> None:
    os.truncate(path, 0)


@kind("close")
def empty_file_and_no_wal(path: Path, chance: random.Random) -> None:
    os.truncate(path, 0)
    if chance.random() < 0.5:
        beside(path, ".lock").unlink()


@kind("kill")
def only_wal_is_left(path: Path, chance: random.Random) -> None:
    path.unlink()


@kind("close")
def deleted(path: Path, chance: random.Random) -> None:
    path.unlink()


@kind("close")
def all_zeros(path: Path, chance: random.Random) -> None:
    path.write_bytes(bytes(path.stat().st_size))
