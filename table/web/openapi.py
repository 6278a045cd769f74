"""The schema of the page's server (OpenAPI 3.1, https://spec.openapis.org/oas/v3.1.0).

    GET /api/openapi.json

It is made from the very structs that are read (`wishes`) and answered (`answers`); tests check the server and
the pages against it. The live line is a WebSocket: `/live` sends a `StateMessage` whenever something changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.catalogue import LANGUAGES
from table.web import answers, game_answers, setup_answers, wishes
from table.web.host import PinWish
from table.web.settings import SettingsWish
from table.web.setup import SetupWish
from table.web.state import encode

_ID = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
_SEAT = {"type": "string", "minLength": 1}
_LANGUAGE = {"type": "string", "enum": list(LANGUAGES), "default": "de"}
_KIND = {"kind": {"type": "string"}}
_EVENT: dict[str, Any] = {"type": "object", "required": ["kind"], "properties": _KIND}

_WISH = {
    "200": "done; with `?preview`: what would follow",
    "400": "the request cannot be read",
    "403": "only the host may; show the PIN first",
    "409": "not possible now, or it would accuse somebody and needs agreement",
    "413": "too long, or incomplete",
    "503": "the journal cannot be written",
}


@dataclass(frozen=True, slots=True)
class PageRefusal:
    """The description of a refusal; `bare`: it has no body, while all others give the reason in JSON."""

    words: str
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: `answer` is a struct, or the media type of an answer without one."""

    summary: str
    answer: Any
    query: dict[str, Any] = field(default_factory=dict)
    refusals: dict[str, PageRefusal] = field(default_factory=dict)
    wish: Any = None
    """The struct of a POST's body."""


_HOST = {"403": PageRefusal(_WISH["403"])}
_NONE = {"404": PageRefusal("there is none", bare=True)}
_PICTURE = {**_HOST, **_NONE}
_BAD = {"400": PageRefusal("not a number")}
_NOBODY = {"404": PageRefusal("nobody sits there")}
_PAGING = {"before": _ID, "limit": _ID}
_SPOKEN = {"lang": _LANGUAGE}
_OF_GAME = {**_SPOKEN, "game": _ID}
_STUCK = {"503": PageRefusal("the journal cannot be read")}
_KEPT = {**_HOST, **_STUCK, "404": PageRefusal("the journal has none", bare=True)}

OPERATIONS: dict[str, Operation] = {
    "/": Operation("The page", "text/html"),
    "/seat/{seat}": Operation("The page of one seat", "text/html"),
    "/doctor": Operation("The page of the checkup", "text/html"),
    "/history": Operation("The page of past evenings", "text/html"),
    "/overlay": Operation("The page for streams", "text/html"),
    "/face/{card}.jpg": Operation("An enrolled face", "image/jpeg", {"v": {"type": "string"}}, _NONE),
    "/camera.jpg": Operation("What the camera sees now", "image/jpeg", refusals=_PICTURE),
    "/crop/{game}/{event}.jpg": Operation("What the eye was not sure of", "image/jpeg", refusals=_PICTURE),
    "/lamps.svg": Operation("What the lamps say", "image/svg+xml", _SPOKEN),
    "/metrics": Operation("For Prometheus", "text/plain"),
    "/api/openapi.json": Operation("This document", dict[str, Any]),
    "/api/state": Operation("The state of the table", answers.StateMessage),
    "/api/health": Operation(
        "Which program answers, whether people play, the state of its parts", answers.HealthAnswer
    ),
    "/api/result": Operation("The result, as `replay --json` prints it", dict[str, Any]),
    "/api/attract": Operation("What an idle kiosk shows", answers.AttractShow),
    "/api/attract/{step}": Operation(
        "A step of what an idle kiosk shows", answers.StateMessage, refusals=_NONE
    ),
    "/api/sheet": Operation("The evening so far", answers.EveningSheet, _OF_GAME, _KEPT),
    "/api/sheet.csv": Operation("The points for a spreadsheet", "text/csv", _OF_GAME, _KEPT),
    "/api/sheet.txt": Operation("The log in the text notation", "text/plain", _OF_GAME, _KEPT),
    "/api/sheet.svg": Operation("The sheet as a picture", "image/svg+xml", _OF_GAME, _KEPT),
    "/api/history": Operation(
        "The games in the journal", game_answers.GamesKept, _PAGING, _BAD | _HOST | _STUCK
    ),
    "/api/history/{game}": Operation(
        "The lines of a game", game_answers.GameSteps, {"after": _ID, "limit": _ID}, _BAD | _KEPT
    ),
    "/api/history/{game}/{event}": Operation(
        "The state of a game after a line", answers.StateMessage, refusals=_KEPT
    ),
    "/api/seat/{seat}": Operation("What a seat may say now", answers.SeatOffers, refusals=_NOBODY),
    "/api/cards/{seat}": Operation(
        "Which cards a seat may play", answers.SeatCards, {"of": _ID}, _BAD | _NOBODY
    ),
    "/api/events": Operation("Older lines", answers.OlderEvents, _PAGING, _BAD),
    "/api/findings": Operation("Older findings", answers.OlderFindings, _PAGING, _BAD),
    "/api/games": Operation("What can be played here", game_answers.GamesOffered),
    "/api/doctor": Operation(
        "The checkup: what is well and what needs attention", answers.CheckupAnswer, _SPOKEN, _HOST
    ),
    "/api/correction": Operation("Correct event `of` to this one", None, wish=wishes.Correction),
    "/api/undo": Operation("Take back the last entry that counts", None, wish=wishes.Undo),
    "/api/redo": Operation("Restore what was taken back", None, wish=wishes.Redo),
    "/api/again": Operation("Another game with the same players", None, wish=wishes.Again),
    "/api/begin": Operation("Begin another game", None, wish=wishes.Begin),
    "/api/event": Operation("Enter what the table did not see or hear", None, wish=wishes.Telling),
    "/settings": Operation("The page of the table's settings", "text/html"),
    "/api/settings": Operation(
        "The table's settings",
        answers.SettingsAnswer,
        {},
        {**_HOST, "409": PageRefusal("unreadable")},
    ),
    "/api/set": Operation("Change settings", answers.SettingsDone, wish=SettingsWish),
    "/setup": Operation("The page that sets the table up", "text/html"),
    "/api/setup": Operation("How far the setup is", setup_answers.SetupAnswer, refusals=_HOST),
    "/api/setup/place": Operation(
        "How good the camera's picture is",
        setup_answers.SetupPlace,
        _SPOKEN,
        {**_HOST, "409": PageRefusal("the camera shows no picture")},
    ),
    "/api/setup/face/{card}.jpg": Operation("A face as just learnt", "image/jpeg", {}, _PICTURE),
    "/api/setup/do": Operation("Set something up", setup_answers.SetupDone, wish=SetupWish),
    "/api/pin": Operation("Admit this browser as the host's", None, wish=PinWish),
}
"""Operations by path; those with a wish are POST, all others GET."""


