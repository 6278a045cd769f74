"""DoppelX: turns, bets and findings (RULES X-06 to X-09, X-22, X-I)."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules import EventError, Referee
from tests.rules.box import Box, after, dice


def test_x_06_in_the_opening_everybody_scores_but_the_white_die_is_nobodys() -> None:
    """XA-1: a white X parked on the field makes no Doppel X either."""
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
    """The one passed over (blue), his left neighbour (green) or the thrower's (red): none is wrong."""
    box = Box(4)
    box.open()
    box.throw("yellow", "yellow 3@1x  white 1@1x")
    box.throw(then, f"{then} 3@1x  white 1@1x")
    assert len(box.findings) == 1


def test_x_i5_who_throws_out_of_turn_is_not_blamed_for_the_dice_as_well() -> None:
    """Yellow threw the white die alone: one offence, one finding. Blue's die surely lies as it lay."""
    box = Box(4)
    lies = dice("blue 1@1x")[0] | {"center": [10.0, 20.0]}
    box.event("throw", player="all", dice=[*dice("yellow 2@1x"), lies])
    wrong = box.event("throw", player="yellow", dice=[lies, *dice("white 1@1x")])
    assert box.findings == [("out_of_turn", "yellow", wrong, None)]


def test_x_i5_where_nobody_measured_where_a_die_lies_it_may_have_been_thrown_and_have_fallen_alike() -> None:
    """The throw of blue, whose turn it was, may be missing; a bet of his says so, too."""
    for lies in ("blue 1@1x", "blue 1@bet:C"):
        box = Box(4)
        box.open("yellow 2@1x  blue 1@1x")
        box.throw("yellow", f"yellow 3@1x  {lies}  white 1@1x")
        assert box.findings == []
        assert (2, "throw_untold", "blue") in box.view.remarks


def test_x_i5_a_throw_in_turn_after_which_dice_lie_that_nobody_saw_thrown_proves_nothing() -> None:
    """X-I1, X-I3: all others threw in between."""
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
    """A throw was missed before, and the table does not know who tied."""
    box = Box(4)
    box.open("blue 1@1x  green 2@1x  yellow 3@1x  red 1@1x")
    box.event("round", first="blue")
    box.open("blue 2@1x  yellow 2@1x")
    box.throw("blue", "blue 3@1x  white 1@1x  yellow 2@1x")
    box.throw("yellow", "blue 3@1x  white 1@1x  yellow 1@1x")
    box.throw("blue", "blue 2@1x  white 2@1x  yellow 1@1x")
    assert box.findings == []


def test_x_i5_a_throw_that_is_told_of_another_is_asked_not_accused() -> None:
    """Yellow is named, but blue's die was thrown, whose turn it was."""
    box = Box(4)
    box.open("yellow 2@1x")
    box.throw("yellow", "yellow 2@1x  blue 1@1x  white 1@1x")
    assert box.findings == []
    assert (2, "throw_untold", "blue") in box.view.remarks


def test_x_i5_a_throw_that_nobody_told_makes_the_next_one_no_offence() -> None:
    """Green's die came to lie somewhere: he threw, and yellow after him."""
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
    """X-07: who threw before it is not told."""
    box = Box(4)
    box.throw("yellow", "yellow 3@1x  white 1@1x")
    assert box.findings == []


def test_x_i3_a_die_that_perhaps_went_back_with_a_doppel_x_may_lie_on_a_bet() -> None:
    """X-21: one of two X dice had a face that nobody read."""
    box = after("blue X@1x  white ?@1x  green X@2x", players=4)
    box.throw("green", "green 1@1x  white 1@1x  blue 2@bet:C")
    assert box.findings == []


def test_x_08_the_active_player_throws_his_own_die_and_the_white_one() -> None:
    """X-I1: the white die, or his own, was not thrown."""
    for words in ("blue 1@1x", "white 1@1x"):
        box = Box(3)
        box.open()
        wrong = box.throw("blue", words)
        assert box.findings == [("one_die", "blue", wrong, None)]


