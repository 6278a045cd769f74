"""Klapper-Jas: the cards, the duties in a trick, the score dice."""

from __future__ import annotations

import pytest

from table.rules.evidence import broken, owed
from table.rules.klapperjas.terms import CARDS, PACK, Score, augen, contract, score_dice
from table.rules.tricks import Play
from tests.rules.klapperjas_table import Klapper


def trick(cards: str) -> list[Play]:
    return [Play(n, n, card, CARDS.number[card]) for n, card in enumerate(cards.split())]


def may(hand: str, lies: str, trump: str | None = "H", undertrump: bool = True) -> str:
    duties = contract(trump, undertrump).duties(trick(lies))
    return " ".join(CARDS.listed(owed(duties, CARDS.mask(hand.split()))))


def winner(cards: str, trump: str | None = "H") -> str:
    plays = trick(cards)
    return plays[contract(trump).winner(plays)].name


def ordered(suit: str, trump: str | None) -> str:
    strength = contract(trump).strength["CSHD".index(suit)]
    cards = sorted((c for c in PACK if c[0] == suit), key=lambda c: -strength[CARDS.number[c]])
    return "".join(card[1] for card in cards)


def test_j_01_plain_suits_are_ass_ten_king_queen_jack_and_count_so() -> None:
    assert len(PACK) == 32
    assert ordered("C", "H") == "ATKQJ987"
    assert [augen("C" + rank, "H") for rank in "ATKQJ987"] == [11, 10, 4, 3, 2, 0, 0, 0]


def test_j_02_in_trump_jas_and_mie_come_before_the_ass() -> None:
    assert ordered("H", "H") == "J9ATKQ87"
    assert [augen("H" + rank, "H") for rank in "J9ATKQ87"] == [20, 14, 11, 10, 4, 3, 0, 0]


@pytest.mark.parametrize("trump", "CSHD")
def test_all_cards_and_the_last_trick_are_162(trump: str) -> None:
    """J-39, J-V1: 118 in other cards, and 44 for Jas, Mie and the last trick."""
    assert sum(augen(card, trump) for card in PACK) + 10 == 162
    assert sum(augen(card, trump) for card in PACK if card[1] not in "J9" or card[0] != trump) == 118


def test_trump_wins_else_the_highest_of_the_led_suit() -> None:
    assert winner("C7 CA SA DA") == "CA"
    assert winner("CA H7 SA C8") == "H7"
    assert winner("CA HA H9 HJ") == "HJ"
    assert winner("CA H7 SA C8", None) == "CA"


def test_j_23_follow_if_you_can_else_trump_else_anything() -> None:
    assert may("C7 CA HJ D8", "C9") == "C7 CA"
    assert may("H7 HJ D8", "C9") == "H7 HJ"
    assert may("S7 D8", "C9") == "S7 D8"
    assert may("S7 HJ", "C9", None) == "S7 HJ"


def test_j_24_on_trump_led_go_higher_if_you_can() -> None:
    assert may("H7 HA H9 C8", "HT") == "H9 HA"
    assert may("H7 HQ C8", "HT") == "H7 HQ"
    assert may("H7 HA H9 C8", "HT H8 HJ") == "H7 H9 HA"


def test_j_25_who_trumps_after_a_trump_goes_higher_if_he_can() -> None:
    assert may("H7 HA S8", "C9 HT") == "HA"
    assert may("C7 HA", "C9 HT") == "C7"


def test_j_26_who_cannot_go_higher_trumps_all_the_same() -> None:
    assert may("H7 H8 S8", "C9 HT") == "H7 H8"


def test_ja_7_undertrumping_may_be_left_free() -> None:
    assert may("H7 H8 S8", "C9 HT", undertrump=False) == "S8 H7 H8"
    assert may("H7 HA S8", "C9 HT", undertrump=False) == "HA"
    assert may("H7 S8", "C9", undertrump=False) == "H7"
    assert may("H7 H8 S8", "HT", undertrump=False) == "H7 H8"
    table = Klapper(4, "HT", undertrump="free")
    table.say("orgi")
    assert not table.game.contract().undertrump


def test_a_card_that_passes_over_several_duties_claims_all_of_them() -> None:
    duties = contract("H").duties(trick("C9 HT"))
    assert [duty.finding for duty in duties] == ["revoke", "overtrump_duty", "trump_duty"]
    assert len(broken(duties, CARDS.number["S8"])) == 3
    assert [d.finding for d in broken(duties, CARDS.number["H7"])] == ["revoke", "overtrump_duty"]
    assert broken(duties, CARDS.number["C7"]) == ()


def test_a_card_of_another_pack_ranks_by_its_number() -> None:
    assert winner("C6 C7 S8") == "C7"
    assert winner("C7 C6 S8") == "C7"
    assert winner("C6 S7 D8") == "C6"
    assert winner("C7 H2") == "H2"


@pytest.mark.parametrize("exception", [False, True])
def test_ja_8_a_partner_who_is_winning_frees_nobody_unless_the_house_says_so(exception: bool) -> None:
    table = Klapper(4, "HT", partner_exception=exception)
    table.say("orgi")
    *_, thrown, _, _, _, proof = table.play("CA C7 S8 C8 CK C9 H7")
    assert table.proofs == ([] if exception else [("trump_duty", "S3", proof, thrown)])


@pytest.mark.parametrize(
    ("points", "lies"),
    [
        (0, (True, (6,))),
        (1, (True, (1,))),
        (3, (True, (3,))),
        (5, (True, (5,))),
        (6, (False, (6,))),
        (7, (False, (5,))),
        (11, (False, (1,))),
        (12, (False, (6,))),
        (15, (False, (6,))),
    ],
)
def test_j_48_one_die_goes_up_on_the_mat_and_down_beside_it(points: int, lies: Score) -> None:
    """JA-12: 0 and 6 both show a six, and only the mat tells them apart; J-V9."""
    assert score_dice(points) == lies


def test_j_47_two_dice_count_straight_on() -> None:
    assert [score_dice(n, "two").faces for n in (0, 4, 6, 7, 12, 14)] == [
        (6, 6),
        (4,),
        (6,),
        (6, 1),
        (6, 6),
        (6, 6),
    ]
    assert [score_dice(n, "two").on_mat for n in (0, 1, 12)] == [True, False, False]


def test_the_view_says_how_the_dice_should_lie() -> None:
    """J-47: one die for each player; with four, one for each party."""
    assert Klapper(3).view.score_dice == dict.fromkeys(("S1", "S2", "S3"), (True, (6,)))
    assert Klapper(4).view.score_dice == dict.fromkeys(("S1", "S2"), (True, (6,)))
    assert Klapper(2, dice="two").view.score_dice["S1"] == (True, (6, 6))
