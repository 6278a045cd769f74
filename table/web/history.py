"""Past evenings: which games were played, by whom, with what result, and each of them line by line.

    GET /api/history                   the newest games, newest first: ?before=GAME&limit=N (`GamesKept`)
    GET /api/history/3                 the lines of game 3 that a replay steps through: ?after=ID&limit=N
    GET /api/history/3/17              the state message of game 3 when its line 17 was written

If the page is open to the network, all of it is behind the host's PIN, like the camera's picture: names
and results of past evenings concern only those who played. A line that was corrected later appears as it was
known then; `now` has what holds today. A game is available as long as the journal keeps it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.catalogue import fact
from table.journal import JournalError
from table.live import Table
from table.standing import UNDO_PASSES, standing
from table.web.answers import refused
from table.web.host import HostDesk
from table.web.kept_games import GameTold, KeptGames
from table.web.replies import nothing, number, reply
from table.web.state import GameShown, line, message

MOST_GAMES, MOST_STEPS = 50, 500
"""Most games and steps in one answer."""

Endpoint = Callable[[Request], Awaitable[Response]]


def routes(table: Table, desk: HostDesk, kept: KeptGames, language: str) -> list[BaseRoute]:
    """The addresses above."""

    def asked(answer: Endpoint) -> Endpoint:
        async def guarded(request: Request) -> Response:
            if not_his := desk.refusal(request, table.session):
                return not_his
            try:
                return await answer(request)
            except JournalError as wrong:
                return reply(refused(wrong.fact), 503)

        return guarded

    async def games(request: Request) -> Response:
        query = request.query_params
        before = number(query["before"]) if "before" in query else None
        limit = number(query.get("limit", "20"))
        if limit is None or ("before" in query and before is None):
            return reply(refused(fact("request.numbers")), 400)
        found, left = await kept.summaries(before, min(limit, MOST_GAMES))
        return reply({"running": table.session.game, "games": found, "left_out": left})

    async def steps(request: Request) -> Response:
        game, query = number(request.path_params["game"]), request.query_params
        after, limit = number(query.get("after", "0")), number(query.get("limit", "200"))
        if after is None or limit is None:
            return reply(refused(fact("request.numbers")), 400)
        told = None if game is None else await kept.game(game)
        return nothing() if told is None else reply(_steps(told, after, min(limit, MOST_STEPS)))

    async def moment(request: Request) -> Response:
        game, event = (number(request.path_params[name]) for name in ("game", "event"))
        told = None if game is None or event is None else await kept.moment(game, event)
        if told is None:
            return nothing()
        return reply(message(GameShown(told.game, told.entries, told.view), language))

    return [
        Route("/api/history", asked(games)),
        Route("/api/history/{game}", asked(steps)),
        Route("/api/history/{game}/{event}", asked(moment)),
    ]


def _steps(told: GameTold, after: int, limit: int) -> dict[str, object]:
    """The lines after an id, oldest first; those that change nothing in the game are left out."""
    now = standing(told.entries)
    later = [entry for entry in told.entries[after:] if entry.event.kind not in UNDO_PASSES]
    held = {
        number: entry.id
        for entry in told.entries
        if entry.crop
        for number in (entry.id, entry.event.get("of"))
    }
    steps = [
        {**line(entry, told.entries, now), **({"crop": held[entry.id]} if entry.id in held else {})}
        for entry in later[:limit]
    ]
    return {
        "game": told.game,
        "newest": len(told.entries),
        "steps": steps,
        "left_out": len(later) - len(steps),
    }
