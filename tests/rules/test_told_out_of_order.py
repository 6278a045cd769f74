"""Cards, takings and runs of cards that are recorded late, twice, in the wrong order or not at all."""

from __future__ import annotations

import pytest

from table.rules import Referee
from table.rules.chance import Chance
from tests.rules.spoilt import GAMES, Log, cards, folded, true_round
from tests.rules.test_missed import accusations


def swapped(log: Log, at: int, apart_s: float) -> Log:
    """The log with times, in which the camera swapped two successive cards."""
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
    """G-I1: a card half under a hand is read later; that is no fault of a quick player."""
    found = []
    for seed in range(3):
        log = true_round(game, seed)
        pairs = [at for at in cards(log) if at + 1 in cards(log) and log[at]["seat"] != log[at + 1]["seat"]]
        for at in pairs[5::7]:
            found += accusations(folded(swapped(log, at, apart_s)))
    assert bool(found) == accused


@pytest.mark.parametrize("game", GAMES)
def test_a_trick_whose_taking_is_told_after_the_next_lead_is_the_one_before(game: str) -> None:
    """Otherwise three cards of the new trick would be missing."""
    for seed in range(3):
        log = true_round(game, seed)
        late = list(log)
        for at, event in enumerate(log[:-1]):
            if event["kind"] == "collected" and log[at + 1]["kind"] == "card":
                late[at : at + 2] = log[at + 1], event
        told, plain = folded(late), folded(log)
        assert accusations(told) == []
        assert told.points() == plain.points()
        assert [remark for remark in told.view().remarks if remark[1] == "taken_early"] == []


@pytest.mark.parametrize("game", ["dulle", "dieblich", "ddv"])
def test_where_several_cards_in_a_row_were_missed_nobody_is_held_to_a_duty(game: str) -> None:
    """G-03, G-12: it is no longer sure in which trick a card was played."""
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
    """G-I2, G-I3: S2 leads its other HA or nothing: cards that follow in order were played in order."""
    log = [dict(event, id=number) for number, event in enumerate(true_round("ddv", 4), 1)]
    at = next(at for at, event in enumerate(log) if event.get("card") == "HA")
    where = cards(log)
    later = next(place for place in where if place > at + 4 and log[place]["seat"] == "S1")
    referee = folded([*log[: later + 1], {**log[at], "id": 900}, *log[later + 1 :]])
    assert [found.finding for found in referee.findings() if found.finding != "duplicate_card"] == []


@pytest.mark.parametrize("game", ["dubbe", "dulle", "dieblich", "klapper-jas"])
def test_a_round_ends_with_its_last_card_though_a_lead_was_guessed_to_be_anothers(game: str) -> None:
    """G-I1: otherwise the round waits for a card and takes in the next round's first trick."""
    log = true_round(game, 3)
    plain, where = folded(log), cards(log)
    seats = plain.view().seats
    for at in where[len(seats) :: 3 * len(seats)]:
        other = seats[(seats.index(log[at]["seat"]) + 1) % len(seats)]
        guess = {**log[at], "seat": other, "inferred": True, "source": "camera"}
        told = Referee()
        for event in [*log[:at], guess, *log[at + 1 :]]:
            told.add(event)
        assert told.view().phase == plain.view().phase != "play"
        assert (told.points(), accusations(told)) == (plain.points(), [])
