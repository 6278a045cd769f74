"""The end of a round with missing cards: which card may still come, and which begins the next round."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from table.rules import Referee
from table.rules.evening import evening
from table.rules.events import Event
from table.rules.round_end import lacking
from tests.rules.spoilt import cards, true_round


@pytest.mark.parametrize(("pause_s", "begins"), [(1.5, False), (30.0, True)])
def test_where_tricks_were_missed_a_card_begins_a_round_only_after_the_time_of_a_deal(
    pause_s: float, begins: bool
) -> None:
    """G-I9: nobody knows how many cards fell unseen; one that comes at once belongs to the same round."""
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
    """G-I9: after time for a deal, a card belongs to the next round, even if the last one lacks it."""
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
    """G-I9: a later card of the supposed player still belongs to the round."""
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
    """G-I9: a card that flipped during the shuffle was taken for a play and accused its owner."""
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
    """G-I9: the lead was recorded, the rest fell unseen; a card that flips during the deal is no play."""
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


@pytest.mark.parametrize(("seed", "unseen"), [(5, 24), (6, 21)])
def test_a_card_that_nobody_saw_is_asked_for_though_it_is_open_in_which_trick_it_fell(
    seed: int, unseen: int
) -> None:
    """G-12: Klapper-Jas with three leaves a rest, so that nobody can say which card it was."""
    referee = Referee()
    log = evening({"kind": "game", "game": "klapper-jas", "seats": ["S1", "S2", "S3"]}, seed, rounds=1)
    lines = [event.to_dict() for event in log]
    missed = cards(lines)[unseen]
    for line in [*lines[:missed], *lines[missed + 1 :]]:
        referee.add(line)
    referee.conclude()
    assert referee.result().get("open"), "the points are provisional"
    (place,) = referee.unwritten()
    assert place.seat == lines[missed]["seat"]
    referee.add(place)
    assert [doubt.seat for doubt in referee.doubts()] == [place.seat]
    assert referee.findings() == []
