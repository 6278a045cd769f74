"""The scoreboard's server: the pages, their live line, and the few things that a guest may do.

    GET  /static/…    the parts of its pages

`screens` lists the pages. Every other address is described in the module that answers it: `live_line`,
`standing_now`, `wish_desk`, `pictures`, `sheet`, `seats`, `history`, `health`, `metrics`, `doctor`,
`settings`, `setup`, …; docs/reference/http.md has all of them, `openapi` their schema.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from table import catalogue
from table.catalogue import LANGUAGES
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
    screens,
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
from table.web.port import PageError, bind, found_at

__all__ = ["Page", "PageError", "bind"]

STATIC = Path(__file__).parent / "static"

WORDS = Path(catalogue.__file__).parent
"""The catalogue's folder; each language's folder in it has the page's share of the sentences."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """Where browsers find the page."""

    port: int = 8080
    """0: any free port."""
    listen: str = "127.0.0.1"
    """The address of this machine on which the page listens; 0.0.0.0 lets phones in."""
    names: Sequence[str] = ()
    """Further host names that the page answers to."""


@dataclass(frozen=True, slots=True)
class PageLook:
    """What the page shows, and in which language."""

    language: str = "de"
    camera_picture: bool = True
    """Whether anything that the camera sees is shown, including pictures of doubts."""
    attract: int = 0
    """Idle minutes until a kiosk shows a round that plays itself, 0 = never."""


@dataclass(frozen=True, slots=True)
class HostTools:
    """What the host can change from the page, and the desk that checks who is the host."""

    desk: HostDesk | None = None
    """None: nobody is asked for a PIN."""
    house_file: HouseFile | None = None
    start_anew: Callable[[], bool] = lambda: False
    """Ends the table so that it is restarted, if anything would restart it (`settings.routes`)."""
    setup_desk: SetupDesk | None = None


_HERE, _USUAL, _NO_TOOLS = PageAddress(), PageLook(), HostTools()


class Page:
    """The page of one table. Construct it (which takes the port), then hand `serve` to the runtime."""

    def __init__(
        self,
        table: Table,
        address: PageAddress = _HERE,
        look: PageLook = _USUAL,
        host: HostTools = _NO_TOOLS,
    ) -> None:
        """Take the port; raises PageError."""
        self._table, self._look, self._host = table, look, host
        self.live = LiveLines(table, look.language)
        self._door = Door()
        self._kept = KeptGames(table.session)
        self._desk = host.desk or HostDesk(None)
        self._listen = address.listen
        self._socket = bind(address.listen, address.port)
        self.port: int = self._socket.getsockname()[1]
        self.app = Guard(Starlette(routes=self.routes()), own_names(address.names))
        table.watch(self._changed)

    @property
    def url(self) -> str:
        """The address at which a browser on this machine finds the page."""
        return found_at(self._listen, self.port)

    def routes(self) -> list[BaseRoute]:
        """All routes of the page."""
        table, desk, look, host = self._table, self._desk, self._look, self._host
        return [
            *screens.routes(STATIC, look.language),
            Mount("/static/words", routes=[Mount(f"/{each}", _packed(WORDS / each)) for each in LANGUAGES]),
            Mount("/static", _packed(STATIC)),
            *self.live.routes(),
            *standing_now.routes(table, look.language),
            *wish_desk.routes(table, desk),
            *pictures.routes(table, desk, look.camera_picture),
            *faces.routes(table),
            *openapi.routes(),
            *sheet.routes(table, desk, self._kept),
            *history.routes(table, desk, self._kept, look.language),
            *seats.routes(table),
            *health.routes(table),
            *metrics.routes(table),
            *attract.routes(table, look.language, look.attract),
            *doctor.routes(table, desk),
            *settings.routes(table, desk, host.house_file, host.start_anew),
            *setup.routes(table, desk, host.setup_desk or SetupDesk(table)),
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
            ws="websockets-sansio",  # the legacy implementation warns that it is deprecated
            ws_max_size=1024,  # the page never sends anything on its live line
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
        """Release the port if `serve` was never called."""
        self._socket.close()

    def _changed(self) -> None:
        self._desk.follow(self._table.session)
        self.live.wake()


def _packed(folder: Path) -> ASGIApp:
    """A folder's files, compressed: scripts and sentences shrink to a third of their size."""
    return GZipMiddleware(StaticFiles(directory=folder), minimum_size=500, compresslevel=6)


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave Ctrl-C and SIGTERM to the runtime, which ends the page."""
        yield
