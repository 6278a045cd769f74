"""What the camera sees, for those who may see it.

GET /camera.jpg                now
GET /crop/GAME/EVENT.jpg       what the eye was not sure of, of this game or an older one
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.jpeg import preview
from table.live import Table
from table.web.host import HostDesk
from table.web.replies import nothing, number


def routes(table: Table, desk: HostDesk, shown: bool) -> list[BaseRoute]:
    """The addresses above; unless camera pictures are `shown`, they answer 404."""

    def unseen(request: Request) -> Response | None:
        """The answer to a guest who may not see the picture; None if he may."""
        return desk.refusal(request, table.session) if shown else nothing()

    async def camera(request: Request) -> Response:
        if hidden := unseen(request):
            return hidden
        picture = table.frame()
        if picture is None:
            return nothing()
        # Off the loop: encoding takes milliseconds, and the table comes first.
        data = await asyncio.to_thread(preview, picture)
        return Response(data, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def crop(request: Request) -> Response:
        if hidden := unseen(request):
            return hidden
        game, event = (number(request.path_params[name]) for name in ("game", "event"))
        if game is None or event is None:
            return nothing()
        session = table.session
        data = session.crop(event) if game == session.game else session.kept_crop(game, event)
        return nothing() if data is None else Response(data, media_type="image/jpeg")

    return [Route("/camera.jpg", camera), Route("/crop/{game}/{event}.jpg", crop)]
