"""Dubbe: the pack, the deal, who begins (D-01 to D-14)."""

from __future__ import annotations

import pytest

from table.rules import EventError
from table.rules.cards import DUBBE_CARDS
from table.rules.dubbe.terms import pack
from table.rules.engine import deal
from tests.rules.evening import Evening


def test_d_01_five_colours_from_1_to_15_are_75_different_cards() -> None:
    assert len(DUBBE_CARDS.names) == len(set(DUBBE_CARDS.names)) == 75
    assert {name.split("-")[0] for name in DUBBE_CARDS.names} == {"blue", "brown", "yellow", "green", "red"}
    assert {int(name.split("-")[1]) for name in DUBBE_CARDS.names} == set(range(1, 16))


@pytest.mark.parametrize("players", [1, 6])
def test_d_02_nobody_plays_alone_or_with_five_others(players: int) -> None:
    with pytest.raises(EventError, match="2 to 5 players"):
        Evening(players)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_d_02_two_to_five_may_play(players: int) -> None:
    assert Evening(players).view.phase == "declare"


def test_d_03_two_players_use_values_up_to_9() -> None:
    assert len(pack(2)) == 45
    assert max(int(card.split("-")[1]) for card in pack(2)) == 9


@pytest.mark.parametrize(("players", "top", "size"), [(3, 9, 45), (4, 12, 60), (5, 15, 75)])
def test_d_04_d_05_d_06_the_pack_grows_with_the_players(players: int, top: int, size: int) -> None:
    cards = pack(players)
    assert len(cards) == size
    assert {int(card.split("-")[1]) for card in cards} == set(range(1, top + 1))
    assert Evening(players).view.pack == cards


@pytest.mark.parametrize("players", [3, 4, 5])
def test_d_07_everybody_holds_15_cards_and_none_is_left(players: int) -> None:
    dealt = deal({"kind": "game", "game": "dubbe", "seats": [f"S{n}" for n in range(players)]}, seed=1)
    assert [len(hand) for hand in dealt.hands] == [15] * players
    assert dealt.aside == ()
    assert sorted(card for hand in dealt.hands for card in hand) == sorted(pack(players))


def test_d_08_with_two_players_a_third_packet_of_15_stays_hidden() -> None:
    dealt = deal({"kind": "game", "game": "dubbe", "seats": ["S1", "S2"]}, seed=1)
    assert [len(hand) for hand in dealt.hands] == [15, 15]
    assert len(dealt.aside) == 15
    assert sorted((*dealt.hands[0], *dealt.hands[1], *dealt.aside)) == sorted(pack(2))


def test_d_09_fifteen_tricks_clockwise_one_card_each() -> None:
    t = Evening()
    t.trump("red")
    order = []
    for _ in range(3):
        order.append(t.view.turn)
        t.play(f"{t.view.turn}:blue-{len(order)}")
    assert order == ["S2", "S3", "S1"]
    assert t.view.trick_number == 2
    played_out = Evening()
    played_out.trump("red")
    played_out.play_out(_any_hands())
    assert len(played_out.referee.result()["rounds"][0]["tricks"]) == 15
    assert played_out.view.phase == "settled"


def test_d_10_the_player_left_of_the_dealer_is_asked_for_trump() -> None:
    for dealer, chooser in (("S1", "S2"), ("S2", "S3"), ("S3", "S1")):
        t = Evening(dealer=dealer)
        assert [(p.what, p.seat) for p in t.view.prompts] == [("declare-trump", chooser)]
        assert t.view.turn is None or t.view.phase == "declare"


def test_d_11_the_die_on_aagewwer_showing_1_is_the_declaration() -> None:
    t = Evening()
    t.trump("green")
    assert t.view.trump == "green"
    assert t.view.phase == "play"
    assert t.view.expected_dice["aagewwer"] == ("green", 1)
    assert t.proofs == []


def test_d_12_aagewwer_goes_to_the_chooser_but_nothing_is_booked_yet() -> None:
    t = Evening(4)
    t.trump("blue")
    assert t.character("aagewwer") == ("blue", 1, "S1")
    assert t.points == {"S1": 0, "S2": 0, "S3": 0, "S4": 0}


def test_d_13_the_player_left_of_the_chooser_leads_the_first_trick() -> None:
    t = Evening(5, dealer="S4")
    t.trump("blue")
    assert t.view.turn == "S1"


def test_d_14_with_two_players_the_dealers_opponent_chooses_and_the_dealer_leads() -> None:
    t = Evening(2, dealer="S1")
    assert t.view.prompts[0].seat == "S2"
    t.trump("red")
    assert t.character("aagewwer")[2] == "S2"
    assert t.view.turn == "S1"


def _any_hands() -> dict[str, list[str]]:
    cards = list(pack(3))
    return {"S1": cards[0::3], "S2": cards[1::3], "S3": cards[2::3]}
