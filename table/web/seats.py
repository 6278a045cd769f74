"""What a seat may say now, for the seat's own page, which people open by the QR code there.

    GET /api/seat/S1     {"game": 3, "newest": 41, "seat": "S1",
                          "offers": [{"event": {"kind": "say", "seat": "S1", "what": "re"},
                                      "until": "own_card", "n": 2}, …]}

    GET /api/cards/S1    {"game": 3, "newest": 41, "seat": "S1", "sure": ["red-7"], "assumed": ["blue-1", …]}

`event` is what `POST /api/event` takes, `until` the deadline in the rules' own terms (`table.rules.sayings`).
State messages do not contain the offers: what a player considers saying stays on his phone until he says it.
A seat where nobody sits is 404.

`/api/cards` lists the cards that a seat may lay to the current trick, or with `?of=17` could have laid
instead of event 17: `sure` ones, and ones `assumed` legal as long as the seat holds no card that it must lay
(`table.rules.playable`).
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.catalogue import fact
from table.live import Table
from table.rules.playable import Playable
from table.web.answers import refused
from table.web.state import encode


def routes(table: Table) -> list[BaseRoute]:
    """The addresses above."""

    async def answer(request: Request) -> Response:
        return offers(table, request.path_params["seat"])

    async def laid(request: Request) -> Response:
        return cards(table, request.path_params["seat"], request.query_params.get("of"))

    return [
        Route("/api/seat/{seat}", answer),
        Route("/api/cards/{seat}", laid),
    ]


def cards(table: Table, seat: str, of: str | None) -> Response:
    """Answer which cards a seat may lay now, or could have laid instead of the event `of`."""
    session = table.session
    if of is not None and not (of.isascii() and of.isdigit() and len(of) < 16):
        return _json(refused(fact("request.of")), 400)
    if seat not in session.view.seats:
        return _json(refused(fact("rules.seat", seat=seat[:20], seats=session.view.seats)), 404)
    may = session.may_play(seat, None if of is None else int(of)) or Playable((), ())
    answer: dict[str, object] = {"game": session.game, "newest": len(session.entries), "seat": seat}
    return _json({**answer, "sure": may.sure, "assumed": may.assumed}, 200)


def offers(table: Table, seat: str) -> Response:
    """Answer what a seat may say now."""
    session = table.session
    if seat not in session.view.seats:
        return _json(refused(fact("rules.seat", seat=seat[:20], seats=session.view.seats)), 404)
    said = [
        {"event": saying.event(seat).to_dict(), "until": saying.until, "n": saying.n}
        for saying in session.may_say(seat)
    ]
    answer: dict[str, object] = {
        "game": session.game,
        "newest": len(session.entries),
        "seat": seat,
        "offers": said,
    }
    return _json(answer, 200)


def _json(value: dict[str, object], status: int) -> Response:
    return Response(encode(value), status, {"cache-control": "no-store"}, media_type="application/json")
