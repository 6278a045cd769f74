"""The current state of the game, for a client that polls instead of listening.

GET /api/state                           what the live line sends, once
GET /api/result                          the result as `replay --json` prints it
GET /api/events?before=17&limit=50       older lines
GET /api/findings?before=5&limit=20      older findings
GET /api/games                           what can be played at this table (`games`)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.catalogue import fact
from table.live import Table
from table.web.answers import refused
from table.web.games import games
from table.web.replies import number, reply
from table.web.state import events_before, findings_before, state

MOST_LINES = 200
"""Most older events or findings in one answer."""


def routes(table: Table, language: str) -> list[BaseRoute]:
    """The addresses above."""

    async def now(_request: Request) -> Response:
        return reply(state(table, language))

    async def result(_request: Request) -> Response:
        return reply(table.session.result())

    async def events(request: Request) -> Response:
        entries = table.session.entries
        return _pages(request, len(entries) + 1, lambda *at: events_before(entries, *at))

    async def findings(request: Request) -> Response:
        entries, found = table.session.entries, table.session.view.findings
        return _pages(request, len(found) + 1, lambda *at: findings_before(entries, found, *at))

    async def offered(_request: Request) -> Response:
        return reply(games(table.session.equipment))

    return [
        Route("/api/state", now),
        Route("/api/result", result),
        Route("/api/events", events),
        Route("/api/findings", findings),
        Route("/api/games", offered),
    ]


def _pages(request: Request, newest: int, pages: Callable[[int, int], dict[str, Any]]) -> Response:
    """At most `limit` items before `before` (by default the newest ones)."""
    asked = request.query_params
    before, limit = number(asked.get("before", str(newest))), number(asked.get("limit", "50"))
    if before is None or limit is None:
        return reply(refused(fact("request.numbers")), 400)
    return reply(pages(before, min(limit, MOST_LINES)))
