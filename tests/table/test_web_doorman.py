"""Which requests the page lets in, and which it turns away."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from table.rules.events import Event
from table.web import live_line
from table.web.guard import known_host, own_names
from tests.table.running_page import House, opened_house
from tests.table.web_guest import card, line, told


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with opened_house(tmp_path) as house:
        yield house


@pytest.fixture
def guest(house: House) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://127.0.0.1:{house.page.port}", trust_env=False) as client:
        yield client


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "[::1", "evil.example:8080"])
def test_a_name_that_is_not_ours_is_turned_away(house: House, guest: httpx.Client, host: str) -> None:
    """DNS rebinding: the attacker's name points to our address, but the browser still sends the name."""
    assert guest.get("/api/state", headers={"host": host}).status_code == 403


def test_addresses_and_own_names_are_let_in() -> None:
    names = own_names(["tisch.wirtshaus.example"])
    for host in (
        "localhost:8080",
        "127.0.0.1",
        "[::1]:8080",
        "LOCALHOST",
        "tisch.wirtshaus.example",
    ):
        assert known_host(host, names), host
    assert known_host(f"{socket.gethostname()}.local:8080", names)
    assert known_host(f"{socket.gethostname()}-2.local:8080", names), "the second of that name in the house"
    assert not known_host(f"{socket.gethostname()}-2.example:8080", names)
    assert known_host("10.1.2.3", own_names(["10.1.2.3"])), "a pub's router may pass calls on"


def test_a_name_with_an_umlaut_is_known_as_browsers_send_it() -> None:
    """mDNS allows such names, but the settings once refused them."""
    names = own_names(["Stübchen.local", "Zur-Straße.local"])
    assert known_host("xn--stbchen-o2a.local:8080", names)
    assert known_host("xn--zur-strae-n1a.local", names)
    assert not known_host("stubchen.local", names)


def test_an_address_that_is_not_this_machines_is_a_strangers_name() -> None:
    """A page that was opened under another machine's address came through that machine."""
    for host in ("192.0.2.77", "[2001:db8::7]:8080", "0.0.0.0:8080", "224.0.0.1", "[::]", "0x7f.1", "127.1"):
        assert not known_host(host, own_names()), host
    assert known_host("192.0.2.77:8080", own_names(), reached="192.0.2.77"), "that is where it was reached"
    assert known_host("192.0.2.77", own_names(), reached="::ffff:192.0.2.77")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1.evil.example"]
)
def test_another_page_in_the_guests_browser_may_not_change_the_game(
    house: House, guest: httpx.Client, origin: str
) -> None:
    assert guest.post("/api/undo", json={}, headers={"origin": origin}).status_code == 403
    with pytest.raises(InvalidStatus, match="403"):
        line(house, origin=origin)
    assert len(house.session.entries) == 3


def test_the_tables_own_page_may(house: House, guest: httpx.Client) -> None:
    origin = f"http://127.0.0.1:{house.page.port}"
    assert guest.post("/api/undo", json={"id": 3}, headers={"origin": origin}).status_code == 200
    with line(house, origin=origin) as live:
        assert told(live)["type"] == "state"


def test_a_form_of_another_page_cannot_post(guest: httpx.Client) -> None:
    """Forms send no JSON; fetch with JSON asks for permission first and gets none."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        answer = guest.post("/api/undo", content=b"{}", headers={"content-type": kind})
        assert answer.status_code == 415, kind
    assert guest.options("/api/undo", headers={"content-type": "application/json"}).status_code == 405


def test_long_messages_are_cut_off_with_and_without_a_length(house: House, guest: httpx.Client) -> None:
    body = json.dumps({"kind": "say", "seat": "S1", "what": "x" * 10_000}).encode()
    headers = {"content-type": "application/json"}
    answer = guest.post("/api/event", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "request.long")

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(body), 1000):
            yield body[start : start + 1000]

    answer = guest.post("/api/event", content=pieces(), headers=headers)  # chunked, without a length
    assert answer.status_code == 413
    assert len(house.session.entries) == 3


@pytest.mark.parametrize("babble", [["bla"] * 50, ["x" * 5000]])
def test_a_guest_who_babbles_on_the_live_line_is_shown_out(house: House, babble: list[str]) -> None:
    with line(house) as live:
        told(live)
        with contextlib.suppress(ConnectionClosed):
            for words in babble:
                live.send(words)
        with pytest.raises(ConnectionClosed):
            live.recv(timeout=60)


def test_a_guest_whose_line_is_stuck_is_dropped_and_the_others_go_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_line, "PATIENCE_S", 0.3)
    big = card("S2", "red-7") | {"note": "x"}
    monkeypatch.setattr(
        live_line,
        "state",
        lambda table, language: {"type": "state", "n": len(table.session.entries), "pad": "x" * 2_000_000},
    )
    with socket.create_connection(("127.0.0.1", house.page.port)) as stuck:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        handshake = (
            "GET /live HTTP/1.1",
            f"Host: 127.0.0.1:{house.page.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
            "Sec-WebSocket-Version: 13",
            "\r\n",
        )
        stuck.sendall("\r\n".join(handshake).encode())
        deadline = time.monotonic() + 60
        while len(house.page.live) < 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        with line(house, max_size=None) as live:
            for n in range(4, 24):
                house.do(house.session.add, Event.from_dict(big))
                while told(live)["n"] < n:
                    pass
        while len(house.page.live) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(house.page.live) == 0


def test_in_a_crowd_the_longest_guest_makes_room(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_line, "MOST_GUESTS", 2)
    with contextlib.ExitStack() as room:
        first, second, third = (room.enter_context(line(house)) for _ in range(3))
        assert told(third)["type"] == told(second)["type"] == "state"
        with pytest.raises(ConnectionClosed):
            told(first), first.recv(timeout=60)
        house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
        assert told(second)["view"]["trick"] == told(third)["view"]["trick"] != []


def test_safety_headers_are_on_everything(guest: httpx.Client) -> None:
    for path in ("/", "/static/app.js", "/api/state", "/nothing"):
        headers = guest.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
