"""Undo, redo and what a guest must have seen: each wish counts once, the journal only grows (G-10)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table.journal import Entry, Journal
from table.rules.evening import evening
from table.rules.events import Event
from table.session import Session, SessionError
from table.standing import last_word, standing
from table.undoing import redoable, undoable
from tests.table.running_page import OPENING
from tests.table.undo_cards import PLAYS, card


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        session = Session(journal)
        session.begin(OPENING)
        yield session


def played(session: Session) -> list[tuple[str, str | None]]:
    return [(p.seat, p.card) for p in session.view.trick]


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
    with pytest.raises(SessionError, match="nothing to redo"):
        session.redo()
    assert len(session.entries) == 12, "the journal only grows"


def test_redo_is_over_once_something_else_is_played(session: Session) -> None:
    session.add(card("S2", "red-7"))
    session.undo()
    session.add(card("S2", "red-8"))
    with pytest.raises(SessionError, match="nothing to redo"):
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
    """Otherwise a misread card that is taken back would leave an answer behind, to a doubt never asked."""
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


def test_undo_passes_over_what_the_rules_put_in_and_answered_themselves() -> None:
    """The rules would write it again and again."""
    missed = {"seat": "S3", "candidates": [], "source": "rules", "reason": "missed"}
    answer = Event("card", {"seat": "S3", "card": "red-9", "inferred": True})
    lines = [
        Event("game", {"game": "dubbe", "seats": ["S1", "S2", "S3", "S4"]}),
        Event("card", {"seat": "S2", "card": "red-7", "source": "touch"}),
        Event("unsure", missed),
        Event("correction", {"of": 3, "event": answer, "source": "rules"}),
    ]
    entries = [Entry(number, event, 0.0) for number, event in enumerate(lines, 1)]
    undone = undoable(entries)
    assert undone is not None
    assert undone.id == 2
    taken_back = Entry(5, Event("correction", {"of": 2, "event": None, "source": "touch"}), 0.0)
    assert redoable([*entries, taken_back]) == taken_back


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
    session.correct(5, None)  # 7: the correction never happened
    assert last_word(session.entries, 4) == last_word(session.entries, 5) == 7
    assert 4 not in standing(session.entries)


def test_a_round_that_lacks_only_a_card_taken_back_late_is_over_once_nothing_more_comes(
    session: Session,
) -> None:
    """The table asks for the card; otherwise, going on would break off a complete round."""
    people = {"options": {"rounds": 4}, "seats": ["S1", "S2"], "players": ["A", "B"]}
    opening, *lines = evening(Event("game", {"game": "dubbe", **people}), 23, rounds=1)
    session.begin([opening])
    for line in lines:
        session.add(line)
        if line.get("card") == "brown-9":
            session.undo()
    written = len(session.entries)
    assert session.view.phase == "play"
    session.close_gaps()
    assert (session.view.phase, session.view.over) == ("settled", False)
    assert [(line.event.get("reason"), line.event.seat) for line in session.entries[written:]] == [
        ("missed", "S2")
    ]