_PLAIN = (PinWish, SettingsWish, SetupWish)
"""Wishes that do not concern the game, so that there is no preview of them."""


def routes() -> list[BaseRoute]:
    """The address above."""

    async def answer(_request: Request) -> Response:
        return Response(encode(openapi()), media_type="application/json")

    return [Route("/api/openapi.json", answer)]


@cache
def openapi() -> dict[str, Any]:
    """The whole document."""
    forms: set[Any] = {answers.WishDone, answers.WishWeighed, answers.WishRefused, answers.HostShown}
    for operation in OPERATIONS.values():
        forms |= {
            form for form in (operation.answer, operation.wish) if isinstance(form, type(msgspec.Struct))
        }
    forms -= {wishes.Telling}
    _, schemas = msgspec.json.schema_components(
        sorted(forms, key=lambda form: form.__name__), ref_template="#/components/schemas/{name}"
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Stammtisch table",
            "version": "1",
            "description": (__doc__ or "").split("\n\n", 2)[2],
        },
        "paths": {
            path: {"parameters": _places(path), "post" if told.wish else "get": _operation(told)}
            for path, told in OPERATIONS.items()
        },
        "components": {"schemas": {**schemas, "Telling": _telling()}},
    }


def _places(path: str) -> list[dict[str, Any]]:
    forms = {"{seat}": _SEAT, "{game}": _ID, "{event}": _ID, "{step}": _ID, "{card}": _SEAT}
    return [
        {"name": place.strip("{}"), "in": "path", "required": True, "schema": form}
        for place, form in forms.items()
        if place in path
    ]


def _operation(told: Operation) -> dict[str, Any]:
    operation: dict[str, Any] = {"summary": told.summary}
    query = {"preview": {"type": "string"}} if told.wish not in (None, *_PLAIN) else told.query
    if query:
        operation["parameters"] = [
            {"name": name, "in": "query", "schema": schema} for name, schema in query.items()
        ]
    if told.wish is None:
        operation["responses"] = {
            "200": {"description": "the answer", "content": _content(told.answer)},
            **{status: _refusal(said) for status, said in told.refusals.items()},
        }
        return operation
    good: dict[str, Any]
    operation["requestBody"] = {"required": True, "content": _content(told.wish)}
    done = [answers.WishDone, answers.WishWeighed]
    if told.wish is PinWish:
        statuses = {
            "200": "the PIN is right",
            "400": _WISH["400"],
            "403": "the PIN is wrong",
            "413": _WISH["413"],
        }
        statuses |= {"429": "too many wrong PINs; `Retry-After` says how many seconds to wait"}
        statuses |= {"409": "this table has no PIN"}
        good = _content(answers.HostShown)
    elif told.wish is SetupWish:
        statuses = {"200": "done", "409": "not now", **{key: _WISH[key] for key in ("400", "403", "413")}}
        good = _content(told.answer)
    elif told.wish is SettingsWish:
        statuses = {key: _WISH[key] for key in ("400", "403", "413")}
        statuses |= {
            "200": "done",
            "404": "this table has no settings file",
            "409": "the table would not start with these settings",
        }
        good = _content(answers.SettingsDone)
    else:
        statuses, good = _WISH, {"application/json": {"schema": {"anyOf": [_ref(form) for form in done]}}}
    operation["responses"] = {
        status: {"description": said, "content": good if status == "200" else _content(answers.WishRefused)}
        for status, said in statuses.items()
    }
    return operation


def _refusal(said: PageRefusal) -> dict[str, Any]:
    told = {} if said.bare else {"content": _content(answers.WishRefused)}
    return {"description": said.words, **told}


def _content(form: Any) -> dict[str, Any]:
    if isinstance(form, str):
        return {form: {"schema": {"type": "string"}}}
    if isinstance(form, type(msgspec.Struct)):
        return {"application/json": {"schema": _ref(form)}}
    return {"application/json": {"schema": {"type": "object"}}}


def _ref(form: Any) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{form.__name__}"}


def _telling() -> dict[str, Any]:
    """Schema of a wish that has its event's fields beside `seen` and `agreed`."""
    beside = {"seen": {"$ref": "#/components/schemas/Seen"}, "agreed": {"type": "string"}}
    return {**_EVENT, "title": "Telling", "properties": {**_KIND, **beside}}
