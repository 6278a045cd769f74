"""The croupier: bets out of view, and dice in doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.rules.events import Event, PlainEvent
from tests.table.lying_dice import PLAYERS, REST_OF_OPENING, Table, die
from vision.sightings import DieSeen


def test_a_bet_on_a_tile_that_the_picture_cuts_is_asked_for_where_it_would_pay() -> None:
    lay = (die("yellow", "3", 80.0),)
    table = Table().opened()
    table.rest(*lay, rolled=False)
    (throw,) = table.rest(*lay, die("blue", "1", -60.0), die("white", "2", 50.0, "2x"), bets=("C", "D"))
    (unseen,) = [told for told in throw.fields["dice"] if told["colour"] == "green"]
    assert (unseen["doubt"], [name for name, _ in unseen["candidates"]]) == (["line"], ["bet:C"])
    (throw,) = table.rest(*lay, die("green", "1", -50.0), die("white", "X", 50.0, "3x"), bets=("C",))
    assert not [told for told in throw.fields["dice"] if told.get("candidates")], "it would pay nothing"


OWN_AND_WHITE = (die("blue", "1", -60.0), die("white", "2", 50.0, "2x"))


LIKELY = {"where": "bet:C", "in_view": False, "doubt": ["line"], "face": None}


def green(throw: Event) -> PlainEvent:
    (told,) = [told for told in throw.fields["dice"] if told["colour"] == "green"]
    return {name: told.get(name) for name in LIKELY}


def test_a_bet_that_nobody_sees_counts_where_a_hand_laid_it_until_somebody_says() -> None:
    """X-24: the table asks all the same, and no finding rests on it (X-I3: green lay on the field)."""
    lay, out = (die("yellow", "3", 80.0),), ("C", "D")
    table = Table().opened()
    before = table.points["green"]
    table.rest(*lay, rolled=False, bets=out, reached=("C",))
    table.rest(*lay, rolled=False, bets=out)
    (throw,) = table.rest(*lay, *OWN_AND_WHITE, bets=out)
    assert green(throw) == LIKELY
    assert table.points["green"] == before + 3
    assert table.findings == []


def test_a_bet_taken_back_before_its_tile_went_out_of_view_is_none() -> None:
    lay = (die("yellow", "3", 80.0),)
    table = Table().opened()
    table.rest(*lay, die("green", "1", where="bet:C"), rolled=False)
    table.rest(*lay, rolled=False)
    table.rest(*lay, rolled=False, bets=("C",))
    (throw,) = table.rest(*lay, *OWN_AND_WHITE, bets=("C",))
    assert green(throw) == {"where": "outside", "in_view": None, "doubt": ["line"], "face": None}


@pytest.mark.parametrize("reached", [("C", "D"), ("D",)])
def test_a_hand_at_two_tiles_or_at_another_one_says_nothing_of_a_bet(reached: tuple[str, ...]) -> None:
    lay, out = (die("yellow", "3", 80.0),), ("C", "D")
    table = Table().opened()
    table.rest(*lay, rolled=False, bets=out, reached=reached)
    (throw,) = table.rest(*lay, *OWN_AND_WHITE, bets=out)
    assert green(throw) == {"where": "outside", "in_view": None, "doubt": ["line"], "face": None}


def test_a_bet_that_went_out_of_view_with_its_tile_still_lies_there_until_its_player_throws() -> None:
    """X-24: the box was turned. A player who throws has taken the die (X-08)."""
    lay = (die("yellow", "3", 80.0),)
    table = Table().opened()
    table.rest(*lay, rolled=False)
    table.rest(*lay, die("green", "1", where="bet:C"), rolled=False)
    table.rest(*lay, rolled=False, bets=("C",))
    (throw,) = table.rest(*lay, *OWN_AND_WHITE, bets=("C",))
    assert green(throw) == LIKELY
    table.rest(*lay, OWN_AND_WHITE[0], rolled=False, bets=("C",))
    table.rest(*lay, OWN_AND_WHITE[0], die("white", "1", 20.0), bets=("C",))
    table.rest(OWN_AND_WHITE[0], rolled=False, bets=("C",))
    (throw,) = table.rest(
        OWN_AND_WHITE[0], die("yellow", "1", 30.0), die("white", "1", 60.0, "2x"), bets=("C",)
    )
    assert green(throw) == {"where": "outside", "in_view": None, "doubt": ["line"], "face": None}
    assert table.findings == []


def test_a_game_that_a_die_in_doubt_would_end_keeps_listening() -> None:
    """The Doppel X that would end it is unsure: the next two throws are recorded, in case it was none."""
    table, told, leaning = Table().opened(), [], ("cocked",)
    lay: tuple[DieSeen, ...] = REST_OF_OPENING

    def throw(own: str, face: str, x: float) -> None:
        nonlocal lay
        others = tuple(each for each in lay if each.colour not in (own, "white"))
        table.rest(*others, rolled=False)
        own_die = replace(die(own, face, x), doubt=leaning if face == "X" else ())
        lay = (*others, own_die, die("white", face, x + 60.0))
        told.extend(event.fields["player"] for event in table.rest(*lay))

    turns = 0
    while not table.referee.view().finished:
        throw(PLAYERS[turns % 3], "X", -100.0 + 20.0 * turns)
        turns += 1
    for k in (0, 1):
        throw(PLAYERS[(turns + k) % 3], "2", -90.0 + 20.0 * k)
    assert told == [PLAYERS[k % 3] for k in range(turns + 2)]


def test_a_die_that_was_given_another_name_where_it_lies_was_not_thrown_again() -> None:
    """X-I5: in fog the blue die was read as the white one; green's own die flew out of the box."""
    table = Table().opened()
    green = next(d for d in REST_OF_OPENING if d.colour == "green")
    others = tuple(d for d in REST_OF_OPENING if d is not green)
    table.rest(*REST_OF_OPENING, rolled=False)
    (misread,) = table.rest(*REST_OF_OPENING, replace(die("white", None, -60.0), doubt=("face",)))
    assert misread.fields["player"] == "blue"
    (throw,) = table.rest(*others, die("blue", "3", -60.0), die("white", "1", 50.0))
    assert throw.fields["player"] == "green"
    assert not table.referee.view().findings
