"""A finding rests only on what was seen or said: a log with gaps accuses nobody (events.md#doubts)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from table.journal import Journal
from table.rules import Referee
from table.rules.chance import Chance
from table.rules.events import Event, parse
from table.rules.round_end import lacking
from table.session import Session
from tests.rules import doppelkopf_faults, dulle_faults, faults, klapperjas_faults
from tests.rules.evening import Evening
from tests.rules.spoilt import GAMES, SPOILS, Log, cards, folded, spoilt, true_round
from tests.shared import shared


def proofs(referee: Referee) -> list[tuple[str | None, int, int | None]]:
    return [(f.seat, f.event, f.about) for f in referee.findings()]


def check_spoilt(game: str, seed: int, how: str, count: int = 1) -> None:
    """Nobody is accused; what is settled has the true points."""
    log = true_round(game, seed)
    if len(cards(log)) < 16:
        return  # nobody played
    referee = folded(spoilt(log, 7 * seed + 1, how, count))
    assert proofs(referee) == [], (game, seed, how)
    if count == 1 and how != "blind" and "open" not in referee.result():
        assert referee.points() == folded(log).points(), (game, seed, how)


@pytest.mark.parametrize("how", [how for how in SPOILS if how != "blind"])
@pytest.mark.parametrize("game", GAMES)
def test_what_the_table_saw_badly_is_held_against_nobody(game: str, how: str) -> None:
    for seed in range(3):
        check_spoilt(game, seed, how)


def two_gaps(log: Log, chance: Chance) -> Log:
    """Two short times without sight in which nothing happened; a card that comes after one says so."""
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
    """G-I9, G-12: nothing was missed, and nothing is asked."""
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
    """A card is missed beside a real fault: that, or nothing, is found. None: no fault, or in that trick."""
    written = faulty(game, seed, fault)
    if written is None:
        return None
    log, (_, seat, event, about) = written
    referee = folded(spoilt(log, seed, "miss_last"))
    assert set(proofs(referee)) <= {(seat, event, about)}, (game, seed, fault)
    return bool(proofs(referee))


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
    """G-12; in the last one, D-I1: that trump was declared, nobody saw; which it was, the leads show."""
    log = shared(f"vectors/faults/{name}.jsonl")
    referee = folded([event.to_dict() for event in parse(log.read_text("utf-8").splitlines())])
    assert proofs(referee) == accused
    assert (referee.points(), referee.result()["finished"]) == (points, True)


@pytest.mark.parametrize("game", ["dubbe", "ddv", "dulle"])
def test_replay_folds_a_log_as_the_live_table_does(game: str, tmp_path: Path) -> None:
    """The table writes doubts and corrections of its own; points, findings and what is open are the same."""
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
    """G-I1: S3, who was passed over, then plays: his card was not missed."""
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
    t.play("S3:yellow-1 S1:yellow-2 S2:yellow-3")
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
    assert proofs(referee) == []


@pytest.mark.parametrize("seed", range(4))
def test_a_fork_foresees_what_the_log_itself_then_says(seed: int) -> None:
    referee, log = Referee(), spoilt(true_round("dubbe", seed), seed, "miss")
    for event in log:
        referee.add(event)
    before, trial = referee.state_hash(), referee.fork()
    change = {"id": 50_000, "kind": "correction", "of": log[cards(log)[seed * 3]]["id"], "event": None}
    trial.add(change)
    foreseen = trial.state_hash()
    assert referee.state_hash() == before != foreseen
    referee.add(change)
    assert referee.state_hash() == foreseen


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
    assert proofs(referee) == []


def test_a_meld_is_not_disproved_by_a_card_that_was_inferred() -> None:
    """J-I4: behind a card that nobody read may be one of those that were shown as a sequence."""
    tried = 0
    for seed in range(40):
        log = true_round("klapper-jas", seed)
        said = [event for event in log if event.get("what", "").startswith("terz:")]
        own = [at for at in cards(log) if said and log[at]["seat"] == said[0]["seat"]]
        top = [at for at in own if log[at]["card"] == said[0]["what"].removeprefix("terz:")]
        if not top or proofs(folded(log)):
            continue
        others = [log[at]["card"] for at in cards(log) if at not in own]
        for other in others[::5]:
            read = {**log[top[0]], "card": other, "inferred": True}
            assert proofs(folded([*log[: top[0]], read, *log[top[0] + 1 :]])) == [], (seed, other)
            tried += 1
    assert tried >= 10


@pytest.mark.parametrize(("pause_s", "begins"), [(1.5, False), (30.0, True)])
def test_where_tricks_were_missed_a_card_begins_a_round_only_after_the_time_of_a_deal(
    pause_s: float, begins: bool
) -> None:
    """G-I9: nobody knows how many cards fell unseen; what comes at once is a card of the round itself."""
    referee = Referee()
    log = [
        {key: value for key, value in event.items() if key != "id"} | {"t": float(at)}
        for at, event in enumerate(true_round("dubbe", 2))
    ]
    where, last = cards(log), len(log) - 1
    log[0]["options"] = {}
    missed = log[where[14]]
    dark = {"kind": "blind", "t": float(where[12]), "until": float(where[20]) + 1.0, "why": "covered"}
    for event in [*log[: where[12]], dark, *log[where[20] + 1 :]]:
        referee.add(event)
    referee.conclude()
    for place in referee.unwritten():
        referee.add(place)
    assert referee._rounds[-1].best.round.over
    event = {**missed, "t": last + pause_s}
    assert (referee.next_round(event) is not None) == begins


@pytest.mark.parametrize("game", ["dieblich", "ddv", "klapper-jas"])
def test_a_card_that_the_round_just_over_still_has_begins_no_other(game: str) -> None:
    referee = Referee()
    log = true_round(game, 2)
    where = cards(log)
    missed, last = log[where[4]], log[where[-1]]
    for event in [*log[: where[4]], *log[where[4] + 1 : where[-1] + 1]]:
        referee.add(event)
    for place in referee.unwritten():
        referee.add(place)
    late = {key: value for key, value in missed.items() if key != "id"}
    again = {key: value for key, value in last.items() if key != "id"}
    other = {**late, "seat": next(log[at]["seat"] for at in where if log[at]["seat"] != late["seat"])}
    assert referee.next_round(late) is None, "told late"
    assert referee.next_round(again) is None, "it still lies there"
    assert referee._rounds[-1].best.round.over
    assert referee.next_round(other) is not None, "nobody else lacks a card"


def test_of_a_round_that_is_over_the_view_tells_which_cards_may_still_come() -> None:
    """G-I9: the next round's first cards are not the missed ones of the last: there was time to deal."""
    referee = Referee()
    log = [{**event, "t": float(at)} for at, event in enumerate(true_round("dulle", 3))]
    where = cards(log)
    missed, end = log[where[4]], where[-1]
    for at, event in enumerate(log[: end + 1]):
        if at != where[4]:
            referee.add({key: value for key, value in event.items() if key != "id"})
    for place in referee.unwritten():
        referee.add(place)
    still = referee.view().lacking
    assert still is not None
    assert still.seats == {missed["seat"]}
    assert missed["card"] in still.cards
    assert still.admits(missed["seat"], missed["card"], end + 1.0)
    assert not still.admits(missed["seat"], missed["card"], end + 30.0)
    told = {key: value for key, value in missed.items() if key != "id"}
    assert referee.next_round({**told, "t": end + 1.0}) is None
    assert referee.next_round({**told, "t": end + 30.0}) is not None


