"""Klapper-Jas: whose Terz, Halber and Belle count, and why."""

from __future__ import annotations

import json
from typing import Any

import pytest

from table.rules.klapperjas.melds import Meld, MeldContest, best, counted, disjoint, held
from tests.rules.klapperjas_table import Klapper
from tests.shared import shared

SUITS = {"K": "C", "P": "S", "H": "H", "R": "D"}
RANKS = {"10": "T", "B": "J", "D": "Q"}


def terz(seat: int, top: str) -> Meld:
    return Meld(seat, 3, top, seat)


def halber(seat: int, top: str) -> Meld:
    return Meld(seat, 4, top, seat)


def beats(melds: list[Meld], trump: str = "H") -> Meld | None:
    return best(melds, trump, lambda meld: meld.seat)


def counting(melds: list[Meld], tricks: set[int] | None = None, **options: Any) -> int:
    """Three players, each alone; S1 announces first."""
    have = {0, 1, 2} if tricks is None else tricks
    contest = MeldContest("H", lambda m: m.seat, lambda seat: [seat], **options)
    chosen = counted(melds, contest, have.__contains__)
    return sum(meld.value for meld in chosen)


def test_j_03_sequences_run_from_seven_to_ace() -> None:
    assert terz(0, "HJ").cards == ("H9", "HT", "HJ")
    assert halber(0, "CA").cards == ("CJ", "CQ", "CK", "CA")
    assert terz(0, "C9").cards == ("C7", "C8", "C9")
    assert terz(0, "C8").cards == ()
    tops = "789TJQKA"
    assert sum(bool(terz(0, "C" + top).cards) for top in tops) == 6
    assert sum(bool(halber(0, "C" + top).cards) for top in tops) == 5


def test_j_04_a_terz_counts_twenty_and_j_05_a_halber_fifty() -> None:
    assert (terz(0, "CK").value, halber(0, "CK").value) == (20, 50)
    assert (terz(0, "CK").said, halber(0, "CK").said) == ("terz:CK", "halber:CK")


def test_j_06_several_melds_of_one_player_add_up() -> None:
    assert counting([terz(0, "CK"), terz(0, "SK"), terz(0, "DK")]) == 60
    assert counting([halber(0, "CK"), halber(0, "SK")]) == 100


def test_j_09_a_halber_beats_every_terz() -> None:
    assert beats([halber(1, "CT"), terz(0, "HA")]) == halber(1, "CT")


def test_j_10_of_two_of_a_kind_the_higher_top_card_wins() -> None:
    assert beats([terz(0, "CQ"), terz(1, "SK")]) == terz(1, "SK")


def test_j_11_if_equal_trump_wins_and_j_12_else_the_first_to_announce() -> None:
    assert beats([terz(0, "CQ"), terz(1, "HQ")]) == terz(1, "HQ")
    assert beats([terz(2, "CQ"), terz(1, "SQ")]) == terz(1, "SQ")


def test_j_13_the_winner_counts_all_he_has_the_others_nothing() -> None:
    assert counting([terz(0, "CK"), terz(1, "SA"), terz(1, "D9")]) == 40


def test_j_15_with_three_one_opponent_may_outdo_the_other() -> None:
    """S1 plays alone; S2 outdoes S3, although both are against S1."""
    table = Klapper(3, "HA")
    table.say("orgi", "S2:halber:CK", "S3:terz:DA")
    assert [meld.seat for meld in table.game.to_show()] == [1]


def test_ja_3_long_sequences_are_cut_into_the_best() -> None:
    runs = {3: "terz", 4: "halber", 5: "halber", 6: "halber", 7: "halber terz", 8: "halber halber"}
    for length, melds in runs.items():
        hand = ["C" + rank for rank in "AKQJT987"[:length]]
        assert [{3: "terz", 4: "halber"}[size] for size, _ in held(hand)] == melds.split()
    assert held(["C7", "C8", "C9", "CT", "CJ", "D7"]) == ((4, "CJ"),)
    assert held(["C7", "C8", "CT", "CJ", "CK"]) == ()


def test_ja_3_announced_melds_do_not_share_cards() -> None:
    assert disjoint([terz(0, "C9"), terz(0, "CJ")]) == (terz(0, "C9"),)
    assert disjoint([terz(0, "CJ"), halber(0, "CJ")]) == (halber(0, "CJ"),)
    assert disjoint([halber(0, "CT"), terz(0, "CK")]) == (halber(0, "CT"), terz(0, "CK"))
    assert disjoint([]) == ()


def test_ja_13_and_ja_17_whoever_melds_best_and_has_no_trick_counts_nothing_nor_does_anybody() -> None:
    melds = [terz(0, "CK"), terz(1, "SQ")]
    assert counting(melds, {1}) == 0
    assert counting(melds, {1}, next_best=True) == 20
    assert counting(melds, set(), next_best=True) == 0


def cards(card: list[Any]) -> tuple[int, str]:
    length, top, suit = card
    return length, SUITS[suit] + RANKS.get(top, top)


def examples() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shared("vectors/klapperjas_melds.json").read_text("utf-8"))
    return found


def test_ja_1_and_ja_15_the_table_of_examples_comes_out_as_printed() -> None:
    """J-09 to J-13, and example 06, which is 70; any consistent suits serve."""
    for name, example in examples().items():
        order = example["announce_order"]
        melds = [
            Meld(order.index(who), *cards(card), event=0)
            for who, announced in example["announced"].items()
            for card in announced
        ]
        contest = MeldContest(example["trump"], lambda m: m.seat, lambda seat: [seat])
        chosen = counted(melds, contest, lambda seat: bool(seat + 1))
        winner = order[chosen[0].seat] if chosen else None
        assert (name, winner, sum(m.value for m in chosen)) == (name, example["winner"], example["points"])


