"""The winner of a trick may turn it up and look: no card of it is played a second time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.interpret import Interpreter
from table.rules.view import Played, View
from tests.table.test_interpret import LAYOUT, down
from vision.sightings import CardsGone, LightPoor, SightBack

BEFORE = View(
    game="dubbe",
    seats=("S1", "S2", "S3"),
    phase="play",
    round=1,
    trick_number=2,
    last_trick=(Played("S1", "red-5", 7), Played("S2", "red-8", 8), Played("S3", "blue-1", 9)),
    last_winner="S1",
    turn="S1",
    pack={"red-5": 1, "red-8": 1, "blue-1": 1, "brown-8": 1, "brown-2": 1},
    seen={"red-5": 1, "red-8": 1, "blue-1": 1},
)
LATER = replace(
    BEFORE,
    trick=(Played("S1", "brown-8", 12),),
    last_trick=(),
    last_winner=None,
    turn="S2",
    seen={**BEFORE.seen, "brown-8": 1},
)


def after_a_trick() -> Interpreter:
    """An interpreter that knows who won the first trick."""
    interpreter = Interpreter(LAYOUT)
    interpreter.hear(LightPoor(1.0, "dark"), BEFORE)
    return interpreter


@pytest.mark.parametrize("view", [BEFORE, LATER])
def test_a_card_turned_up_again_by_who_won_it_is_not_played(view: View) -> None:
    assert after_a_trick().hear(down(("red-5", 0.97), zone="S1", hand="S1"), view) == []


def test_what_is_half_hidden_beside_it_belongs_to_the_look() -> None:
    table = after_a_trick()
    table.hear(down(("red-5", 0.97), hand="S1"), BEFORE)
    assert table.hear(down(("red-8", 0.5), ("brown-8", 0.4), sure=False, hand="S1", key=2), BEFORE) == []


def test_who_looked_plays_afterwards_and_what_he_looked_at_is_not_collected() -> None:
    table = after_a_trick()
    table.hear(down(("red-5", 0.97), hand="S1"), BEFORE)
    assert table.hear(CardsGone(5.0, (1,), "S1"), BEFORE) == []
    (event,) = table.hear(down(("brown-8", 0.97), hand="S1", key=2), BEFORE)
    assert (event.fields["seat"], event.fields["card"]) == ("S1", "brown-8")


def test_a_card_that_another_seat_won_is_no_look() -> None:
    (event,) = after_a_trick().hear(down(("red-5", 0.97), zone="S2", hand="S2"), LATER)
    assert event.fields["card"] == "red-5"


def test_a_card_of_which_a_copy_is_still_out_is_played() -> None:
    twins = replace(BEFORE, pack={**BEFORE.pack, "red-5": 2})
    (event,) = after_a_trick().hear(down(("red-5", 0.97), hand="S1"), twins)
    assert event.fields["card"] == "red-5"


def test_an_old_card_that_stays_and_is_played_to_was_played_all_the_same() -> None:
    table = after_a_trick()
    table.hear(down(("red-5", 0.97), hand="S1"), BEFORE)
    events = table.hear(down(("brown-8", 0.97), hand="S2", key=2), BEFORE)
    assert [(e.fields["seat"], e.fields["card"], e.fields["t"]) for e in events] == [
        ("S1", "red-5", 4.2),
        ("S2", "brown-8", 4.2),
    ]


def test_the_next_round_knows_no_tricks() -> None:
    table = after_a_trick()
    (event,) = table.hear(down(("red-5", 0.97), hand="S1"), replace(LATER, round=2, seen={"red-5": 1}))
    assert event.fields["card"] == "red-5"


def test_a_trick_that_was_taken_though_a_card_of_it_was_missed_may_be_looked_at_by_anybody() -> None:
    table, missed = Interpreter(LAYOUT), replace(LATER, pack={**LATER.pack, "red-9": 1}, seen={})
    (first,) = table.hear(down(("red-9", 0.97), zone="S1", hand="S1"), replace(missed, trick=(), turn="S1"))
    short = replace(missed, trick=(Played("S1", "red-9", 12),), seen={"red-9": 1})
    (taken,) = table.hear(CardsGone(5.0, (1,), None, after_gap=True), short)
    assert (first.kind, taken.kind) == ("card", "collected")
    assert table.hear(down(("red-9", 0.97), zone="S2", hand="S2", key=2), short) == []


@pytest.mark.parametrize(
    ("gap_s", "seat", "guess"), [(2.5, "S2", True), (1.0, "S2", False), (2.5, "S1", False)]
)
def test_what_falls_out_of_turn_after_a_time_in_which_a_trick_may_have_fallen_is_a_guess(
    gap_s: float, seat: str, guess: bool
) -> None:
    """It may be the next lead, or a look at a trick that nobody saw."""
    table = after_a_trick()
    table.hear(SightBack(10.0, 10.0 - gap_s, "covered"), BEFORE)
    (event,) = table.hear(down(("brown-8", 0.97), zone=seat, hand=seat), BEFORE)
    assert (event.get("seat"), bool(event.get("inferred"))) == (seat, guess)


@pytest.mark.parametrize("lies", [True, False])
def test_it_is_played_where_the_trick_of_before_still_lies_there(lies: bool) -> None:
    table = Interpreter(LAYOUT)
    led = replace(LATER, pack={**LATER.pack, "red-9": 1})
    if lies:
        table.hear(down(("brown-8", 0.97), zone="S1", hand="S1"), replace(led, trick=(), turn="S1"))
    table.hear(SightBack(10.0, 7.5, "covered"), led)
    (event,) = table.hear(down(("red-9", 0.97), zone="S3", hand="S3", key=2), led)
    assert bool(event.get("inferred")) is not lies


def test_once_play_goes_on_in_turn_what_falls_out_of_turn_is_no_guess() -> None:
    table = after_a_trick()
    table.hear(SightBack(10.0, 7.5, "covered"), BEFORE)
    table.hear(down(("brown-8", 0.97), zone="S1", hand="S1"), BEFORE)
    table.hear(CardsGone(12.0, (1,), None), LATER)
    (event,) = table.hear(down(("brown-2", 0.97), zone="S3", hand="S3", key=2), LATER)
    assert not event.get("inferred")
