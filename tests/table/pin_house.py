"""A house with a PIN, and a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from table.equipment import Equipment
from table.journal import Journal
from table.web.host import HostDesk
from table.web.kept_hosts import hosts_place
from table.web.pin import HashedPin
from tests.table.running_page import OPENING, House

PIN = "271828"


PHONE = "192.168.1.50"


class HandClock:
    """A clock that a test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def pin_house(folder: Path, clock: HandClock, pin: HashedPin | None = None) -> Iterator[House]:
    """A house amid a round of Dubbe; its host has `PIN` or the given one; `clock` is its only clock."""
    with Journal.open(folder / "evening.sqlite") as journal:
        kept = hosts_place(journal.path)
        house = House(journal, desk=HostDesk(pin or HashedPin.of(PIN), clock, kept, clock))
        house.session.equipment = Equipment(("S1", "S2", "S3", "S4"))
        house.open()
        house.do(house.session.begin, OPENING)
        try:
            yield house
        finally:
            house.close()


def phone(house: House, address: str = PHONE) -> httpx.Client:
    """A guest's phone: the server sees its address as through a proxy on the table's machine."""
    headers = {"x-forwarded-for": address}
    return httpx.Client(base_url=house.page.url, trust_env=False, timeout=60, headers=headers)
