"""The page under pressure: clients that ask nothing, ask half or do not read; messages stay small."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from table.rules.events import Event
from table.rules.view import Doubt, Finding
from table.web import door as door_module
from table.web import guard as guard_module
from table.web.state import MOST_BYTES, encode, state
from tests.table.running_page import OPENING, House, opened_house

HEAD = b"POST /api/undo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
HALVES = {
    "idle": b"",
    "half a head": b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    "half a body": HEAD + b'Content-Length: 100\r\n\r\n{"id"',
    "half a chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n50\r\n{",
    "nothing read": b"GET /static/style.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 40,
}
UPGRADE = (
    b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with opened_house(tmp_path) as house:
        yield house


def stand_about(house: House, room: contextlib.ExitStack, number: int, says: bytes) -> list[socket.socket]:
    lines = []
    for _ in range(number):
        line = room.enter_context(socket.create_connection(("127.0.0.1", house.page.port), timeout=10))
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        with contextlib.suppress(OSError):  # the door has closed already
            line.sendall(says)
        lines.append(line)
    return lines


def seconds_to_come_in(house: House) -> float:
    """How long an honest guest waits for the page, an entry and the live connection."""
    begun = time.monotonic()
    with httpx.Client(base_url=f"http://127.0.0.1:{house.page.port}", trust_env=False, timeout=20) as guest:
        assert guest.get("/").status_code == 200
        assert guest.post("/api/event", json={"kind": "touch", "seat": "S1"}).status_code == 200
        with connect(f"ws://127.0.0.1:{house.page.port}/live", proxy=None) as live:
            assert json.loads(live.recv(timeout=20))["type"] == "state"
    return time.monotonic() - begun


@pytest.mark.parametrize("kind", HALVES)
def test_256_who_stand_about_keep_nobody_out(house: House, kind: str) -> None:
    with contextlib.ExitStack() as room:
        stand_about(house, room, 256, HALVES[kind])
        assert seconds_to_come_in(house) < 5
        assert len(house.page._door) <= 200, "whoever comes finds room because somebody makes it"


def test_64_silent_live_lines_keep_nobody_out(house: House) -> None:
    with contextlib.ExitStack() as room:
        lines = stand_about(house, room, 70, UPGRADE)
        lines[-1].settimeout(10)
        assert lines[-1].recv(100).startswith(b"HTTP/1.1 101")
        assert seconds_to_come_in(house) < 5


def test_who_says_half_is_shown_out_in_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test shortens the limits: half a second here stands for ten seconds in a pub."""
    for module, name in ((door_module, "IDLE_S"), (door_module, "ANSWER_S"), (guard_module, "BODY_S")):
        monkeypatch.setattr(module, name, 0.5)
    monkeypatch.setattr(door_module, "SWEEP_S", 0.1)
    for kind, says in HALVES.items():
        if kind == "nothing read":
            continue
        with contextlib.ExitStack() as room:
            (line,) = stand_about(house, room, 1, says)
            line.settimeout(10)
            heard = b""
            with contextlib.suppress(ConnectionResetError):
                while piece := line.recv(4096):
                    heard += piece
            assert b"HTTP/1.1 5" not in heard, kind
    assert len(house.page._door) == 0


def test_who_does_not_listen_costs_no_memory(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pings are answered automatically, and answers that nobody reads must not pile up."""
    monkeypatch.setattr(door_module, "MOST_UNREAD_BYTES", 20_000)
    ping = b"\x89" + bytes([0x80 | 125]) + bytes(4) + bytes(125)
    with contextlib.ExitStack() as room:
        (line,) = stand_about(house, room, 1, UPGRADE)
        line.settimeout(10)
        deadline = time.monotonic() + 60
        with contextlib.suppress(OSError):
            while time.monotonic() < deadline:
                line.sendall(ping * 500)
        assert time.monotonic() < deadline, "he is still there"
    assert seconds_to_come_in(house) < 5


# --- small messages ----------------------------------------------------------------------------------------

LONG = [f"Maximiliane-Friederike von und zu Gutent{n}" for n in range(5)]


def test_a_message_stays_small_with_long_names_and_very_many_findings_and_doubts(house: House) -> None:
    """Five names of 41 letters, 200 findings, 60 doubts with four candidates each; two alphabets."""
    names = [name[:37] + "üß" + name[-2:] for name in LONG]
    seats = ["S1", "S2", "S3", "S4", "S5"]
    house.do(house.session.begin, [OPENING[0].having(seats=seats, players=names), *OPENING[1:]])
    for n in range(300):
        house.do(house.session.add, Event("card", {"seat": seats[n % 5], "card": f"yellow-{n % 12 + 1}"}))
    view = house.session.view
    candidates = tuple((f"yellow-{n}", 0.123) for n in range(10, 14))
    findings = tuple(Finding("overtrump_duty", "D-14", "S1", n + 5, n + 4) for n in range(200))
    doubts = tuple(Doubt(n + 100, "S2", candidates) for n in range(60))
    remarks = tuple((n, "die_saturated", "S1") for n in range(200))
    house.session.view = replace(view, findings=findings, doubts=doubts, remarks=remarks)
    told = house.do(state, house.table, "de")
    assert len(encode(told)) < MOST_BYTES
    left = told["left_out"]
    assert left["findings"] + len(told["view"]["findings"]) == 200
    assert left["doubts"] + len(told["view"]["doubts"]) == 60
    assert left["events"] + len(told["events"]) == len(house.session.entries)
    assert min(len(told["view"]["findings"]), len(told["view"]["doubts"]), len(told["events"])) >= 8
    assert told["view"]["findings"][-1]["event"] == 204, "the newest"
    for finding in told["view"]["findings"]:
        assert {str(finding["event"]), str(finding["about"])} <= told["proof"].keys()


def test_a_message_of_a_full_dice_box_stays_small(house: House) -> None:
    """Eight players, nine dice per throw, every one in doubt, and an unseen die in each."""
    eight = ["blue", "green", "red", "yellow", "purple", "orange", "brown", "pink"]
    house.do(house.session.begin, [Event("game", {"game": "doppelx", "players": eight})])
    dice: list[dict[str, Any]] = [
        {
            "colour": c,
            "face": "1",
            "where": "field",
            "touches": ["1x", "2x"],
            "center": [12.3, -40.5],
            "yaw": 33.1,
            "counts_as": "2x",
            "margin_mm": 0.21,
            "doubt": ["line", "face"],
            "candidates": [["1", 0.5], ["2", 0.4]],
        }
        for c in [*eight[1:], "white"]
    ]
    dice.append(
        {"colour": "blue", "face": None, "where": "outside", "touches": [], "doubt": ["face", "line"]}
    )
    house.do(house.session.add, Event("throw", {"player": "all", "dice": dice}))
    for n in range(60):
        house.do(house.session.add, Event("throw", {"player": eight[n % 8], "dice": dice}))
    told = house.do(state, house.table, "de")
    assert len(encode(told)) < MOST_BYTES
    assert str(house.session.view.box.event) in told["proof"]
    assert told["events"], "at least the last throw is listed"
