"""From resting dice to throws and findings: the sightings are made up, the rules are real."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.interpret import Interpreter
from table.rules import Referee
from tests.table.lying_dice import BOX, EARLY_S, LATE_S, REST_OF_OPENING, Table, die
from vision.sightings import DieSeen, Guess, ThrowSeen


def test_the_first_dice_that_lie_are_the_throw_of_all() -> None:
    """X-06: dice that are nowhere in view fell out."""
    table = Table()
    assert table.rest() == []
    (throw,) = table.rest(die("blue", "2", -80.0), die("yellow", "3", 80.0))
    assert throw.fields["player"] == "all"
    assert {"colour": "green", "face": None, "where": "outside", "touches": []} in throw.fields["dice"]
    assert table.points == {"blue": 2, "green": 0, "yellow": 3}


def test_own_die_and_the_white_one_are_a_throw_of_who_is_next() -> None:
    """X-08, X-10, X-11."""
    table = Table().opened()
    assert table.rest(*REST_OF_OPENING, rolled=False) == [], "blue took his die"
    (throw,) = table.rest(*REST_OF_OPENING, die("blue", "3", -60.0, "2x"), die("white", "1", 50.0))
    assert (throw.fields["player"], throw.fields["t"]) == ("blue", pytest.approx(table.t + EARLY_S))
    assert table.points == {"blue": 2 + 6 + 1, "green": 2, "yellow": 6}


def test_a_die_out_of_view_is_waited_for_and_then_lost() -> None:
    """X-14: a die that cannot be seen may still be rolling."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, rolled=False)
    (throw,) = table.rest(*REST_OF_OPENING, die("white", "2", 50.0))
    assert throw.fields["t"] == pytest.approx(table.t + LATE_S)
    assert [d["where"] for d in throw.fields["dice"] if d["colour"] == "blue"] == ["outside"]


def test_both_dice_flown_out_are_a_throw_only_when_something_flew() -> None:
    table = Table().opened()
    assert table.rest(*REST_OF_OPENING, rolled=False) == []
    assert table.rest(*REST_OF_OPENING, rolled=False) == [], "they are still in the hand"
    (throw,) = table.rest(*REST_OF_OPENING, rolled=True)
    assert throw.fields["player"] == "blue"
    assert {d["colour"] for d in throw.fields["dice"] if d["where"] == "outside"} == {"blue", "white"}
    assert table.referee.view().turn == "green"


def test_a_rest_is_told_once() -> None:
    table = Table().opened()
    dice = (*REST_OF_OPENING, die("blue", "3", -60.0), die("white", "1", 50.0))
    assert len(table.rest(*dice)) == 1
    assert table.rest(*dice, rolled=False) == []
    assert table.rest(*dice, rolled=True) == [], "a hand's shadow is no throw"


def test_taking_dice_turning_the_box_and_laying_bets_are_no_throws() -> None:
    """X-22, X-23, X-28."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, die("white", "1", 50.0))
    assert table.points["yellow"] == 6
    lay = (*REST_OF_OPENING, die("white", "1", 50.0))
    assert table.rest(*lay, die("blue", "3", where="bet:C"), rolled=False) == []
    assert table.rest(*lay, die("blue", "X", where="bet:F"), rolled=False) == []
    assert table.rest(*lay, die("blue", "X", where="bet:F"), rolled=True) == []
    table.rest(die("yellow", "3", 80.0), die("blue", "X", where="bet:F"), rolled=False)
    (throw,) = table.rest(
        die("yellow", "3", 80.0),
        die("blue", "X", where="bet:F"),
        die("green", "2", 10.0),
        die("white", "2", 30.0),
    )
    assert throw.fields["player"] == "green"
    assert table.points["blue"] == 2 + 1 + 2, "X-25: bet F pays double, both active dice touch 1x"


def test_a_die_knocked_out_of_view_is_listed_in_the_throw_that_did_it() -> None:
    table = Table().opened()
    table.rest(*REST_OF_OPENING, rolled=False)
    (throw,) = table.rest(die("green", "1", 0.0), die("blue", "3", -60.0), die("white", "1", 50.0))
    assert [d["where"] for d in throw.fields["dice"] if d["colour"] == "yellow"] == ["outside"]
    (throw,) = table.rest(die("green", "2", 20.0), die("blue", "3", -60.0), die("white", "2", 90.0))
    assert "yellow" not in [d["colour"] for d in throw.fields["dice"]], "by now it is in a hand"


def test_one_die_thrown_is_a_finding() -> None:
    """X-I1."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, die("blue", "3", -60.0), die("white", "1", 50.0))
    lay = (die("yellow", "3", 80.0), die("blue", "3", -60.0), die("white", "1", 50.0))
    table.rest(*lay, rolled=False)
    table.rest(*lay, die("green", "2", 20.0))
    assert table.findings == [("X-I1", "green")]


def test_a_die_moved_by_a_hand_is_no_throw() -> None:
    """X-I2: it counts where it lies, and nobody is accused."""
    table = Table().opened()
    moved = (die("green", "1", 12.0), die("yellow", "3", 80.0), die("blue", "2", -80.0))
    assert table.rest(*moved, rolled=False) == []
    assert table.findings == []


