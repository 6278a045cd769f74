"""DoppelX: what a throw pays (RULES X.1, X.2 and the examples X-V1 to X-V14)."""

from __future__ import annotations

import pytest

from table.rules import EventError
from table.rules.doppelx.terms import BET_PAY, CHIPS, limit
from tests.rules.box import Box, after


@pytest.mark.parametrize(
    ("die", "chips"),
    [("2@1x", 2), ("2@2x", 4), ("2@3x", 6), ("3@3x", 9), ("1@1x", 1)],
)
def test_x_12_points_are_pips_times_field(die: str, chips: int) -> None:
    """X-02, X-12, X-V1, X-V2: blue counts once, red twice, yellow three times."""
    box = after(f"green {die}  blue 1@hole  white 1@hole")
    assert box.points == {"green": chips}
    assert box.why("green") == f"{die[0]} × {die[2:]} = {chips}"


def test_x_11_only_the_active_player_scores_the_white_die() -> None:
    """X-10, X-11, X-16, X-V3: 3 on the line to 3x and white 2 on 1x make eleven."""
    box = after("blue 3@1x,3x  white 2@1x  red 1@1x")
    assert box.points == {"blue": 11, "red": 1}


def test_x_10_every_throw_scores_everybody_again() -> None:
    box = after("blue 3@1x  white 1@hole  red 2@2x")
    box.throw("green", "blue 3@1x  red 2@2x  green 1@hole  white 1@1x")
    assert box.points == {"blue": 6, "red": 8, "green": 1}


def test_x_13_minus_one_costs_a_chip_whatever_the_pips() -> None:
    box = after("blue 3@1x  white 3@-1  red 1@1x")
    assert box.points == {"blue": 2, "red": 1}


def test_x_14_x_field_hole_and_outside_bring_nothing() -> None:
    box = after("blue 3@X  white 3@hole  red 3@outside  green 2@hole")
    assert box.points == {}
    assert box.why("blue") == "X"
    assert box.why("red") == "outside"


@pytest.mark.parametrize(
    ("touches", "chips"),
    [("1x,2x,3x", 9), ("1x,2x", 6), ("X,1x", 3), ("-1,1x", 3), ("-1,X", 0), ("1x,hole", 3), ("2x,hole", 6)],
)
def test_x_15_the_better_field_counts(touches: str, chips: int) -> None:
    """X-15, X-V4, XA-6: X beats -1; touching a hole's edge changes nothing."""
    assert after(f"green 3@{touches}  blue 1@hole  white 1@hole").points.get("green", 0) == chips


def test_x_16_what_the_eye_says_it_counts_as_goes_before_what_it_touches() -> None:
    """A line belongs to the better field, and the eye has judged that from straight above."""
    box = Box(3)
    lying = {"colour": "green", "face": "2", "where": "field", "touches": ["1x"], "counts_as": "2x"}
    box.event("throw", player="all", dice=[lying])
    assert box.points == {"green": 4}


def test_x_17_an_x_brings_nothing_but_still_pays_on_minus_one() -> None:
    """X-17, X-V9."""
    box = after("blue 2@1x  white 2@1x  green 3@1x")
    box.throw("green", "blue X@-1  green 1@hole  white 1@hole")
    assert box.points == {"blue": 3, "green": 3}
    assert after("blue X@3x  white 1@hole").points == {}


def test_xa_2_a_scoring_is_netted_before_it_is_floored() -> None:
    assert after("blue 1@1x  white 2@-1").points == {}
    box = after("blue X@-1  white 2@1x")  # -1 + 2, not max(0, -1) + 2
    assert box.points == {"blue": 1}
    assert after("blue X@-1  white 2@hole").points == {}
    assert after("blue X@-1  white 2@hole", options={"floor": "negative"}).points == {"blue": -1}


# Doppel X -------------------------------------------------------------------------------------------------


def test_x_19_own_and_white_x_bring_ten_once_and_everybody_else_nothing() -> None:
    """X-18, X-19, X-20, X-27, X-V7: bets on 3x pay nothing, bets on Doppel X pay."""
    box = after("blue X@1x  white X@2x  red 3@3x  green 1@bet:A  yellow 1@bet:C  purple 2@-1")
    assert box.points == {"blue": 10, "green": 5}


