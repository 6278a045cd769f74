"""What the table notices, and what it does not hold against anybody (G-I1 to G-I10, D-I1 to D-I10)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.evening import Evening, one_sided


def begun(**options: Any) -> Evening:
    t = Evening(**options)
    t.trump("red")
    return t


# G-I1 out of turn


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


# G-I2 two cards


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


# G-I3 duplicate


def test_g_i3_a_card_seen_before_stays_in_the_trick_and_proves_nothing_else() -> None:
    t = begun()
    t.play("blue-9 blue-6 green-3")  # S1 claims to be out of blue
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


# G-I4 foreign


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


# G-I5 revoke


def test_g_i5_a_revoke_names_the_offending_and_the_proving_card() -> None:
    t = begun()
    about = t.play("blue-5 green-1 blue-1")[1]
    proof = t.play("S2:yellow-1 S3:blue-3")[1]
    assert t.proofs == [("revoke", "S3", proof, about)]


def test_g_i5_not_following_and_never_showing_the_colour_is_fine() -> None:
    t = begun()
    t.play("blue-5 green-1 blue-1 yellow-1 yellow-2 yellow-3")
    assert t.proofs == []


# G-I6 card count


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
    assert "missing_card" not in [name for name, *_ in t.proofs]  # he may still have the one he laid aside
    t.round("S1")
    found = [proof for proof in t.proofs if proof[0] != "revoke"]  # S1, who played past S3, did nothing wrong
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
    """S3 has shown all his cards before the last but one trick, two of them in the wrong moment."""
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


# G-I7 wrong lead


def test_g_i7_who_did_not_win_must_not_lead() -> None:
    t = begun()
    t.play("blue-5 blue-9 blue-1")
    wrong = t.play("S1:green-5")[0]
    assert t.proofs == [("wrong_lead", "S1", wrong, None)]


@pytest.mark.parametrize("order", ["S1 S2 S3", "S1 S3 S2"])
def test_g_i7_after_a_wrong_lead_nobody_else_is_out_of_turn(order: str) -> None:
    """S3 had won: those who follow the wrong leader, and the winner who should have led, are both right."""
    t = begun()
    t.play("blue-5 blue-9 blue-1")
    t.play(" ".join(f"{seat}:green-{n}" for n, seat in enumerate(order.split(), 1)))
    assert [(name, seat) for name, seat, *_ in t.proofs] == [("wrong_lead", "S1")]


def test_g_i7_the_winner_leads_and_all_is_well() -> None:
    t = begun()
    t.play("blue-5 blue-9 blue-1 S3:green-5")
    assert t.proofs == []


# G-I8 to G-I10


def test_g_i8_a_trick_taken_too_early_is_only_remarked() -> None:
    t = begun()
    t.play("blue-5 blue-9")
    t.collect("S3")
    assert t.proofs == []
    assert t.view.remarks == ((1, "taken_early", "S3"),)
    t.play("S1:blue-1")
    t.collect("S3")
    assert len(t.view.remarks) == 1


def test_g_i9_d_i1_the_first_card_before_any_trump() -> None:
    t = Evening()
    first = t.play("S2:blue-5")[0]
    assert t.proofs == [("missing_declaration", "S1", first, None)]
    t.play("S3:blue-6")
    assert len(t.proofs) == 1


def test_g_i9_g_i7_without_a_trump_whoever_may_have_won_may_lead() -> None:
    t = Evening()
    t.play("S2:blue-5 S3:green-1 S1:blue-9")
    t.play("S3:red-1 S1:red-2 S2:red-3")  # green may have been trump
    wrong = t.play("S1:yellow-1")[0]  # whatever was trump, the red 3 has won
    assert t.proofs[1:] == [("wrong_lead", "S1", wrong, None)]


def test_d_i1_with_a_die_on_aagewwer_nothing_is_missing() -> None:
    t = begun()
    t.play("blue-5")
    assert t.proofs == []


def test_g_i9_a_spoken_trump_is_a_declaration_too() -> None:
    t = Evening()
    t.event("say", seat="S1", what="trump:green")
    t.play("S2:blue-5 S3:green-1 S1:blue-9")
    assert t.view.last_winner == "S3"
    assert t.proofs == []


def test_g_i10_a_trump_named_after_the_first_card_is_void_and_found() -> None:
    t = begun()
    t.play("blue-5")
    late = t.event("say", seat="S1", what="trump:green")
    assert t.proofs == [("late_declaration", "S1", late, None)]
    assert t.view.trump == "red"


def test_g_i10_in_time_it_is_a_change_of_mind() -> None:
    t = begun()
    t.event("say", seat="S1", what="trump:green")
    assert t.view.trump == "green"
    assert t.proofs == []


def test_d_i4_the_view_says_before_whom_every_character_belongs() -> None:
    t = begun()
    t.play("blue-9 blue-1 blue-2")
    assert t.character("weschwieschmaennchen")[2] == "S2"
    assert t.character("aagewwer")[2] == "S1"


def test_d_i7_a_revoke_counts_only_without_jo_lossens_exemption() -> None:
    t = begun()
    t.play("blue-9 blue-1 blue-2 green-9 green-1 green-2 brown-9 brown-1 brown-2")  # Jo Lossen at S2
    t.play("blue-3 blue-8 blue-4")
    t.play("S3:yellow-1")
    about = t.play("S1:green-3")[0]
    t.play("S2:green-4 S3:yellow-2")
    proof = t.play("S1:yellow-5")[0]
    t.play("S2:yellow-9")  # exempt in the trick before
    assert t.proofs == [("revoke", "S1", proof, about)]


def test_d_i9_where_the_disc_should_lie_is_shown_not_judged() -> None:
    t = begun()
    t.play("red-5 red-8 red-3")
    assert t.view.discs["S1"] == (0, 1)
    assert t.proofs == []


def test_d_i10_cards_after_the_last_trick_and_a_round_broken_off_are_remarked_only() -> None:
    t = begun()
    t.play_out(one_sided())
    points = t.points
    t.play("S1:blue-4")
    assert t.proofs == []
    assert t.view.remarks[-1] == (15, "card_after_end", "blue-4")
    assert t.points == points
    short = begun()
    short.play("red-5 red-8 red-3")
    short.event("end")
    assert short.view.phase == "settled"
    assert short.points == {"S1": 0, "S2": 0, "S3": 0}  # events.md#kinds: `end` books nothing
    assert short.referee.result()["rounds"][0]["complete"] is False
    assert short.proofs == []
