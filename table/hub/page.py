"""The hub's page: standings, live tables, head to head and ratings over time; `/metrics` for Prometheus."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from table import catalogue
from table.hub import questions
from table.hub.database import HubError, connect
from table.hub.intake import Intake
from table.hub.metrics import metrics
from table.rules.games import boxed, title

_STATIC = Path(__file__).parent / "static"
_WORDS = Path(catalogue.__file__).parent

_DAYS = 365


def application(dsn: str, intake: Intake | None, zone: str | None = None) -> Starlette:
    """The routes; each query opens its own connection. `zone`: time zone by which an evening ends."""

    def answers(question: str, **needed: Callable[[str], Any]) -> Callable[[Request], Response]:
        def answer(request: Request) -> Response:
            given: dict[str, Any] = {"league": request.query_params.get("league") or None, "zone": zone}
            try:
                given["days"] = int(request.query_params.get("days", _DAYS))
                given |= {key: kind(request.query_params[key]) for key, kind in needed.items()}
            except (KeyError, ValueError):
                return PlainTextResponse(f"the request needs {', '.join(needed) or 'days as a number'}", 400)
            try:
                with connect(dsn) as base:
                    rows = questions.ask(base, question, **given)
            except psycopg.DataError as wrong:
                return PlainTextResponse(f"the request cannot be answered: {wrong}", 400)
            except (psycopg.Error, HubError):
                return PlainTextResponse("the database does not answer; look again in a minute", 503)
            told: Any = [_titled(row) for row in rows]
            if question is questions.TABLES:  # without a broker the states are those heard last
                told = {"connected": intake is None or intake.counts.connected, "tables": told}
            body = msgspec.json.encode(told, enc_hook=str)
            return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})

        return answer

    def counts(_request: Request) -> Response:
        return PlainTextResponse(metrics(intake.counts if intake else None))

    return Starlette(
        routes=[
            Route("/api/standings", answers(questions.STANDINGS, kind=str)),
            Route("/api/evenings", answers(questions.EVENINGS)),
            Route("/api/tables", answers(questions.TABLES)),
            Route("/api/against", answers(questions.AGAINST, kind=str, player=int)),
            Route("/api/course", answers(questions.COURSE, kind=str, player=int)),
            Route("/api/kinds", answers(questions.KINDS)),
            Route("/api/leagues", answers(questions.LEAGUES)),
            Route("/metrics", counts),
            Mount(
                "/words",
                routes=[
                    Mount(f"/{each}", StaticFiles(directory=_WORDS / each)) for each in catalogue.LANGUAGES
                ],
            ),
            Mount("/", StaticFiles(directory=_STATIC, html=True)),
        ]
    )


def _titled(row: dict[str, Any]) -> dict[str, Any]:
    """The row with the title of its game and whether that is a game with a dice box."""
    kind = row["kind"] if "kind" in row else (row.get("state") or {}).get("game")
    return row if kind is None else {**row, "title": title(kind), "boxed": boxed(kind)}


def serve(dsn: str, intake: Intake | None, host: str, port: int, zone: str | None = None) -> None:
    """Serve the page until Ctrl-C or SIGTERM.

    Raises:
        HubError: the port cannot be used.
    """
    server = uvicorn.Server(uvicorn.Config(application(dsn, intake, zone), log_level="warning"))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        door = socket.create_server((host, port), family=family)
    except OSError as wrong:
        why = (wrong.strerror or str(wrong)).partition(" (while")[0].lower()
        raise HubError(f"port {port} of {host}: {why}; choose another with --port or --listen") from None
    with door:
        server.run(sockets=[door])
