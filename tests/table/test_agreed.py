"""Somebody's confirmation of a correction that accuses holds for as long as the correction does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from table.journal import Journal
from table.rules.events import Event
from table.seen_by_page import Seen
from table.session import Session
from table.undoing import redoable
from table.web.state import GameShown, message
from table.web.wishes import AccusingError, Correction, Redo, Undo, meet

GAME = {
    "kind": "game",
    "game": "dubbe",
    "preset": "dubbe",
    "options": {"rounds": 4},
    "seats": ["S1", "S2", "S3", "S4"],
}
TRUMP = {"kind": "die", "colour": "blue", "value": 1, "spot": "aagewwer", "source": "camera"}
GREEN = {"kind": "card", "seat": "S1", "card": "green-7"}


def seen(seat: str, name: str) -> dict[str, Any]:
    return {"kind": "card", "seat": seat, "card": name, "source": "camera"}


EVENING: list[dict[str, Any]] = [
    {"kind": "round", "dealer": "S4"},
    TRUMP,
    *(seen(*play) for play in (("S2", "red-7"), ("S3", "red-9"), ("S4", "red-1"), ("S1", "red-4"))),
    *(seen(*play) for play in (("S3", "green-9"), ("S4", "green-2"), ("S1", "red-2"))),
]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        opened = Session(journal)
        opened.begin([Event.from_dict(GAME)])
        yield opened


def play(session: Session) -> None:
    for line in EVENING:
        session.add(Event.from_dict(line))


def confirm(session: Session, wish: Correction | Undo | Redo) -> None:
    """Fulfil a wish; if it would accuse somebody, confirm it."""
    wish = msgspec.structs.replace(wish, seen=Seen(session.game or 0, len(session.entries)))
    try:
        meet(session, wish)
    except AccusingError as shown:
        meet(session, msgspec.structs.replace(wish, agreed=shown.consequences.state))


def strike(session: Session) -> None:
    """Somebody says that S1 played green-7 where the camera saw red-4, which makes red-2 a revoke."""
    (line,) = [entry.id for entry in session.entries if entry.event.get("card") == "red-4"]
    confirm(session, Correction(of=line, event=GREEN))


def accused(session: Session) -> list[tuple[str, str | None]]:
    return [(one.finding, one.seat) for one in session.view.findings]


def test_what_was_agreed_to_goes_with_undo_and_comes_back_with_redo(session: Session) -> None:
    """The camera doubts a card and somebody names it; what that proves later becomes a question."""
    guesses = [["green-7", 0.6], ["red-7", 0.4]]
    doubt = {"kind": "unsure", "seat": "S1", "candidates": guesses, "source": "camera"}
    for line in (*EVENING[:5], doubt):
        session.add(Event.from_dict(line))
    (of,) = [entry.id for entry in session.entries if entry.event.kind == "unsure"]
    named = Correction(of=of, event=GREEN)
    confirm(session, named)
    for line in EVENING[6:]:
        session.add(Event.from_dict(line))
    assert accused(session) == []
    assert [one.seat for one in session.view.contested] == ["S1"]
    confirm(session, named)
    assert accused(session) == [("revoke", "S1")]
    confirm(session, Undo(id=session.entries[-1].id))
    assert accused(session) == []
    again = redoable(session.entries)
    assert again is not None
    confirm(session, Redo(id=again.id))
    assert accused(session) == [("revoke", "S1")]


def test_what_was_agreed_to_is_agreed_to_when_two_games_become_one(session: Session) -> None:
    for line in EVENING[:2]:
        session.add(Event.from_dict(line))
    session.again()
    play(session)
    strike(session)
    session.rejoin()
    assert accused(session) == [("revoke", "S1")]
    assert not session.view.contested


def test_questions_that_do_not_fit_into_the_message_are_counted(session: Session) -> None:
    play(session)
    strike(session)
    (one,) = session.view.findings
    many = tuple(replace(one, event=one.event + at) for at in range(60))
    told = message(GameShown(1, session.entries, replace(session.view, contested=many)), "en")
    assert 0 < len(told["view"]["contested"]) == 60 - told["left_out"]["contested"] < 60


def test_a_question_is_not_asked_anew_with_every_card_that_is_told(session: Session) -> None:
    """The question is about the word that was tapped; an unrelated card does not raise it again."""
    session.begin([Event.from_dict({**GAME, "game": "dulle", "preset": "dulle", "options": {}})])
    session.add(Event("round", {"dealer": "S4"}))
    session.add(Event("say", {"seat": "S2", "what": "ruf:HA", "source": "touch"}))
    session.add(Event.from_dict(seen("S1", "ST")))
    confirm(session, Correction(of=4, event=seen("S1", "CQ")))
    for play in (("S2", "SA"), ("S3", "DT"), ("S4", "HT"), ("S4", "SQ"), ("S1", "DA"), ("S2", "CQ")):
        session.add(Event.from_dict(seen(*play)))
    session.add(Event.from_dict(seen("S3", "CJ")))
    (asked,) = session.view.contested
    assert (asked.finding, asked.seat, asked.about) == ("duplicate_card", "S2", None)
    line = session.line_for(Event("card", {"seat": session.view.turn, "card": "ST"}))
    assert session.foresee(line).findings == ()
    again = session.foresee(session.correction(asked.event, Event.from_dict(seen("S2", "CQ"))))
    assert again.findings == (asked,), "who answers the very question is shown it"


@pytest.mark.parametrize("gone", ["red-7", "red-9", "red-1", "green-9"])
def test_whom_a_card_that_was_taken_back_leaves_innocent_is_not_named(session: Session, gone: str) -> None:
    """The table keeps the card's place, so nothing accuses those who played after it."""
    play(session)
    (of,) = [entry.id for entry in session.entries if entry.event.get("card") == gone]
    foreseen = session.foresee(session.correction(of, None))
    session.correct(of, None, foreseen.accusations)
    suspected = session._fold.referee.as_it_stands()
    assert set(foreseen.findings) <= {*session.view.findings, *suspected}
    assert [one.event for one in foreseen.entries] == [_unagreed(one.event) for one in session.entries]


def _unagreed(line: Event) -> Event:
    return Event(line.kind, {name: value for name, value in line.fields.items() if name != "agreed"}, line.id)
