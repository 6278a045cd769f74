"""Whose throw it was if turns and dice disagree."""

from __future__ import annotations

from dataclasses import replace

from tests.table.lying_dice import REST_OF_OPENING, Table, die


def test_the_wrong_players_die_says_who_threw() -> None:
    """X-I5."""
    table = Table().opened()
    lay = (die("blue", "2", -80.0), die("yellow", "3", 80.0))
    table.rest(*lay, rolled=False)
    (throw,) = table.rest(*lay, die("green", "2", 20.0), die("white", "1", 50.0))
    assert throw.fields["player"] == "green"
    assert table.findings == [("X-I5", "green")]


def test_a_die_that_was_overlooked_for_a_while_is_no_throw() -> None:
    table = Table().opened()
    table.rest(die("yellow", "3", 80.0), rolled=False)
    (throw,) = table.rest(*REST_OF_OPENING, die("white", "1", 50.0))
    assert throw.fields["player"] == "blue", "green lies where it lay"
    assert table.findings == []


def test_the_wrong_players_die_says_who_threw_also_while_the_right_one_holds_his() -> None:
    """X-I5."""
    table = Table().opened()
    table.rest(die("yellow", "3", 80.0), rolled=False)
    (throw,) = table.rest(die("yellow", "3", 80.0), die("green", "2", 20.0), die("white", "1", 50.0))
    assert throw.fields["player"] == "green"


def test_whose_die_alone_came_to_lie_elsewhere_threw_also_when_the_count_of_turns_says_otherwise() -> None:
    """A throw that nobody saw must not spoil all that follow: blue's die lies as before."""
    table = Table().opened()
    (throw,) = table.rest(
        die("blue", "2", -80.0), die("green", "3", 100.0), die("yellow", "3", 80.0), die("white", "1", 50.0)
    )
    assert throw.fields["player"] == "green"


def test_whose_die_left_a_hand_and_the_box_threw_when_the_bet_of_the_one_in_turn_lies_still() -> None:
    """A throw that left the box unseen must not give the next one to the wrong player."""
    table = Table().opened()
    lay = (die("blue", "2", 150.0, where="bet:A"), die("yellow", "3", 80.0))
    table.rest(*lay, rolled=False)
    (throw,) = table.rest(*lay, die("white", "1", 50.0))
    assert throw.fields["player"] == "green"
    assert [one["colour"] for one in throw.fields["dice"] if one["where"] == "outside"] == ["green"]
    assert table.findings == [], "blue may have thrown out of the box unseen: that is asked"
    assert throw.fields["after_gap"]


def test_after_a_throw_out_of_turn_the_dice_say_who_goes_on() -> None:
    """X-I5: the player passed over or the next one; hands take dice and throw them in one movement."""
    for own, goes_on in (("blue", "blue"), ("yellow", "yellow")):
        table = Table().opened()
        lay = {"blue": die("blue", "2", -80.0), "yellow": die("yellow", "3", 80.0)}
        table.rest(*lay.values(), rolled=False)
        lay["green"], white = die("green", "2", 20.0), die("white", "1", 50.0)
        assert [e.fields["player"] for e in table.rest(*lay.values(), white)] == ["green"]
        assert table.referee.view().turn is None
        lay[own] = die(own, "1", -30.0)
        (throw,) = table.rest(*lay.values(), die("white", "3", 100.0))
        assert throw.fields["player"] == goes_on


def test_who_threw_out_of_turn_is_known_by_a_die_from_the_hand_though_the_other_was_hit() -> None:
    table = Table().opened()
    lay = (die("blue", "2", -80.0), die("yellow", "3", 80.0))
    table.rest(*lay, rolled=False)
    hit = die("blue", "2", -74.0)
    (throw,) = table.rest(hit, die("yellow", "3", 80.0), die("green", "2", 20.0), die("white", "1", 50.0))
    assert throw.fields["player"] == "green"


def test_a_die_that_could_not_be_read_and_is_read_beside_that_place_was_not_thrown() -> None:
    """In a glare its place was only roughly known; then the box was turned."""
    table = Table().opened()
    dim = replace(die("white", None, 50.0), margin_mm=None, doubt=("face", "line", "cocked"))
    (throw,) = table.rest(*REST_OF_OPENING, die("blue", "3", -60.0), dim)
    assert throw.fields["player"] == "blue"
    lay = (*REST_OF_OPENING, die("blue", "3", -60.0))
    assert table.rest(*lay, die("white", "2", 70.0), rolled=False) == []


def test_a_die_that_is_noticed_beside_the_box_is_no_throw() -> None:
    """The white die was there all along, or a hand put it there: nothing flew."""
    table = Table().opened()
    lay = (die("blue", "2", -80.0), *REST_OF_OPENING)
    assert table.rest(*lay, die("white", "X", 250.0, where="outside"), rolled=False) == []
    table.rest(*REST_OF_OPENING, die("white", "X", 250.0, where="outside"), rolled=False)
    (throw,) = table.rest(*REST_OF_OPENING, die("blue", "1", -60.0), die("white", "1", 50.0))
    assert throw.fields["player"] == "blue"


def test_a_die_that_only_got_its_name_back_was_not_thrown() -> None:
    table = Table().opened()
    nameless = replace(die(None, "3", -60.0), doubt=("colour",))
    table.rest(*REST_OF_OPENING, nameless, die("white", "1", 50.0))
    table.rest(nameless, die("green", "2", 20.0), die("yellow", "3", 80.0), die("white", "1", 100.0))
    lay = (die("green", "2", 20.0), die("yellow", "1", 60.0), die("white", "2", 120.0))
    table.rest(nameless, *lay)
    assert table.referee.view().turn == "blue"
    (right,) = table.rest(*lay, die("blue", "3", -60.0), rolled=False)
    assert right.kind == "correction"


def test_a_throw_of_a_die_without_a_name_is_told_also_when_nobody_knows_whose_turn_it_is() -> None:
    table = Table().opened()
    lay = (die("blue", "2", -80.0), die("yellow", "3", 80.0))
    table.rest(*lay, rolled=False)
    with_green = (*lay, die("green", "2", 20.0))
    table.rest(*with_green, die("white", "1", 50.0))
    assert table.referee.view().turn is None
    nameless = replace(die(None, "3", -60.0), doubt=("colour",))
    (throw,) = table.rest(*with_green[1:], nameless, die("white", "1", 50.0))
    assert throw.fields["player"] == "blue"
