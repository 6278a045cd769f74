"""Between rounds: cards dealt face up begin no round, the first trick does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.interpret import Interpreter
from table.rules import Referee
from table.rules.view import View
from tests.table.told_table import LAYOUT, down
from vision.sightings import CardsGone

BETWEEN = View(
    game="dulle",
    seats=("S1", "S2", "S3"),
    phase="settled",
    round=1,
    dealer="S3",
    pack={"red-5": 1, "red-8": 1, "brown-8": 1, "blue-1": 1, "blue-2": 1},
)
"""S1 deals next, and S2 leads."""


def told(*fell: tuple[str, str | None, str | None], after_gap: bool = False) -> list[tuple[str | None, str]]:
    """Seats and cards of the events after these cards, places and hands, one after the other."""
    table, events = Interpreter(LAYOUT), []
    for key, (name, zone, hand) in enumerate(fell, 1):
        card = replace(down((name, 0.97), zone=zone, hand=hand, key=key), after_gap=after_gap)
        events += table.hear(card, BETWEEN)
    return [(event.seat, event.card) for event in events]


DEALT = (("red-5", "S2", "S1"), ("red-8", "S3", "S1"))
TRICK = (("brown-8", "S2", "S2"), ("blue-1", "S3", "S3"))
PLAYED = [("S2", "brown-8"), ("S3", "blue-1")]


def test_the_first_two_cards_of_a_trick_begin_the_round() -> None:
    assert told(*TRICK) == PLAYED


@pytest.mark.parametrize("own", [(), (("blue-2", "S1", "S1"),)])
def test_cards_that_the_dealer_lays_before_the_others_begin_no_round(
    own: tuple[tuple[str, str, str], ...],
) -> None:
    """G-I9, DA-7: they were once taken for the first trick, which accused the seat yet to declare."""
    assert told(*DEALT, *own) == []


def test_two_cards_of_which_nobody_saw_who_brought_them_begin_no_round() -> None:
    assert told(("red-5", "S2", None), ("red-8", "S3", None)) == []


@pytest.mark.parametrize("by", ["S1", None])
def test_the_round_begins_over_cards_that_still_lie_there_from_the_deal(by: str | None) -> None:
    dealt = [(name, zone, by) for name, zone, _ in DEALT]
    assert told(*dealt, *TRICK) == PLAYED


def test_a_lead_of_which_nobody_saw_the_hand_begins_the_round_with_two_that_were_seen() -> None:
    lead, second = TRICK
    assert told((lead[0], "S2", None), second, ("red-8", "S1", "S1")) == [*PLAYED, ("S1", "red-8")]


def test_a_card_that_lies_before_his_neighbour_is_his_whose_hand_brought_it() -> None:
    lead, second = TRICK
    fell = told(lead, (second[0], "S2", "S3"), ("red-8", "S1", "S1"))
    assert fell == [*PLAYED, ("S1", "red-8")]


def test_a_first_trick_that_lies_there_after_a_gap_begins_the_round() -> None:
    cards = (("brown-8", "S2", None), ("blue-1", "S3", None), ("red-8", "S1", None))
    assert told(*cards, after_gap=True) == [*PLAYED, ("S1", "red-8")]


@pytest.mark.parametrize("seen", [True, False])
def test_whether_a_declaration_is_missing_shows_a_card_that_somebody_was_seen_to_play(seen: bool) -> None:
    """G-I9: no finding rests on a card whose seat is a guess."""
    referee = Referee()
    guess = {"inferred": True, "source": "camera"}
    for line in (
        {"kind": "game", "game": "klapper-jas", "seats": ["S1", "S2", "S3"]},
        {"kind": "round", "dealer": "S1"},
        {"kind": "turned", "card": "HT"},
        {"kind": "say", "seat": "S2", "what": "passe"},
        {"kind": "card", "seat": "S2", "card": "CA"} | ({} if seen else guess),
        {"kind": "card", "seat": "S3", "card": "C8"},
        {"kind": "card", "seat": "S1", "card": "C9"},
    ):
        referee.add(line)
    assert ("missing_declaration" in {one.finding for one in referee.findings()}) == seen


def test_a_trick_of_which_no_hand_was_seen_begins_the_round_once_play_goes_on() -> None:
    """Dark sleeves over a dark table hide every hand, and yet nobody should have to press *next round*."""
    table, events = Interpreter(LAYOUT), []
    names = ("red-5", "red-8", "brown-8")
    for key, (name, seat) in enumerate(zip(names, ("S2", "S3", "S1"), strict=True), 1):
        events += table.hear(down((name, 0.97), zone=seat, hand=None, key=key), BETWEEN)
    events += table.hear(CardsGone(9.0, (1, 2, 3), None), BETWEEN)
    assert events == []
    for key, (name, seat) in enumerate((("blue-1", "S1"), ("blue-2", "S2")), 4):
        events += table.hear(down((name, 0.97), zone=seat, hand=None, key=key), BETWEEN)
    assert [event.card for event in events] == [*names, "blue-1", "blue-2"]
    assert all(event.get("inferred") for event in events), "and nobody is accused for it"
