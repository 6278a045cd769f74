"""DoppelX: what the dice cannot show stays open and accuses nobody (RULES G-10, XA-7, X-I5)."""

from __future__ import annotations

import pytest

from tests.rules.box import Box, after, dice


@pytest.mark.parametrize(("twice", "whose"), [("red", "red"), ("blue", "blue"), ("white", "blue")])
def test_x_i7_two_dice_of_one_colour_cannot_be(twice: str, whose: str) -> None:
    """The white die belongs to the active player; both dice of one colour count as they lie."""
    box = Box(4)
    box.open()
    words = "blue 1@1x  white 1@1x  red 1@1x"
    wrong = box.throw("blue", f"{words}  {twice} 3@1x")
    assert box.findings == [("duplicate_die", whose, wrong, None)]


def test_g_10_an_unknown_face_keeps_the_game_open_until_it_is_corrected() -> None:
    box = Box(3)
    number = box.open("blue ?@3x  green 2@1x")
    result = box.referee.result()
    assert (result["open"], result["finished"], result["points"]["blue"]) == ([number], False, 0)
    right = {"kind": "throw", "player": "all", "dice": dice("blue 3@3x  green 2@1x")}
    box.event("correction", of=number, event=right)
    assert box.points == {"blue": 9, "green": 2}
    assert "open" not in box.referee.result()


def test_g_10_a_lost_or_betting_die_needs_no_face() -> None:
    box = after("blue 1@1x  white ?@hole  green ?@bet:C")
    assert "open" not in box.referee.result()


def test_g_10_a_die_over_nothing_but_a_hole_counts_nothing_and_is_no_doubt() -> None:
    box = Box(3)
    box.event(
        "throw", player="all", dice=[{"colour": "blue", "face": "3", "where": "field", "touches": ["hole"]}]
    )
    assert "open" not in box.referee.result()
    assert (box.points, box.why("blue")) == ({}, "hole")
    box = Box(3)
    number = box.event("throw", player="all", dice=[{"colour": "blue", "face": "3", "where": "field"}])
    assert box.referee.result()["open"] == [number]  # nobody has said where they lie


def test_g_10_a_corrected_throw_moves_all_totals_after_it() -> None:
    box = Box(3)
    number = box.open("blue 1@1x")
    box.throw("blue", "blue 1@1x  white 1@1x")
    box.event("correction", of=number, event=None)
    assert box.points == {"blue": 2}


def test_xa_7_a_leaning_die_is_asked_about_and_counts_as_it_is_read() -> None:
    for cocked, asked in (("ask", True), ("stands", False)):
        box = Box(3, options={"cocked": cocked})
        leaning = dice("green 2@1x")[0] | {"cocked": True, "doubt": ["cocked"]}
        box.event("throw", player="all", dice=[leaning])
        assert (("cocked?", "green") in box.prompts) is asked
        assert box.points == {"green": 2}
        assert box.view.box is not None
        assert box.view.box.dice[0].doubt == ("cocked",)


def test_x_i5_after_a_gap_nobody_is_accused_and_the_next_throw_is_judged_again() -> None:
    """X-I1, X-I3, X-I5: a throw, a die taken back or a bet may have gone unseen."""
    box = Box(3)
    box.open("blue 1@1x  green 1@1x")
    box.event("blind", until=8.0, why="covered")
    box.throw("yellow", "yellow 1@1x  green 2@bet:A")
    assert (box.findings, box.view.turn) == ([], "blue")
    wrong = box.throw("green", "green 1@1x  white 1@1x  yellow 1@1x")
    assert box.findings == [("out_of_turn", "green", wrong, None)]


def test_a_throw_that_nobody_saw_is_open_and_without_a_player_it_is_nobodys() -> None:
    """X-10: its points wait until somebody says who threw."""
    box = Box(3)
    box.open("blue 1@1x")
    box.event("blind", until=20.0, why="dark")
    unseen = box.event("throw", after_gap=True, dice=dice("green 3@1x  blue 1@3x  white 2@1x"))
    assert box.points == {"blue": 1}
    assert box.view.turn is None
    assert [doubt.event for doubt in box.view.doubts] == [unseen]
    assert not box.referee.result()["finished"]
    box.event("correction", of=unseen, event={"kind": "throw", "player": "green", "dice": dice("green 3@1x")})
    assert (box.points, box.view.turn, box.view.doubts) == ({"blue": 1, "green": 3}, "yellow", ())