def test_the_same_examples_through_the_referee() -> None:
    """J-17: once everybody has played a card, the table knows whose melds must be shown."""
    for example in examples().values():
        table = Klapper(3, "H7")
        seat = dict(zip(example["announce_order"], table.seats, strict=True))
        table.say("orgi")
        for who, announced in example["announced"].items():
            for card in announced:
                length, top = cards(card)
                table.say(f"{seat[who]}:{'terz' if length == 3 else 'halber'}:{top}")
        shown = table.game.to_show()
        assert {table.seats[meld.seat] for meld in shown} == (
            {seat[example["winner"]]} if example["winner"] else set()
        )
        assert sum(meld.value for meld in shown) == example["points"]


# Whole rounds ---------------------------------------------------------------------------------------------

FOUR = {
    "S1": "HJ H9 HA HT D7 D8 D9 S7",
    "S2": "CT CJ CQ CK S8 S9 DT DJ",
    "S3": "SJ SQ SK SA HK HQ DQ C7",
    "S4": "H7 H8 C8 C9 CA ST DK DA",
}


def four(*said: str, **options: Any) -> Klapper:
    table = Klapper(4, "H7", **options)
    table.say("orgi", *said)
    table.play_out(FOUR)
    return table


def test_j_14_partners_add_their_melds_and_do_not_outdo_each_other() -> None:
    table = four("S1:terz:D9", "S2:terz:CQ", "S3:halber:SA")
    assert [meld["counts"] for meld in table.last["melds"]] == [20, 0, 50]
    assert table.proofs == []


def test_j_08_what_is_not_announced_does_not_count() -> None:
    silent, told = four().last["settlement"], four("S1:terz:D9").last["settlement"]
    assert told["declarer"] == silent["declarer"] + 20


def test_j_16_a_meld_needs_a_trick_and_announced_counts_as_shown() -> None:
    """JA-4: with four the partner's trick is enough, unless the house asks for an own one. S3 wins none."""
    table = four("S3:halber:SA")
    assert {trick["winner"] for trick in table.last["tricks"]}.isdisjoint({"S3"})
    assert table.last["melds"][0]["counts"] == 50
    assert four("S3:halber:SA", meld_needs_trick="player").last["melds"][0]["counts"] == 0
    both = four("S1:terz:D9", "S3:halber:SA", meld_needs_trick="player", no_trick_meld="next_best")
    assert [meld["counts"] for meld in both.last["melds"]] == [20, 0]


def test_j_17_the_best_melds_are_to_be_shown_between_the_first_trick_and_the_second() -> None:
    """J-I3: the table asks until they lie open; announced ones count all the same."""
    table = Klapper(4, "H7")
    table.say("orgi", "S1:terz:D9", "S3:halber:SA", "S4:terz:CA")
    table.play("HJ S8 HQ H7")
    assert table.prompts() == [("show-meld", "S1"), ("show-meld", "S3")]
    table.event("shown", seat="S3", cards=["SJ", "SQ", "SK", "SA"])
    assert table.prompts() == [("show-meld", "S1")]
    table.event("shown", seat="S1", cards=["D7", "D8"])
    assert table.view.remarks == ((2, "meld_not_all_shown", "S1"),)
    table.play("H9")
    assert table.prompts() == []


def test_j_18_belle_counts_for_whoever_holds_both_and_nobody_outdoes_it() -> None:
    """JA-5: even without a trick."""
    silent = four("S2:halber:CK").last["settlement"]["augen"]
    table = Klapper(4, "H7")
    table.say("orgi", "S2:halber:CK")
    table.play("HJ S8")
    table.say("S3:belle")
    left = {seat: cards.replace("HJ ", "").replace("S8 ", "") for seat, cards in FOUR.items()}
    table.play_out(left)
    assert table.last["belle"] == [{"seat": "S3", "counts": 20}]
    assert table.last["settlement"]["augen"]["S3"] == silent["S3"] + 20
    assert table.proofs == []


def test_j_18_belle_may_come_a_little_after_its_card() -> None:
    table = Klapper(4, "H7")
    table.say("orgi")
    table.play("HJ S8 HQ")
    table.say("S3:belle")
    table.play("H7 H9 S9 HK")
    assert table.proofs == []
    assert [belle.seat for belle in table.game.true_belles()] == [2]


@pytest.mark.parametrize(("first", "winner"), [("seat_order", 1), ("time", 2)])
def test_ja_14_first_is_who_sits_first_or_who_spoke_first(first: str, winner: int) -> None:
    table = Klapper(3, "H7", first_announcer=first)
    table.say("orgi", "S3:terz:CQ", "S2:terz:SQ")
    assert [meld.seat for meld in table.game.to_show()] == [winner]


def test_a_sequence_with_the_seven_is_gone_when_the_seven_is_swapped() -> None:
    """J-33: it can no longer be shown; its other cards must still be in the hand."""
    table = Klapper(3, "HA")
    table.say("orgi", "S1:terz:H9", "S1:tausch")
    assert table.game.melds == []
    table.play("HA H8")
    assert [(name, seat) for name, seat, *_ in table.proofs] == [("false_meld", "S1")]
