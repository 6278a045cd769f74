"""Doppelkopf: the pack, the trumps, which card beats which, which must be followed."""

from __future__ import annotations

import pytest

from table.rules.cards import FRENCH_CARDS
from table.rules.doppelkopf.contracts import TRUMP, contract, pack
from table.rules.doppelkopf.terms import CARD_POINTS, D7, DA
from table.rules.tricks import Contract, Play
from tests.rules.doko import Doko

NUMBER = FRENCH_CARDS.number
NORMAL = ["HT", "CQ", "SQ", "HQ", "DQ", "CJ", "SJ", "HJ", "DJ", "DA", "DT", "DK", "D9"]


def trumps(table: Contract, nines: bool = True) -> list[str]:
    """The trumps of the pack, highest first."""
    names = [
        name
        for card, name in enumerate(FRENCH_CARDS.names)
        if table.class_of[card] == TRUMP and name in pack(48 if nines else 40)
    ]
    return sorted(names, key=lambda name: -table.strength[TRUMP][NUMBER[name]])


def plain(table: Contract, suit: str) -> str:
    """The ranks of a plain suit in the pack, highest first."""
    led = "CSHD".index(suit)
    names = [n for n in pack(48) if n[0] == suit and table.class_of[NUMBER[n]] == led]
    return "".join(n[1] for n in sorted(names, key=lambda name: -table.strength[led][NUMBER[name]]))


def wins(table: Contract, *cards: str) -> str:
    plays = [Play(n, n, card, NUMBER[card]) for n, card in enumerate(cards)]
    return f"{table.winner(plays)}"


def test_the_pack_counts_240_with_and_without_neunen() -> None:
    """K-01, K-50"""
    for cards in (48, 40):
        full = pack(cards)
        assert sum(full.values()) == cards
        assert sum(CARD_POINTS[NUMBER[card]] * count for card, count in full.items()) == 240
    assert [Doko(preset).round.hand_size for preset in ("bundeswehr", "dieblich", "club", "ddv")] == [
        12, 10, 10, 12,
    ]  # fmt: skip


def test_everybody_gets_the_same_number_of_cards() -> None:
    """K-03: twelve or ten."""
    assert {len(hand) for hand in Doko().hands.values()} == {12}
    assert {len(hand) for hand in Doko("club").hands.values()} == {10}


def test_the_normal_game_has_26_trumps_in_their_order() -> None:
    """K-04"""
    table = contract("normal")
    assert trumps(table) == NORMAL
    assert sum(pack(48)[card] for card in NORMAL) == 26
    assert sum(pack(40).get(card, 0) for card in trumps(table, nines=False)) == 24


def test_the_plain_suits_run_from_the_ass_down_and_herz_has_no_ten() -> None:
    """K-05"""
    assert [plain(contract("normal"), suit) for suit in "CSHD"] == ["ATK9", "ATK9", "AK9", ""]


def test_damen_buben_and_fleischlos_rank_the_rest_by_the_text() -> None:
    """K-09, K-10, K-11"""
    assert trumps(contract("damen")) == ["CQ", "SQ", "HQ", "DQ"]
    assert {plain(contract("damen"), suit) for suit in "CSHD"} == {"ATKJ9"}
    assert trumps(contract("buben")) == ["CJ", "SJ", "HJ", "DJ"]
    assert {plain(contract("buben"), suit) for suit in "CSHD"} == {"ATKQ9"}
    assert trumps(contract("as")) == []
    assert {plain(contract("as"), suit) for suit in "CSHD"} == {"ATKQJ9"}


def test_a_farbsolo_puts_its_suit_in_the_place_of_karo() -> None:
    """K-12: in Herz the 10 stays on top, so there are two trumps fewer."""
    assert trumps(contract("S")) == [*NORMAL[:9], "SA", "ST", "SK", "S9"]
    assert plain(contract("S"), "D") == "ATK9"
    assert trumps(contract("H")) == [*NORMAL[:9], "HA", "HK", "H9"]
    assert sum(pack(48)[card] for card in trumps(contract("H"))) == 24
    assert trumps(contract("trumpf")) == trumps(contract("D")) == NORMAL


def test_ranks_close_up_without_neunen() -> None:
    """KA-17: the same tables serve both packs."""
    assert trumps(contract("H"), nines=False) == [*NORMAL[:9], "HA", "HK"]
    assert wins(contract("as"), "CJ", "CQ", "SA", "CK") == "3"


