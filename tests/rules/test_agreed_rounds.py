"""The table asks about rounds beyond the agreed number and never starts one silently (D-36, G-13)."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules import Referee
from table.rules.dice_evening import evening as throws
from table.rules.evening import evening
from table.rules.events import Event
from table.rules.stories import story

SEATS = ["S1", "S2", "S3"]
TRUMP = {"kind": "die", "colour": "red", "value": 1, "spot": "aagewwer"}


def played(count: int, **options: Any) -> Referee:
    """Return a referee after `count` whole rounds of Dubbe."""
    referee = Referee()
    opening = {"kind": "game", "game": "dubbe", "seats": SEATS, "options": options}
    for event in evening(opening, 5, rounds=count):
        referee.add(event)
    return referee


def prompts(referee: Referee) -> list[str]:
    return [prompt.what for prompt in referee.view().prompts]


def test_after_the_agreed_rounds_the_table_asks_and_opens_none_by_itself() -> None:
    """D-36: neither a card nor the trump die starts another round."""
    referee = played(2, rounds=2)
    assert referee.finished()
    assert "another-round?" in prompts(referee)
    points = referee.points()
    for event in (
        TRUMP,
        {"kind": "card", "seat": "S1", "card": "red-1"},
        {"kind": "say", "what": "trump:red"},
    ):
        assert referee.next_round(event) is None
        referee.add(event)
    assert (referee.points(), referee.findings(), referee.finished()) == (points, [], True)
    for agreed in ({"rounds": 3}, {}):  # one round is left, or no number was agreed
        assert referee_opens(played(2, **agreed))


def referee_opens(referee: Referee) -> bool:
    return referee.next_round(TRUMP) is not None and "another-round?" not in prompts(referee)


def test_a_round_that_somebody_asks_for_counts_and_is_told() -> None:
    referee = played(2, rounds=2)
    referee.add({"kind": "round"})
    assert referee.view().remarks == ((0, "rounds_were_played", "2"),)
    assert not referee.finished()
    text = "\n".join(story(referee.result()).lines())
    assert "die vereinbarten Runden (2) sind gespielt: zählt diese noch?" in text
    assert "\n".join(story(played(2, rounds=2).result()).lines()).count("vereinbart") == 0


def test_da_3_a_round_to_break_a_tie_is_no_round_too_many() -> None:
    """DA-3: while all have the same points, the game is not over."""
    opening = {
        "kind": "game",
        "game": "dubbe",
        "seats": SEATS,
        "options": {"rounds": 1, "game_tie": "extra_round"},
    }
    ties = 0
    for seed in range(40):
        referee = Referee()
        for event in evening(opening, seed, rounds=1):
            referee.add(event)
        best = max(referee.points().values())
        tied = list(referee.points().values()).count(best) > 1
        assert (referee.next_round(TRUMP) is not None) == tied
        ties += tied
    assert ties


def test_after_somebody_ended_the_evening_nothing_begins_by_itself() -> None:
    referee = played(2)
    referee.add({"kind": "end"})
    assert referee.view().over
    assert referee.next_round(TRUMP) is None
    assert "another-round?" not in prompts(referee)
    referee.add({"kind": "round"})
    assert referee.view().remarks == ((0, "game_was_over", ""),)


@pytest.mark.parametrize("seed", range(4))
def test_x_29_a_throw_after_a_won_game_begins_no_other_one(seed: int) -> None:
    referee = Referee()
    for event in throws({"kind": "game", "game": "doppelx", "players": ["blue", "red", "green"]}, seed):
        referee.add(event)
    assert referee.finished()
    throw = {"kind": "throw", "player": "all", "dice": []}
    assert referee.next_round(throw) is None
    points = referee.points()
    referee.add(throw)
    assert referee.points() == points
    assert referee.view().remarks[-1][1] == "throw_after_end"


@pytest.mark.parametrize(("game", "preset"), [("dubbe", None), ("dulle", None), ("doppelkopf", "ddv")])
def test_an_evening_that_ends_before_a_round_was_played_has_no_winners(game: str, preset: str | None) -> None:
    referee = Referee()
    opening = Event("game", {"game": game, "seats": ["S1", "S2", "S3", "S4"], "preset": preset})
    for event in (opening, Event("round"), Event("end"), Event("end")):
        referee.add(event)
    assert referee.view().over
    assert referee.winners() == ()


def test_an_evening_that_ends_after_some_of_its_rounds_is_won_by_who_has_most_points() -> None:
    referee = played(2, rounds=5)
    referee.add({"kind": "end"})
    points = referee.points()
    assert referee.winners() == tuple(seat for seat in SEATS if points[seat] == max(points.values()))


def test_x_29_a_game_of_dice_that_ends_before_its_limit_has_no_winner() -> None:
    referee = Referee()
    *lines, _ = throws({"kind": "game", "game": "doppelx", "players": ["blue", "red", "green"]}, 0)
    for event in (*lines[:4], Event("end"), Event("end")):
        referee.add(event)
    assert any(referee.points().values())
    assert referee.view().over
    assert referee.winners() == ()
