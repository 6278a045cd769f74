"""Damage inside a journal's tables: rows, gaps, marks, the index. Importing this adds its kinds."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from pathlib import Path

from table.journal import Journal
from tests.table.journal_damage import (
    MORE,
    change,
    kind,
    opened,
    some_line,
)


@kind("close")
def json_damaged_in_a_row(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        game, number = some_line(base, chance)
        cut = "UPDATE events SET json = substr(json, 1, length(json) / 2) WHERE game = ? AND id = ?"
        base.execute(cut, (game, number))


@kind("close")
def no_event_in_a_row(path: Path, chance: random.Random) -> None:
    """Rows without a seal, as another program would write them."""
    with opened(path) as base:
        game, number = some_line(base, chance)
        line = chance.choice(
            ['"card"', "[]", "{}", '{"kind": 7}', '{"kind": "cbrd"}', "", "null", "[" * 5000]
        )
        base.execute(
            "UPDATE events SET seal = NULL, json = ? WHERE game = ? AND id = ?", (line, game, number)
        )


@kind("close")
def another_event_in_a_row(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        game, number = some_line(base, chance)
        line = '{"kind":"card","seat":"S9","card":"red-99"}'
        base.execute("UPDATE events SET json = ? WHERE game = ? AND id = ?", (line, game, number))


@kind("close")
def gap_in_the_ids(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        game, number = some_line(base, chance)
        base.execute("DELETE FROM events WHERE game = ? AND id = ?", (game, number))


@kind("close")
def last_rows_gone(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        base.execute("DELETE FROM events WHERE game = 3 AND id > ?", (chance.randrange(1, 25),))


@kind("close")
def row_moved(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        game, number = some_line(base, chance)
        base.execute("UPDATE events SET id = id + 1000 WHERE game = ? AND id = ?", (game, number))


@kind("close")
def blob_instead_of_text(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        base.execute("PRAGMA writable_schema = ON")
        strict = base.execute("SELECT sql FROM sqlite_master WHERE name = 'events'").fetchone()[0]
        loose = strict.replace(") STRICT", ")")
        base.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'events'", (loose,))
    with opened(path) as base:
        game, number = some_line(base, chance)
        value = chance.choice([chance.randbytes(30), 7, 1.5])
        base.execute("UPDATE events SET json = ? WHERE game = ? AND id = ?", (value, game, number))
        base.execute("PRAGMA writable_schema = ON")
        base.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'events'", (strict,))


@kind("close")
def huge_row(path: Path, chance: random.Random) -> None:
    """A sound row of three megabytes, then one bit flipped in the middle of it."""
    with Journal.open(path) as journal:
        journal.append(3, MORE.having(pad="x" * 3_000_000))
    change(path, chance, path.stat().st_size - 2_000_000)


@kind("close")
def table_of_pictures_dropped(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        base.execute("DROP TABLE crops")


@kind("close")
def list_of_games_emptied(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        base.execute("DELETE FROM games WHERE id >= ?", (chance.randrange(1, 4),))


@kind("close")
def mark_or_form_changed(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        base.execute(chance.choice(["PRAGMA application_id = 7", "PRAGMA user_version = 0"]))


@kind("close")
def index_damaged(path: Path, chance: random.Random) -> None:
    with contextlib.closing(sqlite3.connect(path)) as base:
        told = "SELECT rootpage FROM sqlite_master WHERE name LIKE 'sqlite_autoindex_crops%'"
        (root,) = base.execute(told).fetchone()
    change(path, chance, 1024 * (root - 1), 1024 * root, bits=8)


@kind("close")
def identity_lost(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        base.execute(chance.choice(["DELETE FROM journal", "UPDATE journal SET identity = 5"]))


@kind("close")
def picture_changed(path: Path, chance: random.Random) -> None:
    with opened(path) as base:
        base.execute("UPDATE crops SET jpeg = x'00' WHERE rowid = (SELECT max(rowid) FROM crops)")


@kind("close")
def row_of_the_schema_changed(path: Path, chance: random.Random) -> None:
    """The definitions of tables, indexes and triggers, and their root pages."""
    change_of = chance.choice(
        [
            "SET rootpage = rootpage + 1 WHERE name = ?",
            "SET rootpage = 0 WHERE name = ?",
            "SET sql = substr(sql, 1, length(sql) / 2) WHERE name = ?",
            "SET sql = replace(sql, 'id', 'di') WHERE name = ?",
            "SET sql = NULL WHERE name = ?",
            "SET name = 'things' WHERE name = ?",
            "SET tbl_name = 'things' WHERE name = ?",
            "SET type = 'view' WHERE name = ?",
        ]
    )
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as base:
        names = [name for (name,) in base.execute("SELECT name FROM sqlite_master")]
        base.execute("PRAGMA writable_schema = ON")
        base.execute(f"UPDATE sqlite_master {change_of}", (chance.choice(names),))


@kind("close")
def row_of_the_schema_gone_or_twice(path: Path, chance: random.Random) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as base:
        names = [name for (name,) in base.execute("SELECT name FROM sqlite_master")]
        base.execute("PRAGMA writable_schema = ON")
        what = chance.choice(["DELETE FROM", "INSERT INTO sqlite_master SELECT * FROM"])
        base.execute(f"{what} sqlite_master WHERE name = ?", (chance.choice(names),))
