"""The page's server: what guests see, what they may do, and whom the doorman turns away."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import numpy as np
import pytest

from table.catalogue import sentences
from table.journal import Journal, JournalError
from table.public import public
from table.rules.events import Event
from table.web import Page, PageAddress, PageError
from table.web.page import STATIC, bind
from table.web.state import state
from tests.table.running_page import House, opened_house
from tests.table.web_guest import card, line, told

UNSURE = {"kind": "unsure", "seat": "S2", "candidates": [["red-6", 0.48], ["red-9", 0.44]]}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with opened_house(tmp_path) as house:
        yield house


@pytest.fixture
def guest(house: House) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://127.0.0.1:{house.page.port}", trust_env=False) as client:
        yield client


def test_a_guest_sees_the_game_at_once_and_follows_it_live(house: House) -> None:
    with line(house) as live:
        first = told(live)
        assert first["view"]["trump"] == "blue"
        assert first["view"]["players"] == ["Anna", "Bernd", "Carla", "Dirk"]
        house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
        assert told(live)["view"]["trick"] == [{"seat": "S2", "card": "red-7", "event": 4}]


def test_a_line_that_breaks_is_taken_up_again_with_the_newest_state(house: House) -> None:
    with line(house) as live:
        told(live)
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    with line(house) as live:
        assert [p["card"] for p in told(live)["view"]["trick"]] == ["red-7"]


def test_one_tap_settles_a_doubt(house: House, guest: httpx.Client) -> None:
    house.do(house.session.add, Event.from_dict(UNSURE), b"\xff\xd8 a crop")
    shown = guest.get("/api/state").json()
    assert shown["view"]["doubts"][0]["candidates"] == [["red-6", 0.48], ["red-9", 0.44]]
    assert shown["crops"] == [4]
    crop = guest.get(f"/crop/{shown['game']}/4.jpg")
    assert (crop.content, crop.headers["content-type"]) == (b"\xff\xd8 a crop", "image/jpeg")
    assert guest.post("/api/correction", json={"of": 4, "event": card("S2", "red-9")}).json() == {"id": 5}
    shown = guest.get("/api/state").json()
    assert shown["view"]["doubts"] == []
    assert shown["events"][3] == {
        "id": 4,
        "wall": shown["events"][3]["wall"],
        "event": UNSURE,
        "now": card("S2", "red-9"),
        "by": 5,
    }


def test_undo_and_a_word_from_the_page(house: House, guest: httpx.Client) -> None:
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    assert guest.post("/api/undo", json={"id": 4}).json() == {"id": 4}
    assert house.session.view.trick == ()
    assert (
        guest.post("/api/event", json={"kind": "say", "seat": "S1", "what": "trump:red"}).status_code == 200
    )
    assert house.session.entries[-1].event.fields["source"] == "touch"


def test_another_game_from_the_page(house: House, guest: httpx.Client) -> None:
    house.do(house.session.tell, Event("end"))
    assert guest.post("/api/again", json={}).json() == {"id": 2}
    assert guest.get("/api/state").json()["game"] == 2
    assert guest.get("/api/result").json()["finished"] is False


def test_findings_come_with_the_events_that_prove_them(house: House) -> None:
    """G-I4: not in this pack; the page can show who, which card and on which line."""
    house.do(house.session.add, Event.from_dict(card("S2", "red-16")))
    shown = house.do(state, house.table, "de")
    (finding,) = shown["view"]["findings"]
    assert finding["finding"] == "foreign_card"
    assert shown["proof"][str(finding["event"])]["card"] == "red-16"


@pytest.mark.parametrize(
    ("path", "body", "status", "why"),
    [
        ("/api/correction", {"of": 99, "event": None}, 409, "no event 99"),
        ("/api/correction", {"of": "4"}, 400, "cannot be read"),
        ("/api/correction", {"of": 1, "event": None, "extra": 1}, 400, "extra"),
        ("/api/event", {"kind": "hand"}, 409, "'hand' cannot be entered"),
        ("/api/event", {"kind": "card", "seat": "S9", "card": "red-7"}, 409, "S9"),
        ("/api/event", {"kind": ["card"]}, 409, "needs a kind"),
        ("/api/event", [1, 2], 400, "cannot be read"),
        ("/api/undo", [], 400, "cannot be read"),
    ],
)
def test_a_wrong_request_gets_one_sentence_and_changes_nothing(
    house: House, guest: httpx.Client, path: str, body: Any, status: int, why: str
) -> None:
    answer = guest.post(path, json=body)
    assert (answer.status_code, why in answer.json()["error"]) == (status, True), answer.text
    assert len(house.session.entries) == 3


def test_deep_nesting_is_refused_like_any_nonsense(house: House, guest: httpx.Client) -> None:
    body = '{"of":3,"event":' + '{"kind":"correction","of":3,"event":' * 60 + "null" + "}" * 61
    assert (
        guest.post("/api/correction", content=body, headers={"content-type": "application/json"}).status_code
        == 409
    )
    assert len(house.session.entries) == 3


def test_a_full_disk_is_said_and_nothing_is_folded(
    house: House, guest: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise JournalError("evening.sqlite: the disk is full; free some space, then it goes on by itself")

    monkeypatch.setattr(Journal, "append", full)
    answer = guest.post("/api/undo", json={"id": 3})
    assert (answer.status_code, "disk is full" in answer.json()["error"]) == (503, True)


def test_no_browser_keeps_what_the_table_answers(guest: httpx.Client) -> None:
    for path in ("/api/settings", "/api/history", "/api/state", "/api/result", "/api/doctor"):
        assert guest.get(path).headers["cache-control"] == "no-store", path


def test_the_camera_picture_is_small_and_made_on_demand(house: House, guest: httpx.Client) -> None:
    assert guest.get("/camera.jpg").status_code == 404
    house.table.frame = lambda: np.full((1080, 1920, 3), 90, np.uint8)
    answer = guest.get("/camera.jpg")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"] == "no-store"
    assert len(answer.content) < 50_000
    assert guest.get("/crop/1/3.jpg").status_code == 404
    assert guest.get("/crop/9/4.jpg").status_code == 404


def test_files_outside_the_page_are_not_served(guest: httpx.Client) -> None:
    for path in (
        "/static/../page.py",
        "/static/%2e%2e/page.py",
        "/static/..%2fpage.py",
        "/static//etc/passwd",
    ):
        assert guest.get(path).status_code == 404, path


def test_a_computer_without_ipv6_says_so_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start once failed with the system's words alone and no remedy."""
    without = OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
    monkeypatch.setattr("table.web.port.socket.socket", Mock(side_effect=without))
    with pytest.raises(PageError, match=r"at :: port 8080 .*; listen at an address of this machine"):
        bind("::", 8080)


