"""A sitting: events go to the journal, then the rules, then everybody; it returns after a power cut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table.journal import Journal, JournalReader
from table.rules.events import Event, EventError
from table.rules.view import View
from table.session import Session, SessionError
from table.standing import standing
from table.web.wishes import Telling
from tests.table.dubbe_sitting import GAME, ROUND, TRUMP, begun, card, played

VECTOR = Path(__file__).parents[1] / "data" / "games" / "dubbe-three-players.jsonl"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "evening.sqlite") as opened:
        yield opened


@pytest.fixture
def session(journal: Journal) -> Session:
    return begun(journal)


def test_an_event_is_on_disk_before_anybody_hears_of_it(journal: Journal, session: Session) -> None:
    heard: list[tuple[int, int]] = []

    def listener(view: View) -> None:
        with JournalReader.open(journal.path) as reader:
            heard.append((len(list(reader.events(1))), len(view.trick)))

    session.listen(listener)
    assert session.add(card("S2", "red-5")) == 4
    assert heard == [(3, 0), (4, 1)]


def test_after_a_power_cut_the_game_is_where_it_was(journal: Journal, session: Session) -> None:
    session.add(card("S2", "red-5"))
    session.add(
        Event("unsure", {"seat": "S3", "candidates": [["red-6", 0.5], ["red-9", 0.4]]}), crop=b"\xff\xd8"
    )
    session.correct(4, card("S2", "red-7"))
    before = session.view
    journal.close()  # test_journal tests what a kill leaves behind
    with Journal.open(journal.path) as again:
        resumed = Session(again)
        assert resumed.resume()
        assert resumed.view == before
        assert resumed.crop(5) == b"\xff\xd8"
        assert resumed.add(card("S1", "red-3")) == 7


def test_an_empty_journal_and_a_finished_game_are_not_resumed(journal: Journal) -> None:
    session = Session(journal)
    assert not session.resume()
    session.begin([GAME.having(options={"rounds": 3}), ROUND])
    assert Session(journal).resume()
    lines = [json.loads(line) for line in VECTOR.read_text().splitlines()]
    session.begin([Event.from_dict({**lines[0], "options": {"rounds": 1}})])
    for line in lines[1:]:
        session.add(Event.from_dict(line))
    assert session.view.finished
    assert not Session(journal).resume()


@pytest.mark.parametrize("game", ["dulle", "dubbe"])
def test_an_evening_that_was_ended_stays_ended_though_hands_still_clear_the_table(
    journal: Journal, game: str
) -> None:
    seats = ["S1", "S2", "S3", "S4"]
    session = Session(journal)
    session.begin([Event("game", {"game": game, "seats": seats, "players": seats}), ROUND])
    session.add(Event("end"))  # the round is broken off, the evening continues
    session.add(Event("hand", {"seat": "S1", "t": 1.0, "until": 2.0}))
    assert Session(journal).resume()
    session.add(Event("end"))
    session.add(Event("hand", {"seat": "S1", "t": 3.0, "until": 4.0}))
    assert not Session(journal).resume()


def test_a_worked_example_gives_its_points(journal: Journal) -> None:
    wanted = json.loads(VECTOR.with_suffix(".result.json").read_text())["points"]
    session = Session(journal)
    first, *rest = [Event.from_dict(json.loads(line)) for line in VECTOR.read_text().splitlines()]
    session.begin([first])
    for event in rest:
        session.add(event)
    assert session.result()["points"] == wanted


def test_the_next_round_is_written_when_its_first_event_comes(journal: Journal) -> None:
    """command-line.md#what-watch-prints: the table writes the line of a new round."""
    session = Session(journal)
    session.begin([GAME])
    session.add(TRUMP)
    assert [e.event.kind for e in session.entries] == ["game", "round", "die"]
    assert session.entries[1].event.to_dict() == {"kind": "round", "source": "rules"}
    assert (session.view.dealer, session.view.turn) == (None, None), "nothing depends on who deals"
    session.add(Event("card", {"seat": "S1", "card": "blue-5"}))
    written = session.entries[-1].event
    assert written.instead == Event("round", {"dealer": "S2", "inferred": True, "source": "rules"})
    assert (session.view.dealer, session.view.findings) == ("S2", ()), "the first lead has shown it"


