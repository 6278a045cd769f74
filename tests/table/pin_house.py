"""A house with a PIN and a clock moved by hand."""

from __future__ import annotations

import httpx

from tests.table.running_page import House

PIN = "271828"


PHONE = "192.168.1.50"


class HandClock:
    """A clock that a test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def phone(house: House, address: str = PHONE) -> httpx.Client:
    """A guest's telephone: the server sees its address, as through a proxy on the table's machine."""
    headers = {"x-forwarded-for": address}
    return httpx.Client(base_url=house.page.url, trust_env=False, timeout=60, headers=headers)
