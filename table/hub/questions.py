"""The SQL queries behind the hub's page and its dashboard. They return pseudonyms, never names."""

from __future__ import annotations

from typing import Any

from psycopg.rows import dict_row

from table.hub.database import Connection

NAME = "coalesce(p.pseudonym, 'Gast ' || p.id)"

_HERE = "coalesce(%(zone)s::text, current_setting('TimeZone'))"

EVENING = f"(g.started AT TIME ZONE {_HERE} - interval '6 hours')::date"
"""An evening ends at six in the morning in the time zone `zone`; None: in the database's."""

_LEAGUE = (
    "(%(league)s::text IS NULL OR g.table_name IN (SELECT table_name FROM leagues WHERE name = %(league)s))"
)

STANDINGS = f"""
SELECT p.id, {NAME} AS name, sum(each.games)::bigint AS games, count(*) AS tables,
    sum(each.won)::bigint AS won, sum(each.points)::bigint AS points,
    (SELECT round(r.rating) FROM ratings r WHERE r.player = p.id AND r.kind = %(kind)s
     ORDER BY r.at DESC, r.game DESC LIMIT 1) AS rating
FROM (
    SELECT s.player, count(*) AS games, count(*) FILTER (WHERE s.won) AS won, sum(s.points) AS points
    FROM seats s JOIN games g USING (table_name, game, generation)
    WHERE g.kind = %(kind)s AND g.rounds > 0 AND g.started > now() - %(days)s * interval '1 day' AND {_LEAGUE}
    GROUP BY s.player, s.table_name
) each JOIN players p ON p.id = each.player
GROUP BY p.id ORDER BY rating DESC NULLS LAST, points DESC LIMIT 100
"""

EVENINGS = f"""
SELECT evening::text, "table", kind,
    json_agg(json_build_object('name', name, 'points', points) ORDER BY points DESC) AS points
FROM (
    SELECT {EVENING} AS evening, g.table_name AS "table", g.kind,
        CASE WHEN p.id IS NULL THEN s.seat ELSE {NAME} END AS name, sum(s.points) AS points
    FROM games g JOIN seats s USING (table_name, game, generation) LEFT JOIN players p ON p.id = s.player
    WHERE g.started > now() - %(days)s * interval '1 day' AND g.rounds > 0 AND {_LEAGUE}
    GROUP BY 1, 2, 3, 4
) each GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2, 3 LIMIT 60
"""

TABLES = """
SELECT t.name, t.online, extract(epoch FROM t.seen)::float8 AS seen, t.state,
    (SELECT json_object_agg(s.seat, coalesce(p.pseudonym, 'Gast ' || p.id)) FROM seats s
     JOIN players p ON p.id = s.player
     WHERE s.table_name = t.name AND s.game = (t.state->>'number')::bigint AND s.generation =
     (SELECT max(generation) FROM games g WHERE g.table_name = t.name AND g.game = s.game)) AS people
FROM tables t WHERE t.state IS NOT NULL ORDER BY t.online DESC, t.name LIMIT 200
"""

AGAINST = f"""
SELECT {NAME} AS name, count(*) AS games,
    count(*) FILTER (WHERE (mine.won, mine.points) > (s.won, s.points)) AS won,
    count(*) FILTER (WHERE (mine.won, mine.points) < (s.won, s.points)) AS lost
FROM seats mine JOIN games g USING (table_name, game, generation)
    JOIN seats s USING (table_name, game, generation)
    JOIN players p ON p.id = s.player
WHERE mine.player = %(player)s AND s.player <> %(player)s AND g.kind = %(kind)s AND g.rounds > 0
GROUP BY p.id ORDER BY games DESC, name LIMIT 50
"""

COURSE = """
SELECT extract(epoch FROM at)::float8 AS at, rating FROM (
    SELECT at, game, rating FROM ratings WHERE player = %(player)s AND kind = %(kind)s
    ORDER BY at DESC, game DESC LIMIT 2000
) newest ORDER BY at, game
"""

KINDS = "SELECT kind, count(*) AS games FROM games WHERE rounds > 0 GROUP BY kind ORDER BY games DESC"

LEAGUES = (
    "SELECT name, array_agg(table_name ORDER BY table_name) AS tables FROM leagues GROUP BY 1 ORDER BY 1"
)


def ask(base: Connection, question: str, **given: Any) -> list[dict[str, Any]]:
    """The rows that answer a question."""
    with base.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(question.encode(), {"zone": None, **given}).fetchall()