def test_a_doubt_with_one_answer_left_is_settled_by_the_rules_in_the_journal(journal: Journal) -> None:
    lines = [json.loads(line) for line in VECTOR.read_text().splitlines()]
    session = Session(journal)
    session.begin([Event.from_dict(lines[0])])
    doubted = 10
    for number, line in enumerate(lines[1:], 2):
        if number == doubted:
            session.add(
                Event("unsure", {"seat": line["seat"], "candidates": [[line["card"], 0.4], ["red-15", 0.4]]})
            )
        else:
            session.add(Event.from_dict(line))
    by_rules = [e.event for e in session.entries if e.event.get("source") == "rules"]
    assert [
        (e.fields["of"], e.fields["event"].fields["card"]) for e in by_rules if e.kind == "correction"
    ] == [(doubted, lines[doubted - 1]["card"])]
    assert session.view.doubts == ()


def test_undo_takes_back_step_by_step(session: Session) -> None:
    session.add(card("S2", "red-5"))
    session.add(Event("hand", {"seat": "S3", "t": 1.0, "until": 2.0}))
    session.add(card("S3", "red-8"))
    assert session.undo().event == card("S3", "red-8")
    assert played(session) == [("S2", "red-5")]
    assert session.undo().event == card("S2", "red-5")
    assert session.undo().event == TRUMP
    assert session.undo().event == ROUND
    with pytest.raises(SessionError, match="nothing to undo"):
        session.undo()
    assert [e.id for e in session.entries] == list(range(1, 11)), "the journal only grows"


def test_with_the_first_card_of_a_round_the_round_that_it_opened_is_taken_back(session: Session) -> None:
    """Otherwise cards of the deal would count for a round that nobody began."""
    session.add(Event("end"))
    before = session.view
    session.add(card("S1", "red-5"))
    assert session.view.round == 2
    session.undo()
    assert session.view == before
    number = session.add(card("S1", "red-5"))
    assert session.view.round == 2
    session.correct(number, None)
    assert session.view == before


def test_a_round_that_somebody_opened_stays_open_without_its_first_card(session: Session) -> None:
    session.add(Event("end"))
    session.tell(Event("round"))
    session.add(card("S1", "red-5"))
    session.undo()
    assert session.view.round == 2


def test_undo_of_a_correction_brings_back_what_stood_there(session: Session) -> None:
    session.add(card("S2", "red-5"))
    session.correct(4, card("S2", "red-6"))
    assert played(session) == [("S2", "red-6")]
    session.undo()
    assert played(session) == [("S2", "red-5")]
    session.undo()
    assert played(session) == []


@pytest.mark.parametrize("kind", ["round", "end"])
def test_two_guests_who_tap_the_same_at_once_are_heard_once(journal: Journal, kind: str) -> None:
    """Otherwise the second tap turns a broken-off round into the end of the evening.

    A round in which nothing has been played begins only once, however late the second tap comes.
    """
    now = [100.0]
    session = Session(journal, clock=lambda: now[0])
    session.begin([GAME, ROUND, TRUMP])
    if kind == "round":
        session.add(Event("end"))
    now[0] += 60
    session.tell(Event(kind))
    before = session.view
    now[0] += 1
    with pytest.raises(SessionError, match="once is enough"):
        session.tell(Event(kind))
    assert session.view == before
    now[0] += 10
    session.tell(Event(kind))
    assert (session.view == before) is (kind == "round")


