"""The croupier: dice moved by hand, throws whose roll nobody saw, openings that land one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.rules.events import Event
from tests.table.lying_dice import REST_OF_OPENING, Table, die
from vision.sightings import DieSeen

GREEN, YELLOW = REST_OF_OPENING
BLUE = die("blue", "3", -60.0)
WHITE = die("white", "1", 50.0)
THROWN = (YELLOW, BLUE, die("green", "2", 20.0), die("white", "2", 110.0))
Dice = tuple[DieSeen, ...]


def blue_threw() -> Table:
    """After blue's throw; it is green's turn."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, rolled=False)
    table.rest(*REST_OF_OPENING, BLUE, WHITE)
    return table


def doubts(throw: Event) -> dict[str, list[str]]:
    return {each["colour"]: each["doubt"] for each in throw.fields["dice"] if each.get("doubt")}


@pytest.mark.parametrize(
    "rests",
    [
        [(YELLOW, BLUE, WHITE, die("green", "1", -20.0))],
        [(GREEN, YELLOW, BLUE), (GREEN, YELLOW, BLUE, die("white", "1", 100.0))],
        [(YELLOW, BLUE, WHITE), (YELLOW, BLUE, WHITE, die("green", "3", -30.0))],
        [(YELLOW, BLUE, die("green", "1", -20.0))],
    ],
    ids=["pushed", "white-laid-back", "taken-and-laid-back", "pushed-while-white-is-taken"],
)
def test_one_die_that_a_hand_moved_is_no_throw_and_accuses_nobody(rests: list[Dice]) -> None:
    """X-I2, X-08: the other die did not move or was taken; nothing rolled."""
    table = blue_threw()
    for dice in rests:
        assert table.rest(*dice, rolled=False) == []
    table.rest(YELLOW, BLUE, rolled=False)
    (throw,) = table.rest(*THROWN)
    assert (throw.fields["player"], doubts(throw), table.findings) == ("green", {}, [])


def test_a_throw_whose_roll_nobody_saw_is_told_in_doubt_and_passes_on_the_turn() -> None:
    """X-08: both dice of the next player are new, and the own one shows another face."""
    table = blue_threw()
    table.rest(YELLOW, BLUE, rolled=False)
    (throw,) = table.rest(*THROWN, rolled=False)
    assert (throw.fields["player"], "after_gap" in throw) == ("green", False)
    assert doubts(throw) == {"green": ["throw"], "white": ["throw"]}
    view = table.referee.view()
    assert (view.turn, [doubt.event for doubt in view.doubts], table.findings) == ("yellow", [5], [])


def test_who_throws_after_both_dice_were_laid_back_is_asked_and_not_out_of_turn() -> None:
    """X-I5: the earlier throw was perhaps none."""
    table = blue_threw()
    table.rest(YELLOW, BLUE, rolled=False)
    table.rest(*THROWN, rolled=False)
    table.rest(YELLOW, BLUE, rolled=False)
    again = (YELLOW, BLUE, die("green", "3", -20.0), die("white", "1", 60.0))
    (throw,) = table.rest(*again)
    assert (throw.fields["player"], throw.fields["after_gap"]) == ("green", True)
    assert table.findings == []


def test_own_die_that_came_without_a_roll_and_without_the_white_one_is_asked() -> None:
    """X-14, X-I1: the white one may have fallen out, so it is not sure that one die alone was thrown."""
    table = blue_threw()
    table.rest(YELLOW, BLUE, rolled=False)
    (throw,) = table.rest(*THROWN[:3], rolled=False)
    assert (throw.fields["player"], throw.fields["after_gap"], table.findings) == ("green", True, [])


def test_an_opening_goes_on_while_a_players_die_has_not_landed() -> None:
    """X-06: dice that land later belong to it, one by one or together, and are nobody's throw."""
    table = Table()
    table.rest(rolled=False)
    (opening,) = table.rest(YELLOW)
    assert opening.fields["player"] == "all"
    (first,) = table.rest(YELLOW, GREEN)
    (second,) = table.rest(YELLOW, GREEN, die("blue", "2", -80.0))
    assert [first.kind, second.kind] == ["correction", "correction"]
    assert table.points == {"blue": 2, "green": 1, "yellow": 3}
    box = table.referee.view().box
    assert box is not None
    assert (box.throw, table.findings) == (1, [])


def test_a_late_die_of_who_begins_may_be_his_throw_and_is_asked() -> None:
    """X-06, X-08: there was time for one, and the white die is out of view."""
    table = Table()
    table.rest(rolled=False)
    table.rest(*REST_OF_OPENING)
    table.t += 2.0
    (right,) = table.rest(*REST_OF_OPENING, die("blue", "2", -80.0))
    assert right.instead is not None
    assert doubts(right.instead) == {"blue": ["throw"]}


def test_dice_that_lay_there_at_the_first_look_are_no_opening() -> None:
    """X-06: nothing rolled."""
    table = Table()
    assert table.rest(die("blue", "1", 10.0), die("yellow", "2", 60.0), rolled=False) == []
    assert table.rest(rolled=False) == []
    table.opened()
    view = table.referee.view()
    assert table.points == {"blue": 2, "green": 1, "yellow": 3}
    assert (view.turn, view.doubts, view.findings) == ("blue", (), ())


def test_dice_laid_into_the_box_before_the_opening_leave_the_place_to_it() -> None:
    """X-06: dice that came without a roll are a question until the true opening replaces them."""
    table = Table()
    table.rest(rolled=False)
    (laid,) = table.rest(die("blue", "1", 10.0), die("white", "2", 60.0), rolled=False)
    assert (laid.fields["player"], laid.fields["after_gap"]) == ("all", True)
    table.rest(rolled=False)
    table.opened()
    view = table.referee.view()
    assert table.points == {"blue": 2, "green": 1, "yellow": 3}
    assert (view.turn, view.doubts, view.findings) == ("blue", (), ())


def test_a_bet_after_a_throw_that_nobody_saw_roll_is_held_against_nobody() -> None:
    """X-I3: nobody saw the die come to rest on the field."""
    table = blue_threw()
    table.rest(YELLOW, BLUE, rolled=False)
    table.rest(*THROWN, rolled=False)
    lay = (BLUE, replace(die("green", "2"), where="bet:C"))
    table.rest(*lay, rolled=False)
    table.rest(*lay, die("yellow", "1", 0.0), die("white", "1", 60.0))
    assert table.findings == []


def test_a_throw_in_doubt_is_believed_once_who_is_next_after_it_has_thrown() -> None:
    """X-08: nobody has to say anything, and the game gets its winner."""
    table = blue_threw()
    table.rest(YELLOW, BLUE, rolled=False)
    table.rest(*THROWN, rolled=False)
    lay = THROWN[1:3]
    table.rest(*lay, rolled=False)
    right, throw = table.rest(*lay, die("yellow", "1", 0.0), die("white", "1", 60.0))
    assert (right.kind, throw.fields["player"]) == ("correction", "yellow")
    assert (table.referee.view().doubts, table.findings) == ((), [])
