"""What the table notices, and what it holds against nobody (G-I1 to G-I10, D-I1 to D-I10)."""

from __future__ import annotations

import pytest

from tests.rules.evening import Evening, one_sided
from tests.rules.irregular_evening import begun


def test_g_i1_a_card_out_of_turn_is_found_and_counts_as_it_fell() -> None:
    t = begun()
    t.play("blue-5")
    early = t.play("S1:blue-8")[0]
    t.play("S3:blue-1")
    assert t.proofs == [("out_of_turn", "S1", early, None)]
    assert t.view.last_winner == "S1"


def test_g_i1_after_a_correction_the_seat_is_right() -> None:
    t = begun()
    t.play("blue-5")
    early = t.play("S1:blue-8")[0]
    t.correct(early, "S3", "blue-8")
    assert t.proofs == []
    assert t.view.turn == "S1"


def test_g_i1_a_wrong_lead_in_the_first_trick_is_out_of_turn() -> None:
    t = begun()
    early = t.play("S3:blue-5")[0]
    assert t.proofs == [("out_of_turn", "S3", early, None)]


def test_g_i2_the_second_card_of_a_seat_is_left_out_of_the_trick() -> None:
    t = begun()
    t.play("blue-5 blue-6")
    second = t.play("S3:blue-9")[0]
    t.play("S1:blue-7")
    assert t.proofs == [("two_cards", "S3", second, None)]
    assert t.view.last_winner == "S1"


def test_g_i2_the_second_card_may_be_taken_back_and_played_later() -> None:
    t = begun()
    t.play("blue-5 blue-6 S3:green-9 S1:blue-7")
    t.play("green-1 green-2 green-9")
    assert [name for name, *_ in t.proofs] == ["two_cards"]
    assert t.view.last_winner == "S3"


def test_g_i2_one_card_each_is_fine() -> None:
    t = begun()
    t.play("blue-5 blue-6 blue-7 S1:blue-8")
    assert t.proofs == []


def test_g_i3_a_card_seen_before_stays_in_the_trick_and_proves_nothing_else() -> None:
    t = begun()
    t.play("blue-9 blue-6 green-3")  # S1 thereby claims to be out of blue
    again = t.play("S2:green-1 S3:green-2 S1:blue-6")[2]
    assert t.proofs == [("duplicate_card", "S1", again, None)]
    assert [p.card for p in t.view.last_trick] == ["green-1", "green-2", "blue-6"]


def test_g_i3_in_another_round_the_card_is_new() -> None:
    t = begun()
    t.play("blue-5")
    t.round("S3")
    t.trump("red")
    t.play("blue-5")
    assert t.proofs == []


def test_g_i4_d_v6_a_13_is_foreign_with_four_and_ranks_by_its_number() -> None:
    t = Evening(4)
    t.trump("red")
    strange = t.play("blue-5 blue-13 blue-12 blue-1")[1]
    assert t.proofs == [("foreign_card", "S3", strange, None)]
    assert t.view.last_winner == "S3"


def test_g_i4_d_v6_with_five_a_13_is_at_home() -> None:
    t = Evening(5)
    t.trump("red")
    t.play("blue-5 blue-13")
    assert t.proofs == []


def test_d_i6_a_value_beyond_the_pack_or_an_unknown_colour_is_foreign() -> None:
    t = begun()
    numbers = t.play("blue-5 blue-10 purple-3")
    assert t.proofs == [("foreign_card", "S3", numbers[1], None), ("foreign_card", "S1", numbers[2], None)]
    assert t.view.last_winner == "S3"


def test_d_i6_a_led_card_of_no_known_colour_wins_alone_and_calls_nobody() -> None:
    t = begun()
    t.play("joker blue-9 red-1")
    assert t.view.last_winner == "S2"
    assert t.character("weschwieschmaennchen") == (None, None, None)
    assert [name for name, *_ in t.proofs] == ["foreign_card"]


def test_g_i5_a_revoke_names_the_offending_and_the_proving_card() -> None:
    t = begun()
    about = t.play("blue-5 green-1 blue-1")[1]
    proof = t.play("S2:yellow-1 S3:blue-3")[1]
    assert t.proofs == [("revoke", "S3", proof, about)]


def test_g_i5_not_following_and_never_showing_the_colour_is_fine() -> None:
    t = begun()
    t.play("blue-5 green-1 blue-1 yellow-1 yellow-2 yellow-3")
    assert t.proofs == []