def test_a_die_that_lay_on_the_field_is_no_bet() -> None:
    """X-I3, X-I4: the bet is reported and its face is not counted."""
    table = Table().opened()
    lay = (die("yellow", "3", 80.0), die("green", "X", where="bet:C"))
    table.rest(*lay, rolled=False)
    table.rest(*lay, die("blue", "X", -60.0), die("white", "1", 50.0))
    assert table.findings == [("X-I3", "green")]
    assert not table.referee.view().box.doppel_x  # type: ignore[union-attr]


def test_two_dice_of_one_colour_are_a_finding() -> None:
    """X-I7: both are listed."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, rolled=False)
    table.rest(*REST_OF_OPENING, die("blue", "2", 20.0), die("blue", "1", 60.0), die("white", "1", 50.0))
    assert table.findings == [("X-I7", "blue")]


def test_a_die_without_a_name_is_not_also_lost() -> None:
    """X-14: a missing die may be the one whose colour nobody knows, so the table asks."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, rolled=False)
    (throw,) = table.rest(*REST_OF_OPENING, die(None, "3", -60.0), die("white", "1", 50.0))
    assert throw.fields["player"] == "blue"
    assert [d["colour"] for d in throw.fields["dice"]] == ["green", "yellow", None, "white"]
    assert table.findings == []
    assert [doubt.event for doubt in table.referee.view().doubts]
    table.rest(*REST_OF_OPENING[1:], die("blue", "3", -60.0), rolled=False)
    (throw,) = table.rest(
        REST_OF_OPENING[1], die("blue", "3", -60.0), die("green", "2", 10.0), die("white", "2", 30.0)
    )
    assert (throw.fields["player"], table.findings) == ("green", [])


def test_a_die_without_a_name_that_lay_before_excuses_no_other() -> None:
    """X-14: an earlier throw already accounts for it; in this one green is lost."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, rolled=False)
    table.rest(*REST_OF_OPENING, die(None, "3", -60.0), die("white", "1", 50.0))
    table.rest(REST_OF_OPENING[1], die(None, "3", -60.0), rolled=False)
    (throw,) = table.rest(REST_OF_OPENING[1], die(None, "3", -61.0), die("white", "2", 30.0))
    gone = [d["colour"] for d in throw.fields["dice"] if d["where"] == "outside"]
    assert (throw.fields["player"], gone) == ("green", ["green"])
    assert table.findings == []


def test_a_colour_in_doubt_that_surely_is_anothers_proves_nothing() -> None:
    """X-I5, X-I7: no second green die, no throw by green; with two dice gone it may be either."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, rolled=False)
    doubtful = replace(die("green", "3", -60.0), doubt=("colour",))
    (throw,) = table.rest(*REST_OF_OPENING, doubtful, die("white", "1", 50.0))
    assert (throw.fields["player"], table.findings) == ("blue", [])
    assert "blue" not in {d["colour"] for d in throw.fields["dice"]}
    table = Table().opened()
    table.rest(*REST_OF_OPENING, rolled=False)
    (throw,) = table.rest(REST_OF_OPENING[0], doubtful, die("white", "1", 50.0))
    gone = [d for d in throw.fields["dice"] if d["where"] == "outside"]
    assert [(d["colour"], d["doubt"]) for d in gone] == [("blue", ["colour"]), ("yellow", ["colour"])]


def test_what_the_eye_doubts_is_told_with_its_candidates() -> None:
    table = Table().opened()
    unsure = DieSeen(
        "blue",
        None,
        (-60.0, 40.0),
        3.0,
        "field",
        ("1x",),
        "1x",
        0.4,
        doubt=("face", "line"),
        candidates=(Guess("blue-2", 0.6),),
    )
    table.rest(*REST_OF_OPENING, rolled=False)
    (throw,) = table.rest(*REST_OF_OPENING, unsure, die("white", "1", 50.0))
    told = next(d for d in throw.fields["dice"] if d["colour"] == "blue")
    assert (told["doubt"], told["candidates"], told["margin_mm"]) == (
        ["face", "line"],
        [["blue-2", 0.6]],
        0.4,
    )
    assert [doubt.event for doubt in table.referee.view().doubts]


def test_without_a_game_every_new_rest_is_a_throw_of_nobody() -> None:
    interpreter = Interpreter(BOX)
    view = Referee().view()
    said = [interpreter.hear(ThrowSeen(1.0, (die("blue", "2"),), None, True, s), view) for s in (0.12, 0.8)]
    assert [len(events) for events in said] == [1, 0]
    assert "player" not in said[0][0]
    assert interpreter.hear(ThrowSeen(3.0, (die("blue", "2"),), None, False, 0.12), view) == []


def test_a_second_die_of_a_colour_that_lies_there_is_in_doubt_and_stops_no_throw() -> None:
    """A stranger's blue die stays where it is; blue takes and throws the other one."""
    stranger, lay = die("blue", "1", 100.0), (*REST_OF_OPENING,)
    table = Table().opened()
    table.rest(*lay, stranger, die("blue", "2", -80.0), rolled=False)
    assert table.rest(*lay, stranger, rolled=False) == [], "blue's own is in his hand"
    (throw,) = table.rest(*lay, stranger, die("blue", "3", 20.0), die("white", "1", 50.0))
    assert throw.fields["player"] == "blue"
    assert {told["colour"] for told in throw.fields["dice"] if "colour" in told.get("doubt", ())} == {"blue"}
    assert table.findings == []
