"""The doorman: who may talk to the page.

The table has no password: whoever sits in the room may settle a doubt. What must not happen is that a
page from somewhere else, open in a guest's browser, does it (cross-site requests) or pretends to be the
table's own (DNS rebinding). Both show in the headers `Host` and `Origin`, which a page cannot forge.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 4096
"""No correction is longer."""

_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),  # the page is small; after an update nobody may see the old one
)


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """Names under which this machine may be called, besides numeric addresses."""
    host = socket.gethostname().lower()
    return frozenset({"localhost", host, f"{host}.local", *(name.lower() for name in more)})


def known_host(host: str, names: frozenset[str]) -> bool:
    """Whether a `Host` header is one of our names or a plain address.

    A rebinding attack needs a name that its owner can point at us; an address in numbers cannot be pointed.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.lower().rstrip(".") in names
    return True


class Guard:
    """ASGI middleware: refuses strange hosts, strange origins and long messages; adds the safety headers."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through or answer it with one sentence."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, _limited(receive), _safe(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
        else:
            await PlainTextResponse(refusal[1] + "\n", refusal[0])(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        host = headers.get("host", "")
        if not known_host(host, self._names):
            return 403, "This table does not answer to that name; use its address or add --name NAME."
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin")
        if changes and origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "This request comes from another page; open the table's own."
        if scope["type"] == "http" and changes:
            if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return 415, "Send JSON (Content-Type: application/json)."  # no form of another page can
            if not headers.get("content-length", "0").isdigit():
                return 400, "Content-Length is not a number."
            if int(headers.get("content-length", "0")) > MOST_BYTES:
                return 413, f"Too long; {MOST_BYTES} bytes are enough for anything that can be said here."
        return None


def _limited(receive: Receive) -> Receive:
    """Also a body without a length must end."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        return {"type": "http.disconnect"} if taken > MOST_BYTES else message

    return limited


def _safe(send: Send) -> Send:
    async def safe(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = [*message.get("headers", ())]
            names = {name.lower() for name, _ in given}
            message = {**message, "headers": given + [h for h in _HEADERS if h[0] not in names]}
        await send(message)

    return safe