def test_g_i6_a_seat_without_a_last_card_is_short_of_one() -> None:
    t = begun()
    hands = one_sided()
    hands["S3"], kept = hands["S3"][:-1], hands["S3"][-1]
    first = {seat: cards[0] for seat, cards in hands.items()}
    t.play(f"S2:{first['S2']} S3:{first['S3']} S3:{kept} S1:{first['S1']}")
    for trick in range(1, 14):
        t.play(" ".join(f"{seat}:{hands[seat][trick]}" for seat in ("S2", "S3", "S1")))
    last = t.play(f"S2:{hands['S2'][14]} S1:{hands['S1'][14]}")[-1]
    assert t.view.phase == "settled"
    assert "missing_card" not in [name for name, *_ in t.proofs]  # S3 may still have the card it laid aside
    t.round("S1")
    found = [proof for proof in t.proofs if proof[0] != "revoke"]  # S1 did nothing wrong by playing past S3
    assert [(name, seat) for name, seat, _, _ in found] == [("two_cards", "S3"), ("missing_card", "S3")]
    assert found[1][2] == last


def test_g_i6_the_card_laid_aside_may_still_come_in_the_last_trick() -> None:
    t = begun()
    hands = one_sided()
    kept = hands["S3"][-1]
    t.play(f"S2:{hands['S2'][0]} S3:{hands['S3'][0]} S3:{kept} S1:{hands['S1'][0]}")
    for trick in range(1, 14):
        t.play(" ".join(f"{seat}:{hands[seat][trick]}" for seat in ("S2", "S3", "S1")))
    t.play(f"S2:{hands['S2'][14]} S1:{hands['S1'][14]} S3:{kept}")
    assert t.view.phase == "settled"
    assert "missing_card" not in [name for name, *_ in t.proofs]
    assert len(t.view.last_trick) == 3


def test_g_i6_before_the_last_trick_the_table_waits_for_who_laid_cards_aside() -> None:
    """Before the last trick but one S3 has shown all its cards, two of them too early."""
    t = begun()
    hands = one_sided()
    mine = hands["S3"]
    t.play(f"S2:{hands['S2'][0]} S3:{mine[0]} S3:{mine[-1]} S3:{mine[-2]} S1:{hands['S1'][0]}")
    for trick in range(1, 13):
        t.play(" ".join(f"{seat}:{hands[seat][trick]}" for seat in ("S2", "S3", "S1")))
    t.play(f"S2:{hands['S2'][13]} S1:{hands['S1'][13]}")
    assert t.view.trick_number == 14
    t.play(f"S3:{mine[-2]} S2:{hands['S2'][14]} S3:{mine[-1]} S1:{hands['S1'][14]}")
    assert t.view.phase == "settled"
    found = [name for name, *_ in t.proofs if name != "revoke"]
    assert found == ["two_cards", "two_cards"]  # nobody could know that S3 would still play


def test_g_i6_a_complete_round_misses_nothing() -> None:
    t = begun()
    t.play_out(one_sided())
    assert t.proofs == []


def test_g_i7_who_did_not_win_must_not_lead() -> None:
    t = begun()
    t.play("blue-5 blue-9 blue-1")
    wrong = t.play("S1:green-5")[0]
    assert t.proofs == [("wrong_lead", "S1", wrong, None)]


@pytest.mark.parametrize("order", ["S1 S2 S3", "S1 S3 S2"])
def test_g_i7_after_a_wrong_lead_nobody_else_is_out_of_turn(order: str) -> None:
    """S3 had won: those who follow the wrong lead, and the winner who should have led, are both right."""
    t = begun()
    t.play("blue-5 blue-9 blue-1")
    t.play(" ".join(f"{seat}:green-{n}" for n, seat in enumerate(order.split(), 1)))
    assert [(name, seat) for name, seat, *_ in t.proofs] == [("wrong_lead", "S1")]


def test_g_i7_the_winner_leads_and_all_is_well() -> None:
    t = begun()
    t.play("blue-5 blue-9 blue-1 S3:green-5")
    assert t.proofs == []


def test_g_i8_a_trick_taken_too_early_is_only_remarked() -> None:
    t = begun()
    t.play("blue-5 blue-9")
    t.collect("S3")
    assert t.proofs == []
    assert t.view.remarks == ((1, "taken_early", "S3"),)
    t.play("S1:blue-1")
    t.collect("S3")
    assert len(t.view.remarks) == 1


def test_g_i8_cards_gathered_after_a_round_was_broken_off_are_not_remarked() -> None:
    t = begun()
    t.play("blue-5 blue-9")
    t.event("end")
    t.collect("S3")
    assert t.view.remarks == ()
