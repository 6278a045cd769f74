"""DoppelX: who throws when (X-06, X-07, X-I5), and what an odd order proves."""

from __future__ import annotations

import pytest

from tests.rules.box import Box, after, dice


def test_x_06_in_the_opening_everybody_scores_but_the_white_die_is_nobodys() -> None:
    """XA-1: nor does a white X parked on the field make a Doppel X."""
    box = Box(4)
    box.open("blue 2@2x  green X@1x  yellow 3@hole  red 1@outside  white X@1x")
    assert box.points == {"blue": 4}
    assert box.view.turn == "blue"
    assert box.view.box is not None
    assert box.view.box.take_back == {"yellow": "yellow", "red": "red", "blue": "blue", "white": "blue"}


def test_x_07_the_first_begins_then_clockwise() -> None:
    box = Box(3)
    assert box.prompts == [("throw-together", None)]
    box.open()
    for player, after_him in (("blue", "green"), ("green", "yellow"), ("yellow", "blue")):
        assert box.prompts == [("throw", player)]
        box.throw(player, f"{player} 1@1x  white 1@hole")
        assert box.view.turn == after_him
    assert box.findings == []


def test_x_07_without_a_first_whoever_throws_first_begins() -> None:
    box = Box(3, first=None)
    box.open()
    box.throw("yellow", "yellow 1@1x  white 1@hole")
    assert (box.view.turn, box.findings) == ("blue", [])


def test_x_i5_the_wrong_player_throws_and_the_throw_stands() -> None:
    box = Box(4)
    box.open()
    wrong = box.throw("yellow", "yellow 3@1x  white 1@1x")
    assert box.findings == [("out_of_turn", "yellow", wrong, None)]
    assert box.points == {"yellow": 4}


@pytest.mark.parametrize("then", ["blue", "green", "red"])
def test_x_i5_after_a_throw_out_of_turn_the_order_may_go_on_from_either(then: str) -> None:
    """The player passed over (blue), its left neighbour (green) or the thrower's (red) may go next."""
    box = Box(4)
    box.open()
    box.throw("yellow", "yellow 3@1x  white 1@1x")
    box.throw(then, f"{then} 3@1x  white 1@1x")
    assert len(box.findings) == 1


def test_x_i5_who_throws_out_of_turn_is_not_blamed_for_the_dice_as_well() -> None:
    """Yellow threw the white die alone: one offence, one finding. Blue's die certainly lies as before."""
    box = Box(4)
    lies = dice("blue 1@1x")[0] | {"center": [10.0, 20.0]}
    box.event("throw", player="all", dice=[*dice("yellow 2@1x"), lies])
    wrong = box.event("throw", player="yellow", dice=[lies, *dice("white 1@1x")])
    assert box.findings == [("out_of_turn", "yellow", wrong, None)]


def test_x_i5_where_nobody_measured_where_a_die_lies_it_may_have_been_thrown_and_have_fallen_alike() -> None:
    """Blue's own throw may be missing, which a bet of blue's also shows."""
    for lies in ("blue 1@1x", "blue 1@bet:C"):
        box = Box(4)
        box.open("yellow 2@1x  blue 1@1x")
        box.throw("yellow", f"yellow 3@1x  {lies}  white 1@1x")
        assert box.findings == []
        assert (2, "throw_untold", "blue") in box.view.remarks


def test_x_i5_a_throw_in_turn_after_which_dice_lie_that_nobody_saw_thrown_proves_nothing() -> None:
    """X-I1, X-I3: all the others threw in between."""
    box = Box(3)
    box.open("blue 1@1x  green 2@1x  yellow 3@1x")
    box.throw("blue", "blue 2@1x  white 1@1x  green 2@bet:C  yellow 3@1x")
    assert [finding for finding, *_ in box.findings] == ["bad_bet"]
    box = Box(3)
    box.open("blue 1@1x  green 2@hole  yellow 3@1x")
    box.throw("blue", "blue 2@1x  white 1@1x  green 2@2x  yellow 3@bet:C")
    assert box.findings == []
    box = Box(3)
    box.open("blue 1@1x  green 2@1x  yellow 3@1x")
    box.throw("blue", "blue 2@1x  white 1@1x  green 3@3x  yellow 1@bet:C")
    assert box.findings == []


