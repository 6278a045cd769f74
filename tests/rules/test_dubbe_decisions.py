"""Dubbe: what the box leaves open, and how a group may decide it (DA-1 to DA-11)."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules import EventError
from table.rules.dubbe import DUBBE
from table.rules.dubbe.terms import CHARACTERS
from table.rules.presets import preset
from table.rules.words import character
from tests.rules.evening import Evening, one_sided


def test_da_2_jo_lossen_changes_hands_without_booking() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-9 blue-1 blue-2 green-9 green-1 green-2 brown-9 brown-1 brown-2 brown-3 brown-8 brown-4")
    assert t.character("jo-lossen") == ("brown", 3, "S3")
    assert set(t.points.values()) == {0}


@pytest.mark.parametrize(
    ("game_tie", "finished", "winners"), [("shared", True, ("S2", "S3")), ("extra_round", False, ())]
)
def test_da_3_a_tie_is_shared_or_played_off(game_tie: str, finished: bool, winners: tuple[str, ...]) -> None:
    t = Evening(rounds=1, game_tie=game_tie)
    t.trump("red")
    t.play_out(one_sided())
    assert t.points == {"S1": -1, "S2": 0, "S3": 0}
    assert (t.view.finished, t.view.winners) == (finished, winners)


def test_d_36_that_no_number_of_rounds_is_agreed_may_be_written_down() -> None:
    """RULES.md writes the default in this way; a table's own file can thereby cancel an agreement."""
    t = Evening(rounds="none")
    t.trump("red")
    t.play_out(one_sided())
    assert t.view.options["rounds"] is None
    assert not t.view.finished
    with pytest.raises(EventError, match="from 1, or none"):
        Evening(rounds="three")


def test_da_3_an_extra_round_without_a_tie_ends_the_game() -> None:
    t = Evening(rounds=1, game_tie="extra_round")
    t.trump("red")
    t.play_out(one_sided())
    t.round("S1")
    t.trump("red")
    swapped = one_sided()
    t.play_out({"S3": swapped["S2"], "S1": swapped["S3"], "S2": swapped["S1"]})
    assert t.points == {"S1": -1, "S2": -1, "S3": 0}
    assert t.view.winners == ("S3",)


def test_da_9_every_character_has_one_name_however_the_box_spells_it() -> None:
    assert [character(name) for name in CHARACTERS] == [
        "Aagewwer",
        "Weschwieschmännchen",
        "Jammerlabbe",
        "Jo Lossen",
        "Gliggsridder",
    ]


def test_da_10_aagewwers_first_point_is_secured_but_not_booked() -> None:
    t = Evening()
    t.trump("red")
    t.play("red-2 red-3 red-4")  # the chooser wins the trick it led: still no score
    assert t.points == {"S1": 0, "S2": 0, "S3": 0}
    assert t.character("aagewwer") == ("red", 2, "S1")


def test_da_11_a_changed_trump_die_holds_only_when_corrected() -> None:
    t = Evening()
    first = t.trump("red")
    t.play("blue-9")
    t.trump("green")
    assert t.view.trump == "red"
    t.event("correction", of=first, event={"kind": "die", "colour": "green", "value": 1, "spot": "aagewwer"})
    assert t.view.trump == "green"
    assert t.proofs == []


def test_a_die_laid_after_the_first_card_is_still_a_trump() -> None:
    """D-I1: no trump was declared; a first die that comes late is better than no trump at all."""
    t = Evening()
    t.play("S2:blue-5")
    t.trump("blue")
    assert t.character("aagewwer") == ("blue", 1, "S1")
    assert t.character("weschwieschmaennchen") == (None, None, None)
    t.play("S3:blue-9 S1:blue-1")
    assert t.character("aagewwer") == ("blue", 2, "S3")
    assert [name for name, *_ in t.proofs] == ["missing_declaration"]


def test_a_die_laid_after_the_first_trick_rules_from_then_on() -> None:
    t = Evening()
    t.play("S2:blue-5 S3:blue-9 S1:red-1")
    assert t.view.last_winner == "S3"
    t.trump("red")
    t.play("S3:blue-8 S1:red-2 S2:blue-1")
    assert t.view.last_winner == "S1"
    refused = t.trump("blue")
    assert t.view.trump == "red"
    assert t.proofs[-1] == ("marker_mismatch", "S1", refused, None)


def test_trump_named_from_another_seat_was_named_and_a_remark_says_by_whom() -> None:
    """D-10: the chooser's own word or die before the first card takes priority."""
    t = Evening()
    t.event("say", seat="S3", what="trump:blue")
    assert t.view.trump == "blue"
    assert t.view.remarks == ((1, "not_the_chooser", "S3"),)


def test_the_preset_names_every_option_but_the_agreed_rounds() -> None:
    options = {option.name: option.default for option in DUBBE.options}
    assert dict(preset("dubbe").options) == {
        name: value for name, value in options.items() if name != "rounds"
    }


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"blackdie": True}, 'no option "blackdie"; did you mean "black_die"'),
        ({"black_die": "maybe"}, "give true or false"),
        ({"die_max": 7}, "give 6 or unbounded"),
        ({"rounds": 0}, "whole number from 1"),
        ({"rounds": True}, "whole number from 1"),
        ({"game_tie": "coin"}, "give shared or extra_round"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused_with_what_it_may_be(
    options: dict[str, Any], told: str
) -> None:
    with pytest.raises(EventError, match=told):
        Evening(**options)
