"""A card that the eye never saw: the table continues, asks for it, and accuses nobody."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from table.cli.watch_log import Log as Watched
from table.journal import Journal
from table.rules.evening import evening
from table.rules.events import Event
from table.session import Session, SessionError

Log = list[Event]
SEATS = ["S1", "S2", "S3", "S4"]


def played(game: str, rounds: int, seed: int = 5, **more: Any) -> Log:
    """Whole rounds as a perfect eye would report them, every trick taken by its winner."""
    options = {"options": {"rounds": rounds}} if game == "dubbe" else {}
    opening = Event("game", {"game": game, "seats": SEATS, **more, **options})
    log: Log = []
    in_trick = 0
    events = list(evening(opening, seed, rounds=rounds))
    for event, later in itertools.zip_longest(events, events[1:]):
        log.append(event)
        in_trick += event.kind == "card"
        if in_trick == 4 and event.kind == "card":
            in_trick = 0
            if game != "dubbe" and (later is None or later.kind != "collected"):
                log.append(Event("collected", {"seat": None}))
    return log


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        yield Session(journal)


def note(session: Session, log: Log) -> None:
    session.begin(log[:1])
    for event in log[1:]:
        if event.kind == "round" and session.view.round:
            continue  # the table writes it itself
        session.add(event)


def cards_of(log: Log, round_: int = 1) -> list[int]:
    rounds = list(itertools.accumulate(event.kind == "round" for event in log))
    return [i for i, e in enumerate(log) if e.kind == "card" and rounds[i] == round_]


@pytest.mark.parametrize("which", [0, 1, 2, 3, 17, 30, 43, 56, 58, 59])
def test_one_missed_card_is_asked_for_and_found_by_the_rules_at_the_end(session: Session, which: int) -> None:
    """It may lie anywhere in its trick, as lead or last card, too; the points are those of the true round."""
    whole = played("dubbe", 2)
    missed = cards_of(whole)[which]
    note(session, [*whole[:missed], *whole[missed + 1 :]])
    assert session.view.findings == (), "nobody is accused of what the eye missed"
    assert session.view.round == 2, "the next round has begun by itself"
    found = [e.event for e in session.entries if e.event.get("source") == "rules" and "of" in e.event.fields]
    assert whole[missed].fields["card"] in [c.instead.get("card") for c in found if c.instead]
    truth = Session(session._journal)
    note(truth, whole)
    assert session.result()["points"] == truth.result()["points"]
    assert [r["audit"] for r in session.result()["rounds"]] == [True, True]


@pytest.mark.parametrize("game", ["dulle", "doppelkopf"])
def test_the_next_round_of_a_card_game_begins_though_a_card_of_the_last_trick_was_missed(
    session: Session, game: str
) -> None:
    whole = played(game, 2)
    missed = cards_of(whole)[-2]
    note(session, [*whole[:missed], *whole[missed + 1 :]])
    assert session.view.round == 2
    assert session.view.findings == ()
    assert session.view.doubts == ()


@pytest.mark.parametrize("which", [0, 2, 17, 59])
def test_watch_asks_for_a_missed_card_as_the_table_does(
    which: int, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = played("dubbe", 2)
    missed = cards_of(whole)[which]

    def watched(log: Log) -> dict[str, Any]:
        opening = [log[0], next(e for e in log if e.kind == "round")]
        out = Watched(opening, as_json=True, copy=None, folding=True)
        for event in log:
            if event.kind not in ("game", "round"):
                out.add(event)
        out.end()
        return json.loads(capsys.readouterr().out.splitlines()[-1])

    seen = watched([*whole[:missed], *whole[missed + 1 :]])
    assert seen["points"] == watched(whole)["points"]
    assert seen["findings"] == []
    assert len(seen["rounds"]) == 2


def test_two_missed_cards_stay_open_with_their_picture_and_the_settlement_names_them(
    session: Session,
) -> None:
    whole = played("dubbe", 2)
    first, second = cards_of(whole)[9], cards_of(whole)[33]
    session.glimpse = lambda: b"\xff\xd8table"
    note(session, [e for i, e in enumerate(whole) if i not in (first, second)])
    open_ids = session.result()["open"]
    assert len(open_ids) == 2
    assert session.view.round == 2
    assert all(session.crop(number) == b"\xff\xd8table" for number in open_ids)
    assert {d.seat for d in session.view.doubts} == {whole[first].fields["seat"], whole[second].seat}
    session.correct(open_ids[0], whole[first])
    assert session.view.doubts == (), "the other one is the only card left"
    assert session.result()["findings"] == []


def test_a_card_that_comes_late_to_a_trick_taken_too_early_is_no_missed_card(session: Session) -> None:
    whole = played("dubbe", 1)
    cards = cards_of(whole)
    session.begin(whole[:1])
    for event in whole[1 : cards[3]]:
        session.add(event)
    session.add(Event("collected", {"seat": whole[cards[0]].fields["seat"]}))
    session.add(whole[cards[3]])
    assert not [e for e in session.entries if e.event.kind == "unsure"]
    assert session.view.trick == ()


def test_who_is_really_out_of_turn_is_still_told(session: Session) -> None:
    """G-I1: all four cards were seen."""
    whole = played("dubbe", 1)
    a, b = cards_of(whole)[1:3]
    whole[a], whole[b] = whole[b], whole[a]
    note(session, whole[: cards_of(whole)[8]])
    assert [f.finding for f in session.view.findings] == ["out_of_turn"]


def test_a_missed_card_survives_the_power_cut(tmp_path: Path) -> None:
    whole = played("dubbe", 1)
    missed = cards_of(whole)[21]
    log = [*whole[:missed], *whole[missed + 1 :]]
    with Journal.open(tmp_path / "a.sqlite") as journal:
        note(Session(journal), log[: cards_of(log)[40]])
    with Journal.open(tmp_path / "a.sqlite") as journal:
        again = Session(journal)
        assert again.resume()
        for event in log[cards_of(log)[40] :]:
            again.add(event)
        assert again.view.findings == ()
        assert again.view.finished


@pytest.mark.parametrize("which", [0, 20, 40])
def test_a_missed_lead_accuses_nobody_though_the_plug_was_pulled_in_that_trick(
    tmp_path: Path, which: int
) -> None:
    """After the restart, the previous trick determines who had to lead."""
    whole = played("dubbe", 1)
    missed = cards_of(whole)[which]
    log = [*whole[:missed], *whole[missed + 1 :]]
    cut = cards_of(log)[which + 2]  # two cards of the trick have been seen
    with Journal.open(tmp_path / "a.sqlite") as journal:
        note(Session(journal), log[:cut])
        again = Session(journal)
        assert again.resume()
        for event in log[cut:]:
            again.add(event)
        assert again.view.findings == ()
        assert again.view.finished


@pytest.mark.parametrize(
    ("game", "event", "why"),
    [
        ("dubbe", {"kind": "card", "seat": "S1", "card": "red-99"}, "there is no card 'red-99'"),
        ("dubbe", {"kind": "card", "seat": "S9", "card": "red-9"}, 'nobody sits at "S9"'),
        ("dubbe", {"kind": "throw", "dice": []}, "does not belong to Dubbe"),
        ("doppelkopf", {"kind": "say", "seat": "S1", "what": "solo:foo"}, "nobody says"),
        ("doppelkopf", {"kind": "die", "colour": "red", "value": 1}, "does not belong to Doppelkopf"),
        ("dulle", {"kind": "turned", "card": "CA"}, "does not belong to Dulle"),
        ("klapper-jas", {"kind": "card", "seat": "S1", "card": "C6"}, "there is no card 'C6'"),
        ("dubbe", {"kind": "hand", "seat": "S1"}, "cannot be entered"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence_and_never_written(
    session: Session, game: str, event: dict[str, Any], why: str
) -> None:
    session.begin([Event("game", {"game": game, "seats": SEATS})])
    with pytest.raises(SessionError, match=why):
        session.tell(Event.from_dict(event))
    with pytest.raises(SessionError):
        session.correct(1, Event.from_dict(event))
    assert len(session.entries) == 1


@pytest.mark.parametrize("game", ["dulle", "doppelkopf"])
def test_an_evening_without_agreed_end_goes_on_after_a_power_cut_between_rounds(
    tmp_path: Path, game: str
) -> None:
    log = played(game, 1)
    with Journal.open(tmp_path / "a.sqlite") as journal:
        first = Session(journal)
        note(first, log)
        assert first.view.finished
        points = first.view.points
    with Journal.open(tmp_path / "a.sqlite") as journal:
        again = Session(journal)
        assert again.resume(), "the next round of the same evening comes"
        again.tell(Event("round"))
        assert (again.view.round, again.view.points) == (2, points)
        again.undo()
        again.tell(Event("end"))
    with Journal.open(tmp_path / "a.sqlite") as journal:
        assert not Session(journal).resume(), "the group has ended the evening"


@pytest.mark.parametrize("game", ["dubbe", "dulle", "doppelkopf", "klapper-jas"])
def test_the_page_can_open_the_next_round_when_the_table_is_stuck(
    tables: Callable[..., Any], session: Session, game: str
) -> None:
    """`round` without a dealer: the rules know who deals."""
    log = played(game, 1)
    session.begin(log[:1])
    first = next(at for at, event in enumerate(log) if event.kind == "card")
    for event in log[1 : first + 6]:
        session.add(event)
    session.tell(Event("round"))
    assert session.view.round == 2
    assert session.view.dealer == "S1"


def test_the_second_button_goes_on_and_never_takes_anything_away(session: Session) -> None:
    """It begins the next round after a settled one, another game after a finished one, and else nothing."""
    log = played("dubbe", 1)
    session.begin([log[0].having(options={"rounds": 2})])
    for event in log[1:10]:
        session.add(event)
    with pytest.raises(SessionError, match="no question is waiting"):
        session.go_on()
    for event in log[10:]:
        session.add(event)
    session.go_on()
    assert session.view.round == 2
    whole = played("dubbe", 1)
    session.begin(whole[:1])
    for event in whole[1:]:
        session.add(event)
    assert session.view.finished
    before = session.game
    session.go_on()
    assert session.game == (before or 0) + 1
    dulle = played("dulle", 1)
    session.begin(dulle[:1])
    for event in dulle[1:]:
        session.add(event)
    session.go_on()
    assert session.view.round == 2, "a round of Dulle is no game"
    session.add(Event("end"))
    session.add(Event("end"))
    before = session.game
    session.go_on()
    assert session.game == (before or 0) + 1


def test_the_second_button_says_that_a_hand_was_no_offence(session: Session) -> None:
    """DA-5, black_confirm: the table asks, and one press answers."""
    options = {"black_die": True, "black_confirm": "ask", "rounds": 1}
    log = played("dubbe", 1)
    session.begin([log[0].having(options=options)])
    for event in log[1:]:
        if any(p.what == "collect" for p in session.view.prompts):
            break
        if event.kind != "collected":
            session.add(event)
    owner = next(p.seat for p in session.view.prompts if p.what == "collect")
    session.add(Event("touch", {"seat": next(seat for seat in SEATS if seat != owner)}))
    assert session.view.black_die is not None
    session.go_on()
    assert session.view.black_die is None
