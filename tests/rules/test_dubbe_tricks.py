"""Dubbe: following, trumping, winning a trick (D-15 to D-19)."""

from __future__ import annotations

from table.rules import Event
from table.rules.engine import Position, deal, legal
from table.rules.opening import open_game
from table.rules.setup import Setup
from tests.rules.evening import Evening

OPENING = Event("game", {"game": "dubbe", "seats": ["S1", "S2", "S3"]})


def position(trump: str, hands: dict[str, str], trick: str = "") -> Position:
    """A first trick with these hands; S2 leads."""
    setup: Setup = open_game(OPENING)
    dealt = deal(setup, 1)
    opened = dealt.round
    opened.add(1, Event("die", {"colour": trump, "value": 1, "spot": "aagewwer"}, 1))
    for number, card in enumerate(trick.split(), 2):
        opened.add(number, Event("card", {"card": card}, number))
    return Position(setup, opened, tuple(tuple(hands.get(s, "").split()) for s in setup.seats), ())


def may_play(table: Position) -> set[str]:
    return {move.card for move in legal(table)}


def test_d_15_who_can_follow_must_and_trump_is_a_colour_of_its_own() -> None:
    hand = {"S3": "red-1 red-9 blue-4"}
    assert may_play(position("blue", hand, "red-5")) == {"red-1", "red-9"}
    assert may_play(position("red", {"S3": "red-1 blue-4"}, "blue-5")) == {"blue-4"}


def test_d_16_who_cannot_follow_may_trump_or_throw_away_anything() -> None:
    assert may_play(position("blue", {"S3": "blue-4 green-1"}, "red-5")) == {"blue-4", "green-1"}
    assert may_play(position("blue", {"S1": "blue-4 green-1"}, "red-5 blue-3")) == {"blue-4", "green-1"}


def test_the_leader_may_lead_anything() -> None:
    assert may_play(position("blue", {"S2": "blue-4 green-1 red-2"})) == {"blue-4", "green-1", "red-2"}


def test_d_17_the_highest_trump_wins_else_the_highest_of_the_led_colour() -> None:
    t = Evening()
    t.trump("blue")
    t.play("red-5 red-8 red-9")
    assert t.view.last_winner == "S1"
    t.play("green-9 blue-1 blue-2")
    assert t.view.last_winner == "S3"
    t.play("blue-7 blue-3 blue-8")
    assert t.view.last_winner == "S2"


def test_d_18_a_card_thrown_away_never_wins() -> None:
    t = Evening()
    t.trump("blue")
    t.play("red-1 green-9 yellow-9")
    assert t.view.last_winner == "S2"


def test_d_19_the_winner_leads_the_next_trick_and_whoever_takes_the_cards_is_free() -> None:
    t = Evening()
    t.trump("blue")
    t.play("red-1 red-9 red-3")
    assert t.view.turn == "S3"
    t.collect("S3")
    assert t.view.turn == "S3"
    assert t.proofs == []
