"""The guard: who may talk to the page.

A guest in the room may settle a doubt (`host` has what only the host may do). But a page from elsewhere that
is open in a guest's browser must not do so (cross-site requests), nor pretend to be the table's own (DNS
rebinding). Both show in the headers `Host` and `Origin`, which a page cannot forge.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import unicodedata
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from table.catalogue import Fact, fact
from table.web.answers import refused
from table.web.replies import reply

MOST_BYTES = 4096
"""Largest body of a request: no correction is longer."""

BODY_S = 5.0
"""How long a client may take to send the rest of a request that it has begun."""

_ORIGIN = re.compile(r"https?://([^/?#@\\\s]+)", re.IGNORECASE)

_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (b"cross-origin-resource-policy", b"same-origin"),  # no other site may show the camera's picture
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),  # the page is small, and an update must show at once
)


ALIKE = range(2, 10)
"""Numbers that multicast DNS appends to a machine's name if another one in the house has it
(RFC 6762, section 9; Avahi writes `stammtisch-2.local`)."""


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """Names by which this machine may be called, besides numeric addresses."""
    host = socket.gethostname().lower()
    label = host.partition(".")[0]  # multicast DNS announces the first label only
    alike = (f"{label}-{n}.local" for n in ALIKE)
    return frozenset({"localhost", host, f"{label}.local", *alike, *map(_as_sent, more)})


def _as_sent(name: str) -> str:
    """A name as browsers send it: non-ASCII labels in Punycode (RFC 5891)."""
    labels = unicodedata.normalize("NFC", name.lower()).split(".")
    return ".".join(each if each.isascii() else f"xn--{each.encode('punycode').decode()}" for each in labels)


def known_host(host: str, names: frozenset[str], reached: str | None = None) -> bool:
    """Whether a `Host` header is one of our names, or a numeric address of this machine.

    A rebinding attack needs a name that its owner points to us; a page opened under an address that is not
    ours went through somebody else's machine.

    Args:
        host: the header, with or without a port.
        names: the result of `own_names`.
        reached: our address to which the connection was made.
    """
    name = _name(host)
    if name in names:
        return True
    address = _address(name)
    return address is not None and (address == _address(reached) or is_own(address))


def _name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower().rstrip(".")
    except ValueError:  # not a host at all
        return ""


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def _plain(address: Address) -> Address:
    """The plain address: IPv4 mapped to IPv6 (`::ffff:192.168.1.20`) becomes IPv4, IPv6 loses its zone."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        return ipaddress.IPv6Address(int(address))
    return address


def _address(text: str | None) -> Address | None:
    try:
        return None if text is None else _plain(ipaddress.ip_address(text))
    except ValueError:
        return None


def is_own(address: Address) -> bool:
    """Whether an address belongs to this machine: only its own can be bound."""
    address = _plain(address)
    if address.is_unspecified or address.is_multicast:
        return False
    if address.is_loopback:
        return True
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.bind((str(address), 0))
    except OSError:
        return False
    return True


class Guard:
    """ASGI middleware: refuses unknown hosts, foreign origins and long messages; adds security headers."""

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
            await self._app(scope, _limited(receive) if scope["type"] == "http" else receive, _safe(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": str(refusal[1])})
        else:
            status, why = refusal
            answer = (
                PlainTextResponse(f"{why}\n", status) if isinstance(why, str) else reply(refused(why), status)
            )
            await answer(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str | Fact] | None:
        """Status and reason (a fact for our own pages, a sentence for other programs); None: no refusal."""
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        host, server = headers.get("host", ""), scope.get("server")
        if not known_host(host, self._names, server[0] if server else None):
            return 403, "This table does not answer to that name; use its address or add --name NAME."
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin")
        if changes and origin is not None and not _same(origin, host):
            return (
                403,
                "This request comes from another page; open the table's own (a proxy must pass Host on).",
            )
        if scope["type"] == "http" and changes:
            if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return 415, "Send JSON (Content-Type: application/json)."  # a form on another page cannot
            length = headers.get("content-length", "0")
            if not (length.isascii() and length.isdigit()):
                return 400, "Content-Length is not a number."
            if len(length) > 9 or int(length) > MOST_BYTES:
                return 413, fact("request.long")
        return None


def _same(origin: str, host: str) -> bool:
    """Whether `origin` is the table's own page, opened under `host`."""
    found = _ORIGIN.fullmatch(origin)
    return found is not None and found[1].lower() == host.lower()


def _limited(receive: Receive) -> Receive:
    """Limit the size of a body, even one without a declared length, and the wait for each part of it."""
    taken, whole = 0, False

    async def limited() -> Message:
        nonlocal taken, whole
        if whole:  # the only further message is that the guest has gone, whenever that is
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), BODY_S)
        except TimeoutError:
            return {"type": "http.disconnect"}
        taken += len(message.get("body", b""))
        whole = not message.get("more_body", False)
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
