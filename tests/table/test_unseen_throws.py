"""Dice that changed while the eye was blind: recorded as after a gap, asked about, nobody accused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.rules import Referee
from table.rules.events import Event
from tests.table.lying_dice import REST_OF_OPENING, Table, die
from tests.table.unseen_dice_lying import BLUE, LAY, WHITE, unseen


def doubts(throw: Event) -> dict[str, list[str]]:
    return {each["colour"]: each["doubt"] for each in throw.fields["dice"] if each.get("doubt")}


def test_dice_that_lie_as_they_lay_are_no_throw() -> None:
    table = Table().opened()
    assert table.rest(*unseen(*LAY), rolled=False, gap_s=8.0) == []
    (throw,) = table.rest(*REST_OF_OPENING, BLUE, WHITE)
    assert throw.fields["player"] == "blue"
    assert "after_gap" not in throw


def test_one_players_die_and_the_white_one_that_lie_otherwise_are_asked() -> None:
    """X-08: it may have been that player's throw, and nobody saw it."""
    table = Table().opened()
    (throw,) = table.rest(*REST_OF_OPENING, *unseen(BLUE, WHITE), rolled=False, gap_s=8.0)
    assert (throw.fields["player"], throw.fields["after_gap"]) == ("blue", True)
    assert doubts(throw) == {"blue": ["throw"], "white": ["throw"]}
    assert [doubt.event for doubt in table.referee.view().doubts] == [3 + 1]
    assert table.findings == []


def test_in_a_short_gap_it_was_the_one_in_turn_whose_die_fell_out_of_view_and_hit_another() -> None:
    """X-08: green's die has moved; blue's was in blue's hand and is nowhere."""
    table = Table().opened()
    hit = unseen(die("green", "2", 30.0), WHITE)
    (throw,) = table.rest(REST_OF_OPENING[1], *hit, rolled=False, gap_s=0.5)
    assert (throw.fields["player"], throw.fields["after_gap"]) == ("blue", True)
    assert table.findings == []


def test_a_die_that_flew_after_a_gap_may_have_been_hit_by_one_that_was_taken_up_in_it() -> None:
    """X-08: green's die was there before, blue's is gone since: the thrower is unknown, so the table asks."""
    table = Table().opened()
    table.blind()
    flew = (die("green", "2", 30.0), WHITE)
    (throw,) = table.rest(REST_OF_OPENING[1], *flew, gap_s=20.0)
    assert (throw.get("player"), throw.fields["after_gap"]) == (None, True)
    assert table.findings == []


def test_who_laid_his_die_as_a_bet_in_a_gap_may_have_thrown_it_before() -> None:
    """X-08: blue threw and hit green's die, and blue's own is already on a tile."""
    bet = replace(die("blue", "2", -80.0), where="bet:C")
    hit = unseen(die("green", "2", 30.0), WHITE)
    table = Table().opened()
    (throw,) = table.rest(REST_OF_OPENING[1], *hit, bet, rolled=False, gap_s=1.2)
    assert throw.fields["player"] == "blue"  # whose turn it was
    table = Table().opened()
    (throw,) = table.rest(REST_OF_OPENING[1], *hit, bet, rolled=False, gap_s=4.5)
    assert (throw.get("player"), throw.fields["after_gap"]) == (None, True)
    assert table.findings == []


def test_a_throw_seen_only_when_its_die_lies_as_a_bet_already_is_asked_and_accuses_nobody() -> None:
    """X-I3: something hid the box while blue threw; blue's die is already a bet, the white one is there."""
    table = Table().opened()
    bet = replace(die("blue", "2", -80.0), where="bet:C")
    (throw,) = table.rest(*REST_OF_OPENING, bet, WHITE)
    assert (throw.fields["player"], throw.fields["after_gap"]) == ("blue", True)
    assert doubts(throw)["blue"] == ["throw"]
    assert table.findings == []


