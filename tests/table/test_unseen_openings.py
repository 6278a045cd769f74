"""Openings of DoppelX that a gap hid, and throws with the white die that are no openings."""

from __future__ import annotations

from dataclasses import replace

from tests.table.lying_dice import REST_OF_OPENING, Table, die
from tests.table.unseen_dice_lying import BLUE, LAY, WHITE, unseen


def test_who_throws_the_white_die_while_his_own_lies_as_a_bet_laid_a_bad_one() -> None:
    """X-I3: the bet was seen on its tile before the throw."""
    table = Table().opened()
    bet = replace(die("blue", "2", -80.0), where="bet:C")
    table.rest(*REST_OF_OPENING, bet, rolled=False)
    table.rest(*REST_OF_OPENING, bet, WHITE)
    assert [rule for rule, *_ in table.findings] == ["X-I3"]


def test_an_opening_that_nobody_saw_is_asked() -> None:
    """X-06."""
    table = Table()
    (throw,) = table.rest(*unseen(*LAY), rolled=False, gap_s=5.0)
    assert (throw.fields["player"], throw.fields["after_gap"]) == ("all", True)
    assert len(table.referee.view().doubts) == 1


def test_a_throw_with_the_white_die_after_a_gap_is_no_opening_and_accuses_nobody() -> None:
    """X-06, X-I5: nobody saw the opening, and one of the players throws for the first time."""
    table = Table()
    table.blind()
    first = (die("yellow", "3", 80.0), BLUE, WHITE)
    (throw,) = table.rest(*first, gap_s=5.0)
    assert ("player" in throw, throw.fields["after_gap"]) == (False, True)
    (throw,) = table.rest(die("yellow", "3", 80.0), BLUE, die("green", "1", 0.0), die("white", "3", 90.0))
    assert (throw.fields["player"], table.findings) == ("green", [])


def test_a_first_throw_with_the_white_die_is_no_opening_though_no_gap_was_noticed() -> None:
    """XA-1, X-I5: the opening could not be read because everything was slightly blurred."""
    table = Table()
    (throw,) = table.rest(die("yellow", "3", 80.0), BLUE, WHITE)
    assert ("player" in throw, throw.fields["after_gap"]) == (False, True)
    (throw,) = table.rest(die("yellow", "3", 80.0), BLUE, die("green", "1", 0.0), die("white", "3", 90.0))
    assert (throw.fields["player"], table.findings) == ("green", [])


def test_a_white_die_that_lay_in_the_box_before_the_opening_was_not_thrown_in_it() -> None:
    """X-06."""
    table = Table()
    assert table.rest(WHITE, rolled=False) == []
    (throw,) = table.rest(*LAY, WHITE)
    assert throw.fields["player"] == "all"


def test_an_opening_that_a_gap_interrupts_is_told_after_it() -> None:
    """X-06: it was seen only for a moment, and green's die is out of view."""
    table = Table()
    assert table.rest(*LAY[::2], short=True) == []
    table.blind()
    (throw,) = table.rest(*LAY[::2], rolled=False, gap_s=2.0)
    assert throw.fields["player"] == "all"
