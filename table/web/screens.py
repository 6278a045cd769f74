"""The HTML pages; each opens in the language of the house.

GET /   /history   /doctor   /settings   /setup   /seat/SEAT   /overlay
"""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

PAGES = {
    "/": "index",
    "/history": "history",
    "/doctor": "doctor",
    "/settings": "settings",
    "/setup": "setup",
    "/seat/{seat}": "seat",  # any seat: before a game begins the seats are unknown
    "/overlay": "overlay",
}
_AS_WRITTEN = '<html lang="de">'


def routes(folder: Path, language: str) -> list[BaseRoute]:
    """The addresses above, from the files in `folder`."""
    return [
        _page(path, (folder / f"{name}.html").read_text("utf-8"), language) for path, name in PAGES.items()
    ]


def _page(path: str, text: str, language: str) -> Route:
    told = text.replace(_AS_WRITTEN, f'<html lang="{language}">')

    async def page(_request: Request) -> Response:
        return Response(told, media_type="text/html", headers={"cache-control": "no-cache"})

    return Route(path, page)