def test_x_i1_a_die_that_lies_to_the_millimetre_where_it_lay_was_not_thrown() -> None:
    box = Box(3)
    box.open()
    white = {
        "colour": "white",
        "face": "2",
        "where": "field",
        "touches": ["1x"],
        "center": [40.0, 7.0],
        "yaw": 89.5,
    }
    box.event("throw", player="blue", dice=[*dice("blue 1@hole"), white])
    same = white | {"center": [40.4, 7.2], "yaw": 0.3}
    wrong = box.event("throw", player="green", dice=[*dice("green 1@hole"), same])
    assert box.findings == [("one_die", "green", wrong, None)]


@pytest.mark.parametrize("change", [{"center": [43.0, 7.0]}, {"face": "3"}, {"yaw": 60.0}, {"center": None}])
def test_x_i1_a_die_that_lies_a_little_elsewhere_was_thrown(change: dict[str, Any]) -> None:
    white = {
        "colour": "white",
        "face": "2",
        "where": "field",
        "touches": ["1x"],
        "center": [40.0, 7.0],
        "yaw": 89.5,
    }
    box = Box(3)
    box.open()
    box.event("throw", player="blue", dice=[*dice("blue 1@hole"), white])
    box.event("throw", player="green", dice=[*dice("green 1@hole"), white | change])
    assert box.findings == []


def test_x_i1_a_die_of_unknown_colour_may_be_the_missing_one() -> None:
    box = Box(3)
    box.open()
    lying = dice("blue 1@1x")
    box.event("throw", player="blue", dice=[*lying, {"colour": None, "face": "2", "where": "hole"}])
    assert box.findings == []


def test_x_i2_a_foreign_die_that_lies_elsewhere_may_have_been_hit() -> None:
    """An impact and a hand look the same afterwards: no finding."""
    box = after("blue 1@1x  white 1@1x  red 2@2x")
    box.throw("green", "green 1@1x  white 1@1x  blue 1@hole  red 2@1x")
    assert box.findings == []


def test_x_22_a_lost_die_is_taken_back_and_may_bet_next() -> None:
    """X-23: who may bet is shown."""
    box = after("blue 1@hole  white 1@1x  red 2@2x  yellow 3@outside", players=4)
    assert box.view.box is not None
    assert box.view.box.take_back == {"blue": "blue", "white": "green", "yellow": "yellow"}
    assert box.view.box.may_bet == ("blue", "yellow")
    box.throw("green", "green 1@2x  white 1@hole  red 2@2x  blue 3@bet:C")
    assert box.findings == []
    assert box.points == {"blue": 4, "red": 8, "green": 2}
    assert box.view.box is not None
    assert box.view.box.placed == {"blue": "C"}


def test_x_i3_who_lies_on_the_field_may_not_bet() -> None:
    """The bet counts as it lies: a broken duty costs nothing by itself."""
    box = after("blue 1@hole  white 1@1x  red 2@2x", players=4)
    wrong = box.throw("green", "green 1@2x  white 1@hole  red 2@bet:C")
    assert box.findings == [("bad_bet", "red", wrong, None)]
    assert box.points == {"blue": 1, "red": 7, "green": 2}


def test_x_i3_the_active_player_may_not_bet() -> None:
    """A die that simply stayed on its bet was not thrown (X-I1): one finding, not two."""
    box = after("blue 1@hole  white 1@1x", players=4)
    wrong = box.throw("green", "white 1@hole  green 2@bet:C")
    assert box.findings == [("bad_bet", "green", wrong, None)]
    box = after("blue 1@hole  white 1@1x  green 2@bet:C", players=4)
    wrong = box.throw("green", "white 1@hole  green 2@bet:C")
    assert box.findings == [("one_die", "green", wrong, None)]