def test_a_card_whose_seat_is_a_guess_empties_nobodys_hand() -> None:
    """G-I9: the card that its supposed player lays afterwards is still one of the round's."""
    opened: Any = SimpleNamespace(hand_size=2, seats=("S1", "S2"))
    lines = [
        Event("card", {"seat": "S1", "card": "red-1", "t": 1.0}),
        Event("card", {"seat": "S1", "card": "red-2", "t": 2.0, "inferred": True}),
        Event("card", {"seat": "S2", "card": "red-3", "t": 3.0}),
    ]
    still = lacking(opened, lines, dict.fromkeys(("red-1", "red-2", "red-3", "red-4"), 1))
    assert still is not None
    assert still.admits("S1", "red-4", 4.0)
    assert still.admits("S2", "red-4", 4.0)


def test_of_a_round_of_which_every_card_was_told_none_may_still_come() -> None:
    referee = Referee()
    for event in true_round("dulle", 3):
        referee.add({key: value for key, value in event.items() if key != "id"})
    assert referee.view().phase in ("settled", "finished")
    assert referee.view().lacking is None


@pytest.mark.parametrize(("pause_s", "late"), [(1.0, True), (20.0, False)])
def test_a_card_long_after_the_last_trick_was_taken_is_not_the_one_that_it_lacks(
    pause_s: float, late: bool
) -> None:
    """G-I9: a card that flips while the cards are shuffled ended as a play, and its owner stood accused."""
    referee = Referee()
    log = [{**event, "t": float(at)} for at, event in enumerate(true_round("dulle", 3))]
    last = cards(log)[-1]
    for event in log[:last]:
        referee.add({key: value for key, value in event.items() if key != "id"})
    missed = {key: value for key, value in log[last].items() if key != "id"}
    taken = {"kind": "collected", "t": last + 1.0, "after_gap": True}
    referee.add({"kind": "blind", "t": last - 0.5, "until": last + 0.9, "why": "covered"})
    referee.add(taken)
    fallen = {**missed, "t": last + 1.0 + pause_s}
    still = referee.view().lacking
    assert still is not None
    assert still.seats == {missed["seat"]}
    assert still.admits(missed["seat"], missed["card"], fallen["t"]) == late
    assert (referee.next_round(fallen) is None) == late


