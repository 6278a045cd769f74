"""Dice on the characters' places, compared with the state of the game (G-I11, D-I2, D-I3, D-I5)."""

from __future__ import annotations

import pytest

from tests.rules.evening import Evening


def begun() -> Evening:
    t = Evening()
    t.trump("red")
    return t


def test_g_i11_d_i3_a_die_that_differs_from_the_state_is_its_owners_mismatch() -> None:
    t = begun()
    t.play("blue-9 blue-1 blue-2")
    t.die("blue", 1, "weschwieschmaennchen")
    t.play("blue-8 blue-3 blue-4")
    wrong = t.die("blue", 3, "weschwieschmaennchen")
    assert t.proofs == [("marker_mismatch", "S2", wrong, None)]
    assert t.view.expected_dice["weschwieschmaennchen"] == ("blue", 2)
    assert t.view.dice_seen["weschwieschmaennchen"] == ("blue", 3)
    t.die("blue", 2, "weschwieschmaennchen")
    assert len(t.proofs) == 1


def test_g_i11_d_i3_a_die_laid_back_as_it_was_although_it_should_have_gone_up() -> None:
    t = begun()
    t.play("blue-9 blue-1 blue-2")
    t.die("blue", 1, "weschwieschmaennchen")
    t.play("blue-8 blue-3")
    t.die("blue", 1, "weschwieschmaennchen")  # the trick is not decided yet
    t.play("blue-4")
    stale = t.die("blue", 1, "weschwieschmaennchen")
    assert t.proofs == [("marker_mismatch", "S2", stale, None)]
    t.die("blue", 1, "weschwieschmaennchen")  # the same mistake again
    assert len(t.proofs) == 1


def test_g_i11_a_die_of_the_wrong_colour_on_a_character() -> None:
    t = begun()
    t.play("blue-9 blue-1 blue-2")
    wrong = t.die("green", 1, "weschwieschmaennchen")
    assert t.proofs == [("marker_mismatch", "S2", wrong, None)]


def test_g_i11_a_die_never_seen_or_set_early_is_no_mismatch() -> None:
    t = begun()
    t.play("blue-9")
    t.die("blue", 1, "weschwieschmaennchen")  # at once, as the rules say: the lead decides the colour
    t.play("blue-1 blue-2 blue-8")
    t.die("blue", 2, "weschwieschmaennchen")  # whoever wins, it must show 2
    t.play("blue-3 blue-4 green-9 green-1 green-2")
    t.event("die", colour="yellow", value=4, spot=None)
    assert t.proofs == []


def test_d_i2_the_trump_die_must_begin_with_1() -> None:
    t = Evening()
    wrong = t.trump("red", value=3)
    assert t.proofs == [("marker_mismatch", "S1", wrong, None)]
    assert t.view.trump == "red"
    t.trump("red")
    assert len(t.proofs) == 1


def test_d_i2_before_the_first_card_another_die_is_a_change_of_mind() -> None:
    t = Evening()
    t.trump("red")
    t.trump("green")
    assert t.view.trump == "green"
    assert t.proofs == []


def test_d_i2_da_11_a_colour_changed_after_the_first_card_is_found_and_does_not_count() -> None:
    t = begun()
    t.play("blue-9")
    wrong = t.trump("green")
    assert t.proofs == [("marker_mismatch", "S1", wrong, None)]
    assert [found.rule for found in t.referee.findings()] == ["DA-11"]
    assert t.view.trump == "red"


def test_d_i5_jo_lossens_die_must_show_3() -> None:
    t = begun()
    t.play("blue-9 blue-1 blue-2 green-9 green-1 green-2 brown-9 brown-1 brown-2")
    wrong = t.die("brown", 1, "jo-lossen")
    assert t.proofs == [("marker_mismatch", "S2", wrong, None)]
    t.die("brown", 3, "jo-lossen")
    assert len(t.proofs) == 1


def test_g_i11_a_die_told_before_all_cards_of_its_trick_is_no_mismatch() -> None:
    t = begun()
    t.play("blue-9 blue-1 blue-2")
    t.die("blue", 2, "weschwieschmaennchen")
    t.play("blue-8 blue-3 blue-4")
    t.play("blue-7")  # the next trick goes on without a new die
    assert t.proofs == []


def test_g_i11_a_wrong_die_that_a_trick_makes_right_stays_one_where_it_is_laid_anew() -> None:
    t = begun()
    t.play("blue-9 blue-1 blue-2")
    wrong = t.die("blue", 2, "weschwieschmaennchen")
    t.play("blue-8 blue-3 blue-4")
    assert t.proofs == [("marker_mismatch", "S2", wrong, None)]
    t.die("blue", 2, "weschwieschmaennchen")
    t.play("blue-7")
    assert len(t.proofs) == 1


@pytest.mark.parametrize("told", [(2, 3), (3, 2)], ids=["a trick late", "behind the next one"])
def test_d_23_a_die_told_late_is_no_wrong_die(told: tuple[int, ...]) -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-9 blue-1 blue-2")
    t.event("die", spot="weschwieschmaennchen", colour="blue", value=1)
    t.play("blue-8 blue-3 blue-4")
    t.play("blue-7 blue-5 blue-6")
    for value in told:
        t.event("die", spot="weschwieschmaennchen", colour="blue", value=value)
    assert t.proofs == []
    wrong = t.event("die", spot="weschwieschmaennchen", colour="blue", value=2)
    assert t.proofs == [("marker_mismatch", "S2", wrong, None)]
