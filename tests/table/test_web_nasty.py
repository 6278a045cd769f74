"""Whatever bodies and events the page's routes receive, they answer and never fail themselves (500)."""

from __future__ import annotations

import json
import random
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
from tests.table.running_page import OPENING, House, fine, guest_of, opened_house

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
    with opened_house(tmp_path_factory.mktemp("nasty")) as house:
        yield house


@pytest.fixture(scope="module")
def guest(house: House) -> Iterator[httpx.Client]:
    with guest_of(house) as client:
        yield client


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
    """Well-formed kinds with odd values, entered or put in place of an event, accusations included."""
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


def test_nothing_of_all_that_was_kept_from_a_later_guest(tmp_path: Path) -> None:
    """After the nastiest bodies have been sent to one table, its journal can be resumed."""
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
