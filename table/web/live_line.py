"""The live line: sends each new state to every guest's page, over a WebSocket.

WS /live    every state (`state`) as it comes; every few seconds {"type": "tick"}
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from table.live import Table
from table.web.state import encode, state

PATIENCE_S = 10.0
"""How long one message to a guest may take; a slower line is dropped, and its page reconnects by itself."""

TICK_S = 10.0
"""Time between two ticks: a page that hears nothing for about twice as long knows that the line is dead."""

MOST_GUESTS = 64
"""Most live lines at once; beyond that an old one is dropped, and its page reconnects by itself."""


@dataclass(frozen=True, slots=True)
class _Guest:
    """One live line: where it comes from, and what ends it."""

    address: str
    hearing: asyncio.Future[None]


class LiveLines:
    """All live lines of one page."""

    def __init__(self, table: Table, language: str) -> None:
        self._table, self._language = table, language
        self._guests: dict[asyncio.Event, _Guest] = {}

    def __len__(self) -> int:
        """Number of guests."""
        return len(self._guests)

    def routes(self) -> list[BaseRoute]:
        """The address above."""
        return [WebSocketRoute("/live", self._serve)]

    def wake(self) -> None:
        """Wake all lines: there is news, or the page ends and no line may keep waiting."""
        for guest in self._guests:
            guest.set()

    async def _serve(self, line: WebSocket) -> None:
        await line.accept()
        while len(self._guests) >= MOST_GUESTS:
            self._make_room()
        news = asyncio.Event()
        news.set()
        hearing = asyncio.ensure_future(_until_gone(line))
        self._guests[news] = _Guest(line.client.host if line.client else "", hearing)
        try:
            while not hearing.done():
                # Only the newest state counts: a slow line skips those in between.
                waiting = asyncio.ensure_future(news.wait())
                await asyncio.wait([waiting, hearing], timeout=TICK_S, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                message = state(self._table, self._language) if news.is_set() else {"type": "tick"}
                news.clear()
                if not hearing.done():
                    await asyncio.wait_for(line.send_text(encode(message).decode()), PATIENCE_S)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            pass  # gone or too slow: a close frame would be stuck as well, so the server cuts the line
        finally:
            self._guests.pop(news, None)
            hearing.cancel()

    def _make_room(self) -> None:
        """Drop the oldest guest among those from the address that holds most lines."""
        held = Counter(guest.address for guest in self._guests.values())
        news = max(self._guests, key=lambda each: held[self._guests[each].address])  # the first is the oldest
        self._guests.pop(news).hearing.cancel()
        news.set()


async def _until_gone(line: WebSocket) -> None:
    """Return when the guest disconnects or has sent ten messages, which are ignored otherwise."""
    for _ in range(10):
        if (await line.receive())["type"] == "websocket.disconnect":
            return
