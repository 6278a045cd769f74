"""Dulle: cards, duties, who wins a trick (U-01 to U-07, U-12 to U-18, U-30, UA-2)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from table.rules import EventError, Referee
from table.rules.dulle.terms import LOW_TEN, PACK, PLAIN, TRUMPS, augen, contract
from table.rules.tricks import Play
from tests.rules.sixteen import WHOLE, called, may_play, position


def winner(trick: str, karo10: str = "kleine_dulle") -> str:
    """The winning card of a trick; the first card is led."""
    rules, names = contract(karo10), trick.split()
    number = {name: place for place, name in enumerate(_NAMES)}
    plays = [Play(n, n, name, number[name]) for n, name in enumerate(names)]
    return names[rules.winner(plays)]


_NAMES = tuple(suit + rank for suit in "CSHD" for rank in "789TJQKA")


def test_u_01_four_players_four_cards_each() -> None:
    assert len(PACK) == 16
    with pytest.raises(EventError, match="4 players"):
        Referee().add({"kind": "game", "game": "dulle", "seats": ["S1", "S2", "S3"]})
    table = called()
    assert table.view.turn == "S1"
    table.play(WHOLE)
    assert [len(trick["cards"]) for trick in table.ledger["tricks"]] == [4, 4, 4, 4]
    assert table.view.phase == "finished"


def test_u_02_eleven_trumps_and_five_fehl() -> None:
    assert len(TRUMPS) == 11
    assert set(PLAIN) == {"CA", "CT", "SA", "ST", "HA"}


def test_u_03_every_trump_beats_the_next_one() -> None:
    for higher, lower in pairwise(TRUMPS):
        assert winner(f"{lower} {higher}") == higher
        assert winner(f"{higher} {lower}") == higher
    assert TRUMPS[:3] == ("HT", "DT", "CQ")


def test_u_04_karo_zehn_may_be_the_lowest_trump() -> None:
    """U-V11."""
    assert winner("DA DT") == "DT"
    assert winner("DA DT", "lowest_trump") == "DA"
    assert LOW_TEN[-2:] == ("DA", "DT")
    assert winner("CA DT", "lowest_trump") == "DT"


@pytest.mark.parametrize(
    ("trick", "wins"),
    [
        ("CT SA CA HA", "CA"),
        ("SA CA ST HA", "SA"),
        ("ST CA HA CT", "ST"),
        ("CA CT SA ST", "CA"),
        ("HA CA SA ST", "HA"),
        ("HA CA DA ST", "DA"),
    ],
)
def test_u_05_the_led_ass_wins_and_a_led_ten_loses_only_to_its_own_ass(trick: str, wins: str) -> None:
    """U-06: without trump in the trick, a led Herz Ass always wins. U-V12, U-V13, U-V14."""
    assert winner(trick) == wins


def test_u_07_there_are_104_augen() -> None:
    assert sum(augen(card) for card in PACK) == 104
    assert [augen(card) for card in ("CA", "HT", "SQ", "DJ", "C9", "CK")] == [11, 10, 3, 2, 0, 0]


def test_u_12_who_holds_the_partner_must_play_it() -> None:
    hands = {"S2": "CT HT HQ SA"}
    assert may_play(position(hands, "CA")) == {"CT"}
    assert may_play(position(hands, "ST")) == {"SA"}


def test_u_13_herz_ass_has_no_partner() -> None:
    assert may_play(position({"S2": "CT HT HQ SA"}, "HA")) == {"CT", "HT", "HQ", "SA"}


def test_u_14_who_has_played_before_the_partner_card_is_free() -> None:
    """U-14: S1 led Herz Ass, S2 throws Kreuz Ass; S1's Kreuz Zehn is no revoke when it is played later."""
    table = called("SA")
    table.play("S1:HA S2:CA S3:ST S4:SA  S1:CT")
    assert table.findings == []


def test_u_15_trump_led_asks_for_a_higher_trump() -> None:
    assert may_play(position({"S2": "CJ HT DA CA"}, "SQ")) == {"HT"}
    assert may_play(position({"S2": "CQ HT DA CA"}, "SQ")) == {"CQ", "HT"}  # either of the two is allowed
    assert may_play(position({"S3": "CQ HQ DA CA"}, "DQ CJ")) == {"CQ", "HQ"}
    assert may_play(position({"S3": "SQ HQ DA CA"}, "DQ CQ")) == {"SQ", "HQ", "DA"}


def test_u_16_without_a_higher_one_any_trump() -> None:
    assert may_play(position({"S2": "CJ DJ DA CA"}, "SQ")) == {"CJ", "DJ", "DA"}


def test_u_17_without_trump_any_fehl() -> None:
    assert may_play(position({"S2": "CA CT HA ST"}, "SQ")) == {"CA", "CT", "HA", "ST"}


def test_u_18_on_fehl_without_the_partner_any_card() -> None:
    assert may_play(position({"S2": "HT CA DA HQ"}, "ST")) == {"HT", "CA", "DA", "HQ"}
    assert may_play(position({"S3": "HT DA CJ HQ"}, "ST CQ")) == {"HT", "DA", "CJ", "HQ"}  # no overtrumping


def test_ua_2_the_partner_duty_holds_for_any_card_of_a_fehl_trick() -> None:
    hands = {"S3": "CT HT HQ ST"}
    assert may_play(position(hands, "HA CA")) == {"CT"}
    assert may_play(position(hands, "SA CA")) == {"CT", "ST"}  # any of these is allowed
    assert may_play(position(hands, "HA CA", partner_duty="led_only")) == {"CT", "HT", "HQ", "ST"}
    assert may_play(position(hands, "SA CA", partner_duty="led_only")) == {"ST"}


def test_ua_2_trump_led_dominates_the_partner() -> None:
    assert may_play(position({"S3": "CT HT HQ ST"}, "CQ CA")) == {"HT"}
    assert may_play(position({"S3": "CT SA ST HA"}, "CQ CA")) == {"CT", "SA", "ST", "HA"}


def test_u_30_the_winner_leads() -> None:
    table = called()
    table.play("S1:CA S2:CT S3:DJ S4:DA")
    assert (table.view.last_winner, table.view.turn) == ("S3", "S3")
    assert table.view.augen == {"S1": 0, "S2": 0, "S3": 34, "S4": 0}


def test_g_i4_a_stranger_is_a_fehlkarte_of_its_suit() -> None:
    table = called()
    ids = table.play("S1:C9 S2:CT S3:DJ S4:DA")
    assert table.findings == [("foreign_card", "S1", ids[0], None)]
    assert table.view.last_winner == "S3"
    assert winner("C9 CK CT S9") == "CT"
    assert winner("S9 CA DK HA") == "S9"
