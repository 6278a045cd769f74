"""A seat's own page, reached by the QR code at the seat, and what may be said there now.

    GET /seat/S1         the page of one seat, for its player's phone
    GET /api/seat/S1     {"game": 3, "newest": 41, "seat": "S1",
                          "offers": [{"event": {"kind": "say", "seat": "S1", "what": "re"},
                                      "until": "own_card", "n": 2}, …]}

    GET /api/cards/S1    {"game": 3, "newest": 41, "seat": "S1", "sure": ["red-7"], "assumed": ["blue-1", …]}

`event` is what `POST /api/event` takes, `until` the deadline in the rules' own terms (`table.rules.sayings`).
It stands in no state message: what a player thinks of saying stays on his phone until he says it. A seat that
nobody sits on is 404.

The last line: which cards a seat may lay to the trick in hand, or with `?of=17` could have laid instead of
event 17: `sure`, or `assumed` that it holds nothing that does its duty (`table.rules.playable`).
"""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from table.catalogue import fact
from table.live import Table
from table.rules.playable import Playable
from table.web.answers import refused
from table.web.state import encode

_PAGE = Path(__file__).parent / "static" / "seat.html"


def routes(table: Table) -> list[BaseRoute]:
    """The addresses above."""

    async def page(_request: Request) -> Response:
        return FileResponse(_PAGE)  # before a game begins nobody knows which seats there are

    async def told(request: Request) -> Response:
        return offers(table, request.path_params["seat"])

    async def laid(request: Request) -> Response:
        return cards(table, request.path_params["seat"], request.query_params.get("of"))

    return [
        Route("/seat/{seat}", page),
        Route("/api/seat/{seat}", told),
        Route("/api/cards/{seat}", laid),
    ]


def cards(table: Table, seat: str, of: str | None) -> Response:
    """Which cards a seat may lay now, or could have laid instead of the event `of`."""
    session = table.session
    if of is not None and not (of.isascii() and of.isdigit() and len(of) < 16):
        return _json(refused(fact("request.of")), 400)
    if seat not in session.view.seats:
        return _json(refused(fact("rules.seat", seat=seat[:20], seats=session.view.seats)), 404)
    may = session.may_play(seat, None if of is None else int(of)) or Playable((), ())
    answer: dict[str, object] = {"game": session.game, "newest": len(session.entries), "seat": seat}
    return _json({**answer, "sure": may.sure, "assumed": may.assumed}, 200)


def offers(table: Table, seat: str) -> Response:
    """What a seat may say now."""
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