def test_of_two_equal_cards_the_first_wins_unless_the_house_says_else() -> None:
    """K-07, KA-7: Herz 10 and Karo Ass in bundeswehr and dieblich, nowhere else; trick 12 is no exception."""
    assert wins(contract("normal"), "CQ", "HT", "HT", "DA") == "1"
    later = contract("normal", None, ("HT", "DA"))
    assert wins(later, "CQ", "HT", "HT", "DA") == "2"
    assert wins(later, "D9", "DA", "DA", "DK") == "2"
    assert wins(later, "CQ", "CQ", "DA", "DK") == "0"
    assert wins(contract("C", None, ("HT", "DA")), "DA", "DK", "DA", "D9") == "0"  # DA is no trump there
    told = {preset: Doko(preset).view.options["second_beats_first"] for preset in ("ddv", "club")}
    assert told == {"ddv": (), "club": ()}
    assert Doko("dieblich").round.tables.later_wins == Doko("bundeswehr").round.tables.later_wins != 0
    assert Doko(second_beats_first=["H10"]).view.options["second_beats_first"] == ("HT",)


def test_trump_is_one_class_and_who_lacks_it_is_free() -> None:
    """K-06: whoever lacks the led class need not trump."""
    table = Doko()
    table.gesund()
    for seat, card in (("S1", "CA"), ("S2", "SA"), ("S3", "DA"), ("S4", "C9")):
        table.card(seat, card)
    assert table.proofs == []
    assert table.view.last_winner == "S3"


def test_a_revoke_goes_by_the_classes_of_the_contract() -> None:
    """K-I6, K-V1: in a Herz solo, Herz 9 is a trump and Karo Ass is not."""
    table = Doko()
    table.gesund(S1="solo:H")
    table.card("S1", "CQ")
    about = table.card("S2", "DA")
    for seat, card in (("S3", "H9"), ("S4", "HK")):
        table.card(seat, card)
    table.card("S1", "DK")
    table.card("S2", "SA")  # S2 has no Karo either, so nothing is proven about trumps
    for seat, card in (("S3", "D9"), ("S4", "DT")):
        table.card(seat, card)
    assert table.proofs == []
    table.card("S4", "CJ")
    table.card("S1", "HA")
    proof = table.card("S2", "H9")
    assert table.proofs == [("revoke", "S2", proof, about)]


@pytest.mark.parametrize(("preset", "card"), [("club", "D9"), ("ddv", "D7"), ("bundeswehr", "S8")])
def test_a_card_that_this_pack_does_not_have_is_a_stranger(preset: str, card: str) -> None:
    """K-I7"""
    table = Doko(preset)
    table.gesund()
    event = table.card("S1", card)
    assert table.proofs == [("foreign_card", "S1", event, None)]


def test_a_third_copy_is_found_and_the_spitze_exists_once() -> None:
    """K-I7, K-66: the Karo 7 takes the place of one Herz 9."""
    table = Doko("bundeswehr")
    assert (table.view.pack["D7"], table.view.pack["H9"], table.view.pack["CA"]) == (1, 1, 2)
    table.gesund()
    table.card("S1", "CA")
    table.card("S2", "CA")
    event = table.card("S3", "CA")
    assert table.proofs == [("duplicate_card", "S3", event, None)]


def test_the_spitze_is_the_highest_trump_of_the_normal_game_and_counts_nothing() -> None:
    """K-66, KA-8: in soli it is the lowest Herz, like the Herz 9 it replaces, unless the house differs."""
    assert CARD_POINTS[D7] == 0
    table = Doko("bundeswehr")
    assert wins(table.round.tables, "CQ", "HT", "D7", "HT") == "2"
    table.gesund(S2="solo:trumpf")
    assert wins(table.round.tables, "H9", "D7", "HK", "H9") == "2"
    assert wins(table.round.tables, "D7", "H9", "CA", "SA") == "1"
    assert wins(table.round.tables, "D7", "CA", "D9", "SA") == "2"  # led as a plain Herz and trumped
    table = Doko("bundeswehr")
    table.gesund(S2="solo:H")
    assert wins(table.round.tables, "SA", "D7", "SA", "CA") == "1"
    assert wins(table.round.tables, "D7", "H9", "SA", "CA") == "1"
    for kind, count in (("H", 24), ("trumpf", 26), ("C", 26), ("damen", 8)):  # K-12: same as without a Spitze
        classes = contract(kind, None, (), True).class_of
        assert sum(n for card, n in pack(48, True).items() if classes[NUMBER[card]] == TRUMP) == count
    table = Doko("bundeswehr", spitze_in_solo="on")
    table.gesund(S2="solo:trumpf")
    assert wins(table.round.tables, "HT", "D7", "HT", "CQ") == "1"
    clubs = Doko("bundeswehr", spitze_in_solo="on")
    clubs.gesund(S2="solo:C")
    assert wins(clubs.round.tables, "HT", "D7", "CQ", "CQ") == "0"


def test_schweinchen_go_above_the_herz_ten_once_they_are_told() -> None:
    """K-66, KA-9"""
    table = Doko("dieblich")
    table.gesund()
    assert wins(table.round.tables, "DA", "HT", "CQ", "CQ") == "1"
    table.say("S1 schweinchen")
    assert table.round.top() == DA
    assert wins(table.round.tables, "DA", "HT", "CQ", "CQ") == "0"
    assert table.proofs == []