def test_a_bet_that_lay_on_its_tile_before_a_gap_was_not_thrown_in_it() -> None:
    """X-08: blue's die is on the tile as before."""
    bet = replace(die("blue", "2", -80.0), where="bet:C")
    table = Table().opened()
    table.rest(*REST_OF_OPENING, bet, rolled=False)
    hit = unseen(die("green", "2", 30.0), WHITE)
    (throw,) = table.rest(REST_OF_OPENING[1], *hit, bet, rolled=False, gap_s=4.5)
    assert throw.fields["player"] == "green"


def test_the_wrong_players_die_after_a_gap_accuses_nobody() -> None:
    """X-I5: blue may have thrown before, unseen."""
    table = Table().opened()
    table.blind()
    (throw,) = table.rest(*LAY[::2], *unseen(die("green", "2", 30.0), WHITE), rolled=False, gap_s=8.0)
    assert throw.fields["player"] == "green"
    assert table.findings == []
    lay = (LAY[0], die("green", "2", 30.0))
    table.rest(*lay, rolled=False)
    (throw,) = table.rest(*lay, die("yellow", "1", 0.0), die("white", "2", 90.0))
    assert (throw.fields["player"], table.findings) == ("yellow", [])


def test_several_players_dice_that_lie_otherwise_are_nobodys_throw() -> None:
    """Nothing is scored, and the next thrower is believed."""
    table = Table().opened()
    before = table.points
    dice = (BLUE, die("green", "3", 30.0, "2x"), REST_OF_OPENING[1])
    (throw,) = table.rest(*unseen(*dice[:2]), dice[2], *unseen(WHITE), rolled=False, gap_s=20.0)
    assert "player" not in throw
    assert throw.fields["after_gap"]
    assert table.points == before
    view = table.referee.view()
    assert (view.turn, len(view.doubts)) == (None, 1)
    table.rest(*dice[:2], rolled=False)
    (throw,) = table.rest(*dice[:2], die("yellow", "1", 0.0), die("white", "2", 90.0))
    assert (throw.fields["player"], table.findings) == ("yellow", [])
    assert table.referee.view().turn == "blue"


def test_in_a_short_gap_the_turn_says_who_hit_the_others() -> None:
    table = Table().opened()
    dice = (BLUE, die("green", "3", 30.0), REST_OF_OPENING[1], WHITE)
    (throw,) = table.rest(*unseen(*dice), rolled=False, gap_s=1.5)
    assert throw.fields["player"] == "blue"
    assert doubts(throw) == {"blue": ["throw"], "green": ["throw"], "white": ["throw"]}


def test_what_rolled_before_the_eye_says_who_threw_whatever_was_missed() -> None:
    """Blue and green threw unseen; yellow was seen."""
    table = Table().opened()
    table.blind()
    lay = unseen(BLUE, die("green", "3", 30.0))
    (throw,) = table.rest(*lay, die("yellow", "1", 0.0), die("white", "2", 90.0), gap_s=9.0)
    assert (throw.fields["player"], table.findings) == ("yellow", [])
    assert doubts(throw) == {"blue": ["throw"], "green": ["throw"]}


def test_after_a_gap_that_may_have_held_a_throw_dice_that_hit_others_leave_it_open_who_threw() -> None:
    """X-I5: blue threw unseen, green was seen; no die shows it, and nobody is accused afterwards."""
    table = Table().opened()
    table.blind()
    dice = (die("blue", "3", -30.0), die("green", "2", 90.0), REST_OF_OPENING[1], WHITE)
    (throw,) = table.rest(*dice, gap_s=1.6)
    assert "player" not in throw
    assert throw.fields["after_gap"]
    lay = (dice[0], dice[1])
    table.rest(*lay, rolled=False)
    (throw,) = table.rest(*lay, die("yellow", "1", 0.0), die("white", "2", 90.0))
    assert (throw.fields["player"], table.findings) == ("yellow", [])


