"""Points and ratings: the rules' own referee folds each game again when one of its rounds ends.

Ratings are Elo's (1978) for several players: each pair at a table counts as a game of two, won by the one
who has won, or else by the one with more points, with K divided by the number of opponents. One rating per
kind of game, across all tables.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg

from table.hub.database import Connection, HubError, connect
from table.hub.people import hold_people, is_one
from table.rules.events import Event, EventError
from table.rules.games import boxed
from table.rules.referee import Referee
from table.rules.view import View

log = logging.getLogger(__name__)

START, K, SCALE = 1500.0, 24.0, 400.0
"""A newcomer's rating, the most that a game can change it, and the difference that means odds of 10 : 1."""

PAUSE_S = 1.0

RATE_S = 15.0
"""Shortest time between two computations of the ratings."""

ToldLine = tuple[int, dict[str, Any], datetime]
"""A line's number in its game, its event, and its time by the table's clock."""

SeatResult = tuple[bool, int]
"""Whether a player has won a game, and his points: the rules may name one winner of two with equal points."""

_RATING = 0x53544D55
"""Advisory lock that lets one hub at a time compute ratings."""


class Scorer:
    """A thread that scores games with new lines; hubs side by side skip games that another one works on."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="scoring", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End after the current game."""
        self._stopping.set()
        self._thread.join(10)

    def _work(self) -> None:
        rated_at = float("-inf")
        while not self._stopping.is_set():
            try:
                with connect(self._dsn) as base:
                    while not self._stopping.is_set():
                        if score_one(base):
                            continue
                        if time.monotonic() - rated_at > RATE_S:
                            rate(base)
                            rated_at = time.monotonic()
                        self._stopping.wait(PAUSE_S)
            except (psycopg.Error, HubError) as wrong:
                log.warning("the database does not answer; scoring waits (%s)", wrong)
            except Exception:
                log.exception("scoring failed and starts again")
            self._stopping.wait(PAUSE_S)


def score_one(base: Connection) -> bool:
    """Fold one game that has new lines; return False if there is none."""
    with base.transaction():
        hold_people(base)
        row = base.execute(
            "SELECT table_name, game FROM games WHERE dirty IS NOT NULL AND generation = 0 "
            "ORDER BY dirty LIMIT 1 FOR UPDATE SKIP LOCKED"
        ).fetchone()
        if row is None:
            return False
        table, game = row
        base.execute("UPDATE games SET dirty = NULL WHERE (table_name, game) = (%s, %s)", (table, game))
        try:
            with base.transaction():
                _score(base, table, game)
        except psycopg.OperationalError:
            raise
        except Exception:  # its points stay unchanged until its next line; other games do not wait
            log.exception("game %d of table %s cannot be scored", game, table)
    return True


def _score(base: Connection, table: str, game: int) -> None:
    found = games_of(base, table, game)
    ends = [later.boot for later in found[1:]]
    for generation, (each, end) in enumerate(zip(found, [*ends, 1 << 62], strict=True)):
        referee = folded([(number, event) for number, event, _ in each.lines])
        view, rounds = referee.view(), referee.rounds_complete()
        if _resumed(base, each, end) or _moved(base, each):  # another game contains its rounds again
            rounds = 0
        base.execute(
            "INSERT INTO games (table_name, game, generation, kind, rounds, over, started, boot) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (table_name, game, generation) DO UPDATE "
            "SET kind = excluded.kind, rounds = excluded.rounds, over = excluded.over, "
            "started = excluded.started, boot = excluded.boot",
            (table, game, generation, view.game, rounds, view.over, each.lines[0][2], each.boot),
        )
        _seat(base, (table, game, generation), view, rounds)
    for rows in ("seats", "games"):
        base.execute(
            f"DELETE FROM {rows} WHERE table_name = %s AND game = %s AND generation >= %s".encode(),
            (table, game, max(1, len(found))),
        )
    base.execute("UPDATE house SET rated = false")


def _resumed(base: Connection, told: ToldGame, end: int) -> bool:
    """Whether a later game of the same journal resumes this one or an earlier one, so that this one is void.

    `end`: the boot in which another game began to use its number.
    """
    rows = base.execute(
        "SELECT DISTINCT ON (game) event FROM lines WHERE table_name = %s AND game > %s AND id = 1 "
        "AND event ? 'resumes' AND boot >= %s AND boot < %s ORDER BY game, boot DESC",
        (told.table, told.game, told.boot, end),
    ).fetchall()
    named = [Event(event.get("kind"), event).resumes for (event,) in rows]
    return any(first is not None and first <= told.game for first in named)


def _moved(base: Connection, told: ToldGame) -> bool:
    """Whether the game went on under another name of the table and was sent completely there (mqtt.md)."""
    number, event, wall = told.lines[0]
    if number != 1:
        return False
    found = base.execute(
        "SELECT event FROM lines WHERE id = 1 AND wall = %s AND sequence = %s AND table_name <> %s "
        "AND boot > %s",
        (wall, (told.game << 32) + 1, told.table, told.boot),
    ).fetchall()
    return any(is_one(base, event, other) for (other,) in found)