def test_x_18_lying_x_dice_of_others_count_also_on_x_and_minus_one() -> None:
    """X-V8: nobody pays for the -1."""
    box = after("blue X@X  white 3@3x  red X@-1")
    assert box.points == {"blue": 10, "red": 10}


def test_x_18_three_owners_get_ten_each() -> None:
    """X-V10."""
    assert after("blue X@1x  white 1@1x  red X@1x  green X@1x").points == {"blue": 10, "red": 10, "green": 10}


@pytest.mark.parametrize("place", ["hole", "outside", "bet:B"])
def test_x_18_an_x_beside_the_field_makes_no_doppel_x(place: str) -> None:
    """X-V11."""
    assert after(f"blue X@1x  white 2@1x  red X@{place}").points == {"blue": 2}


def test_x_19_the_white_x_is_the_active_players() -> None:
    assert after("blue 3@3x  white X@1x  red X@1x").points == {"blue": 10, "red": 10}


def test_x_21_x_dice_go_back_and_the_others_stay() -> None:
    box = after("blue X@1x  white X@2x  red 3@3x")
    assert box.view.box is not None
    assert box.view.box.take_back == {"blue": "blue", "white": "green"}
    box.throw("green", "red 3@3x  green 1@hole  white 1@hole  blue 1@bet:A")
    assert box.findings == []  # blue's die was returned, so blue may bet
    assert box.points == {"blue": 10, "red": 9}


def test_xa_1_a_doppel_x_in_the_opening_counts_unless_the_house_says_no() -> None:
    for on, chips in ((True, {"blue": 10, "red": 10}), (False, {"green": 2})):
        box = Box(5, options={"opening_doppelx": on})
        box.open("blue X@1x  red X@2x  green 2@1x")
        assert box.points == chips


# Bets -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "own", "chips"),
    [
        ("B", "1@hole", 2),
        ("B", "1@outside", 2),
        ("C", "1@2x", 3),
        ("D", "1@3x", 4),
        ("E", "1@X", 2),
        ("F", "1@1x", 1),
        ("C", "1@1x", 0),
        ("F", "1@2x", 0),
        ("A", "X@1x", 0),
    ],
)
def test_x_24_what_a_bet_pays(bet: str, own: str, chips: int) -> None:
    box = after(f"blue {own}  white 1@-1  green 1@bet:{bet}")
    assert box.points.get("green", 0) == chips


@pytest.mark.parametrize("bet", ["A", "H"])
def test_x_24_a_and_h_pay_for_a_doppel_x(bet: str) -> None:
    """XA-11: both may be played at once."""
    box = after(f"blue X@1x  white 1@1x  red X@1x  green 1@bet:{bet}  yellow 2@bet:A")
    assert box.points == {"blue": 10, "red": 10, "green": 5, "yellow": 5}


def test_x_24_the_seeds_example() -> None:
    """X-V5, XA-5: only one die touches red, so each bet pays once."""
    box = after("blue 2@2x  white 2@1x  yellow 1@bet:C  green 3@bet:C  red X@1x  purple 2@3x")
    assert box.points == {"blue": 6, "yellow": 3, "green": 3, "purple": 6}


def test_x_25_both_dice_pay_double() -> None:
    """X-V6 on red, X-V14 from the box."""
    box = after("blue 1@2x  white 1@2x  green 1@bet:C")
    assert box.points["green"] == 6
    assert box.why("green") == "bet C: 2 × 3 = 6"
    assert after("blue 1@hole  white 1@outside  green 1@bet:B").points == {"green": 4}


def test_x_26_a_die_on_the_border_serves_the_better_bet_only() -> None:
    """X-V13."""
    assert after("blue 1@2x,3x  white 1@hole  green 1@bet:D  yellow 1@bet:C").points == {
        "blue": 3,
        "green": 4,
    }


def test_xa_4_an_x_serves_a_bet_by_where_it_lies() -> None:
    assert after("blue X@2x  white 1@hole  green 1@bet:C").points == {"green": 3}


def test_x_23_the_active_players_own_bet_and_the_opening_pay_nothing() -> None:
    box = Box(4)
    box.open("blue 1@2x  green 1@bet:C")
    assert box.points == {"blue": 2}