def test_a_round_may_be_over_behind_a_trick_that_was_taken_and_of_which_cards_were_not_told() -> None:
    """G-I9: the lead was told, the rest fell unseen; what flips while the cards are dealt is no play."""
    referee = Referee()
    log = [{**event, "t": float(at)} for at, event in enumerate(true_round("dulle", 3))]
    lead = next(at for at in cards(log) if sum(n < at for n in cards(log)) == 8)
    for event in log[: lead + 1]:
        referee.add({key: value for key, value in event.items() if key != "id"})
    referee.add({"kind": "blind", "t": lead + 0.5, "until": lead + 25.0, "why": "covered"})
    assert referee.view().perhaps_over_t is None, "the trick lies there"
    referee.add({"kind": "collected", "t": lead + 25.1, "after_gap": True})
    since = referee.view().perhaps_over_t
    assert since is not None
    assert lead + 25.0 < since < lead + 40.0


def swapped(log: Log, at: int, apart_s: float) -> Log:
    """The log with times, in which the camera told two cards that fell one after the other in wrong order."""
    timed: Log = [
        {**event, "t": 1.5 * n} | ({"source": "camera"} if event["kind"] == "card" else {})
        for n, event in enumerate(log)
    ]
    first, second = timed[at], timed[at + 1]
    timed[at] = {**second, "t": first["t"]}
    timed[at + 1] = {**first, "t": first["t"] + apart_s}
    return timed


@pytest.mark.parametrize(("apart_s", "accused"), [(0.2, False), (1.5, True)])
@pytest.mark.parametrize("game", GAMES)
def test_two_cards_told_nearly_at_once_in_the_wrong_order_accuse_nobody(
    game: str, apart_s: float, accused: bool
) -> None:
    """G-I1: one that lies half under a hand is read later; who plays so quickly is not blamed for it."""
    found = []
    for seed in range(3):
        log = true_round(game, seed)
        pairs = [at for at in cards(log) if at + 1 in cards(log) and log[at]["seat"] != log[at + 1]["seat"]]
        for at in pairs[5::7]:
            found += proofs(folded(swapped(log, at, apart_s)))
    assert bool(found) == accused


@pytest.mark.parametrize("game", GAMES)
def test_a_trick_whose_taking_is_told_after_the_next_lead_is_the_one_before(game: str) -> None:
    """Else three cards of the trick that was just begun would be missed."""
    for seed in range(3):
        log = true_round(game, seed)
        late = list(log)
        for at, event in enumerate(log[:-1]):
            if event["kind"] == "collected" and log[at + 1]["kind"] == "card":
                late[at : at + 2] = log[at + 1], event
        told, plain = folded(late), folded(log)
        assert proofs(told) == []
        assert told.points() == plain.points()
        assert [remark for remark in told.view().remarks if remark[1] == "taken_early"] == []


@pytest.mark.parametrize("game", ["dulle", "dieblich", "ddv"])
def test_where_several_cards_in_a_row_were_missed_nobody_is_held_to_a_duty(game: str) -> None:
    """G-03, G-12: which trick a card fell in is not sure any more."""
    for seed in range(6):
        log = true_round(game, seed)
        where = cards(log)
        if len(where) < 16:
            continue
        begin = 1 + Chance(seed).below(len(where) - 7)
        gone = set(where[begin : begin + 3 + seed % 4])
        seen = [{**event, "id": at} for at, event in enumerate(log, 1) if at - 1 not in gone]
        assert not {one.finding for one in folded(seen).findings()} & {"revoke", "trump_duty"}, seed


def test_a_card_of_which_two_exist_that_is_told_again_a_trick_later_is_no_second_card() -> None:
    """G-I2, G-I3: S2 leads his other HA, or nothing: what follows in order fell in order."""
    log = [dict(event, id=number) for number, event in enumerate(true_round("ddv", 4), 1)]
    at = next(at for at, event in enumerate(log) if event.get("card") == "HA")
    where = cards(log)
    later = next(place for place in where if place > at + 4 and log[place]["seat"] == "S1")
    referee = folded([*log[: later + 1], {**log[at], "id": 900}, *log[later + 1 :]])
    assert [found.finding for found in referee.findings() if found.finding != "duplicate_card"] == []
