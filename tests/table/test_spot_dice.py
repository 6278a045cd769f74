"""Dice on the characters' places between two rounds: dice removed, and the next round's trump."""

from __future__ import annotations

import pytest

from table.interpret import Interpreter
from table.rules import Referee
from table.rules.events import Event
from tests.rules.evening import Evening, one_sided
from tests.vision.evening import LAYOUT
from vision.sightings import DieDown, DieGone, Guess

DARK = (Guess("brown-1", 0.5), Guess("red-1", 0.4))


def unread(colour: str | None, value: int | None) -> DieDown:
    return DieDown(52.0, colour, value, "aagewwer", (0.0, 0.0), 0.5, DARK)


@pytest.fixture
def settled() -> Referee:
    """A round of three is over: red was trump, and its die is on Aagewwer."""
    table = Evening()
    table.trump("red")
    table.play_out(one_sided())
    assert table.view.phase == "settled"
    assert table.view.dice_seen["aagewwer"] == ("red", 1)
    return table.referee


@pytest.mark.parametrize(("colour", "value"), [(None, 1), (None, None)])
def test_the_next_rounds_trump_die_that_nobody_can_read_leaves_a_doubt_and_accuses_nobody(
    settled: Referee, colour: str | None, value: int | None
) -> None:
    """D-I1: some trump was declared, so the chooser did what was due."""
    table = Interpreter(LAYOUT)
    assert table.hear(DieGone(50.0, "red", "aagewwer"), settled.view()) == []
    (die,) = table.hear(unread(colour, value), settled.view())
    opened = settled.next_round(die)
    assert opened is not None
    for event in (opened, die, Event("card", {"seat": "S3", "card": "blue-5"})):
        settled.add(event)
    view = settled.view()
    assert (view.round, view.findings, [dict(doubt.candidates) for doubt in view.doubts]) == (
        2,
        (),
        [{"brown-1": 0.5, "red-1": 0.4}],
    )


@pytest.mark.parametrize(("colour", "value"), [(None, 1), (None, None), ("red", None)])
def test_a_die_of_the_round_that_is_over_which_is_not_read_for_once_begins_no_other(
    settled: Referee, colour: str | None, value: int | None
) -> None:
    table = Interpreter(LAYOUT)
    assert table.hear(unread(colour, value), settled.view()) == []
    table.hear(DieGone(50.0, "red", "aagewwer"), settled.view())
    table.hear(DieDown(51.0, "red", 1, "aagewwer", (0.0, 0.0), 0.99), settled.view())
    assert table.hear(unread(colour, value), settled.view()) == []


def test_an_equal_die_on_a_place_that_was_bare_declares_though_it_seems_to_stand_there_from_the_start(
    settled: Referee,
) -> None:
    table = Interpreter(LAYOUT)
    lies = DieDown(52.0, "red", 1, "aagewwer", (0.0, 0.0), 0.99, at_start=True)
    assert table.hear(lies, settled.view()) == []
    table.hear(DieGone(50.0, "red", "aagewwer"), settled.view())
    assert [event.kind for event in table.hear(lies, settled.view())] == ["die"]
