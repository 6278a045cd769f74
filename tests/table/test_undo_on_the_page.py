"""Undo and repeated wishes over HTTP: each wish names what its page had seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from table.journal import Journal
from table.rules.events import Event
from table.seen_by_page import Seen, told_since
from tests.table.running_page import OPENING, House
from tests.table.undo_cards import PLAYS, card


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING)
        for seat, name in PLAYS:
            house.session.add(card(seat, name))
        house.open()
        yield house
        house.close()


@pytest.fixture
def guest(house: House) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://127.0.0.1:{house.page.port}", trust_env=False) as client:
        yield client


SEEN = {"game": 1, "id": 6}


def test_undo_names_what_it_takes_back(house: House, guest: httpx.Client) -> None:
    assert guest.get("/api/state").json()["undo"] == 6
    assert guest.post("/api/undo", json={"id": 5}).status_code == 409
    assert guest.post("/api/undo", json={}).status_code == 400
    assert guest.post("/api/undo", json={"id": 6}).json() == {"id": 6}
    answer = guest.post("/api/undo", json={"id": 6})
    assert (answer.status_code, "no longer the last thing" in answer.json()["error"]) == (409, True)
    assert house.session.view.trick[-1].card == "red-9"
    state = guest.get("/api/state").json()
    assert (state["undo"], state["redo"], state["newest"]) == (5, 7, 7)
    assert guest.post("/api/redo", json={"id": 7}).json() == {"id": 7}
    assert guest.post("/api/redo", json={"id": 7}).status_code == 409
    assert house.session.view.trick[-1].card == "red-1"


@pytest.mark.parametrize("seen", [{"seen": SEEN}, {}])
def test_never_happened_twice_at_once_takes_back_one_thing(
    house: House, guest: httpx.Client, seen: dict[str, Any]
) -> None:
    body = {"of": 6, "event": None, **seen}
    assert guest.post("/api/correction", json=body).status_code == 200
    answer = guest.post("/api/correction", json=body)
    assert (answer.status_code, "somebody has corrected" in answer.json()["error"]) == (409, True)
    assert len(house.session.entries) == 7
    newer = {**body, "event": card("S4", "red-8").to_dict(), "seen": {"game": 1, "id": 7}}
    assert guest.post("/api/correction", json=newer).status_code == 200, "who has seen it may go on"


def test_undo_and_never_happened_at_once_take_back_one_thing(house: House, guest: httpx.Client) -> None:
    assert guest.post("/api/correction", json={"of": 6, "event": None, "seen": SEEN}).status_code == 200
    assert guest.post("/api/undo", json={"id": 6, "seen": SEEN}).status_code == 409
    assert [p.seat for p in house.session.view.trick] == ["S2", "S3"]


def test_what_was_seen_or_told_meanwhile_is_not_told_twice(house: House, guest: httpx.Client) -> None:
    """A guest who enters a card that the camera sees as well would accuse its player of two cards."""
    house.do(house.session.add, card("S1", "red-2"))
    told = guest.post("/api/event", json={**card("S1", "red-2").to_dict(), "seen": SEEN})
    assert (told.status_code, "knows that already" in told.json()["error"]) == (409, True)
    touch = {"kind": "touch", "seat": "S2", "seen": {"game": 1, "id": 7}}
    assert [guest.post("/api/event", json=touch).status_code for _ in range(2)] == [200, 409]
    assert house.session.view.findings == ()


def test_a_round_is_broken_off_while_cards_go_on_falling(house: House, guest: httpx.Client) -> None:
    """A slow host breaks off the round that the page showed, and only once."""
    house.do(house.session.add, card("S1", "red-2"))
    end = {"kind": "end", "seen": SEEN}
    assert [guest.post("/api/event", json=end).status_code for _ in range(2)] == [200, 409]
    assert house.session.result()["rounds"][-1]["broken_off"]
    assert not house.session.view.over


def test_what_was_to_break_off_a_round_that_is_over_meanwhile_does_not_end_the_evening(house: House) -> None:
    house.do(house.session.add, card("S1", "red-2"))
    entries, page = house.session.entries, Seen(**SEEN)
    for bound in ("end", "round"):
        assert told_since(entries, Event(bound), page, running=False)
        assert not told_since(entries, Event(bound), page, running=True)


def test_another_game_is_begun_once(house: House, guest: httpx.Client) -> None:
    house.do(house.session.tell, Event("end"))
    seen = {"game": 1, "id": len(house.session.entries)}
    assert [guest.post("/api/again", json={"seen": seen}).status_code for _ in range(2)] == [200, 409]
    assert house.session.game == 2
    assert guest.post("/api/undo", json={"id": 1, "seen": {"game": 1, "id": 6}}).status_code == 409


def test_a_game_begun_by_mistake_is_joined_to_the_last_one(house: House, guest: httpx.Client) -> None:
    """The table was already playing when somebody noticed."""
    house.do(house.session.correct, 6, card("S4", "red-2"))
    before = house.session.view
    house.do(house.session.tell, Event("end"))
    house.do(house.session.again)
    house.do(house.session.add, card("S1", "red-3"))
    house.do(house.session.correct, 3, card("S1", "red-4"))
    seen = {"game": 2, "id": len(house.session.entries)}
    assert guest.post("/api/correction", json={"of": 1, "event": None, "seen": seen}).status_code == 200
    assert house.session.game == 3
    state = guest.get("/api/state").json()
    struck = [line["id"] for line in state["events"] if line["event"]["kind"] in ("end", "round")][1:]
    for of in struck:
        seen = {"game": 3, "id": guest.get("/api/state").json()["newest"]}
        body = {"of": of, "event": None, "seen": seen}
        assert guest.post("/api/correction", json=body).status_code == 200
    view = house.session.view
    assert [(p.seat, p.card) for p in view.last_trick][:3] == [(p.seat, p.card) for p in before.trick]
    assert [(p.seat, p.card) for p in view.last_trick][3:] == [("S1", "red-4")]
    answer = guest.post("/api/correction", json={"of": 1, "event": None})
    assert (answer.status_code, "start of the game" in answer.json()["error"]) == (409, True), (
        "that one was begun rightly"
    )


def test_a_preview_says_what_would_follow_and_does_nothing(house: House, guest: httpx.Client) -> None:
    body = {"of": 5, "event": card("S1", "red-9").to_dict(), "seen": SEEN}
    told = guest.post("/api/correction?preview", json=body).json()["consequences"]
    accused = [(f["finding"], f["seat"], f["event"]) for f in told["findings"]]
    assert accused == [("out_of_turn", "S1", 5), ("out_of_turn", "S4", 6)], "who came after it, too"
    assert told["proof"]["5"] == card("S1", "red-9").to_dict(), "as it would then stand"
    assert told["before"] == told["after"] == dict.fromkeys(["S1", "S2", "S3", "S4"], 0)
    assert len(house.session.entries) == 6
    harmless = guest.post(
        "/api/correction?preview", json={**body, "event": card("S3", "red-8").to_dict()}
    ).json()
    assert harmless["consequences"]["findings"] == []


def test_nobody_is_accused_before_somebody_agreed_to_just_that(house: House, guest: httpx.Client) -> None:
    body = {"of": 5, "event": card("S1", "red-9").to_dict(), "seen": SEEN}
    answer = guest.post("/api/correction", json=body)
    assert answer.status_code == 409
    assert house.session.view.findings == ()
    other = {
        **body,
        "of": 6,
        "event": card("S3", "red-1").to_dict(),
        "agreed": answer.json()["consequences"]["state"],
    }
    assert guest.post("/api/correction", json=other).status_code == 409, "agreed to something else"
    agreed = {**body, "agreed": answer.json()["consequences"]["state"]}
    assert guest.post("/api/correction", json=agreed).status_code == 200
    found = house.session._fold.referee.as_it_stands()  # held against them once no missed card explains it
    assert [f.seat for f in found] == ["S1", "S4"]


def test_telling_a_card_out_of_turn_is_asked_first(house: House, guest: httpx.Client) -> None:
    answer = guest.post("/api/event", json={**card("S3", "red-5").to_dict(), "seen": SEEN})
    assert answer.json()["consequences"]["findings"][0]["seat"] == "S3"
    assert len(house.session.entries) == 6


def test_older_events_come_by_request(house: House, guest: httpx.Client) -> None:
    for n in range(100):
        house.do(house.session.add, Event("die", {"colour": "red", "value": n % 6 + 1, "spot": "jo-lossen"}))
    state = guest.get("/api/state").json()
    assert state["left_out"]["events"] == 106 - len(state["events"]) > 0
    reached: list[int] = [line["id"] for line in state["events"]]
    while reached[0] > 1:
        page = guest.get(f"/api/events?before={reached[0]}&limit=20").json()
        assert len(page["events"]) <= 20
        reached = [line["id"] for line in page["events"]] + reached
        assert page["left_out"] == reached[0] - 1
    assert reached == list(range(1, 107))
    assert guest.get("/api/events?limit=1000000").json()["left_out"] == 0
    assert guest.get("/api/events?before=-1").status_code == 400


def test_a_rounds_line_keeps_what_no_page_is_told(house: House, guest: httpx.Client) -> None:
    house.do(house.session.correct, 2, Event("round", {"dealer": "S4", "seed": 7}))
    house.do(house.session.add, Event("round", {"dealer": "S1", "seed": 9}))
    event = {"kind": "round", "dealer": "S2"}
    assert guest.post("/api/correction", json={"of": 8, "event": event}).status_code == 200
    assert house.session.entries[-1].event.fields["event"].to_dict() == {**event, "seed": 9}
