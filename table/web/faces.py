"""The enrolled faces of the deck in play, as small pictures for the drawn table.

    GET /face/{card}.jpg?v=1a2b3c     JPEG, 80×120; 404 if the deck has no face of that card

`faces` in the state gives the `v` for requests, or null if no deck was enrolled; then the page draws its own
cards. Another deck has another `v`, so a browser may cache the faces.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.live import Table
from table.web.replies import nothing

KEEP_S = 30 * 86400
"""How long a browser may cache a face without asking again."""


def routes(table: Table) -> list[BaseRoute]:
    """The address above."""

    async def face(request: Request) -> Response:
        picture = table.session.equipment.faces.get(request.path_params["card"])
        if picture is None:
            return nothing()
        headers = {"cache-control": f"public, max-age={KEEP_S}, immutable"}
        return Response(picture, media_type="image/jpeg", headers=headers)

    return [Route("/face/{card}.jpg", face)]
