"""Answers guests' wishes (`wishes`).

    POST /api/correction       {"of": 17, "event": {…} or null}
    POST /api/undo             {"id": 17}           take back event 17, the last that holds
    POST /api/redo             {"id": 18}           bring back what the correction 18 took back
    POST /api/again            {}                   the same people play another game
    POST /api/begin            {"game": "dubbe", "players": ["Anna", "Bernd"], "seats": ["S1", "S3"], …}
    POST /api/event            {"kind": "say" | "card" | "die" | "round" | "end" | …, …}
    POST /api/pin              {"pin": "123456"}    this browser is the host's (`host`)

Every POST may name what its page had seen, `"seen": {"game": 3, "id": 41}` (`newest` of the state), and is
refused with 409 if something that concerns it has changed since. One that would accuse somebody gets 409 with
`consequences`; it is done when sent again with their `state` as `"agreed"`. With `?preview` nothing is done,
and the answer says what would follow.

A POST answers `{"id": …}` or `{"error": "one English sentence", "code": "session.undo", "args": {…}}`, which
the page shows in its own language (400 wrong, 403 only the host, 409 not now, 429 too many PINs, 503 journal
stuck).
"""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.catalogue import fact
from table.journal import JournalError
from table.live import Table
from table.session import SessionError
from table.web.answers import refused
from table.web.host import HostDesk
from table.web.replies import reply, wished
from table.web.wishes import (
    AccusingError,
    Again,
    Begin,
    Correction,
    Redo,
    Telling,
    Undo,
    Wish,
    meet,
    plain_consequences,
    weigh,
)

_FORMS: dict[str, type[Wish]] = {
    "correction": Correction,
    "undo": Undo,
    "redo": Redo,
    "again": Again,
    "begin": Begin,
    "event": Telling,
}
_CUT = refused(fact("request.long"))


def routes(table: Table, desk: HostDesk) -> list[BaseRoute]:
    """The addresses above."""

    async def pin(request: Request) -> Response:
        try:
            return await desk.show(request)
        except ClientDisconnect:
            return reply(_CUT, 413)

    wishes = [_route(name, form, table, desk) for name, form in _FORMS.items()]
    return [*wishes, Route("/api/pin", pin, methods=["POST"])]


def _route(name: str, form: type[Wish], table: Table, desk: HostDesk) -> BaseRoute:
    async def act(request: Request) -> Response:
        return await _act(request, form, table, desk)

    return Route(f"/api/{name}", act, methods=["POST"])


async def _act(request: Request, form: type[Wish], table: Table, desk: HostDesk) -> Response:
    """Do what a guest asks for, or answer in one sentence why not."""
    session = table.session
    try:
        wish = await wished(request, form)
        if isinstance(wish, Response):
            return wish
        if not_his := desk.refusal(request, session, wish):
            return not_his
        if "preview" in request.query_params:
            foreseen = weigh(session, wish)
            return reply({"consequences": foreseen and plain_consequences(foreseen)})
        return reply({"id": meet(session, wish)})
    except AccusingError as wrong:
        return reply({**refused(wrong.fact), "consequences": plain_consequences(wrong.consequences)}, 409)
    except SessionError as wrong:
        return reply(refused(wrong.fact), 409)
    except JournalError as wrong:
        return reply(refused(wrong.fact), 503)
