"""DoppelX: turns, bets and findings (RULES X-06 to X-09, X-22, X-I)."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules import EventError, Referee
from tests.rules.box import Box, after, dice


def test_x_08_the_active_player_throws_his_own_die_and_the_white_one() -> None:
    """X-I1: the white die or the player's own was not thrown."""
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


@pytest.mark.parametrize(
    "change",
    [{"center": [43.0, 7.0]}, {"face": "3"}, {"yaw": 60.0}, {"center": None}, {"doubt": ["face"]}],
)
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
    assert box.findings == [], "one in doubt may be remembered where it lay"


def test_x_i1_a_die_of_unknown_colour_may_be_the_missing_one() -> None:
    box = Box(3)
    box.open()
    lying = dice("blue 1@1x")
    box.event("throw", player="blue", dice=[*lying, {"colour": None, "face": "2", "where": "hole"}])
    assert box.findings == []


def test_x_i2_a_foreign_die_that_lies_elsewhere_may_have_been_hit() -> None:
    """A knock and a hand look the same afterwards, so there is no finding."""
    box = after("blue 1@1x  white 1@1x  red 2@2x")
    box.throw("green", "green 1@1x  white 1@1x  blue 1@hole  red 2@1x")
    assert box.findings == []


def test_x_22_a_lost_die_is_taken_back_and_may_bet_next() -> None:
    """X-23: the table shows who may bet."""
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
    """The bet counts as it lies: breaking this duty costs nothing by itself."""
    box = after("blue 1@hole  white 1@1x  red 2@2x", players=4)
    wrong = box.throw("green", "green 1@2x  white 1@hole  red 2@bet:C")
    assert box.findings == [("bad_bet", "red", wrong, None)]
    assert box.points == {"blue": 1, "red": 7, "green": 2}


def test_x_i3_the_active_player_may_not_bet() -> None:
    """A die that stayed on its bet was not thrown (X-I1): one finding, not two."""
    box = after("blue 1@hole  white 1@1x", players=4)
    wrong = box.throw("green", "white 1@hole  green 2@bet:C")
    assert box.findings == [("bad_bet", "green", wrong, None)]
    box = after("blue 1@hole  white 1@1x  green 2@bet:C", players=4)
    wrong = box.throw("green", "white 1@hole  green 2@bet:C")
    assert box.findings == [("one_die", "green", wrong, None)]


def test_x_i3_x_04_a_bet_on_a_tile_that_is_not_in_play() -> None:
    """Reported once, when it is laid; without a list of tiles nobody knows which are in play."""
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
    """G-04: two red dice and a throw out of turn by red; then yellow out of turn beside red's bad bet."""
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
    """X-09: the throw counts; `none` only records the offence, `chip1` takes a chip, `drink` asks for one."""
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
