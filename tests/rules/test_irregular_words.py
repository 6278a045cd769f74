"""Irregular words and declarations (G-I9, G-I10, D-I1, D-I4, D-I7, D-I9, D-I10)."""

from __future__ import annotations

from tests.rules.evening import Evening, one_sided
from tests.rules.irregular_evening import begun


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
    wrong = t.play("S1:yellow-1")[0]  # whatever was trump, red 3 has won
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
    t.play("S2:yellow-9")  # exempt in the previous trick
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
    assert short.points == {"S1": 0, "S2": 0, "S3": 0}  # events.md#kinds: `end` scores nothing
    assert short.referee.result()["rounds"][0]["complete"] is False
    assert short.proofs == []