def test_with_the_turn_open_a_die_thrown_out_is_that_of_who_took_it_up_last() -> None:
    """Green has held its die for long; blue's was there until now."""
    table = Table().opened()
    table.rest(*unseen(BLUE, die("yellow", "1", 0.0)), *unseen(WHITE), rolled=False, gap_s=20.0)
    assert table.referee.view().turn is None
    (throw,) = table.rest(die("yellow", "1", 0.0), die("white", "2", 90.0))
    assert throw.fields["player"] == "blue"
    assert [each["colour"] for each in throw.fields["dice"] if each["where"] == "outside"] == ["blue"]


def test_with_the_turn_open_a_die_that_lies_elsewhere_may_have_been_hit_by_one_thrown_out() -> None:
    """X-08: yellow's die has moved, blue's is gone: either may have thrown, so the table asks."""
    table = Table().opened()
    table.rest(*unseen(BLUE, die("yellow", "1", 0.0)), *unseen(WHITE), rolled=False, gap_s=20.0)
    (throw,) = table.rest(die("yellow", "1", 60.0), die("white", "2", 90.0))
    assert throw.get("player") is None
    assert doubts(throw) == {"yellow": ["throw"], "white": ["throw"]}
    assert table.findings == []


def test_a_throw_that_came_unseen_is_told_though_a_hand_takes_the_dice_at_once() -> None:
    """X-08: by blue, whose own die flew out, and not by green, who throws next."""
    table = Table().opened()
    (throw,) = table.rest(
        *REST_OF_OPENING, *unseen(die("white", "2", -35.0)), rolled=False, gap_s=4.0, short=True
    )
    assert (throw.fields["player"], throw.fields["after_gap"]) == ("blue", True)
    green = (REST_OF_OPENING[1], die("green", "2", -30.0), die("white", "1", 90.0))
    (throw,) = table.rest(*green)
    assert (throw.fields["player"], table.findings) == ("green", [])


def test_a_throw_that_may_have_been_missed_is_remarked() -> None:
    """X-08: the table was blind, and yellow throws although it was blue's turn."""
    table = Table().opened()
    table.blind()
    (throw,) = table.rest(*LAY[:2], die("yellow", "1", 0.0), die("white", "2", 90.0), gap_s=5.0)
    assert (throw.fields["player"], table.findings) == ("yellow", [])
    assert table.referee.view().box is not None
    assert (2, "throw_missed", "blue") in table.referee.view().remarks


def test_a_die_on_the_field_and_one_of_its_colour_laid_as_a_bet_are_in_doubt_and_accuse_nobody() -> None:
    """X-I7: nobody throws a die that is a bet; one of the two may be the print of a tile."""
    table = Table().opened()
    (throw,) = table.rest(*REST_OF_OPENING, BLUE, WHITE, die("blue", "X", where="bet:C"))
    assert [each["doubt"] for each in throw.fields["dice"] if each["colour"] == "blue"] == [
        ["colour"],
        ["colour"],
    ]
    assert table.findings == []


def test_a_die_pushed_a_little_and_a_die_laid_on_a_tile_are_no_throw() -> None:
    """X-23, X-I2."""
    table = Table().opened()
    moved = (die("blue", "2", -73.0), *REST_OF_OPENING)
    assert table.rest(*unseen(*moved), rolled=False, gap_s=8.0) == []
    bet = (*REST_OF_OPENING[:1], die("yellow", "3", where="bet:C"), moved[0])
    assert table.rest(*unseen(*bet), rolled=False, gap_s=8.0) == []


def test_guests_say_who_threw_and_the_throw_is_whole() -> None:
    table = Table().opened()
    (throw,) = table.rest(*REST_OF_OPENING, *unseen(BLUE, WHITE), rolled=False, gap_s=8.0)
    dice = [{key: value for key, value in each.items() if key != "doubt"} for each in throw.fields["dice"]]
    told = {key: value for key, value in throw.having(dice=dice).fields.items() if key != "after_gap"}
    table.referee.add({"kind": "correction", "of": 4, "event": Event("throw", told)})
    assert table.referee.view().doubts == ()
    assert table.points == {"blue": 2 + 6 + 1, "green": 2, "yellow": 6}
    assert table.referee.view().turn == "green"