def _seat(base: Connection, key: tuple[str, int, int], view: View, rounds: int) -> None:
    known = {row[0] for row in base.execute("SELECT id FROM players")} if not boxed(view.game) else set()
    people = dict(zip(view.seats, view.players, strict=False))
    most = max(view.points.values(), default=0)
    first = view.winners or [seat for seat, points in view.points.items() if rounds and points == most]
    rows = []
    for seat, points in view.points.items():
        told = people.get(seat, "")
        player = int(told) if told.isdecimal() and int(told) in known else None  # None: a deleted player
        rows.append((*key, seat, player, points, seat in first))
    base.execute("DELETE FROM seats WHERE (table_name, game, generation) = (%s, %s, %s)", key)
    base.cursor().executemany(
        "INSERT INTO seats (table_name, game, generation, seat, player, points, won) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s)",
        rows,
    )


@dataclass(slots=True)
class ToldGame:
    """A game as a table sent it: the lines that hold, each with its number and time, in order."""

    table: str
    game: int
    boot: int
    """The last boot that sent lines of it."""
    lines: list[ToldLine]


def games_of(base: Connection, table: str, game: int) -> list[ToldGame]:
    """The games of a table that had this number; last the one of the newest boot.

    Lines of a boot hold up to where the next boot's lines of the game begin. If a later boot sends another
    beginning, the journal was replaced and counts from 1 again: that is another game.
    """
    rows = base.execute(
        "SELECT boot, id, event, wall FROM lines WHERE table_name = %s AND sequence >= %s AND sequence < %s "
        "ORDER BY boot, id",
        (table, game << 32, (game + 1) << 32),
    ).fetchall()
    found: list[ToldGame] = []
    for boot, told in itertools.groupby(rows, key=lambda row: int(row[0])):
        lines = [(number, event, wall) for _, number, event, wall in told]
        first = lines[0][0]
        known = [each for each in found if _is_same(each.lines[0], lines[0])]
        kept = known[-1] if known else ToldGame(table, game, boot, [])
        found = [*(each for each in found if each is not kept), kept]
        kept.lines = [*(line for line in kept.lines if line[0] < first), *lines]
        kept.boot = boot
    return found


def _is_same(one: ToldLine, other: ToldLine) -> bool:
    """Whether two runs with these first lines are of one game; a run without line 1 continues any game."""
    return one[2] == other[2] if one[0] == other[0] == 1 else True


def folded(lines: Sequence[tuple[int, dict[str, Any]]]) -> Referee:
    """A referee that has the game so far; a line that the rules cannot take is skipped, as at the table."""
    fallen: set[int] = set()
    whole = False
    while not whole:  # from the start without the line that the rules failed on: it may be half applied
        referee, whole = Referee(), True
        for number, event in lines:
            if number in fallen:
                continue
            try:
                referee.add({**event, "id": number})
            except EventError as wrong:
                log.info("line %d: %s", number, wrong)
            except Exception as wrong:
                log.warning("the rules failed on line %d and go on without it: %r", number, wrong)
                fallen.add(number)
                whole = False
                break
    return referee


def rate(base: Connection) -> None:
    """Recompute all ratings if points have changed, game by game in the order in which they began."""
    with base.transaction():
        free = base.execute("SELECT pg_try_advisory_xact_lock(%s)", (_RATING,)).fetchone()
        if not (free and free[0]):
            return  # another hub is at it; a change since it began is left for the next time
        if not base.execute("UPDATE house SET rated = true WHERE NOT rated RETURNING 1").fetchone():
            return
        # The newest game of a table counts once it is over; an older one counts as over in any case.
        games = base.execute(
            "SELECT g.table_name, g.game, g.generation, g.kind, g.started, "
            "array_agg(s.player), array_agg(s.won), array_agg(s.points) "
            "FROM games g JOIN seats s USING (table_name, game, generation) "
            "WHERE s.player IS NOT NULL AND g.rounds > 0 AND (g.over OR (g.boot, g.game) < "
            "(SELECT n.boot, n.game FROM games n WHERE n.table_name = g.table_name "
            "ORDER BY n.boot DESC, n.game DESC LIMIT 1)) "
            "GROUP BY g.table_name, g.game, g.generation "
            "ORDER BY g.started, g.table_name, g.game, g.generation"
        ).fetchall()
        now: dict[tuple[str, int], float] = {}
        rows = []
        for table, game, generation, kind, started, players, won, points in games:
            if len({*players}) < len(players):  # two of one name: it is unknown whose points are whose
                continue
            before = [now.get((kind, player), START) for player in players]
            results = [*zip(won, points, strict=True)]
            for player, rating in zip(players, rated(before, results), strict=True):
                now[kind, player] = rating
                rows.append((player, kind, table, game, generation, started, rating))
        base.execute("DELETE FROM ratings")
        columns = "player, kind, table_name, game, generation, at, rating"
        with base.cursor().copy(f"COPY ratings ({columns}) FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)


def rated(before: Sequence[float], results: Sequence[SeatResult]) -> list[float]:
    """Ratings after a game; their sum does not change."""
    after = list(before)
    for i, mine in enumerate(before):
        for j, other in enumerate(before):
            if i != j:
                won = 1.0 if results[i] > results[j] else 0.5 if results[i] == results[j] else 0.0
                expected = 1.0 / (1.0 + 10.0 ** ((other - mine) / SCALE))
                after[i] += K / (len(before) - 1) * (won - expected)
    return after
