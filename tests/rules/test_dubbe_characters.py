"""Dubbe: characters, dice, scores, settlement (D-20 to D-37, D-V7, D-V8)."""

from __future__ import annotations

import pytest

from table.rules.dubbe.terms import CHARACTERS, pack
from tests.rules.evening import Evening, one_sided


def test_d_20_characters_get_their_colours_in_the_order_of_their_numbers() -> None:
    t = Evening()
    t.trump("red")
    t.play(
        "blue-9 blue-1 blue-2  green-9 green-1 green-2  brown-9 brown-1 brown-2  yellow-9 yellow-1 yellow-2"
    )
    assert [t.character(name)[0] for name in CHARACTERS] == ["red", "blue", "green", "brown", "yellow"]


def test_d_21_a_colour_only_thrown_away_or_trumped_in_calls_no_character() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-1 green-9 red-3")
    assert t.character("weschwieschmaennchen") == ("blue", 1, "S1")
    assert t.character("jammerlabbe") == (None, None, None)
    assert t.character("aagewwer") == ("red", 1, "S1")


def test_d_22_a_new_colour_is_given_at_once_and_comes_to_the_winner_with_the_trick() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-1")
    assert t.character("weschwieschmaennchen") == ("blue", None, None)
    assert t.view.expected_dice["weschwieschmaennchen"] is None
    t.play("blue-5 blue-3")
    assert t.character("weschwieschmaennchen") == ("blue", 1, "S3")


def test_d_23_the_owner_wins_his_colour_again_and_only_the_die_goes_up() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-9 blue-1 blue-2 blue-8 blue-3 blue-4")
    assert t.character("weschwieschmaennchen") == ("blue", 2, "S2")
    assert t.points == {"S1": 0, "S2": 0, "S3": 0}


def test_d_24_somebody_else_wins_it_and_the_old_owner_books_the_die_before_it_goes_up() -> None:
    t = Evening()
    t.trump("red")
    t.play("red-5 red-8 red-3")
    assert t.character("aagewwer") == ("red", 2, "S3")
    assert t.points == {"S1": -1, "S2": 0, "S3": 0}


def test_d_25_a_trumped_trick_moves_the_led_colours_character_and_not_aagewwer() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-9 blue-1 blue-2 blue-8 red-1 blue-4")
    assert t.character("weschwieschmaennchen") == ("blue", 2, "S3")
    assert t.character("aagewwer") == ("red", 1, "S1")
    assert t.points["S2"] == 1


def test_d_26_aagewwer_and_jammerlabbe_cost_the_others_bring() -> None:
    t = Evening()
    t.trump("red")
    t.play(
        "blue-9 blue-1 blue-2  green-9 green-1 green-2  brown-9 brown-1 brown-2  yellow-9 yellow-1 yellow-2"
    )
    t.play("blue-3 blue-8 blue-4")  # S3 takes Weschwieschmännchen from S2
    assert t.points == {"S1": 0, "S2": 1, "S3": 0}
    t.play("green-3 green-4 green-8")  # S2 gets Jammerlabbe again, nobody scores
    assert t.points == {"S1": 0, "S2": 1, "S3": 0}
    t.play("green-5 green-7 green-6")  # S3 takes it
    assert t.points == {"S1": 0, "S2": -1, "S3": 0}
    t.play("yellow-3 yellow-8 yellow-4")  # S1 takes Gliggsridder from S2
    assert t.points == {"S1": 0, "S2": 0, "S3": 0}
    t.play("red-2 red-3 red-1")  # S2 takes Aagewwer from S1
    assert t.points == {"S1": -1, "S2": 0, "S3": 0}


def with_jo_at_s2() -> Evening:
    """Trump red; blue, green, then brown were led: brown is Jo Lossen's, which S2 owns; S2 leads."""
    t = Evening()
    t.trump("red")
    t.play("blue-9 blue-1 blue-2  green-9 green-1 green-2  brown-9 brown-1 brown-2")
    return t


def test_d_27_jo_lossens_die_is_laid_with_3_and_stays() -> None:
    t = with_jo_at_s2()
    assert t.character("jo-lossen") == ("brown", 3, "S2")
    t.play("brown-8 brown-3 brown-4")
    assert t.character("jo-lossen") == ("brown", 3, "S2")


def test_d_28_jo_lossen_changes_his_owner_and_nothing_is_booked() -> None:
    t = with_jo_at_s2()
    before = t.points
    t.play("brown-3 brown-8 brown-4")
    assert t.character("jo-lossen") == ("brown", 3, "S3")
    assert t.points == before


def test_d_29_jo_lossen_is_worth_three_once_at_the_end() -> None:
    t = Evening()
    t.trump("red")
    brown, red = [f"brown-{n}" for n in range(9, 0, -1)], [f"red-{n}" for n in (9, 8, 7, 6)]
    strong = ["blue-9", "green-9", *brown, *red]
    rest = [card for card in pack(3) if card not in strong]
    hands = {"S2": strong, "S3": rest[0::2], "S1": rest[1::2]}
    t.play_out(hands)
    settled = {
        c["character"]: (c["seat"], c["points"]) for c in t.referee.result()["rounds"][0]["settlement"]
    }
    assert settled["jo-lossen"] == ("S2", 3)  # although his colour was led nine times


