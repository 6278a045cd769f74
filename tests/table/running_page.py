"""A table whose page runs on an event loop of its own, so that a test can be its guest."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ParamSpec, TypeVar

import httpx

from table.journal import Journal
from table.live import HearsNothing, Table
from table.rules.events import Event
from table.session import Session
from table.settings.house import HouseFile
from table.web import HostTools, Page, PageAddress
from table.web.host import HostDesk

P = ParamSpec("P")
T = TypeVar("T")

OPENING = [
    Event(
        "game",
        {
            "game": "dubbe",
            "preset": "dubbe",
            "options": {"rounds": 4},
            "seats": ["S1", "S2", "S3", "S4"],
            "players": ["Anna", "Bernd", "Carla", "Dirk"],
        },
    ),
    Event("round", {"dealer": "S4"}),
    Event("die", {"colour": "blue", "value": 1, "spot": "aagewwer"}),
]


class House:
    """A running page; `do` calls a function on its loop, where the sitting lives."""

    def __init__(
        self,
        journal: Journal,
        at: int = 0,
        desk: HostDesk | None = None,
        file: HouseFile | None = None,
        start_anew: Callable[[], bool] = lambda: False,
        listen: str = "127.0.0.1",
    ) -> None:
        self.journal = journal
        self.session = Session(journal)
        self.table = Table(self.session, HearsNothing())
        self.page = Page(self.table, PageAddress(at, listen), host=HostTools(desk, file, start_anew))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._serving = self._loop.create_task(self.page.serve())
        with contextlib.suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._serving)
        self._loop.close()

    def open(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._serving.cancel)
        self._thread.join(60)
        assert not self._thread.is_alive(), "the page does not end"

    def do(self, call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        async def called() -> T:
            return call(*arguments, **named)

        return asyncio.run_coroutine_threadsafe(called(), self._loop).result(60)


@contextlib.contextmanager
def opened_house(folder: Path) -> Iterator[House]:
    """A game that has begun, its journal in a folder, and its page, open until the test is over."""
    with Journal.open(folder / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING)
        house.open()
        yield house
        house.close()


def guest_of(house: House) -> httpx.Client:
    """A client that asks that page."""
    return httpx.Client(base_url=f"http://127.0.0.1:{house.page.port}", trust_env=False, timeout=20)


def fine(answer: httpx.Response) -> bool:
    """Whether an answer is no fault of the page's, whatever it was asked."""
    return answer.status_code < 500