def test_a_better_look_leaves_the_question_whether_it_was_thrown() -> None:
    table = Table().opened()
    dim = replace(BLUE, doubt=("line",), unseen=True)
    (throw,) = table.rest(*REST_OF_OPENING, dim, *unseen(WHITE), rolled=False, gap_s=8.0)
    assert doubts(throw)["blue"] == ["line", "throw"]
    (right,) = table.rest(*REST_OF_OPENING, BLUE, WHITE, rolled=False)
    assert right.fields["event"].get("after_gap")
    assert doubts(right.fields["event"])["blue"] == ["throw"]


def test_a_real_fault_that_was_seen_is_found_also_in_a_log_with_a_gap_long_before() -> None:
    """X-I5: a blind time says nothing about the throws after it."""
    log: list[dict[str, Any]] = [
        {"kind": "game", "game": "doppelx", "players": ["blue", "green", "yellow"]},
        {"kind": "round", "first": "blue"},
        {"kind": "throw", "player": "all", "dice": []},
        {"kind": "blind", "t": 1.0, "until": 3.0, "why": "covered"},
        {"kind": "throw", "player": "green", "dice": pair("green")},
        {"kind": "throw", "player": "blue", "dice": [*pair("blue"), pair("green")[0]]},
    ]
    referee = Referee()
    for event in log:
        referee.add(event)
    assert [(f.finding, f.seat, f.event) for f in referee.findings()] == [("out_of_turn", "blue", 6)]
    assert referee.view().turn is None, "yellow was passed over, and may still throw"


def pair(colour: str) -> list[dict[str, Any]]:
    return [
        {"colour": each, "face": "1", "where": "field", "touches": ["1x"], "counts_as": "1x"}
        for each in (colour, "white")
    ]


def test_two_players_dice_that_one_throw_cannot_have_brought_are_asked() -> None:
    """X-08: the box's rim was hidden while blue threw and then green; only the second throw was seen."""
    table = Table().opened()
    gone = (die("yellow", "3", 80.0),)
    assert table.rest(*gone, rolled=False) == []
    (throw,) = table.rest(*gone, BLUE, die("green", "2", 20.0), WHITE)
    assert (throw.get("player"), throw.fields["after_gap"]) == (None, True)
    assert set(doubts(throw)) == {"blue", "green"}
    (seen,) = table.rest(
        *gone, die("green", "2", 20.0), replace(BLUE, center_mm=(10.0, -60.0)), die("white", "2", -40.0)
    )
    assert seen.get("player") == "blue"
    assert table.findings == []


def test_a_die_that_was_hit_and_the_throwers_are_one_throw() -> None:
    table = Table().opened()
    (throw,) = table.rest(BLUE, die("green", "2", 20.0), die("yellow", "3", 80.0), WHITE)
    assert throw.fields["player"] == "blue"
    assert "after_gap" not in throw


def test_a_throw_that_was_not_told_before_a_long_gap_is_not_the_one_after_it() -> None:
    """X-08: blue's die lay still and the white one was awaited; in the dark green threw next."""
    table = Table().opened()
    assert table.rest(*REST_OF_OPENING, die("blue", "2", -40.0), short=True) == []
    table.blind()
    (throw,) = table.rest(REST_OF_OPENING[1], die("blue", "2", -50.0), WHITE, gap_s=9.0)
    assert throw.fields["player"] == "green"
    assert [each["colour"] for each in throw.fields["dice"] if each["where"] == "outside"] == ["green"]
    assert table.findings == []


def test_a_throw_that_lies_as_it_lay_before_a_long_gap_is_told_after_it() -> None:
    """X-08: nobody touched the dice in the dark."""
    table = Table().opened()
    thrown = (*REST_OF_OPENING, die("blue", "2", -40.0))
    assert table.rest(*thrown, short=True) == []
    (throw,) = table.rest(*thrown, *unseen(WHITE), rolled=False, gap_s=9.0)
    assert throw.fields["player"] == "blue"
