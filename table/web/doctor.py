"""The doctor's report on the running table, for its host; it opens no device a second time.

    GET /api/doctor?lang=de      {"process": 812, "checks": [{"part": "camera", "well": true,
                                  "said": …, "remedy": …}, …]}

`well` is null if there is nothing to examine. The report is behind the host's PIN, like the camera's picture.
"""

from __future__ import annotations

import asyncio
import os

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.catalogue import language_of
from table.checkup.running import snapshot, verdicts
from table.live import Table
from table.web.host import HostDesk
from table.web.state import encode


def routes(table: Table, desk: HostDesk) -> list[BaseRoute]:
    """The address above."""
    one_at_a_time = asyncio.Lock()

    async def answer(request: Request) -> Response:
        if refused := desk.refusal(request, table.session):
            return refused
        language = language_of(request.query_params.get("lang"))
        async with one_at_a_time:  # so that reloading ten times does not make the table slow
            found = await asyncio.to_thread(verdicts, snapshot(table))
        said = {"process": os.getpid(), "checks": [verdict.told(language) for verdict in found]}
        headers = {"cache-control": "no-store"}
        return Response(encode(said), 200, headers, media_type="application/json")

    return [Route("/api/doctor", answer)]
