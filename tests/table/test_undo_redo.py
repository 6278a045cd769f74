"""Undo, redo and what a guest must have seen: each word counts once, the journal only grows (G-10)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table.journal import Journal
from table.rules.events import Event
from table.session import Session, SessionError
from table.standing import last_word, standing
from table.undoing import redoable, undoable
from tests.table.running_page import OPENING, House


def card(seat: str, name: str) -> Event:
    return Event("card", {"seat": seat, "card": name})


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        session = Session(journal)
        session.begin(OPENING)
        yield session


def played(session: Session) -> list[tuple[str, str | None]]:
    return [(p.seat, p.card) for p in session.view.trick]


PLAYS = [("S2", "red-7"), ("S3", "red-9"), ("S4", "red-1")]


def test_redo_brings_back_step_by_step_what_undo_took(session: Session) -> None:
    views = [session.view]
    for seat, name in PLAYS:
        session.add(card(seat, name))
        views.append(session.view)
    for view in views[-2::-1]:
        session.undo()
        assert session.view == view
    for view in views[1:]:
        session.redo()
        assert session.view == view
    with pytest.raises(SessionError, match="nothing to bring back"):
        session.redo()
    assert len(session.entries) == 12, "the journal only grows"


def test_redo_is_over_once_something_else_is_played(session: Session) -> None:
    session.add(card("S2", "red-7"))
    session.undo()
    session.add(card("S2", "red-8"))
    with pytest.raises(SessionError, match="nothing to bring back"):
        session.redo()
    session.undo()
    session.redo()
    assert played(session) == [("S2", "red-8")]


def test_a_correction_that_was_undone_is_redone(session: Session) -> None:
    session.add(card("S2", "red-7"))
    session.correct(4, card("S2", "red-8"))
    session.undo()
    assert played(session) == [("S2", "red-7")]
    session.redo()
    assert played(session) == [("S2", "red-8")]
    session.undo()
    session.undo()
    assert played(session) == []
    session.redo()
    session.redo()
    assert played(session) == [("S2", "red-8")]


def test_the_round_that_closed_with_its_first_card_opens_with_it_again(session: Session) -> None:
    session.add(Event("end"))
    session.add(card("S1", "red-5"))
    view = session.view
    assert view.round == 2
    session.undo()
    assert session.view.round == 1
    session.redo()
    assert session.view == view


def test_undo_and_redo_are_the_same_after_a_power_cut(session: Session, tmp_path: Path) -> None:
    for seat, name in PLAYS:
        session.add(card(seat, name))
    session.undo()
    session.undo()
    session.redo()
    again = Session(session._journal)
    assert again.resume()
    assert (undoable(again.entries), redoable(again.entries)) == (
        undoable(session.entries),
        redoable(session.entries),
    )
    again.redo()
    assert played(again) == PLAYS


def test_an_answer_of_the_rules_falls_with_the_card_that_gave_it(session: Session) -> None:
    """Else a misread card, taken back, would leave its shadow: a doubt that nobody is asked about."""
    session.add(Event("unsure", {"seat": "S2", "candidates": [["red-6", 0.5], ["red-9", 0.4]]}))
    session.add(card("S3", "red-6"))
    assert session.view.doubts == ()
    assert played(session)[0] == ("S2", "red-9")
    session.undo()
    assert [doubt.event for doubt in session.view.doubts] == [4]
    session.redo()
    assert session.view.doubts == ()
    assert played(session) == [("S2", "red-9"), ("S3", "red-6")]
    session.correct(5, card("S3", "red-9"))
    assert played(session) == [("S2", "red-6"), ("S3", "red-9")]
    assert session.view.doubts == ()


def test_what_a_person_answered_does_not_fall(session: Session) -> None:
    session.add(Event("unsure", {"seat": "S2", "candidates": [["red-6", 0.5], ["red-9", 0.4]]}))
    session.add(card("S3", "red-7"))
    session.correct(4, card("S2", "red-9"))
    session.correct(5, None)
    assert played(session) == [("S2", "red-9")]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.sampled_from(["undo", "redo", "play", "correct", "never"]), max_size=14))
def test_undo_and_redo_are_each_others_opposite_after_anything(
    steps: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Journal.open(tmp_path_factory.mktemp("any") / "evening.sqlite") as journal:
        session = Session(journal)
        session.begin(OPENING)
        for n, step in enumerate(steps):
            before = session.view
            if step == "undo" and undoable(session.entries):
                session.undo()
                after = session.view
                session.redo()
                assert session.view == before
                session.undo()
                assert session.view == after
            elif step == "redo" and redoable(session.entries):
                session.redo()
            elif step == "play":
                session.add(card(session.view.turn or "S1", f"red-{n % 13 + 1}"))
            elif step in ("correct", "never") and session.view.trick:
                play = session.view.trick[0]
                event = None if step == "never" else card(play.seat, f"blue-{n % 13 + 1}")
                suspected = tuple(session._fold.referee.as_it_stands())
                foreseen = session.foresee(session.correction(play.event, event))
                session.correct(play.event, event)
                assert foreseen.after == session.view.points
                said = {*session._fold.referee.as_it_stands(), *session.view.findings}
                assert said >= set(foreseen.findings)
                offences = {(f.finding, f.seat) for f in before.findings + suspected + foreseen.findings}
                assert {(f.finding, f.seat) for f in session.view.findings} <= offences


def test_the_last_word_on_an_event_is_that_of_its_last_correction(session: Session) -> None:
    session.add(card("S2", "red-7"))  # 4
    assert last_word(session.entries, 4) == 4
    session.correct(4, card("S2", "red-8"))  # 5
    session.add(card("S3", "red-9"))  # 6
    assert (last_word(session.entries, 4), last_word(session.entries, 6)) == (5, 6)
    session.correct(5, None)  # 7: the correction never was
    assert last_word(session.entries, 4) == last_word(session.entries, 5) == 7
    assert 4 not in standing(session.entries)


# --- over the line -----------------------------------------------------------------------------------------


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
    assert (answer.status_code, "not the last thing" in answer.json()["error"]) == (409, True)
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
    """A card that a guest types in while the camera sees it would accuse its player of two cards."""
    house.do(house.session.add, card("S1", "red-2"))
    told = guest.post("/api/event", json={**card("S1", "red-2").to_dict(), "seen": SEEN})
    assert (told.status_code, "knows that already" in told.json()["error"]) == (409, True)
    touch = {"kind": "touch", "seat": "S2", "seen": {"game": 1, "id": 7}}
    assert [guest.post("/api/event", json=touch).status_code for _ in range(2)] == [200, 409]
    assert guest.post("/api/event", json={"kind": "end", "seen": SEEN}).status_code == 409
    assert house.session.view.findings == ()


def test_another_game_is_begun_once(house: House, guest: httpx.Client) -> None:
    assert [guest.post("/api/again", json={"seen": SEEN}).status_code for _ in range(2)] == [200, 409]
    assert house.session.game == 2
    assert guest.post("/api/undo", json={"id": 1, "seen": {"game": 1, "id": 6}}).status_code == 409


def test_a_game_begun_by_mistake_is_joined_to_the_last_one(house: House, guest: httpx.Client) -> None:
    """The table was already playing on when somebody noticed."""
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
    assert (answer.status_code, "game line" in answer.json()["error"]) == (409, True), (
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
