"""The state of the table, for programs that watch it from outside, such as an update before and after.

GET /api/health   {"process": 812, "version": "0.2.0", "release": "0.2.0-1f3a9c04", "up_s": 312.5,
                   "playing": false, "newest": [3, 41], "parts": {"camera": "fine", …}}
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.health import PARTS
from table.live import Table
from table.web.answers import HealthAnswer
from table.web.state import encode

PAUSE_S = 1800.0
"""How long a game without a new line still counts as being played. A game resumed at a start counts as played
for the same time: people may be about to go on."""


def health(table: Table, up_s: float) -> HealthAnswer:
    """The state at this moment; `up_s` seconds after the start."""
    session = table.session
    unfinished = session.game is not None and not session.view.over
    return HealthAnswer(
        os.getpid(),
        program_version(),
        release(),
        round(up_s, 1),
        unfinished and session.quiet_s < PAUSE_S,
        [session.game or 0, len(session.entries)],
        {part: getattr(table.health, part).what for part in PARTS},
    )


def release() -> str | None:
    """The release that this process runs from (`table.releases`); None if it is not an installed one."""
    place = Path(sys.prefix)
    return place.name if place.parent.name == "releases" else None


@cache
def program_version() -> str:
    """The version of this program."""
    return version("stammtisch")


def routes(table: Table, clock: Callable[[], float] = time.monotonic) -> list[BaseRoute]:
    """The address above."""
    began = clock()

    async def answer(_request: Request) -> Response:
        said = health(table, clock() - began)
        return Response(encode(said), media_type="application/json", headers={"cache-control": "no-store"})

    return [Route("/api/health", answer)]