def test_who_saw_that_the_round_is_broken_off_ends_the_evening_at_once(session: Session) -> None:
    """Both taps are an `end`, but the second one ends the evening, which can happen only once."""
    session.tell(Event("end"))
    assert (session.view.phase, session.view.over) == ("settled", False)
    session.tell(Event("end"), seen=len(session.entries))
    assert session.view.over
    with pytest.raises(SessionError, match="once is enough"):
        session.tell(Event("end"), seen=len(session.entries))


def test_what_was_undone_can_be_played_anew(session: Session) -> None:
    session.add(card("S2", "red-5"))
    session.undo()
    session.add(card("S2", "red-7"))
    assert played(session) == [("S2", "red-7")]
    session.undo()
    assert played(session) == []


def test_a_tap_settles_a_doubt(session: Session) -> None:
    session.add(Event("unsure", {"seat": "S2", "candidates": [["red-6", 0.48], ["red-9", 0.44]]}))
    assert [d.event for d in session.view.doubts] == [4]
    session.correct(4, card("S2", "red-9"))
    assert session.view.doubts == ()
    assert played(session) == [("S2", "red-9")]


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ({"kind": "crad", "seat": "S1", "card": "red-7"}, 'no event kind "crad"; did you mean "card"'),
        ({"kind": "card", "seat": "S1"}, '"card" needs "card"'),
        ({"kind": "card", "seat": "S9", "card": "red-7"}, "S9"),
        ({"kind": "correction", "of": 99, "event": None}, "no event 99"),
        ({"kind": "correction", "of": 1, "event": None}, "start of the game"),
        ({}, "needs a kind"),
    ],
)
def test_nonsense_never_reaches_the_journal(session: Session, event: dict[str, Any], why: str) -> None:
    with pytest.raises((EventError, SessionError), match=why):
        session.add(Event.from_dict(event))
    assert len(session.entries) == 3
    assert session.view.trump == "red"


@pytest.mark.parametrize("number", [99, "a"])
def test_the_journal_counts_whatever_number_an_event_brings(session: Session, number: object) -> None:
    plain = {**card("S2", "red-5").to_dict(), "id": number}
    assert Telling(event=plain).do(session) == 4
    assert session.entries[-1].event == card("S2", "red-5").having(source="touch")


def test_a_game_that_makes_no_sense_does_not_end_the_old_one(journal: Journal, session: Session) -> None:
    with pytest.raises(SessionError, match=r"event 1: .*skat"):
        session.begin([GAME.having(game="skat")])
    assert journal.games() == (1,)
    assert session.view.trump == "red"


def test_the_same_people_play_another_game(journal: Journal, session: Session) -> None:
    session.correct(1, GAME.having(players=["Anna", "Bernd", "Clara"]))
    assert session.again() == 2
    assert [e.event.kind for e in session.entries] == ["game"]
    assert session.view.players == ("Anna", "Bernd", "Clara")
    assert session.view.trump is None
    assert len(list(journal.events(1))) == 4
    with pytest.raises(SessionError, match="no game yet"):
        Session(journal).again()


def test_people_may_tell_only_what_people_can_know(session: Session) -> None:
    assert session.say("S1", "trump:blue") == 4
    assert session.entries[-1].event.to_dict() == {
        "kind": "say",
        "what": "trump:blue",
        "seat": "S1",
        "source": "touch",
    }
    with pytest.raises(SessionError, match="'hand' cannot be entered"):
        session.tell(Event("hand", {"seat": "S1"}))


def test_what_stands_after_corrections_of_corrections(session: Session) -> None:
    """G-10, and the rules see the same."""
    session.add(card("S2", "red-5"))  # 4
    session.correct(4, None)  # 5
    assert standing(session.entries) == {4: None}
    session.correct(5, Event("correction", {"of": 4, "event": card("S2", "red-6")}))  # 6
    assert standing(session.entries)[4] == card("S2", "red-6")
    assert played(session) == [("S2", "red-6")]
    session.correct(6, None)
    assert standing(session.entries)[4] is None
    assert played(session) == []
    session.correct(5, None)
    assert 4 not in standing(session.entries)
    assert played(session) == [("S2", "red-5")]
