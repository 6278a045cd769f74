"""Whatever is thrown at the page's routes: an answer or a closed line, never a fault of our own (500)."""

from __future__ import annotations

import json
import random
import socket
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table.journal import Journal
from table.rules.events import KINDS
from table.session import Session
from tests.table.running_page import OPENING, House

POSTS = ("/api/correction", "/api/undo", "/api/redo", "/api/again", "/api/begin", "/api/event", "/api/pin")
GETS = (
    "/",
    "/static/app.js",
    "/camera.jpg",
    "/crop/1/3.jpg",
    "/api/state",
    "/api/games",
    "/api/result",
    "/api/sheet",
    "/api/sheet.csv",
    "/api/sheet.txt",
    "/api/events",
    "/api/findings",
)
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with Journal.open(tmp_path_factory.mktemp("nasty") / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING)
        house.open()
        yield house
        house.close()


@pytest.fixture(scope="module")
def guest(house: House) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://127.0.0.1:{house.page.port}", trust_env=False, timeout=20) as client:
        yield client


def fine(answer: httpx.Response) -> bool:
    return answer.status_code < 500


BODIES = [
    b"",
    b"{}",
    b"[]",
    b"null",
    b"0",
    b'""',
    b"{",
    b'{"kind"',
    b"\xff\xfe{}",
    b"\x00",
    b'{"kind":"\xc3\x28"}',
    b'{"pin":"\xff\xfe"}',
    b'{"kind":NaN}',
    b'{"of":NaN,"event":null}',
    b'{"of":Infinity,"event":null}',
    b'{"of":-1,"event":null}',
    b'{"of":0,"event":null}',
    b'{"of":1e400,"event":null}',
    b'{"of":1.0,"event":null}',
    b'{"of":true,"event":null}',
    b'{"of":' + b"9" * 3000 + b',"event":null}',
    b'{"id":' + b"9" * 3000 + b"}",
    b'{"id":-3}',
    b'{"id":null}',
    b'{"kind":"die","colour":"blue","value":' + b"9" * 3000 + b"}",
    b'{"kind":"die","value":1e999}',
    b'{"kind":"die","colour":"blue","value":' + b"9" * 30 + b',"spot":"aagewwer"}',
    b"[" * 4000,
    b'{"event":' * 400 + b"null" + b"}" * 400,
    b'{"kind":' + b"[" * 1900 + b"]" * 1900 + b"}",
    b'{"of":3,"event":' + b'{"kind":"correction","of":3,"event":' * 90 + b"null" + b"}" * 91,
    b'{"kind":"say","seat":"S1","what":"\\ud800"}',
    b'{"kind":"say","seat":"S1","what":"\\u0000"}',
    b'{"kind":"card","seat":"S2","card":"red-7\\ud83d"}',
    b'{"kind":"card","seat":null,"card":null}',
    b'{"kind":"say","seat":"S1","what":"trump:"}',
    b'{"kind":"say","seat":"S1","what":":"}',
    b'{"kind":"say","seat":"S1","what":"' + b"x" * 3000 + b'"}',
    b'{"kind":"correction","of":1,"event":null}',
    b'{"kind":"game","game":"dubbe"}',
    b'{"kind":["card"]}',
    b'{"kind":{"a":1}}',
    b'{"kind":null}',
    b'{"kind":""}',
    b'{"of":1,"event":{}}',
    b'{"of":1,"event":{"kind":"game"}}',
    b'{"of":2,"event":{"kind":"game","game":"dubbe"}}',
    b'{"of":1,"event":{"kind":"game","game":"dubbe","players":[1,2]}}',
    b'{"of":1,"event":[]}',
    b'{"of":1,"event":{"kind":"game","game":"dubbe","seats":["S1","S1"],"players":["a","b"]}}',
    b'{"of":1,"event":{"kind":"game","game":"dubbe","options":{"rounds":1e99}}}',
    b'{"of":2,"event":{"kind":"round","dealer":"S9"}}',
    b'{"of":2,"event":{"kind":"round","dealer":7}}',
    b'{"of":2,"event":{"kind":"throw","player":"blue","dice":[{}]}}',
    b'{"kind":"throw","player":"all","dice":[[]]}',
    b'{"kind":"shown","seat":"S1","cards":["red-1"]}',
    b'{"kind":"turned","card":"HA"}',
    b'{"kind":"touch"}',
    b'{"kind":"card","seat":"S2","card":"red-7","seen":3}',
    b'{"kind":"touch","seen":{"game":1}}',
    b'{"kind":"touch","seen":{"game":1,"id":-5}}',
    b'{"id":3,"seen":{"game":"1","id":3}}',
    b'{"seen":[]}',
    b'{"id":3,"agreed":7}',
    b'{"kind":"card","kind":"card"}',
    b'{"id":3,"id":4}',
    b'{"":1}',
    b"\xef\xbb\xbf{}",
    b'{"kind":"die","t":"now"}',
    b'{"kind":"die","confidence":[],"source":3}',
    b'{"kind":"blind","until":[]}',
]


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("query", ["", "?preview"])
def test_no_body_makes_the_page_stumble(guest: httpx.Client, path: str, query: str) -> None:
    for body in BODIES:
        answer = guest.post(path + query, content=body, headers=JSON)
        assert fine(answer), (path, body[:200], answer.text)
        assert answer.status_code == 413 or "error" in answer.json() or "id" in answer.json() or query
    assert guest.get("/api/state").status_code == 200


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(
        [
            "S1",
            "S2",
            "card",
            "die",
            "round",
            "end",
            "say",
            "throw",
            "red-7",
            "blue",
            "correction",
            "game",
            "unsure",
            "touch",
            "collected",
            "all",
            "trump:red",
            "aagewwer",
            "dubbe",
        ]
    )
)
KEYS = st.sampled_from(
    [
        "kind",
        "seat",
        "card",
        "of",
        "event",
        "id",
        "seen",
        "agreed",
        "game",
        "what",
        "colour",
        "value",
        "spot",
        "dealer",
        "player",
        "dice",
        "candidates",
        "cards",
        "seats",
        "players",
        "options",
        "t",
        "source",
        "confidence",
        "preset",
        "first",
    ]
)
NONSENSE = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=12,
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.sampled_from(POSTS), value=st.dictionaries(KEYS, NONSENSE, max_size=6), preview=st.booleans())
def test_no_json_makes_the_page_stumble(
    guest: httpx.Client, path: str, value: dict[str, Any], preview: bool
) -> None:
    body = json.dumps(value).encode(errors="surrogatepass")
    answer = guest.post(path + ("?preview" if preview else ""), content=body, headers=JSON)
    assert fine(answer), (path, body, answer.text)
    assert guest.get("/api/state").status_code == 200


