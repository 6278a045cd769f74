"""Addresses, headers and bytes that no browser sends: an answer or a closed connection, never a 500."""

from __future__ import annotations

import random
import socket
import string
from collections.abc import Iterator

import httpx
import pytest

from table.catalogue import LANGUAGES
from tests.table.running_page import House, fine, guest_of, opened_house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with opened_house(tmp_path_factory.mktemp("raw")) as house:
        yield house


@pytest.fixture(scope="module")
def guest(house: House) -> Iterator[httpx.Client]:
    with guest_of(house) as client:
        yield client


NUMBERS = [
    "0",
    "1",
    "-1",
    "3",
    "99999999999999999999",
    "9" * 5000,
    "1e3",
    "٣",
    "abc",
    "",
    " 3",
    "%00",
    "NaN",
    "0x3",
]


def test_no_number_makes_the_page_stumble(guest: httpx.Client) -> None:
    for number in NUMBERS:
        for path in (
            f"/crop/{number}/3.jpg",
            f"/crop/1/{number}.jpg",
            f"/api/events?before={number}",
            f"/api/events?limit={number}",
            f"/api/findings?before={number}&limit={number}",
            f"/static/{number}",
            f"/static/words/{number}",
            f"/{number}",
        ):
            answer = guest.get(path)
            assert fine(answer), (path[:80], answer.text)


def test_the_words_are_given_out_and_nothing_that_lies_beside_them(guest: httpx.Client) -> None:
    for language in LANGUAGES:
        assert guest.get(f"/static/words/{language}/page.json").json()["title"]
    assert guest.get("/static/words/__init__.py").status_code == 404


ORIGINS = [
    "http://[",
    "http://]",
    "null",
    "",
    "http://",
    "//",
    "http://[::1",
    "http://a:b",
    "http://\u00e4",
    "http://127.0.0.1:99999999999",
    "http://" + "a" * 3000,
    "http://%5b",
    "\x80",
]
HOSTS = [
    "[",
    "]",
    "[::1",
    "a:b:c",
    "127.0.0.1:x",
    "127.0.0.1:99999999",
    "@",
    "a@127.0.0.1",
    "127.0.0.1/x",
    "",
    "%00",
]


@pytest.mark.parametrize("path", ["/api/undo", "/live"])
def test_no_header_makes_the_page_stumble(guest: httpx.Client, path: str) -> None:
    headers = [("origin", value) for value in ORIGINS] + [("host", value) for value in HOSTS]
    headers += [("content-type", value) for value in ("", "application/json; charset=\x80", "x" * 3000)]
    headers += [
        ("accept-encoding", "\x80"),
        ("cookie", "=" * 3000),
        ("if-modified-since", "yesterday"),
        ("range", "bytes=9-1"),
        ("range", "bytes=a-b"),
        ("if-none-match", '"'),
    ]
    for name, value in headers:
        raw = [(b"content-type", b"application/json")] if name != "content-type" else []
        for each in (path, "/static/app.js"):
            answer = guest.request(
                "POST" if each == "/api/undo" else "GET",
                each,
                content=b"{}" if each == "/api/undo" else None,
                headers=[*raw, (name.encode(), value.encode("utf-8"))],
            )
            assert fine(answer), (each, name, value[:60], answer.text)


def say(house: House, request: bytes) -> bytes:
    """Send raw bytes; return what comes until the connection closes or is silent."""
    with socket.create_connection(("127.0.0.1", house.page.port), timeout=10) as line:
        line.settimeout(0.3)
        heard = b""
        try:
            line.sendall(request)
            while piece := line.recv(65536):
                heard += piece
        except OSError:
            pass
        return heard


HOST = b"Host: 127.0.0.1\r\n"


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
        b"G\xc3\xa4T / HTTP/1.1\r\n" + HOST + b"\r\n",
        b"BREW / HTTP/1.1\r\n" + HOST + b"\r\n",
        b"TRACE /api/state HTTP/1.1\r\n" + HOST + b"\r\n",
        b"CONNECT x:1 HTTP/1.1\r\n" + HOST + b"\r\n",
        b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n",
        b"DELETE /api/state HTTP/1.1\r\nContent-Type: application/json\r\n" + HOST + b"\r\n",
        b"HEAD /camera.jpg HTTP/1.1\r\n" + HOST + b"\r\n",
        b"HEAD /api/events HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /%zz%ff%00 HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /static/%00 HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /static/%ff HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /static/" + b"a/" * 3000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /static/" + b"a" * 300 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /static/../../../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /crop/" + b"9" * 6000 + b"/1.jpg HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /?" + b"a=&" * 3000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n",
        b"POST /api/undo HTTP/1.1\r\n"
        + HOST
        + b"Content-Type: application/json\r\nContent-Length: -1\r\n\r\n{}",
        b"POST /api/undo HTTP/1.1\r\n"
        + HOST
        + b"Content-Type: application/json\r\nContent-Length: 2x\r\n\r\n{}",
        b"POST /api/undo HTTP/1.1\r\n"
        + HOST
        + b"Content-Type: application/json\r\nContent-Length: "
        + b"9" * 400
        + b"\r\n\r\n{}",
        b"POST /api/undo HTTP/1.1\r\n"
        + HOST
        + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        b"POST /api/undo HTTP/1.1\r\n"
        + HOST
        + b"Content-Type: application/json\r\nTransfer-Encoding: gzip\r\n\r\n{}",
        b"POST /api/undo HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\nExpect: 7\r\n\r\n",
        b"GET /live HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /live HTTP/1.1\r\n" + HOST + b"Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
        b"GET /live HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: short\r\nSec-WebSocket-Version: 99\r\n\r\n",
        b"GET /live HTTP/1.1\r\n"
        + HOST
        + b"Origin: http://[\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        b"GET /nowhere HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 100_000 + b"\r\n\r\n",
        b"GET /api/state HTTP/1.1\r\n"
        + HOST
        + b"\r\n"
        + b"GET / HTTP/1.1\r\n"
        + HOST
        + b"\r\n"
        + b"rubbish\r\n\r\n",
    ],
)
def test_no_raw_request_makes_the_page_stumble(house: House, guest: httpx.Client, request_: bytes) -> None:
    heard = say(house, request_)
    assert b"HTTP/1.1 5" not in heard, heard[:400]
    assert guest.get("/api/state").status_code == 200


def test_no_rubbish_makes_the_page_stumble(house: House, guest: httpx.Client) -> None:
    chance = random.Random(18)
    for _ in range(8):
        rubbish = bytes(chance.choices(string.printable.encode() + b"\x00\xff\r\n", k=chance.randrange(400)))
        assert b"HTTP/1.1 5" not in say(house, b"GET /" + rubbish + b"\r\n\r\n")
    assert guest.get("/api/state").status_code == 200
