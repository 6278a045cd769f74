"""Writes journal lines into the database, each once, and returns how far a table's lines go without a gap.

Each batch is one transaction. It first locks the tables' rows in the order of their names, so that hubs side
by side neither deadlock nor miss each other's lines. Then COPY inserts the lines; the key shows which are
already there. A table's mark moves along the chain of `after`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from psycopg.types.json import Jsonb

from table.hub.database import Connection
from table.hub.people import is_told, veiled
from table.messages import JournalLine, Kept, TableState

_DUMPS = msgspec.json.Encoder().encode

_SCORED = ("game", "round", "end", "correction")
"""Kinds after which a game is scored again: the next round's beginning completes the one before."""

_SAME_S = 1e-4
"""Times that differ by less are the same: the database rounds them to 1e-6 s."""

_SETTLED = ("settled", "finished")
"""Phases in which a round has ended, so that it can be scored before the next one begins."""

_WALK = """
WITH RECURSIVE chain AS (
    SELECT t.name, newest.boot, CASE WHEN t.boot = newest.boot THEN t.kept ELSE 0 END AS at
    FROM tables t, LATERAL (SELECT max(boot) AS boot FROM lines WHERE table_name = t.name) newest
    WHERE t.name = ANY(%s)
    UNION ALL
    SELECT chain.name, chain.boot, next.sequence FROM chain, LATERAL (
        SELECT sequence FROM lines
        WHERE table_name = chain.name AND boot = chain.boot AND after = chain.at AND sequence > chain.at
        ORDER BY sequence DESC LIMIT 1
    ) next
), mark AS (SELECT name, boot, max(at) AS at FROM chain GROUP BY name, boot)
UPDATE tables SET boot = mark.boot, kept = mark.at, seen = now() FROM mark WHERE tables.name = mark.name
RETURNING tables.name, tables.boot, tables.kept
"""


_TOLD_BEFORE = """
WITH told AS (
    SELECT f.table_name, f.sequence, (f.sequence >> 32 << 32) + 1 AS opening, to_timestamp(f.begun) AS begun
    FROM unnest(%(tables)s::text[], %(sequences)s::bigint[], %(begun)s::float8[])
        AS f (table_name, sequence, begun)
)
SELECT l.table_name, l.sequence, l.wall, l.event
FROM told JOIN lines l ON l.table_name = told.table_name AND l.sequence = told.sequence
UNION ALL
SELECT l.table_name, l.sequence, l.wall, l.event
FROM told
JOIN lines o ON o.id = 1 AND o.sequence = told.opening AND o.wall = coalesce(told.begun, (
    SELECT first.wall FROM lines first
    WHERE first.table_name = told.table_name AND first.sequence = told.opening
    ORDER BY first.boot DESC LIMIT 1
))
JOIN lines l ON l.table_name = o.table_name AND l.sequence = told.sequence
WHERE o.table_name <> told.table_name
"""
"""These lines as stored under the table's name, and under another name with the same beginning of the game.

Uses indices only: 200 lines among 300,000 took 1 ms; searching all lines for their times took 112 ms."""


def keep(base: Connection, lines: Sequence[JournalLine]) -> tuple[int, dict[str, Kept]]:
    """Write the lines that are not there yet; return their number and each table's mark."""
    names = sorted({line.table for line in lines})
    # People first, each in its own transaction: two hubs that add the same people at once would deadlock.
    events = _veiled(base, lines)
    with base.transaction():
        base.execute("INSERT INTO tables (name) SELECT unnest(%s::text[]) ON CONFLICT DO NOTHING", (names,))
        base.execute("SELECT 1 FROM tables WHERE name = ANY(%s) ORDER BY name FOR UPDATE", (names,))
        base.execute(
            "CREATE TEMP TABLE IF NOT EXISTS fresh (table_name text, boot bigint, sequence bigint, "
            "after bigint, game bigint, id integer, wall float8, event jsonb) ON COMMIT DELETE ROWS"
        )
        cursor = base.cursor()
        with cursor.copy("COPY fresh FROM STDIN") as copy:
            for line, event in zip(lines, events, strict=True):
                key = (line.table, line.boot, line.sequence, line.after, line.game, line.id, line.wall)
                copy.write_row((*key, _DUMPS(event).decode()))
        cursor.execute(
            "INSERT INTO lines (table_name, boot, sequence, after, game, id, wall, event) "
            "SELECT DISTINCT ON (table_name, boot, sequence) table_name, boot, sequence, after, game, id, "
            "to_timestamp(wall), event FROM fresh ORDER BY table_name, boot, sequence, after "
            "ON CONFLICT (table_name, sequence, boot) DO UPDATE SET after = excluded.after "
            "WHERE lines.after > excluded.after RETURNING (xmax = 0)"
        )
        new = sum(row[0] for row in cursor)
        _mark_games(base)
        rows = base.execute(_WALK, (names,)).fetchall()
    return new, {name: Kept(boot, kept) for name, boot, kept in rows}


def _named(event: dict[str, Any]) -> bool:
    return event.get("kind") in ("game", "correction")