ODD: dict[str, list[Any]] = {
    "kind": sorted(KINDS),
    "seat": ["S1", "S2", "S3", "S4", "S9", "", None, 3],
    "card": ["red-7", "red-13", "blue-1", "CA", "", None, 5, ["red-7"]],
    "cards": [[], ["red-7"], [None], "red-7"],
    "dealer": ["S1", "S4", "S9", None, 3],
    "what": ["trump:red", "stoss", "", "ruf:CA", None, 1],
    "colour": ["red", "blue", "", None, 1],
    "value": [-2, 0, 1, 6, 9, None, 10**18],
    "spot": ["aagewwer", "jo-lossen", "moon", "", None],
    "of": [-1, 0, 1, 2, 3, 10**18],
    "event": [None, {"kind": "end"}, {"kind": "round", "dealer": "S1"}, {}],
    "dice": [[], [{}], [{"colour": "red", "face": None, "where": 3}], None],
    "candidates": [[], [["red-7", 0.5]], [["red-7"]], None],
    "player": ["blue", "all", None, 1],
}


def odd_event(chance: random.Random) -> dict[str, Any]:
    fields = chance.sample(sorted(ODD), chance.randrange(1, 5))
    return {name: chance.choice(ODD[name]) for name in {"kind", *fields}}


def test_no_likely_event_makes_the_page_stumble(house: House, guest: httpx.Client) -> None:
    """Well-formed kinds with odd values, told, or put in the place of any event; accusations agreed to."""
    chance = random.Random(7)
    done = 0
    for _ in range(250):
        newest, of, event = len(house.session.entries), 0, odd_event(chance)
        body: dict[str, Any] = event | {"seen": {"game": house.session.game, "id": newest}}
        path = "/api/event"
        if chance.random() < 0.6:
            of = chance.randint(1, newest)
            path, body = (
                "/api/correction",
                {"of": of, "event": event, "seen": {"game": house.session.game, "id": newest}},
            )
        answer = guest.post(path, json=body)
        if "consequences" in answer.json():
            agreed = answer.json()["consequences"]["state"]
            answer = guest.post(path, json=body | {"agreed": agreed})
        assert fine(answer), (path, body, answer.text)
        done += answer.status_code == 200
        for path in ("/api/state", "/api/result", "/api/events", "/api/findings"):
            assert guest.get(path).status_code == 200, (path, body)
    assert done > 20, "hardly anything was taken: the events are too odd to say much"
    assert house.session.choked == ()


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
    """Send raw bytes; return what comes until the line closes or falls silent."""
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


def test_nothing_of_all_that_was_kept_from_a_later_guest(tmp_path: Path) -> None:
    """The same opening, and the nastiest told for real: the journal can be taken up again."""
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING)
        house.open()
        with httpx.Client(base_url=f"http://127.0.0.1:{house.page.port}", trust_env=False) as guest:
            for body in BODIES:
                guest.post("/api/event", content=body, headers=JSON)
        view = house.session.view
        house.close()
        again = Session(journal)
        assert again.resume()
        assert again.view == view