def test_d_30_the_owner_of_jo_lossen_need_not_follow_and_may_trump() -> None:
    t = with_jo_at_s2()
    t.play("blue-3 blue-8 blue-4")  # S3 leads from now on, Jo Lossen stays with S2
    t.play("green-3 green-4")
    passed = t.play("red-1")[0]  # S2 trumps green
    t.play("green-8")  # and shows that S2 had green
    assert passed
    assert t.proofs == []


def test_d_31_in_jo_lossens_own_colour_his_owner_must_follow() -> None:
    t = with_jo_at_s2()
    t.play("blue-3 blue-8 blue-4")  # S3 leads
    about = t.play("brown-3 brown-4 red-1")[2]  # S2 does not follow brown, wins and keeps Jo Lossen
    proof = t.play("brown-8")[0]
    assert t.proofs == [("revoke", "S2", proof, about)]


def test_d_32_the_exemption_begins_with_the_next_trick_and_ends_when_jo_leaves() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-9 blue-1 blue-2  green-9 green-1 green-2")
    about = t.play("brown-1 brown-2 red-1")[2]  # S1 gets Jo Lossen with this trick, so S1 is not exempt in it
    proof = t.play("brown-5")[0]
    assert t.proofs == [("revoke", "S1", proof, about)]
    t.play("brown-9 brown-6")  # S2 takes Jo Lossen back: S1 must follow again from the next trick on
    assert t.character("jo-lossen")[2] == "S2"
    late = t.play("blue-3 blue-4 yellow-1")[2]
    shown = t.play("S3:blue-7 S1:blue-5")[1]
    assert t.proofs[1:] == [("revoke", "S1", shown, late)]


def test_d_33_at_the_end_every_character_in_play_is_settled_once_more() -> None:
    t = Evening()
    t.trump("red")
    t.play_out(one_sided())
    entry = t.referee.result()["rounds"][0]
    assert [(c["character"], c["seat"], c["points"]) for c in entry["settlement"]] == [
        ("aagewwer", "S2", -6),
        ("weschwieschmaennchen", "S2", 6),
    ]
    assert t.points == {"S1": -1, "S2": 0, "S3": 0}


def test_d_34_d_v7_characters_whose_colour_was_never_led_score_nothing() -> None:
    t = Evening()
    t.trump("red")
    t.play_out(one_sided())
    assert [t.character(name) for name in CHARACTERS[2:]] == [(None, None, None)] * 3
    assert len(t.referee.result()["rounds"][0]["settlement"]) == 2


def test_d_35_a_new_round_begins_empty_with_the_next_dealer() -> None:
    t = Evening()
    t.trump("red")
    t.play_out(one_sided())
    booked = t.points
    t.event("round")
    assert t.view.dealer == "S1"
    assert [t.character(name) for name in CHARACTERS] == [(None, None, None)] * 5
    assert t.view.expected_dice == dict.fromkeys(CHARACTERS)
    assert t.points == booked
    assert t.view.round == 2


def test_d_36_the_game_ends_after_the_agreed_rounds() -> None:
    t = Evening(rounds=2)
    for dealer in ("S3", "S1"):
        if dealer == "S1":
            t.round("S3")
        assert not t.view.finished
        t.trump("red")
        t.play_out(one_sided())
    assert t.view.finished
    assert t.view.phase == "finished"
    assert t.view.rounds_agreed == 2


def test_d_36_without_an_agreement_the_group_ends_the_game() -> None:
    t = Evening()
    t.trump("red")
    t.play_out(one_sided())
    assert not t.view.finished
    assert t.view.winners == ()
    t.event("end")
    assert t.view.finished
    assert t.view.winners == ("S2", "S3")


def test_d_37_most_points_win() -> None:
    t = Evening(rounds=1)
    t.trump("red")
    hands = one_sided()
    hands["S2"].sort(key=lambda card: card.startswith("red"))
    t.play_out(hands)
    best = max(t.points.values())
    assert t.view.winners == tuple(seat for seat in t.seats if t.points[seat] == best)


@pytest.mark.parametrize(
    ("die_max", "values"), [(6, [1, 2, 3, 4, 5, 6, 6]), ("unbounded", [1, 2, 3, 4, 5, 6, 7])]
)
def test_d_v8_da_1_a_colour_led_seven_times_by_its_owner(die_max: object, values: list[int]) -> None:
    t = Evening(die_max=die_max)
    t.trump("red")
    hands, seen = one_sided(), []
    for _ in range(7):
        for seat in ("S2", "S3", "S1"):
            follow = [card for card in hands[seat] if card.startswith("yellow")]
            card = (follow or hands[seat])[0]
            hands[seat].remove(card)
            t.event("card", seat=seat, card=card)
        seen.append(t.character("weschwieschmaennchen")[1])
    assert seen == values
    saturated = [remark for remark in t.view.remarks if remark[1] == "die_saturated"]
    assert bool(saturated) == (die_max == 6)
    assert t.proofs == []
