"""The door: closes connections that send no request, or half of one, or do not read, to make room for guests.

uvicorn waits forever for a request that never comes. Here every connection has a time limit. When the page is
full, an idle connection goes first, from the address that holds most of them, the oldest one.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 192
"""Most connections other than live lines."""

IDLE_S = 10.0
"""How long a connection may stay open without a complete request head."""

ANSWER_S = 30.0
"""How long a client may take for one request, to send its body and to read the answer."""

MOST_UNREAD_BYTES = 1_000_000
"""Number of unread bytes on a live line from which on its guest counts as gone."""

SWEEP_S = 1.0


class Door:
    """All connections of one page, on one loop."""

    def __init__(self, most: int = MOST_CONNECTIONS) -> None:
        self._most = most
        self._standing: dict[_Knock, float] = {}
        self._live: set[asyncio.Transport] = set()

    def protocol(self) -> type[asyncio.Protocol]:
        """The protocol class for uvicorn: its own, which reports to this door."""
        return type("Knock", (_Knock,), {"door": self})

    async def sweep(self) -> None:
        """Close connections that exceed their time limit, again and again until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_S)
            now = asyncio.get_running_loop().time()
            for guest, since in [*self._standing.items()]:
                if now - since > (IDLE_S if guest.idle else ANSWER_S):
                    self._show_out(guest)
            self._live = {line for line in self._live if not line.is_closing()}
            for line in self._live:
                if line.get_write_buffer_size() > MOST_UNREAD_BYTES:
                    line.abort()

    def __len__(self) -> int:
        return len(self._standing)

    def enter(self, guest: _Knock) -> None:
        """Admit a connection; if there are too many, close another."""
        self.touch(guest)
        if len(self._standing) > self._most:
            self._show_out(self._longest(besides=guest))

    def touch(self, guest: _Knock) -> None:
        """Restart the guest's time limit."""
        self._standing[guest] = guest.loop.time()

    def leave(self, guest: _Knock, live: bool = False) -> None:
        """Stop tracking a connection; `live`: it has become a live line, which has its own limit."""
        self._standing.pop(guest, None)
        if live:
            self._live.add(guest.transport)

    def _longest(self, besides: _Knock) -> _Knock:
        held = Counter(guest.address for guest in self._standing)
        others = [guest for guest in self._standing if guest is not besides]
        return min(others, key=lambda guest: (not guest.idle, -held[guest.address], self._standing[guest]))

    def _show_out(self, guest: _Knock) -> None:
        self.leave(guest)
        guest.transport.abort()  # `close` would wait until the client has read everything


class _Knock(H11Protocol):
    """uvicorn's connection, which reports to the door when it opens, is answered and closes."""

    door: Door

    @property
    def idle(self) -> bool:
        """Whether no request with a complete head is being answered."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def address(self) -> str:
        """The guest's address."""
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.door.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.door.leave(self)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self.door.leave(self, live=True)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        self.door.touch(self)
        super().on_response_complete()