def test_a_port_that_is_taken_is_said_in_one_sentence(house: House) -> None:
    with pytest.raises(PageError, match=rf"port {house.page.port} \(.*in use.*\); choose another port"):
        Page(house.table, PageAddress(house.page.port))
    with pytest.raises(PageError, match=r"listen at an address of this machine"):
        Page(house.table, PageAddress(0, "203.0.113.7"))
    with pytest.raises(PageError, match="port 99999"):
        Page(house.table, PageAddress(99999))


def test_fields_that_are_nobodys_business_stay_in_the_journal(house: House) -> None:
    """G-14: an event may carry more than guests may see."""
    house.do(house.session.add, Event.from_dict({**card("S2", "red-7"), "hand": ["red-1", "red-2"]}))
    house.do(house.session.correct, 4, Event.from_dict({**card("S2", "red-8"), "hand": ["red-1"]}))
    text = json.dumps(house.do(state, house.table, "de"))
    assert "red-8" in text
    assert "hand" not in text.replace('"kind": "hand"', "")
    assert public(Event("card", {"card": "red-7", "secret": 1})) == {"kind": "card", "card": "red-7"}


def test_a_message_stays_small_however_long_the_evening(house: House) -> None:
    for n in range(300):
        house.do(house.session.add, Event.from_dict(card(f"S{n % 4 + 1}", f"red-{n % 12 + 1}")))
    shown = house.do(state, house.table, "de")
    last = house.session.entries[-1].id
    assert [e["id"] for e in shown["events"]] == list(range(last - 29, last + 1))
    assert len(json.dumps(shown)) < 60_000


def test_every_finding_of_the_contracts_has_words() -> None:
    """events.md#findings lists the names."""
    names = set(
        "revoke trump_duty overtrump_duty partner_duty out_of_turn wrong_lead two_cards duplicate_card "  # noqa: SIM905
        "foreign_card pile_card missing_card missing_declaration late_declaration early_declaration "
        "absage_without_ansage wrong_side false_caller missed_stoss false_meld false_belle false_swap "
        "false_hochzeit marker_mismatch unauthorised_touch bad_bet duplicate_die one_die".split()
    )
    assert {f"finding.{name}" for name in names} <= sentences("de").keys()


def test_the_page_needs_nothing_from_the_net() -> None:
    files = [file for file in STATIC.rglob("*") if file.is_file()]
    assert files
    for file in files:
        found = re.findall(r"https?://[^\s\"')]+", file.read_text(encoding="utf-8"))
        assert [url for url in found if url != "http://www.w3.org/2000/svg"] == [], file


def test_the_page_is_small() -> None:
    """Issue 21: at most 300 kB with all words of one language, uncompressed."""
    parts = [part for part in STATIC.rglob("*") if part.is_file() and part.name != "en.json"]
    assert sum(part.stat().st_size for part in parts) <= 300_000
