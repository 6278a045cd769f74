"""The scoreboard's server: the pages, their live line, and the few things a guest may do.

    GET  /            the page                  GET /static/…      its parts

What else is answered stands with who answers it: `live_line`, `standing_now`, `wish_desk`, `pictures`,
`sheet`, `seats`, `history`, `health`, `metrics`, `doctor`,
`settings`, `setup`; all of it in
docs/reference/http.md, and as a schema (`openapi`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from table import catalogue
from table.live import Table
from table.settings.house import HouseFile
from table.setup.desk import SetupDesk
from table.web import (
    attract,
    doctor,
    faces,
    health,
    history,
    metrics,
    openapi,
    pictures,
    seats,
    settings,
    setup,
    sheet,
    standing_now,
    wish_desk,
)
from table.web.door import Door
from table.web.guard import Guard, own_names
from table.web.host import HostDesk
from table.web.kept_games import KeptGames
from table.web.live_line import LiveLines
from table.web.port import PageError, bind

__all__ = ["Page", "PageError", "bind"]

STATIC = Path(__file__).parent / "static"

WORDS = Path(catalogue.__file__).parent
"""The same sentences that the house tells; the page tells its own share of them."""


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
        attract: int = 0,
        house_file: HouseFile | None = None,
        start_anew: Callable[[], bool] = lambda: False,
        setup_desk: SetupDesk | None = None,
    ) -> None:
        """`camera_picture`: whether anything of what the camera sees is shown, its pictures of doubts too;
        `attract`: idle minutes until a kiosk shows a round that plays itself, 0 = never.

        `house_file` and `start_anew` are for `settings.routes`, `setup_desk` for `setup.routes`.
        """
        self._table = table
        self._language = language
        self._camera_picture, self._attract = camera_picture, attract
        self._house_file, self._start_anew = house_file, start_anew
        self.live = LiveLines(table, language)
        self._setup_desk = setup_desk or SetupDesk(table)
        self._door = Door()
        self._kept = KeptGames(table.session)
        self._desk = desk or HostDesk(None)
        self._socket = bind(listen, port)
        self.port: int = self._socket.getsockname()[1]
        self.app = Guard(Starlette(routes=self.routes()), own_names(names))
        table.watch(self._changed)

    @property
    def url(self) -> str:
        """Where a browser on this machine finds the page."""
        return f"http://localhost:{self.port}"

    def routes(self) -> list[BaseRoute]:
        """Everything that is answered."""
        return [
            Route("/", _front),
            Mount("/static/words", _packed(WORDS)),
            Mount("/static", _packed(STATIC)),
            *self.live.routes(),
            *standing_now.routes(self._table, self._language),
            *wish_desk.routes(self._table, self._desk),
            *pictures.routes(self._table, self._desk, self._camera_picture),
            *faces.routes(self._table),
            *openapi.routes(),
            *sheet.routes(self._table, self._desk, self._kept),
            *history.routes(self._table, self._desk, self._kept, self._language),
            *seats.routes(self._table),
            *health.routes(self._table),
            *metrics.routes(self._table),
            *attract.routes(self._table, self._language, self._attract),
            *doctor.routes(self._table, self._desk),
            *settings.routes(self._table, self._desk, self._house_file, self._start_anew),
            *setup.routes(self._table, self._desk, self._setup_desk),
        ]

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
            self.live.wake()
            await serving

    def close(self) -> None:
        """Give the port back, where `serve` was never called."""
        self._socket.close()

    def _changed(self) -> None:
        self._desk.follow(self._table.session)
        self.live.wake()


def _packed(folder: Path) -> ASGIApp:
    """A folder's files, scripts and sentences a third of their size where the browser unpacks them."""
    return GZipMiddleware(StaticFiles(directory=folder), minimum_size=500, compresslevel=6)


async def _front(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM belong to the runtime, which then ends the page."""
        yield
