"""The scoreboard's server: the page, its live line, and the few things a guest may do.

    GET  /                     the page              GET /camera.jpg            what the camera sees now
    GET  /static/…             its parts             GET /crop/GAME/EVENT.jpg   what the eye was not sure of
    WS   /live                 every state (`state`) as it comes
    GET  /api/state            the same once         GET /api/result            as `replay --json` prints it
    GET  /api/sheet?lang=de    every round with its reasons in words; also /api/sheet.csv and .txt (`sheet`)
    GET  /seat/S1              the page of one seat: what it may say now (`seats`); the same: /api/seat/S1
    GET  /api/cards/S1?of=17   which cards it may lay now, or could have laid instead of event 17 (`seats`)
    GET  /api/events?before=17&limit=50     older lines        GET /api/findings?before=5&limit=20
    POST /api/correction       {"of": 17, "event": {…} or null}
    POST /api/undo             {"id": 17}           take back event 17, the last thing that holds
    POST /api/redo             {"id": 18}           bring back what the correction 18 took back
    POST /api/again            {}                   the same people play another game
    GET  /api/health           who answers, whether people play, how its parts are (`health`)
    GET  /api/games            what can be played at this table, by whom and by which rules (`games`)
    POST /api/begin            {"game": "dubbe", "players": ["Anna", "Bernd"], "seats": ["S1", "S3"], …}
    POST /api/event            {"kind": "say" | "card" | "die" | "round" | "end" | …, …}
    POST /api/pin              {"pin": "123456"}    this browser is the host's (`host`)
    GET  /api/openapi.json     all of this as a schema (`openapi`)

Every POST may name what its page had seen, `"seen": {"game": 3, "id": 41}` (`newest` of the state), and is
refused with 409 where that is no longer so in its matter. One that would accuse somebody gets 409 with
`consequences`; it is done when sent again with their `state` as `"agreed"`. With `?preview` nothing is done,
and the answer says what would follow.

A POST answers `{"id": …}` or `{"error": "one English sentence", "code": "session.undo", "args": {…}}`,
which the page tells in its own language (400 wrong, 403 only the host, 409 not now, 429 too many PINs, 503
journal stuck).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from table import catalogue
from table.catalogue import fact
from table.journal import JournalError
from table.live import Table, preview
from table.processes import samples, text
from table.session import SessionError
from table.web import doctor, health, openapi, seats, sheet
from table.web.answers import refused
from table.web.door import Door
from table.web.games import games
from table.web.guard import Guard, own_names
from table.web.host import HostDesk
from table.web.port import PageError, bind
from table.web.state import encode, events_before, findings_before, state
from table.web.wishes import (
    AccusingError,
    Again,
    Begin,
    Correction,
    Redo,
    Telling,
    Undo,
    UnreadableError,
    Wish,
    meet,
    read,
    told,
    weigh,
)

log = logging.getLogger(__name__)

__all__ = ["Page", "PageError", "bind"]

STATIC = Path(__file__).parent / "static"

WORDS = Path(catalogue.__file__).parent
"""The same sentences that the house tells; the page tells its own share of them."""

PATIENCE_S = 10.0
"""A guest whose line takes longer for one message is dropped; his page comes back by itself."""

TICK_S = 10.0
"""A page that hears nothing for about twice this long knows that the line is dead."""

MOST_GUESTS = 64
"""Live lines at once; who has been on his longest makes room, and his page comes back by itself."""

MOST_LINES = 200
"""Of a request for older events or findings."""


class Page:
    """The page of one table. Make it (the port is taken at once), then hand `serve` to the runtime."""

    def __init__(
        self,
        table: Table,
        port: int = 8080,
        listen: str = "127.0.0.1",
        names: Iterable[str] = (),
        language: str = "de",
        desk: HostDesk | None = None,
        camera_picture: bool = True,
    ) -> None:
        """`camera_picture`: whether anything of what the camera sees is shown, its pictures of doubts too."""
        self._table = table
        self._language = language
        self._guests: dict[asyncio.Event, _Guest] = {}
        self._door = Door()
        self._camera_picture = camera_picture
        self._desk = desk or HostDesk(None)
        self._socket = bind(listen, port)
        self.port: int = self._socket.getsockname()[1]
        self.app = Guard(Starlette(routes=self._routes()), own_names(names))
        table.watch(self._changed)

    @property
    def url(self) -> str:
        """Where a browser on this machine finds the page."""
        return f"http://localhost:{self.port}"

    async def serve(self) -> None:
        """Serve until cancelled."""
        config = uvicorn.Config(
            self.app,
            http=self._door.protocol(),
            log_config=None,
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="websockets-sansio",  # the legacy one warns of its end
            ws_max_size=1024,  # the page never sends a word on its live line
            ws_ping_interval=20,
            ws_ping_timeout=20,
            timeout_graceful_shutdown=1,
            timeout_keep_alive=15,
            server_header=False,
        )
        server = _Server(config)
        serving = asyncio.ensure_future(server.serve([self._socket]))
        sweeping = asyncio.ensure_future(self._door.sweep())
        try:
            await asyncio.shield(serving)
        finally:
            sweeping.cancel()
            server.should_exit = True
            for guest in self._guests:
                guest.set()
            await serving

    def close(self) -> None:
        """Give the port back, where `serve` was never called."""
        self._socket.close()

    # --- what changes --------------------------------------------------------------------------------

    def _changed(self) -> None:
        self._desk.follow(self._table.session)
        for guest in self._guests:
            guest.set()

    async def _live(self, line: WebSocket) -> None:
        await line.accept()
        while len(self._guests) >= MOST_GUESTS:
            self._make_room()
        news = asyncio.Event()
        news.set()
        hearing = asyncio.ensure_future(_until_gone(line))
        self._guests[news] = _Guest(line.client.host if line.client else "", hearing)
        try:
            while not hearing.done():
                # Only the newest state counts: a slow line skips those in between.
                waiting = asyncio.ensure_future(news.wait())
                await asyncio.wait([waiting, hearing], timeout=TICK_S, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                message = state(self._table, self._language) if news.is_set() else {"type": "tick"}
                news.clear()
                if not hearing.done():
                    await asyncio.wait_for(line.send_text(encode(message).decode()), PATIENCE_S)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            pass  # gone, or too slow: a goodbye would wait behind what is stuck, the server cuts the line
        finally:
            self._guests.pop(news, None)
            hearing.cancel()

    def _make_room(self) -> None:
        """The longest guest goes, of those from the address that holds most lines."""
        held = Counter(guest.address for guest in self._guests.values())
        news = max(self._guests, key=lambda each: held[self._guests[each].address])  # the first of equals
        self._guests.pop(news).hearing.cancel()
        news.set()

    # --- what is asked for ---------------------------------------------------------------------------

    def _routes(self) -> list[BaseRoute]:
        return [
            Route("/", _front),
            Mount("/static/words", StaticFiles(directory=WORDS)),
            Mount("/static", StaticFiles(directory=STATIC)),
            WebSocketRoute("/live", self._live),
            Route("/camera.jpg", self._camera),
            Route("/crop/{game}/{event}.jpg", self._crop),
            Route("/api/state", self._state),
            Route("/api/result", self._result),
            Route("/api/events", self._events),
            Route("/api/findings", self._findings),
            Route("/api/correction", self._correct, methods=["POST"]),
            Route("/api/undo", self._undo, methods=["POST"]),
            Route("/api/redo", self._redo, methods=["POST"]),
            Route("/api/again", self._again, methods=["POST"]),
            Route("/api/games", self._games),
            Route("/api/begin", self._begin, methods=["POST"]),
            Route("/api/event", self._event, methods=["POST"]),
            Route("/api/pin", self._pin, methods=["POST"]),
            Route("/metrics", _metrics),
            *openapi.routes(),
            *sheet.routes(self._table),
            *seats.routes(self._table),
            *health.routes(self._table),
            *doctor.routes(self._table, self._desk),
        ]

    async def _state(self, _request: Request) -> Response:
        return _answer(state(self._table, self._language))

    async def _result(self, _request: Request) -> Response:
        return _answer(self._table.session.result())

    def _unseen(self, request: Request) -> Response | None:
        """The answer to whoever may not see what the camera saw; None where he may."""
        if not self._camera_picture:
            return Response(status_code=404)
        return self._desk.refusal(request, self._table.session)

    async def _camera(self, request: Request) -> Response:
        if hidden := self._unseen(request):
            return hidden
        picture = self._table.frame()
        if picture is None:
            return Response(status_code=404)
        # Off the loop: encoding takes milliseconds, and the table comes first.
        data = await asyncio.to_thread(preview, picture)
        return Response(data, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def _crop(self, request: Request) -> Response:
        if hidden := self._unseen(request):
            return hidden
        session = self._table.session
        game, event = (_number(request.path_params[name]) for name in ("game", "event"))
        if game is None or event is None or game != session.game:
            return Response(status_code=404)
        data = session.crop(event)
        return Response(status_code=404) if data is None else Response(data, media_type="image/jpeg")

    async def _events(self, request: Request) -> Response:
        entries = self._table.session.entries
        return _pages(request, len(entries) + 1, lambda *at: events_before(entries, *at))

    async def _findings(self, request: Request) -> Response:
        entries, findings = self._table.session.entries, self._table.session.view.findings
        return _pages(request, len(findings) + 1, lambda *at: findings_before(entries, findings, *at))

    async def _correct(self, request: Request) -> Response:
        return await self._act(request, Correction)

    async def _undo(self, request: Request) -> Response:
        return await self._act(request, Undo)

    async def _redo(self, request: Request) -> Response:
        return await self._act(request, Redo)

    async def _again(self, request: Request) -> Response:
        return await self._act(request, Again)

    async def _games(self, _request: Request) -> Response:
        return _answer(games(self._table.session.equipment))

    async def _begin(self, request: Request) -> Response:
        return await self._act(request, Begin)

    async def _event(self, request: Request) -> Response:
        return await self._act(request, Telling)

    async def _pin(self, request: Request) -> Response:
        try:
            return await self._desk.show(request)
        except ClientDisconnect:
            return _answer(refused(fact("request.long")), 413)

    async def _act(self, request: Request, form: type[Wish]) -> Response:
        """Do what a guest asks for, or say in one sentence why not."""
        session = self._table.session
        try:
            try:
                wish = read(await request.body(), form)
            except UnreadableError as wrong:
                return _answer(refused(wrong.fact), 400)
            if not_his := self._desk.refusal(request, session, wish):
                return not_his
            if "preview" in request.query_params:
                foreseen = weigh(session, wish)
                return _answer({"consequences": foreseen and told(foreseen)})
            return _answer({"id": meet(session, wish)})
        except AccusingError as wrong:
            return _answer({**refused(wrong.fact), "consequences": told(wrong.consequences)}, 409)
        except SessionError as wrong:
            return _answer(refused(wrong.fact), 409)
        except JournalError as wrong:
            return _answer(refused(wrong.fact), 503)
        except ClientDisconnect:
            return _answer(refused(fact("request.long")), 413)


@dataclass(frozen=True, slots=True)
class _Guest:
    """One live line: where it comes from, and what ends it."""

    address: str
    hearing: asyncio.Future[None]


def _pages(request: Request, newest: int, pages: Callable[[int, int], dict[str, Any]]) -> Response:
    """What lies before `before` (all, where it is not given), at most `limit`."""
    asked = request.query_params
    before, limit = _number(asked.get("before", str(newest))), _number(asked.get("limit", "50"))
    if before is None or limit is None:
        return _answer(refused(fact("request.numbers")), 400)
    return _answer(pages(before, min(limit, MOST_LINES)))


def _number(text: str) -> int | None:
    """A whole number that a journal could count to, else None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


async def _front(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _until_gone(line: WebSocket) -> None:
    """Return when the guest goes; what he sends means nothing, and who babbles is shown out."""
    for _ in range(10):
        if (await line.receive())["type"] == "websocket.disconnect":
            return


def _metrics(_request: Request) -> Response:
    return Response(text(samples()), media_type="text/plain; version=0.0.4")


def _answer(value: Any, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json")


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM belong to the runtime, which then ends the page."""
        yield
