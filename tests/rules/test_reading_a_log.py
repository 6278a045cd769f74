"""Reading a log at once gives the same result as event by event, and folds nothing twice."""

from __future__ import annotations

from random import Random

import pytest

from table.rules import EventError, Referee
from table.rules.evening import evening
from table.rules.events import PlainEvent
from table.rules.explained import Explained
from tests.rules.folded import state_hash

SEATS = ["S1", "S2", "S3", "S4"]


def played(game: str, rounds: int = 3) -> list[PlainEvent]:
    return [
        event.to_dict()
        for event in evening({"kind": "game", "game": game, "seats": SEATS}, seed=5, rounds=rounds)
    ]


def put_wrong(log: list[PlainEvent], chance: Random) -> list[PlainEvent]:
    """Remove and repeat cards, give some a wrong seat, and add corrections, some corrected again."""
    told: list[PlainEvent] = []
    for event in log:
        told.append(event)
        if event["kind"] == "card" and chance.random() < 0.04:
            told[-1:] = chance.choice(([], [event, event], [event | {"seat": chance.choice(SEATS)}]))
        if len(told) > 4 and chance.random() < 0.03:
            of = chance.randrange(2, len(told) + 1)
            again = told[of - 1]
            if again["kind"] == "correction":
                right = None
            elif again["kind"] == "round":
                right = chance.choice((again | {"dealer": "S2"}, None))
            else:
                right = chance.choice((again, again | {"seat": "S1"}, None))
            told.append({"kind": "correction", "of": of, "event": right})
    return told


def both(log: list[PlainEvent]) -> tuple[Referee, Referee]:
    one_by_one, taken = Referee(), []
    for number, event in enumerate(log, 1):
        try:
            one_by_one.add(event | {"id": number})
        except EventError:
            continue
        taken.append(event | {"id": number})
    at_once = Referee()
    at_once.read(taken)
    return one_by_one, at_once


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record, while it happens, the numbers of the rounds that are folded from their first line."""
    folded: list[int] = []
    fold = Explained.fold

    def count(one: Explained) -> None:
        folded.append(one.number)
        fold(one)

    monkeypatch.setattr(Explained, "fold", count)
    return folded


@pytest.mark.parametrize("game", ["dubbe", "dulle", "doppelkopf", "klapper-jas"])
@pytest.mark.parametrize("seed", range(4))
def test_a_log_read_at_once_is_the_log_folded_event_by_event(game: str, seed: int) -> None:
    one_by_one, at_once = both(put_wrong(played(game), Random(seed)))
    assert state_hash(at_once) == state_hash(one_by_one)
    for referee in (one_by_one, at_once):
        referee.conclude()
    assert state_hash(at_once) == state_hash(one_by_one)
    assert at_once.settle_by_rules() == one_by_one.settle_by_rules()


def test_a_game_line_corrected_in_the_log_holds_for_all_of_it() -> None:
    log = played("dubbe")
    log.append({"kind": "correction", "of": 1, "event": log[0] | {"options": {"die_max": "unbounded"}}})
    one_by_one, at_once = both(log)
    assert at_once.view().options["die_max"] == "unbounded"
    assert state_hash(at_once) == state_hash(one_by_one)


def test_what_was_read_before_is_mended_too() -> None:
    log = played("dubbe")
    card = next(at for at, event in enumerate(log, 1) if event["kind"] == "card")
    correction = {"kind": "correction", "of": card, "event": None}
    one_by_one, at_once = both([*log, correction])[0], Referee()
    at_once.read(log)
    at_once.read([correction])
    assert state_hash(at_once) == state_hash(one_by_one)


def test_corrections_of_a_long_log_fold_no_round_again(monkeypatch: pytest.MonkeyPatch) -> None:
    log = played("dulle", 8)
    cards = [at for at, event in enumerate(log, 1) if event["kind"] == "card"]
    log += [{"kind": "correction", "of": of, "event": log[of - 1]} for of in cards[::3]]
    folded = counted(monkeypatch)
    Referee().read(log)
    assert folded == sorted(set(folded))


def test_another_dealer_folds_his_round_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    log = played("dubbe", 4)
    rounds = [at for at, event in enumerate(log, 1) if event["kind"] == "round"]
    referee = Referee()
    for event in log:
        referee.add(event)
    folded = counted(monkeypatch)
    referee.add({"kind": "correction", "of": rounds[1], "event": log[rounds[1] - 1]})
    assert folded == [2]
