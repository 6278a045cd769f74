"""Points and ratings: the rules' own referee folds each game anew when a round of it ends.

Ratings are Elo's (1978) for several players: each pair at a table counts as a game of two, won by whoever
has won, else by whoever has more points, with K shared among the opponents. One rating for each kind of game,
across all tables.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import psycopg

from table.hub.database import Connection, HubError, connect
from table.hub.people import hold_people
from table.rules.events import Event, EventError
from table.rules.games import boxed
from table.rules.referee import Referee
from table.rules.view import View

log = logging.getLogger(__name__)

START, K, SCALE = 1500.0, 24.0, 400.0
"""A newcomer's rating, the most a game may change it, and the difference of which 10 : 1 is expected."""

PAUSE_S = 1.0

RATE_S = 15.0
"""Ratings are made anew at most this often."""

SeatResult = tuple[bool, int]
"""Whether somebody has won a game, and his points: the rules may name one winner of two with equal points."""

_RATING = 0x53544D55
"""One hub at a time rates."""


class Scorer:
    """A thread that scores what is to be scored; hubs side by side pass over what another one has in hand."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="scoring", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End after the game in hand."""
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
                log.exception("scoring stumbled and begins anew")
            self._stopping.wait(PAUSE_S)


def score_one(base: Connection) -> bool:
    """Fold one game of which something new came; False where there is none."""
    with base.transaction():
        hold_people(base)
        row = base.execute(
            "SELECT table_name, game FROM games WHERE dirty IS NOT NULL "
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
        except Exception:  # its points stay as they were; the next line tries again, and others do not wait
            log.exception("game %d of table %s cannot be scored", game, table)
    return True


def _score(base: Connection, table: str, game: int) -> None:
    lines = lines_of(base, table, game)
    referee = folded([(number, event) for number, event, _ in lines])
    started = lines[0][2] if lines else None
    view, rounds = referee.view(), referee.rounds_complete()
    if _resumed(base, table, game):  # its rounds stand once more in the game that goes on with it
        rounds = 0
    base.execute(
        "UPDATE games SET kind = %s, rounds = %s, over = %s, started = coalesce(%s, started) "
        "WHERE (table_name, game) = (%s, %s)",
        (view.game, rounds, view.over, started, table, game),
    )
    _seat(base, table, game, view, rounds)
    base.execute("UPDATE house SET rated = false")


def _resumed(base: Connection, table: str, game: int) -> bool:
    """Whether a later game goes on with this one, or with one before: then it counts no more."""
    rows = base.execute(
        "SELECT DISTINCT ON (game) event FROM lines WHERE table_name = %s AND game > %s AND id = 1 "
        "AND event ? 'resumes' ORDER BY game, boot DESC",
        (table, game),
    ).fetchall()
    named = [Event(event.get("kind"), event).resumes for (event,) in rows]
    return any(first is not None and first <= game for first in named)


def _seat(base: Connection, table: str, game: int, view: View, rounds: int) -> None:
    known = {row[0] for row in base.execute("SELECT id FROM players")} if not boxed(view.game) else set()
    people = dict(zip(view.seats, view.players, strict=False))
    most = max(view.points.values(), default=0)
    first = view.winners or [seat for seat, points in view.points.items() if rounds and points == most]
    rows = []
    for seat, points in view.points.items():
        told = people.get(seat, "")
        player = int(told) if told.isdecimal() and int(told) in known else None  # who was forgotten stays so
        rows.append((table, game, seat, player, points, seat in first))
    base.execute("DELETE FROM seats WHERE (table_name, game) = (%s, %s)", (table, game))
    base.cursor().executemany("INSERT INTO seats VALUES (%s, %s, %s, %s, %s, %s)", rows)


def lines_of(base: Connection, table: str, game: int) -> list[tuple[int, dict[str, Any], datetime]]:
    """The lines of a game that hold, each with its time: of each boot those before the next begins in it."""
    rows = base.execute(
        "SELECT boot, id, event, wall FROM lines WHERE table_name = %s AND sequence >= %s AND sequence < %s "
        "ORDER BY boot DESC, id",
        (table, game << 32, (game + 1) << 32),
    ).fetchall()
    kept: dict[int, tuple[int, dict[str, Any], datetime]] = {}
    ends: dict[int, int] = {}
    before = 1 << 62
    for boot, number, event, wall in rows:
        if boot not in ends:
            ends[boot] = before
            before = min(before, number)
        if number < ends[boot]:
            kept[number] = number, event, wall
    return [kept[number] for number in sorted(kept)]


def folded(lines: Sequence[tuple[int, dict[str, Any]]]) -> Referee:
    """The game as it stands; a line that the rules cannot take is passed over, as at the table."""
    fallen: set[int] = set()
    whole = False
    while not whole:  # anew without what the rules fell over: it may have left half its marks
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
    """All ratings anew, where points have changed: games in the order in which they began."""
    with base.transaction():
        free = base.execute("SELECT pg_try_advisory_xact_lock(%s)", (_RATING,)).fetchone()
        if not (free and free[0]):
            return  # another hub rates, and may have begun before what has changed since
        if not base.execute("UPDATE house SET rated = true WHERE NOT rated RETURNING 1").fetchone():
            return
        # The newest game of a table counts when it is over; an older one is, whatever it says.
        games = base.execute(
            "SELECT g.table_name, g.game, g.kind, g.started, "
            "array_agg(s.player), array_agg(s.won), array_agg(s.points) "
            "FROM games g JOIN seats s USING (table_name, game) WHERE s.player IS NOT NULL AND g.rounds > 0 "
            "AND (g.over OR g.game < (SELECT max(game) FROM games n WHERE n.table_name = g.table_name)) "
            "GROUP BY g.table_name, g.game ORDER BY g.started, g.table_name, g.game"
        ).fetchall()
        now: dict[tuple[str, int], float] = {}
        rows = []
        for table, game, kind, started, players, won, points in games:
            if len({*players}) < len(players):  # two of one name: nobody knows whose points those are
                continue
            before = [now.get((kind, player), START) for player in players]
            results = [*zip(won, points, strict=True)]
            for player, rating in zip(players, rated(before, results), strict=True):
                now[kind, player] = rating
                rows.append((player, kind, table, game, started, rating))
        base.execute("DELETE FROM ratings")
        with base.cursor().copy("COPY ratings FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


def rated(before: Sequence[float], results: Sequence[SeatResult]) -> list[float]:
    """Ratings after a game; their sum stays what it was."""
    after = list(before)
    for i, mine in enumerate(before):
        for j, other in enumerate(before):
            if i != j:
                won = 1.0 if results[i] > results[j] else 0.5 if results[i] == results[j] else 0.0
                expected = 1.0 / (1.0 + 10.0 ** ((other - mine) / SCALE))
                after[i] += K / (len(before) - 1) * (won - expected)
    return after
