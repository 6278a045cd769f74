"""The scoreboard's server: the page, its live line, and the few things a guest may do.

    GET  /                     the page              GET /camera.jpg            what the camera sees now
    GET  /static/…             its parts             GET /crop/GAME/EVENT.jpg   what the eye was not sure of
    WS   /live                 every state (`state`) as it comes
    GET  /api/state            the same once         GET /api/result            as `replay --json` prints it
    POST /api/correction       {"of": 17, "event": {…} or null}
    POST /api/undo             {}
    POST /api/again            {}                   the same people play another game
    POST /api/event            {"kind": "say" | "card" | "die" | "round" | "end" | …, …}

A POST answers `{"id": …}` or `{"error": "one sentence"}` (400 wrong, 409 not now, 503 journal stuck).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from table.errors import StammtischError
from table.journal import JournalError
from table.live import Table, preview
from table.session import SessionError
from table.web.guard import Guard, own_names
from table.web.state import state

log = logging.getLogger(__name__)

STATIC = Path(__file__).parent / "static"

PATIENCE_S = 10.0
"""A guest whose line takes longer for one message is dropped; his page comes back by itself."""

TICK_S = 10.0
"""A page that hears nothing for about twice this long knows that the line is dead."""

MOST_GUESTS = 64


class PageError(StammtischError):
    """The page cannot be shown; the text says where and what to do."""


class Page:
    """The page of one table. Make it (the port is taken at once), then hand `serve` to the runtime."""

    def __init__(
        self,
        table: Table,
        port: int = 8080,
        listen: str = "127.0.0.1",
        names: Iterable[str] = (),
        language: str = "de",
    ) -> None:
        self._table = table
        self._language = language
        self._guests: set[asyncio.Event] = set()
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
            limit_concurrency=4 * MOST_GUESTS,
            server_header=False,
        )
        server = _Server(config)
        serving = asyncio.ensure_future(server.serve([self._socket]))
        try:
            await asyncio.shield(serving)
        finally:
            server.should_exit = True
            for guest in self._guests:
                guest.set()
            await serving

    def close(self) -> None:
        """Give the port back, where `serve` was never called."""
        self._socket.close()

    # --- what changes --------------------------------------------------------------------------------

    def _changed(self) -> None:
        for guest in self._guests:
            guest.set()

    async def _live(self, line: WebSocket) -> None:
        if len(self._guests) >= MOST_GUESTS:
            await line.close(1013, "too many guests")
            return
        await line.accept()
        news = asyncio.Event()
        news.set()
        self._guests.add(news)
        hearing = asyncio.ensure_future(_until_gone(line))
        try:
            while not hearing.done():
                # Only the newest state counts: a slow line skips those in between.
                waiting = asyncio.ensure_future(news.wait())
                await asyncio.wait([waiting, hearing], timeout=TICK_S, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                message = state(self._table, self._language) if news.is_set() else {"type": "tick"}
                news.clear()
                if not hearing.done():
                    await asyncio.wait_for(line.send_text(_json(message).decode()), PATIENCE_S)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            pass  # gone, or too slow: a goodbye would wait behind what is stuck, the server cuts the line
        finally:
            self._guests.discard(news)
            hearing.cancel()

    # --- what is asked for ---------------------------------------------------------------------------

    def _routes(self) -> list[BaseRoute]:
        return [
            Route("/", _front),
            Mount("/static", StaticFiles(directory=STATIC)),
            WebSocketRoute("/live", self._live),
            Route("/camera.jpg", self._camera),
            Route("/crop/{game:int}/{event:int}.jpg", self._crop),
            Route("/api/state", self._state),
            Route("/api/result", self._result),
            Route("/api/correction", self._correct, methods=["POST"]),
            Route("/api/undo", self._undo, methods=["POST"]),
            Route("/api/again", self._again, methods=["POST"]),
            Route("/api/event", self._event, methods=["POST"]),
        ]

    async def _state(self, _request: Request) -> Response:
        return _answer(state(self._table, self._language))

    async def _result(self, _request: Request) -> Response:
        return _answer(self._table.session.result())

    async def _camera(self, _request: Request) -> Response:
        picture = self._table.frame()
        if picture is None:
            return Response(status_code=404)
        # Off the loop: encoding takes milliseconds, and the table comes first.
        data = await asyncio.to_thread(preview, picture)
        return Response(data, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def _crop(self, request: Request) -> Response:
        session = self._table.session
        if request.path_params["game"] != session.game:
            return Response(status_code=404)
        data = session.crop(request.path_params["event"])
        return Response(status_code=404) if data is None else Response(data, media_type="image/jpeg")

    async def _correct(self, request: Request) -> Response:
        return await _act(request, _Correction, lambda c: self._table.session.correct(c.of, c.event))

    async def _undo(self, request: Request) -> Response:
        return await _act(request, _Nothing, lambda _: self._table.session.undo().id)

    async def _again(self, request: Request) -> Response:
        return await _act(request, _Nothing, lambda _: self._table.session.again())

    async def _event(self, request: Request) -> Response:
        return await _act(request, dict[str, Any], lambda e: self._table.session.tell(e))


class _Correction(msgspec.Struct, forbid_unknown_fields=True):
    of: int
    event: dict[str, Any] | None


class _Nothing(msgspec.Struct, forbid_unknown_fields=True):
    pass


F = TypeVar("F")


async def _act(request: Request, form: type[F], act: Callable[[F], int]) -> Response:
    """Do what a guest asks for, or say in one sentence why not."""
    try:
        asked = msgspec.json.decode(await request.body(), type=form)
        return _answer({"id": act(asked)})
    except msgspec.MsgspecError as wrong:
        return _answer({"error": f"This cannot be read: {wrong}."}, 400)
    except SessionError as wrong:
        return _answer({"error": str(wrong)}, 409)
    except JournalError as wrong:
        return _answer({"error": str(wrong)}, 503)
    except ClientDisconnect:
        return _answer({"error": "Too long."}, 413)


async def _front(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _until_gone(line: WebSocket) -> None:
    """Return when the guest goes; what he sends means nothing, and who babbles is shown out."""
    for _ in range(10):
        if (await line.receive())["type"] == "websocket.disconnect":
            return


def _answer(value: Any, status: int = 200) -> Response:
    return Response(_json(value), status, media_type="application/json")


_json = msgspec.json.Encoder().encode


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM belong to the runtime, which then ends the page."""
        yield


def bind(listen: str, port: int) -> socket.socket:
    """Take a port at once: who cannot have it should hear so before the camera is opened.

    Raises:
        PageError: it is taken, or there is no such address.
    """
    family = socket.AF_INET6 if ":" in listen else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((listen, port))
        taken.listen(128)
    except (OSError, OverflowError) as wrong:
        taken.close()
        why = getattr(wrong, "strerror", None) or str(wrong)
        raise PageError(
            f"the page cannot be shown at {listen} port {port} ({why}); choose another --port or --listen"
        ) from None
    return taken
