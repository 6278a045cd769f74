"""What an idle screen on the wall shows until somebody plays: a round that plays itself.

    GET /api/attract           {"minutes": 5, "steps": 58}: idle minutes (0 = never) after which a kiosk
                               shows that many steps
    GET /api/attract/{step}    the state message of that step of the round

Bots play the round from a fixed seed, in the game that was played last at this table. Nothing of it is
written anywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.journal import Entry
from table.live import Table
from table.rules import dice_evening, evening
from table.rules.events import Event
from table.rules.games import GAMES
from table.rules.referee import Referee
from table.web.replies import nothing, number, reply
from table.web.state import GameShown, encode, message

_NAMES = ("Anna", "Bernd", "Carla", "Dirk")
_SEED = 7
MOST_LINES = 120
"""Most lines of the round; a dice game would not end by itself."""


def routes(table: Table, language: str, minutes: int) -> list[BaseRoute]:
    """The addresses above."""
    shows: dict[str, list[bytes]] = {}
    one_at_a_time = asyncio.Lock()

    async def show() -> list[bytes]:
        """The steps of the game that was last played; made off the loop, once per game."""
        game = table.session.view.game or next(iter(GAMES))
        async with one_at_a_time:
            if game not in shows:
                shows[game] = await asyncio.to_thread(lambda: list(steps(game, language)))
        return shows[game]

    async def answer(_request: Request) -> Response:
        return reply({"minutes": minutes, "steps": len(await show())})

    async def step(request: Request) -> Response:
        at = number(request.path_params["step"])
        shown = await show()
        if at is None or not 1 <= at <= len(shown):
            return nothing()
        return Response(shown[at - 1], media_type="application/json")

    return [
        Route("/api/attract", answer),
        Route("/api/attract/{step}", step),
    ]


def _lines(game: str) -> Iterator[Event]:
    played = GAMES[game]
    if played.colours:
        players = list(played.colours[:4])
        return dice_evening.evening(Event("game", {"game": game, "players": players}), _SEED, rounds=1)
    seats = [f"S{n}" for n in range(1, min(len(_NAMES), max(played.players)) + 1)]
    opening = {"game": game, "seats": seats, "players": list(_NAMES[: len(seats)])}
    return evening.evening(Event("game", opening), _SEED, rounds=1)


def steps(game: str, language: str) -> Iterator[bytes]:
    """The state messages of a round of this game: one for each line from the first card or throw on."""
    referee = Referee()
    entries: list[Entry] = []
    begun = False
    for line in islice(_lines(game), MOST_LINES):
        entries.append(Entry(len(entries) + 1, line, 0.0))
        referee.add(line.numbered(len(entries)))
        view = referee.view()
        if begun := begun or bool(view.trick or (view.box and view.box.throw)):
            yield encode(message(GameShown(None, entries, view), language))
