"""Actions of a guest of the page."""

from __future__ import annotations

import json
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.table.running_page import House


def card(seat: str, name: str) -> dict[str, Any]:
    return {"kind": "card", "seat": seat, "card": name}


def line(house: House, **options: Any) -> ClientConnection:
    return connect(f"ws://127.0.0.1:{house.page.port}/live", proxy=None, **options)


def told(live: ClientConnection) -> dict[str, Any]:
    return json.loads(live.recv(timeout=60))
