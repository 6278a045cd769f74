"""The interpreter: who takes a trick, and what a hand on it means."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.interpret import Interpreter
from table.rules.events import Event
from table.rules.view import Played, View
from tests.table.told_table import LAYOUT, PLAY, down
from vision.sightings import (
    CardsGone,
    CardsTouched,
    CardWithdrawn,
)


def test_a_card_taken_back_is_corrected_away() -> None:
    table = Interpreter(LAYOUT)
    table.hear(down(("red-8", 0.97), zone="S2"), PLAY)
    later = View(game="dubbe", phase="play", trick=(*PLAY.trick, Played("S2", "red-8", 9)))
    (event,) = table.hear(CardWithdrawn(5.0, 1), later)
    assert event.to_dict() == {"kind": "correction", "t": 5.0, "of": 9, "event": None, "source": "camera"}


def test_half_of_an_unfinished_trick_is_not_collected_and_no_card_of_it_is_played_twice() -> None:
    table = Interpreter(LAYOUT)
    table.hear(down(("red-8", 0.97), zone="S2", key=1), PLAY)
    table.hear(down(("blue-1", 0.97), zone="S3", key=2), PLAY)
    trick = View(game="dubbe", phase="play", trick=(Played("S2", "red-8", 9), Played("S3", "blue-1", 10)))
    assert table.hear(CardsGone(8.0, (1,), "S3"), trick) == []
    assert table.hear(down(("red-8", 0.97), zone="S2", key=3), trick) == []
    whole = View(game="dubbe", phase="play", last_trick=trick.trick)
    assert [e.kind for e in table.hear(CardsGone(12.0, (2, 3), "S3"), whole)] == ["collected"]


@pytest.mark.parametrize(("by", "taker"), [("S2", "S2"), ("S4", None)])
def test_who_takes_others_cards_with_his_own_and_plays_anew_has_taken_the_trick(
    by: str, taker: str | None
) -> None:
    """A glass hid the rest; another hand that passes over it later has not taken the trick."""
    table = Interpreter(LAYOUT)
    for key, (name, seat) in enumerate((("red-8", "S2"), ("blue-1", "S3"), ("green-3", "S4")), 1):
        table.hear(down((name, 0.97), zone=seat, key=key), PLAY)
    plays = (Played("S2", "red-8", 9), Played("S3", "blue-1", 10), Played("S4", "green-3", 11))
    trick = View(game="dubbe", phase="play", trick=plays)
    assert table.hear(CardsGone(8.0, (1, 3), by), trick) == []
    taken, lead = table.hear(down(("brown-8", 0.97), zone="S2", key=4), trick)
    assert (taken.kind, taken.get("seat"), lead.kind) == ("collected", taker, "card")
    later = View(game="dubbe", phase="play", trick=(Played("S2", "brown-8", 13),), last_trick=plays)
    assert table.hear(CardsGone(10.0, (2,), "S3"), later) == []


@pytest.mark.parametrize(
    ("guesses", "zone"),
    [((("red-8", 0.5), ("red-9", 0.45)), "S2"), ((("red-8", 0.97),), "S3")],
    ids=["unsure", "at another seat"],
)
def test_a_card_that_was_pushed_and_is_seen_again_is_no_lead_that_proves_a_taking(
    guesses: tuple[tuple[str, float], ...], zone: str
) -> None:
    table = Interpreter(LAYOUT)
    table.hear(down(("red-8", 0.97), zone="S2", key=1), PLAY)
    table.hear(down(("blue-1", 0.97), zone="S3", key=2), PLAY)
    trick = View(game="dubbe", phase="play", trick=(Played("S2", "red-8", 9), Played("S3", "blue-1", 10)))
    assert table.hear(CardsGone(8.0, (1,), "S4"), trick) == []
    again = replace(down(*guesses, zone=zone, key=3), sure=len(guesses) == 1)
    assert "collected" not in [event.kind for event in table.hear(again, trick)]


def test_who_changes_his_own_card_has_taken_no_trick() -> None:
    table = Interpreter(LAYOUT)
    table.hear(down(("red-8", 0.97), zone="S2", key=1), PLAY)
    table.hear(down(("blue-1", 0.97), zone="S3", key=2), PLAY)
    trick = View(game="dubbe", phase="play", trick=(Played("S2", "red-8", 9), Played("S3", "blue-1", 10)))
    assert table.hear(CardsGone(8.0, (1,), "S2"), trick) == []
    (changed,) = table.hear(down(("brown-8", 0.97), zone="S2", key=3), trick)
    assert (changed.kind, changed.fields["of"], changed.instead.get("card")) == ("correction", 9, "brown-8")


@pytest.mark.parametrize("winner", ["S3", "S2", None])
def test_what_went_after_a_gap_is_taken_by_the_winner_if_his_hand_was_there_else_by_nobody(
    winner: str | None,
) -> None:
    """The hand that is there when sight returns need not be the one that took the cards."""
    table = Interpreter(LAYOUT)
    table.hear(down(("red-8", 0.97), zone="S2", key=1), PLAY)
    whole = replace(PLAY, trick=(), last_trick=(Played("S2", "red-8", 9),), last_winner=winner)
    (taken,) = table.hear(CardsGone(8.0, (1,), "S3", after_gap=True), whole)
    assert (taken.kind, taken.get("seat")) == ("collected", "S3" if winner == "S3" else None)


@pytest.mark.parametrize("seen", [True, False])
def test_of_a_trick_half_gone_after_a_gap_the_hand_on_the_rest_tells_who_takes_it(seen: bool) -> None:
    table = Interpreter(LAYOUT)
    table.hear(down(("red-8", 0.97), zone="S2", key=1), PLAY)
    table.hear(down(("blue-1", 0.97), zone="S3", key=2), PLAY)
    whole = replace(PLAY, trick=(), last_trick=(Played("S2", "red-8", 9), Played("S3", "blue-1", 10)))
    assert table.hear(CardsGone(8.0, (1,), None, after_gap=True), whole) == []
    if seen:
        (taken,) = table.hear(CardsGone(9.0, (2,), "S3"), whole)
        assert (taken.kind, taken.fields["seat"]) == ("collected", "S3")
        assert table.hear(down(("brown-8", 0.97), zone="S3", hand="S3", key=3), whole)[0].kind == "card"
    else:
        events = table.hear(down(("brown-8", 0.97), zone="S3", hand="S3", key=3), whole)
        assert [event.kind for event in events] == ["collected", "card"]
        assert "seat" not in events[0]


def test_a_trick_that_doubts_hide_from_the_view_is_collected_all_the_same() -> None:
    """The rules may be a trick behind: these cards are not the trick that was taken before."""
    table = Interpreter(LAYOUT)
    table.hear(down(("red-8", 0.97), zone="S2", key=1), PLAY)
    behind = replace(PLAY, trick=(), last_trick=(Played("S2", "red-8", 9),))
    assert [event.kind for event in table.hear(CardsGone(8.0, (1,), "S2"), behind)] == ["collected"]
    table.hear(down(("brown-8", 0.97), zone="S3", key=2), behind)
    table.hear(down(("blue-1", 0.97), zone="S4", key=3), behind)
    assert [event.kind for event in table.hear(CardsGone(12.0, (2,), "S3"), behind)] == ["collected"]
    assert table.hear(CardsGone(12.4, (3,), "S3"), behind) == []


def test_cards_laid_in_doubt_over_the_rest_of_a_taken_trick_are_taken_once_more() -> None:
    """The cards beneath them counted as the old trick, which hides that a new one has gone."""
    table = Interpreter(LAYOUT)
    table.hear(down(("red-8", 0.97), zone="S2", key=1), PLAY)
    table.hear(down(("blue-1", 0.97), zone="S3", key=2), PLAY)
    behind = replace(PLAY, trick=(), last_trick=(Played("S2", "red-8", 9), Played("S3", "blue-1", 10)))
    assert table.hear(CardsGone(8.0, (1,), None, after_gap=True), behind) == []
    events = table.hear(down(("brown-8", 0.97), zone="S3", hand="S3", key=3), behind)
    assert [event.kind for event in events] == ["collected", "card"]
    (taken,) = table.hear(CardsGone(12.0, (2, 3), "S3"), behind)
    assert (taken.kind, taken.get("seat")) == ("collected", "S3")


def test_a_trick_is_collected_once_by_the_hand_that_took_it() -> None:
    table = Interpreter(LAYOUT)
    table.hear(down(("red-8", 0.97), zone="S2", key=1), PLAY)
    table.hear(down(("blue-1", 0.97), zone="S3", key=2), PLAY)
    after = View(game="dubbe", phase="play", last_trick=PLAY.trick)
    assert table.hear(CardsGone(8.0, (1,), "S2"), after) == [
        Event.from_dict({"kind": "collected", "t": 8.0, "seat": "S2", "source": "camera"})
    ]
    assert table.hear(CardsGone(8.7, (2,), "S2"), after) == []
    table.hear(down(("brown-8", 0.97), zone="S3", hand="S3", key=3), PLAY)
    next_one = View(game="dubbe", phase="play", last_trick=(Played("S3", "brown-8", 12),))
    assert len(table.hear(CardsGone(12.0, (3,), "S3"), next_one)) == 1


def trick_of_two(table: Interpreter, winner: str) -> View:
    """The game with two cards on the table that complete their trick."""
    for key, (name, seat) in enumerate((("red-8", "S2"), ("blue-1", "S3")), 1):
        table.hear(down((name, 0.97), zone=seat, key=key), PLAY)
    trick = (Played("S2", "red-8", 8), Played("S3", "blue-1", 9))
    return View(game="dubbe", phase="play", last_trick=trick, last_winner=winner)


@pytest.mark.parametrize(("may_be", "seat"), [(("S1", "S2"), {"seat": "S2"}), (("S1", "S3"), {})])
def test_a_trick_taken_by_an_unclear_hand_is_its_winners_or_nobodys(
    may_be: tuple[str, ...], seat: dict[str, str]
) -> None:
    table = Interpreter(LAYOUT)
    after = trick_of_two(table, winner="S2")
    assert table.hear(CardsGone(8.0, (1,), None, may_be=may_be), after) == []  # one card is still there
    (event,) = table.hear(CardsGone(8.4, (2,), None, may_be=may_be), after)
    assert event.to_dict() == {"kind": "collected", "t": 8.4, "source": "camera", **seat}


def test_cards_of_an_open_trick_that_nobody_took_are_not_collected() -> None:
    table = Interpreter(LAYOUT)
    table.hear(down(("red-5", 0.97), zone="S1", key=1), PLAY)
    assert table.hear(CardsGone(8.0, (1,), None, may_be=("S1", "S2")), PLAY) == []


def test_only_a_complete_trick_can_be_touched() -> None:
    table = Interpreter(LAYOUT)
    for key, name in ((1, "red-8"), (2, "blue-1")):
        table.hear(down((name, 0.97), zone="S2", key=key), PLAY)
    touch = CardsTouched(8.0, (1, 2), "S3")
    assert table.hear(touch, PLAY) == []
    complete = View(game="dubbe", phase="play", last_trick=PLAY.trick)
    assert [e.kind for e in table.hear(touch, complete)] == ["touch"]


@pytest.mark.parametrize(("rest", "taker"), [("S3", "S3"), ("S2", "S2"), ("S4", None)])
def test_a_trick_is_taken_when_the_last_card_of_it_is_gone(rest: str, taker: str | None) -> None:
    """Paper over the first card looked like S3's hand; another hand takes the trick only if the winner's."""
    table = Interpreter(LAYOUT)
    after = trick_of_two(table, winner="S2")
    assert table.hear(CardsGone(8.0, (1,), "S3"), after) == []
    (event,) = table.hear(CardsGone(8.5, (2,), rest), after)
    assert (event.kind, event.get("seat"), event.fields["t"]) == ("collected", taker, 8.5)
    assert table.hear(CardsGone(9.0, (1, 2), rest), after) == []


def test_the_next_lead_tells_that_a_trick_was_taken_of_which_a_card_is_still_remembered() -> None:
    table = Interpreter(LAYOUT)
    after = trick_of_two(table, winner="S2")
    assert table.hear(CardsGone(8.0, (1,), "S2"), after) == []
    taken, lead = table.hear(down(("brown-8", 0.97), zone="S2", key=4), after)
    assert (taken.kind, taken.get("seat"), lead.kind) == ("collected", "S2", "card")