def test_x_i3_x_04_a_bet_on_a_tile_that_is_not_in_play() -> None:
    """Told once, when it is laid; without a list of tiles nobody knows which are in play."""
    words = "blue 1@hole  white 1@1x  red 2@bet:G"
    box = Box(4, bets=["A", "B", "C", "D"])
    box.open()
    wrong = box.throw("blue", words)
    assert box.findings == [("bad_bet", "red", wrong, None)]
    box.throw("green", "green 1@1x  white 1@1x  red 2@bet:G")
    assert len(box.findings) == 1
    for bets in (["E", "F", "G", "H"], None):
        named: dict[str, Any] = {} if bets is None else {"bets": bets}
        assert after(words, players=4, **named).findings == []


def test_x_i7_no_offence_hides_another() -> None:
    """G-04: two red dice and a throw out of turn by red; white twice is the thrower's, and so is his turn."""
    box = Box(4)
    box.open()
    wrong = box.throw("red", "red 1@1x  red 2@2x  white 1@1x")
    assert box.findings == [("duplicate_die", "red", wrong, None), ("out_of_turn", "red", wrong, None)]
    box = after("blue 1@hole  white 1@1x  red 2@2x", players=4, bets=["A", "B", "C", "D"])
    wrong = box.throw("yellow", "yellow 1@1x  white 1@1x  red 2@bet:C")
    assert box.findings == [("out_of_turn", "yellow", wrong, None), ("bad_bet", "red", wrong, None)]


def test_x_i4_a_die_on_a_bet_field_is_never_counted() -> None:
    assert after("blue 1@hole  white 1@hole  green 3@bet:F").points == {}


def test_x_i6_a_hand_over_the_edge_costs_what_the_house_says() -> None:
    """X-09: the throw stands; `none` only remembers it, `chip1` takes a chip, `drink` asks for one."""
    for penalty, chips in (("none", 3), ("chip1", 2), ("drink", 3)):
        box = after("blue 2@1x  white 1@1x", players=3, options={"edge_penalty": penalty})
        number = box.event("touch", seat="blue")
        assert box.points == {"blue": chips}
        assert (("drink", "blue") in box.prompts) is (penalty == "drink")
        assert box.findings == []
        ledger = box.referee.result()["rounds"][0]
        assert ledger["over_the_edge"] == [{"event": number, "player": "blue"}]


def test_x_09_nobody_pays_below_nothing_and_a_late_spinner_forgets_no_fine() -> None:
    box = after("blue 1@hole  white 1@hole", players=3, options={"edge_penalty": "chip1"})
    box.event("touch", seat="blue")
    assert box.points == {}
    box = after(
        "blue 2@1x  white 1@1x  red 1@hole  green 1@bet:G", field="III", options={"edge_penalty": "chip1"}
    )
    box.event("touch", seat="blue")
    box.spinner("red")
    assert box.points == {"blue": 2, "green": 5}


# The end --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"kind": "card", "card": "CA"}, "does not belong to DoppelX"),
        ({"kind": "unsure", "candidates": []}, "does not belong to DoppelX"),
        ({"kind": "say", "what": "spiner:red"}, "spinner:"),
        ({"kind": "throw", "player": "mauve", "dice": []}, "players are"),
        ({"kind": "round", "first": "mauve"}, "players are"),
    ],
)
def test_what_does_not_belong_to_dice_is_told_in_one_sentence(event: dict[str, Any], words: str) -> None:
    box = Box(3)
    with pytest.raises(EventError, match=words):
        box.referee.add(event)


def test_players_may_sit_at_seats_with_other_names() -> None:
    referee = Referee()
    seats, players = ["S1", "S2", "S3"], ["red", "blue", "green"]
    referee.add({"kind": "game", "game": "doppelx", "seats": seats, "players": players})
    referee.add({"kind": "round", "first": "blue"})
    referee.add({"kind": "throw", "player": "all", "dice": dice("red 2@1x")})
    referee.add({"kind": "throw", "player": "blue", "dice": dice("red 2@1x  blue 1@2x  white 1@hole")})
    assert referee.points() == {"S1": 4, "S2": 2, "S3": 0}
    assert referee.view().turn == "S3"
