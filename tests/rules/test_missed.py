"""A finding rests only on what was seen or said: gaps in a log accuse nobody (events.md#doubts)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table.journal import Journal
from table.rules import Referee
from table.rules.chance import Chance
from table.rules.events import Event, parse
from table.session import Session
from tests.rules import doppelkopf_faults, dulle_faults, faults, klapperjas_faults
from tests.rules.evening import Evening
from tests.rules.folded import state_hash
from tests.rules.spoilt import GAMES, SPOILS, Log, cards, folded, spoilt, true_round
from tests.shared import shared


def accusations(referee: Referee) -> list[tuple[str | None, int, int | None]]:
    return [(f.seat, f.event, f.about) for f in referee.findings()]


def check_spoilt(game: str, seed: int, how: str, count: int = 1) -> None:
    """Nobody is accused, and a settled round has the true points."""
    log = true_round(game, seed)
    if len(cards(log)) < 16:
        return  # the round was not played
    referee = folded(spoilt(log, 7 * seed + 1, how, count))
    assert accusations(referee) == [], (game, seed, how)
    if count == 1 and how != "blind" and "open" not in referee.result():
        assert referee.points() == folded(log).points(), (game, seed, how)


@pytest.mark.parametrize("how", [how for how in SPOILS if how != "blind"])
@pytest.mark.parametrize("game", GAMES)
def test_what_the_table_saw_badly_is_held_against_nobody(game: str, how: str) -> None:
    for seed in range(3):
        check_spoilt(game, seed, how)


def two_gaps(log: Log, chance: Chance) -> Log:
    """Two short gaps without sight in which nothing happened; the card after each gap is marked so."""
    where = cards(log)
    seats = len({log[at]["seat"] for at in where})
    long, short = where[2 * seats + 1], where[5 * seats + chance.below(seats)]
    dark = {long: (1.0, 3.5), short: (50.0, 50.6)}
    spoilt_log: Log = []
    for at, event in enumerate(log):
        if at in dark:
            t, until = dark[at]
            spoilt_log += [
                {"kind": "blind", "t": t, "until": until, "why": "dark", "id": 20_000 + at},
                {**event, "after_gap": True},
            ]
        else:
            spoilt_log.append(event)
    return spoilt_log


@pytest.mark.parametrize("seed", range(12))
def test_a_card_seen_after_a_gap_in_its_turn_is_not_taken_for_one_missed_in_an_earlier_gap(seed: int) -> None:
    """G-I9, G-12: nothing was missed, so nothing is asked."""
    log = [dict(event, id=number) for number, event in enumerate(true_round("dubbe", seed), 1)]
    result = folded(two_gaps(log, Chance(seed))).result()
    assert ("open" in result, result["findings"]) == (False, [])


def faulty(game: str, seed: int, fault: str) -> tuple[Log, Any] | None:
    if game == "dubbe":
        return faults.faulty_round(seed, fault)
    if game == "dulle":
        return dulle_faults.faulty_round(seed, fault)
    if game == "klapper-jas":
        return klapperjas_faults.faulty_round(seed, fault)
    return doppelkopf_faults.faulty_round(game, seed, fault)


def check_fault_beside_a_missed_card(game: str, seed: int, fault: str) -> bool | None:
    """A missed last card beside a real fault: nothing but that fault is found. None: no occasion for it."""
    written = faulty(game, seed, fault)
    if written is None:
        return None
    log, (_, seat, event, about) = written
    referee = folded(spoilt(log, seed, "miss_last"))
    assert set(accusations(referee)) <= {(seat, event, about)}, (game, seed, fault)
    return bool(accusations(referee))


@pytest.mark.parametrize(("game", "fault"), [("dubbe", "revoke"), ("ddv", "duty"), ("klapper-jas", "duty")])
def test_a_real_fault_is_found_although_the_last_card_was_missed(game: str, fault: str) -> None:
    done = [check_fault_beside_a_missed_card(game, seed, fault) for seed in range(12)]
    assert sum(one is True for one in done) >= 3
    assert sum(one is False for one in done) <= 2  # the missed card was the proof


@pytest.mark.parametrize(
    ("name", "points", "accused"),
    [
        ("a-card-unseen-in-the-middle", {"S1": -5, "S2": -1, "S3": -3, "S4": -5}, []),
        ("last-card-of-round-1-unseen", {"S1": -5, "S2": -3, "S3": 2}, []),
        ("trump-said-by-wrong-seat", {"S1": -5, "S2": -1, "S3": -3, "S4": -5}, []),
        ("never-trump", {"S1": -5, "S2": -1, "S3": -3, "S4": -5}, [("S1", 3, None)]),
    ],
)
def test_the_worked_logs_are_settled_and_accuse_no_innocent(
    name: str, points: dict[str, int], accused: list[Any]
) -> None:
    """G-12; in the last log (D-I1) nobody saw trump declared; the leads show which colour it was."""
    log = shared(f"vectors/faults/{name}.jsonl")
    referee = folded([event.to_dict() for event in parse(log.read_text("utf-8").splitlines())])
    assert accusations(referee) == accused
    assert (referee.points(), referee.result()["finished"]) == (points, True)


@pytest.mark.parametrize("game", ["dubbe", "ddv", "dulle"])
def test_replay_folds_a_log_as_the_live_table_does(game: str, tmp_path: Path) -> None:
    """The table writes its own doubts and corrections; points, findings and open questions are the same."""
    for seed in range(2):
        log = [
            {key: value for key, value in event.items() if key != "id"}
            for event in spoilt(true_round(game, seed), seed, "miss")
        ]
        with Journal.open(tmp_path / f"{game}{seed}.sqlite") as journal:
            session = Session(journal)
            session.begin([*map(Event.from_dict, log[:2])])
            for event in log[2:]:
                session.add(Event.from_dict(event))
            session.close_gaps()
            live = session.result()
        replayed = folded(log).result()
        assert live["points"] == replayed["points"]
        assert live["findings"] == replayed["findings"] == []
        assert ("open" in live) == ("open" in replayed)


def test_out_of_turn_is_held_against_nobody_while_the_card_before_may_just_be_missed() -> None:
    """G-I1: then S3, who was passed over, plays, so no card of S3 was missed."""
    t = Evening()
    t.trump("red")
    early = t.play("S2:blue-5 S1:blue-8")[1]
    assert t.proofs == [("out_of_turn", "S1", early, None)]
    assert t.referee.findings() == []
    t.play("S3:blue-1 S1:green-1 S2:green-2 S3:green-3 S3:yellow-1")
    assert [(f.finding, f.event) for f in t.referee.findings()] == [("out_of_turn", early)]


def test_who_deals_is_shown_by_the_first_lead_and_nobody_is_out_of_turn() -> None:
    t = Evening(begin=False)
    opened = t.event("round")
    t.trump("red")
    assert (t.view.dealer, t.view.turn) == (None, None)
    t.play("S1:blue-5 S2:blue-6 S3:blue-7 S3:green-1")
    assert t.referee.findings() == []
    assert t.view.dealer == "S2"
    assert t.referee.settle_by_rules()[0].instead == Event("round", {"dealer": "S2", "inferred": True})
    t.event("correction", of=opened, event={"kind": "round", "dealer": "S3"})
    t.play("S1:green-2 S2:green-3")
    t.play("S2:yellow-1 S3:yellow-2 S1:yellow-3")
    assert [f.finding for f in t.referee.findings()] == ["out_of_turn"], "now somebody said who dealt"


@pytest.mark.parametrize("mark", [{"inferred": True}, {"after_gap": True}])
def test_a_card_that_was_not_surely_seen_is_no_link_in_a_proof(mark: dict[str, Any]) -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-5 green-1 blue-1")
    t.play("S2:yellow-1")
    shown = t.event("card", seat="S3", card="blue-3", **mark)
    assert t.referee.findings() == []
    t.event("correction", of=shown, event={"kind": "card", "seat": "S3", "card": "blue-3"})
    assert [f.finding for f in t.referee.findings()] == ["revoke"]


def test_a_blind_time_explains_whatever_seems_out_of_order_in_it() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-5 blue-6 blue-7")
    t.event("blind", t=3.0, until=6.0, why="covered")
    t.play("S2:green-1 S3:green-2 S1:green-3")
    t.play("S1:yellow-1 S2:yellow-2 S3:yellow-3 S3:brown-1 S1:brown-2 S2:brown-3")
    assert t.referee.findings() == []


@pytest.mark.soak
def test_thousands_of_spoilt_rounds() -> None:
    for game in GAMES:
        for how in SPOILS:
            for seed in range(150):
                check_spoilt(game, seed, how)
                if how in ("miss", "twice"):
                    check_spoilt(game, seed, how, 2)


@pytest.mark.parametrize("which", [4, -1], ids=["in the middle", "the last card"])
def test_a_card_of_an_earlier_round_that_was_taken_back_is_asked_for_once_and_in_its_round(
    which: int,
) -> None:
    referee, number = Referee(), 0
    first = true_round("dubbe", 2)
    for event in [*first, *(event for event in true_round("dubbe", 4) if event["kind"] != "game")]:
        number += 1
        referee.add({**event, "id": number})
    taken = [at for at, event in enumerate(first, 1) if event["kind"] == "card"][which]
    referee.add({"id": number + 1, "kind": "correction", "of": taken, "event": None})
    places = referee.unwritten()
    assert [place.fields["seat"] for place in places] == [first[taken - 1]["seat"]]
    referee.add(places[0].numbered(number + 2))
    assert referee.unwritten() == []
    assert [fold.doubts.keys() >= {number + 2} for fold in referee._rounds] == [True, False]
    assert accusations(referee) == []


@pytest.mark.parametrize("seed", range(4))
def test_a_fork_foresees_what_the_log_itself_then_says(seed: int) -> None:
    referee, log = Referee(), spoilt(true_round("dubbe", seed), seed, "miss")
    for event in log:
        referee.add(event)
    before, trial = state_hash(referee), referee.fork()
    change = {"id": 50_000, "kind": "correction", "of": log[cards(log)[seed * 3]]["id"], "event": None}
    trial.add(change)
    foreseen = state_hash(trial)
    assert state_hash(referee) == before != foreseen
    referee.add(change)
    assert state_hash(referee) == foreseen


def test_a_card_missed_in_the_dark_is_asked_for_once() -> None:
    seen: Log = [
        {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3", "S4"], "players": ["A", "B", "C", "D"]},
        {"kind": "round", "dealer": "S2"},
        {"kind": "die", "colour": "red", "value": 1, "spot": "aagewwer"},
        {"kind": "card", "seat": "S4", "card": "yellow-8"},
        {"kind": "card", "seat": "S1", "card": "yellow-10"},
        {"kind": "blind", "t": 5.7, "until": 9.4, "why": "dark"},
        {"kind": "collected", "after_gap": True},
        {"kind": "card", "seat": "S1", "card": "green-8", "after_gap": True},
        {"kind": "hand", "seat": "S1"},
        {"kind": "die", "colour": "green", "value": 1, "spot": "jammerlabbe"},
        {"kind": "card", "seat": "S2", "card": "green-12"},
    ]
    referee, asked = Referee(), []
    number = 0
    for event in seen:
        number += 1
        referee.add({**event, "id": number})
        for place in referee.unwritten():
            number += 1
            referee.add(place.numbered(number))
            asked.append(place.fields["seat"])
    assert asked == ["S2", "S3"]
    assert accusations(referee) == []


def test_a_meld_is_not_disproved_by_a_card_that_was_inferred() -> None:
    """J-I4: the unread card may be one of those that were shown as a sequence."""
    tried = 0
    for seed in range(40):
        log = true_round("klapper-jas", seed)
        said = [event for event in log if event.get("what", "").startswith("terz:")]
        own = [at for at in cards(log) if said and log[at]["seat"] == said[0]["seat"]]
        top = [at for at in own if log[at]["card"] == said[0]["what"].removeprefix("terz:")]
        if not top or accusations(folded(log)):
            continue
        others = [log[at]["card"] for at in cards(log) if at not in own]
        for other in others[::5]:
            read = {**log[top[0]], "card": other, "inferred": True}
            assert accusations(folded([*log[: top[0]], read, *log[top[0] + 1 :]])) == [], (seed, other)
            tried += 1
    assert tried >= 10
