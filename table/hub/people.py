"""Pseudonyms: a name typed at a table becomes a number, the same one at all tables; the name is not stored.

The database stores a keyed checksum of the name (HMAC-SHA-256) and the key. Players are deleted on request:
their games stay, with a seat that has no name.
"""

from __future__ import annotations

import hmac
import re
from typing import Any

from table.hub.database import Connection, HubError
from table.rules.games import boxed
from table.rules.words import printed

_NUMBERED = re.compile(r"gast \d+", re.IGNORECASE)
"""How a player without a pseudonym is displayed (`questions.NAME`)."""

_FORGETTING = 0x53544D56
"""Advisory lock, shared for seating people and exclusive for deleting one: they would deadlock otherwise."""


def _key(base: Connection, name: str) -> bytes:
    row = base.execute("SELECT secret FROM house").fetchone()
    assert row is not None
    plain = printed(name).casefold()
    return hmac.digest(row[0], plain.encode("utf-8", "replace"), "sha256")


def player_of(base: Connection, name: str) -> int:
    """The number of the player with this name; a new one if there is none."""
    key = _key(base, name)
    row = (
        base.execute("SELECT id FROM players WHERE key = %s", (key,)).fetchone()
        or base.execute(
            "INSERT INTO players (key) VALUES (%s) "
            "ON CONFLICT (key) DO UPDATE SET key = players.key RETURNING id",
            (key,),
        ).fetchone()
    )
    assert row is not None
    return int(row[0])


def veiled(base: Connection, event: dict[str, Any]) -> dict[str, Any]:
    """The event with numbers in place of names. Players at a dice box are colours and stay."""
    inner = event.get("event")
    kept = {**event, "event": veiled(base, inner)} if isinstance(inner, dict) else event
    names = kept.get("players")
    if kept.get("kind") != "game" or boxed(kept.get("game")) or not isinstance(names, list):
        return kept
    numbers = [
        str(player_of(base, name)) if isinstance(name, str) and printed(name) else "" for name in names
    ]
    return {**kept, "players": numbers}


def is_told(base: Connection, event: dict[str, Any], kept: dict[str, Any]) -> bool:
    """Whether `kept` is the stored form of `event`, which has names; a deleted player matches any name."""
    seats = list(zip(_people(event), _people(kept), strict=False))
    if _nameless(event) != _nameless(kept) or any(bool(printed(name)) != bool(n) for name, n in seats):
        return False
    others = "SELECT 1 FROM players WHERE id::text = %s AND key <> %s"
    return not any(base.execute(others, (n, _key(base, name))).fetchone() for name, n in seats if n)


def is_one(base: Connection, event: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two stored events are of one line: a deleted player who is sent again gets another number."""
    if _nameless(event) != _nameless(other):
        return False
    both = "SELECT count(*) FROM players WHERE id::text IN (%s, %s)"
    changed = [(a, b) for a, b in zip(_people(event), _people(other), strict=False) if a != b]
    return all((row := base.execute(both, pair).fetchone()) and row[0] < len(pair) for pair in changed)


def _people(event: dict[str, Any]) -> list[str]:
    """The players of an event and of its inner event: names or numbers, one for each seat."""
    inner, named = event.get("event"), event.get("players")
    here = [each if isinstance(each, str) else "" for each in named] if isinstance(named, list) else []
    return [*here, *(_people(inner) if isinstance(inner, dict) else ())]


def _nameless(event: dict[str, Any]) -> dict[str, Any]:
    inner, named = event.get("event"), event.get("players")
    kept = {**event, "event": _nameless(inner)} if isinstance(inner, dict) else event
    return {**kept, "players": len(named)} if isinstance(named, list) else kept


def call(base: Connection, name: str, pseudonym: str) -> None:
    """Show a player under a pseudonym of his choice.

    Raises:
        HubError: nobody has this name, or the pseudonym is taken or invalid.
    """
    shown = printed(pseudonym)
    if not shown or _NUMBERED.fullmatch(shown):
        raise HubError(
            f"{pseudonym!r} is not a pseudonym (others are called Gast and a number); choose another"
        )
    row = base.execute("SELECT id FROM players WHERE key = %s", (_key(base, name),)).fetchone()
    if row is None:
        raise HubError(f"nobody called {name!r} is known here; check the spelling")
    taken = base.execute("SELECT id FROM players WHERE pseudonym = %s AND id <> %s", (shown, row[0]))
    if taken.fetchone():
        raise HubError(f"{shown!r} is somebody else's; choose another")
    base.execute("UPDATE players SET pseudonym = %s WHERE id = %s", (shown, row[0]))


def hold_people(base: Connection) -> None:
    """Keep players from being deleted until this transaction ends. Call before taking any other lock."""
    base.execute("SELECT pg_advisory_xact_lock_shared(%s)", (_FORGETTING,))


def shown_at(base: Connection, name: str) -> list[str]:
    """The tables in whose newest game this person plays: the broker retains their state, with names."""
    rows = base.execute(
        "SELECT DISTINCT t.name FROM players p, tables t JOIN lines l ON l.table_name = t.name "
        "AND l.game = (t.state->>'number')::bigint AND l.sequence = (l.game << 32) + 1 "
        "WHERE p.key = %s AND l.event->'players' ? p.id::text AND NOT EXISTS (SELECT 1 FROM lines n "
        "WHERE n.table_name = l.table_name AND n.sequence = l.sequence AND n.boot > l.boot) ORDER BY t.name",
        (_key(base, name),),
    ).fetchall()
    return [table for (table,) in rows]


def forget(base: Connection, name: str) -> int:
    """Delete a player; return the number of games in which he had a seat.

    Raises:
        HubError: nobody of this name is known.
    """
    with base.transaction():
        base.execute("SELECT pg_advisory_xact_lock(%s)", (_FORGETTING,))
        base.execute("UPDATE house SET rated = false")  # locked before the people, in the order of `rate`
        row = base.execute(
            "SELECT p.id, (SELECT count(*) FROM seats WHERE player = p.id) FROM players p WHERE key = %s",
            (_key(base, name),),
        ).fetchone()
        if row is None:
            raise HubError(f"nobody called {name!r} is known here; nothing was deleted")
        base.execute("DELETE FROM players WHERE id = %s", (row[0],))
    return int(row[1])