def test_x_24_g_pays_when_the_spinner_is_confirmed() -> None:
    """XA-10: the camera cannot see it, but a word after the throw can say it. It pays exactly once."""
    box = after("blue 1@1x  white 1@1x  green 1@bet:G  red 3@hole", players=5, field="III")
    assert box.points == {"blue": 2}
    assert ("spinner?", None) in box.prompts
    box.spinner("red")
    assert box.points == {"blue": 2, "green": BET_PAY["G"]}
    box.spinner("red")
    assert box.points == {"blue": 2, "green": 5}
    assert box.findings == []


@pytest.mark.parametrize("lies", ["red 3@outside", "red 3@1x", "red 3@3x"])
def test_x_24_the_spinner_must_have_left_the_die_in_a_hole_on_x_or_minus_one(lies: str) -> None:
    box = after(f"blue 1@hole  white 1@hole  green 1@bet:G  {lies}", field="III")
    before = box.points
    box.spinner("red")
    assert box.points == before
    assert box.view.remarks == ((2, "not_the_spinner", "red"),)


def test_x_27_g_is_empty_beside_a_doppel_x() -> None:
    box = after("blue X@1x  white X@1x  green 1@bet:G  red 3@hole", field="IV")
    box.spinner("red")
    assert box.points == {"blue": 10}


def test_x_05_nobody_asks_for_the_spinner_on_a_board_without_one() -> None:
    box = after("blue 1@1x  white 1@1x  green 1@bet:G  red 3@hole", field="I")
    assert ("spinner?", None) not in box.prompts
    box.spinner("red")
    assert box.points == {"blue": 2}
    assert box.view.remarks == ((2, "not_the_spinner", "red"),)


def test_x_18_a_die_over_nothing_but_a_hole_lies_in_it() -> None:
    """It makes no Doppel X, and bet B pays for it (X-14, X-24)."""
    box = after("blue X@hole,hole  white 1@1x  green X@1x  red 2@bet:B")
    assert box.points == {"blue": 1, "red": BET_PAY["B"]}


def test_x_28_a_bet_may_be_laid_anew_for_every_throw() -> None:
    box = after("blue 1@2x  white 1@hole  green 1@bet:C", players="blue yellow green")
    box.throw("yellow", "blue 1@2x  yellow 1@3x  white 1@hole  green 3@bet:D")
    assert box.points == {"blue": 4, "yellow": 3, "green": 7}
    assert box.findings == []


# Material -------------------------------------------------------------------------------------------------


def test_x_03_the_chips_in_the_box_make_665() -> None:
    """XA-8: the screen's total counts when the chips run out, so no rule counts chips."""
    assert sum(value * count for value, count in CHIPS.items()) == 665


def test_x_29_the_limit_follows_the_number_of_players() -> None:
    assert [limit(players) for players in range(3, 9)] == [50, 50, 50, 70, 70, 70]


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (["blue", "red"], "3 to 8 players"),
        (["blue", "red", "white"], "white die"),
        (["blue", "red", "mauve"], 'no die "mauve"'),
        (["blue", "red", "red"], "twice"),
    ],
)
def test_x_01_three_to_eight_players_each_with_a_colour_but_white(players: list[str], words: str) -> None:
    with pytest.raises(EventError, match=words):
        Box(" ".join(players))


def test_x_04_four_of_the_bet_fields_are_fixed_to_the_box() -> None:
    box = Box(3, field="I", bets=["A", "B", "C", "D"])
    assert box.view.box is not None
    assert (box.view.box.board, box.view.box.bets) == ("I", ("A", "B", "C", "D"))
    with pytest.raises(EventError, match="letters from A to H"):
        Box(3, bets=["A", "Z"])


@pytest.mark.parametrize(
    ("word", "words"),
    [("blue 4@1x", '"face"'), ("mauve 1@1x", '"colour"'), ("blue 1@4x", "4x"), ("blue 1@bet:Z", '"where"')],
)
def test_x_02_a_die_that_cannot_be_is_refused_in_one_sentence(word: str, words: str) -> None:
    box = Box(3)
    with pytest.raises(EventError, match=words):
        box.open(word)
    assert box.points == {}


def test_xa_9_the_core_asks_no_die_for_its_other_faces() -> None:
    """Any sequence of faces is possible."""
    box = after("blue X@1x  white 3@1x")
    box.throw("green", "blue X@1x  green 3@1x  white 3@1x")
    assert box.findings == []