def test_x_i5_a_block_of_throws_told_twice_accuses_nobody_also_where_it_comes_in_turn() -> None:
    box = Box(3)
    box.open("blue 1@1x  green 2@1x  yellow 3@1x")
    block = [
        ("blue", "blue 2@1x  white 1@1x  green 2@1x  yellow 3@1x"),
        ("green", "blue 2@1x  white 1@1x  green 3@1x  yellow 3@hole"),
        ("yellow", "blue 2@1x  white X@1x  green 3@1x  yellow 1@1x"),
        ("blue", "blue X@1x  white 3@1x  green 2@hole  yellow 1@1x"),
        ("green", "blue X@1x  white 1@1x  green 2@1x  yellow 1@1x"),
        ("yellow", "blue X@1x  white 2@1x  green 2@bet:C  yellow 3@1x"),
    ]
    for player, words in [*block[:3], *block[:3]]:
        box.throw(player, words)
    assert box.findings == []


def test_x_30_who_did_not_open_a_deciding_game_was_not_passed_over_in_it() -> None:
    """An earlier throw was missed, and the table does not know who tied."""
    box = Box(4)
    box.open("blue 1@1x  green 2@1x  yellow 3@1x  red 1@1x")
    box.event("round", first="blue")
    box.open("blue 2@1x  yellow 2@1x")
    box.throw("blue", "blue 3@1x  white 1@1x  yellow 2@1x")
    box.throw("yellow", "blue 3@1x  white 1@1x  yellow 1@1x")
    box.throw("blue", "blue 2@1x  white 2@1x  yellow 1@1x")
    assert box.findings == []


def test_x_i5_a_throw_that_is_told_of_another_is_asked_not_accused() -> None:
    """The throw names yellow, but the thrown die is blue's, whose turn it was."""
    box = Box(4)
    box.open("yellow 2@1x")
    box.throw("yellow", "yellow 2@1x  blue 1@1x  white 1@1x")
    assert box.findings == []
    assert (2, "throw_untold", "blue") in box.view.remarks


def test_x_i5_a_throw_that_nobody_told_makes_the_next_one_no_offence() -> None:
    """Green's die came to rest elsewhere: green threw, and yellow after it."""
    box = after("blue 1@1x  white 1@1x", players=4)
    box.throw("yellow", "blue 1@1x  green 3@2x  yellow 1@1x  white 1@1x")
    assert box.findings == []
    box.throw("red", "blue 1@1x  green 3@2x  yellow 1@1x  red 2@1x  white 3@1x")
    assert box.findings == []


def test_x_i5_a_throw_that_is_told_twice_counts_once() -> None:
    box = after("blue 2@1x  white 3@1x", players=4)
    points = box.points
    box.throw("blue", "blue 2@1x  white 3@1x")
    assert (box.findings, box.points) == ([], points)
    assert (2, "throw_again", "blue") in box.view.remarks


def test_x_i5_the_first_throw_of_a_log_that_begins_late_proves_nothing() -> None:
    """X-07: the log does not say who threw before."""
    box = Box(4)
    box.throw("yellow", "yellow 3@1x  white 1@1x")
    assert box.findings == []


def test_x_i3_a_die_that_perhaps_went_back_with_a_doppel_x_may_lie_on_a_bet() -> None:
    """X-21: one of two dice with an X had an unread face."""
    box = after("blue X@1x  white ?@1x  green X@2x", players=4)
    box.throw("green", "green 1@1x  white 1@1x  blue 2@bet:C")
    assert box.findings == []


@pytest.mark.parametrize(("moved_mm", "accused"), [(100.0, 0), (30.0, 1)])
def test_x_i5_whose_die_came_from_afar_with_the_throw_before_may_have_thrown_it(
    moved_mm: float, accused: int
) -> None:
    """Blue's throw was missed, green's was recorded as blue's; a die that was only knocked is still proof."""
    box = Box(3)

    def lies(word: str, x: float, y: float) -> dict[str, object]:
        return dice(word)[0] | {"center": [x, y], "yaw": 10.0}

    blue, green, yellow = (
        lies("blue 1@1x", 0.0, 0.0),
        lies("green 2@1x", 60.0, 0.0),
        lies("yellow 3@1x", -60.0, 0.0),
    )
    box.event("throw", player="all", dice=[blue, green, yellow])
    blue, green = lies("blue 2@1x", 20.0, 50.0), lies("green 2@1x", 60.0, moved_mm)
    box.event("throw", player="blue", dice=[blue, green, yellow, lies("white 1@1x", 5.0, -50.0)])
    yellow = lies("yellow 1@1x", -90.0, 20.0)
    box.event("throw", player="yellow", dice=[blue, green, yellow, lies("white 2@1x", 15.0, -70.0)])
    assert len(box.findings) == accused