def _veiled(base: Connection, lines: Sequence[JournalLine]) -> list[dict[str, Any]]:
    """The lines' events, with numbers in place of names.

    A line that is already stored, even from an older boot or under an older name of the table, keeps its
    numbers: a deleted player stays deleted when a table sends it again. The time shows that it is the same.
    """
    if not (named := [line for line in lines if _named(line.event)]):
        return [line.event for line in lines]
    begun = {(line.table, line.game): line.wall for line in named if line.id == 1}
    rows = base.execute(
        _TOLD_BEFORE,
        {
            "tables": [line.table for line in named],
            "sequences": [line.sequence for line in named],
            "begun": [begun.get((line.table, line.game)) for line in named],
        },
    ).fetchall()

    def of(line: JournalLine) -> dict[str, Any]:
        for table, sequence, wall, event in rows:
            same = sequence == line.sequence and abs(wall.timestamp() - line.wall) < _SAME_S
            if same and (table == line.table or is_told(base, line.event, event)):
                return dict(event)
        return veiled(base, line.event)

    return [of(line) if _named(line.event) else line.event for line in lines]


def _mark_games(base: Connection) -> None:
    """Mark the games to score again. Once a game is over, or has a successor, any line may be its last.

    If a game resumes an earlier one, that one and all between no longer count (events.md, `resumes`); if it
    goes on under another name of the table, its part under the old name no longer counts (mqtt.md).
    """
    base.execute(
        "INSERT INTO games (table_name, game, started, dirty) "
        "SELECT f.table_name, f.game, to_timestamp(min(f.wall)), now() "
        "FROM fresh f JOIN tables t ON t.name = f.table_name GROUP BY f.table_name, f.game "
        "HAVING bool_or(f.event->>'kind' = ANY(%s) OR (t.state->>'number')::bigint > f.game "
        "OR ((t.state->>'number')::bigint = f.game AND (t.state->'over')::boolean) "
        "OR ((t.state->>'number')::bigint = f.game AND t.state->>'phase' = ANY(%s))) "
        "ON CONFLICT (table_name, game, generation) DO UPDATE SET dirty = now()",
        (list(_SCORED), list(_SETTLED)),
    )
    base.execute(
        "UPDATE games g SET dirty = now() FROM fresh f WHERE g.table_name = f.table_name AND f.id = 1 "
        "AND g.generation = 0 AND g.game < f.game AND g.game >= CASE jsonb_typeof(f.event->'resumes') "
        "WHEN 'number' THEN (f.event->>'resumes')::numeric END"
    )
    base.execute(
        "UPDATE games g SET dirty = now() FROM fresh f JOIN lines l ON l.id = 1 AND l.sequence = f.sequence "
        "AND l.wall = to_timestamp(f.wall) AND l.table_name <> f.table_name "
        "AND l.boot < f.boot "
        "WHERE f.id = 1 AND g.table_name = l.table_name AND g.game = l.game AND g.generation = 0"
    )


def keep_states(base: Connection, states: Iterable[TableState]) -> None:
    """Store the newest state of each table, without names; mark games with an ended round for scoring."""
    bare = [msgspec.structs.replace(state, players=[], score="") for state in states]
    bare.sort(key=lambda state: state.table)  # the order in which `keep` locks the rows
    cursor = base.cursor()
    cursor.executemany(
        "INSERT INTO tables (name, state) VALUES (%s, %s) "
        "ON CONFLICT (name) DO UPDATE SET state = excluded.state, seen = now()",
        [(state.table, Jsonb(msgspec.to_builtins(state))) for state in bare],
    )
    cursor.executemany(
        "UPDATE games g SET dirty = now() WHERE table_name = %s AND game = %s AND generation = 0 AND EXISTS "
        "(SELECT 1 FROM games n WHERE n.table_name = g.table_name AND n.game = g.game AND NOT n.over "
        "AND (%s OR n.rounds < %s))",
        [
            (state.table, state.number, state.over, state.round)
            for state in bare
            if state.over or state.phase in _SETTLED
        ],
    )


def keep_online(base: Connection, table: str, online: bool) -> None:
    """Store whether a table is online."""
    base.execute(
        "INSERT INTO tables (name, online) VALUES (%s, %s) "
        "ON CONFLICT (name) DO UPDATE SET online = excluded.online, seen = now()",
        (table, online),
    )


def behind(base: Connection) -> dict[str, Kept]:
    """The marks of tables that have a line whose predecessor is missing: these tables must send it again."""
    rows = base.execute(
        "SELECT t.name, t.boot, t.kept FROM tables t WHERE t.boot > 0 AND EXISTS "
        "(SELECT 1 FROM lines l WHERE l.table_name = t.name AND l.boot = t.boot AND l.after > t.kept)"
    )
    return {name: Kept(boot, kept) for name, boot, kept in rows}


def marks(base: Connection) -> dict[str, Kept]:
    """The marks of all tables."""
    rows = base.execute("SELECT name, boot, kept FROM tables WHERE boot > 0")
    return {name: Kept(boot, kept) for name, boot, kept in rows}
