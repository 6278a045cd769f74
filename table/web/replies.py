"""Helpers with which the page's server makes its answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from table.catalogue import Language, fact, language_of
from table.web.answers import refused
from table.web.state import encode
from table.web.wishes import UnreadableError, WishForm, read


def reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A value as JSON that no browser caches: it is of this moment, and some of it is for the host alone."""
    kept = {"cache-control": "no-store", **(headers or {})}
    return Response(encode(value), status, kept, media_type="application/json")


async def wished(request: Request, form: type[WishForm]) -> WishForm | Response:
    """Read the wish of a request; return it, or the answer that says why it cannot be read."""
    try:
        return read(await request.body(), form)
    except UnreadableError as wrong:
        return reply(refused(wrong.fact), 400)
    except ClientDisconnect:
        return reply(refused(fact("request.long")), 413)


def nothing() -> Response:
    """The answer 404, without a body."""
    return Response(status_code=404)


def number(text: str) -> int | None:
    """The text as a non-negative integer of up to 15 digits; otherwise None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def spoken(request: Request) -> Language:
    """The language that `?lang=` asks for."""
    return language_of(request.query_params.get("lang"))
