"""DoppelX: the end, and throws after it (RULES X-29, X-30, XA-3)."""

from __future__ import annotations

import pytest

from table.rules.events import Event
from tests.rules.box import SIX, Box, after, dice


def rich(players: int, chips: int) -> Box:
    """Blue has so many chips and everybody else has none; green throws next."""
    box = Box(players)
    box.open()
    player = 0
    while (have := box.points.get("blue", 0)) < chips:
        name = SIX[player]
        step = min(chips - have, 9)
        own = {9: "3@3x", 6: "3@2x", 4: "2@2x"}.get(step, f"{min(step, 3)}@1x")
        here = "  " if name == "blue" else f"  {name} 1@hole  "
        box.throw(name, f"blue {own}{here}white 1@hole")
        player = (player + 1) % players
    return box


@pytest.mark.parametrize(("players", "limit"), [(3, 50), (5, 50), (6, 70), (8, 70)])
def test_x_29_the_game_ends_at_once_at_the_limit(players: int, limit: int) -> None:
    """X-V12: with one chip less it goes on."""
    box = rich(players, limit - 1)
    assert not box.view.finished
    assert box.view.winners == ()
    box = rich(players, limit)
    assert box.view.finished
    assert box.view.winners == ("blue",)
    assert box.view.phase == "finished"
    before = box.points
    box.throw("green", "green 3@3x  white 1@hole")
    assert box.points == before  # the game is over
    assert box.view.turn is None


def test_xa_3_of_two_over_the_limit_the_higher_wins() -> None:
    box = level(throws=5)
    box.throw("yellow", "blue 2@3x  green 3@3x  yellow 1@hole  white 1@hole")
    assert box.points == {"blue": 51, "green": 54}
    assert box.view.winners == ("green",)


def level(throws: int) -> Box:
    """Blue and green get nine chips for each throw, yellow none."""
    box = Box(3)
    box.open()
    for player in ("blue", "green", "yellow", "blue", "green", "yellow")[:throws]:
        lost = "yellow 1@hole  " if player == "yellow" else ""
        box.throw(player, f"blue 3@3x  green 3@3x  {lost}white 1@hole")
    return box


def test_x_30_a_tie_asks_for_a_deciding_game() -> None:
    box = level(throws=6)
    assert box.points == {"blue": 54, "green": 54}
    assert not box.view.finished
    assert ("deciding-game", None) in box.prompts


def test_x_30_the_deciding_game_is_between_those_who_tied() -> None:
    """The table opens it with the next throw; totals carry over, and yellow's die no longer counts."""
    box = level(throws=6)
    opening = {"kind": "throw", "player": "all", "dice": dice("blue 3@3x  green 1@1x  yellow 3@3x")}
    line = box.referee.next_round(opening)
    assert line == Event("round")
    box.referee.add(line)
    box.referee.add(opening)
    assert box.points == {"blue": 63, "green": 55}
    for player in ("blue", "green") * 3:
        lost = "" if player == "blue" else "green 1@hole  "
        box.throw(player, f"blue 3@3x  {lost}white 1@hole")
    assert box.view.finished
    assert box.view.winners == ("blue",)
    assert box.findings == []


def test_a_game_broken_off_keeps_its_points_and_has_no_winner() -> None:
    box = after("blue 3@3x  white 1@hole")
    box.event("end")
    assert (box.points, box.view.winners, box.view.finished) == ({"blue": 9}, (), False)


def test_a_throw_that_no_game_has_is_said() -> None:
    """X-06, X-29: after the end, by all in mid-game, without an opening, or by an unknown player."""
    box = level(throws=6)
    box.throw("red" if "red" in box.view.players else "blue", "blue 1@1x  white 1@1x")
    assert box.view.remarks[-1][1] == "throw_after_tie"
    box = after("blue 1@1x  white 1@1x", players=4)
    box.open("red 1@1x")
    assert box.view.remarks == ((3, "opening_again", "all"),)
    box = Box(4)
    box.throw("blue", "blue 1@1x  white 1@1x")
    assert box.view.remarks == ((1, "no_opening", "blue"),)
    box = Box(4, first=None)
    box.open()
    box.throw(None, "blue 1@1x  white 1@1x")
    assert box.view.remarks == ((2, "thrower_unknown", ""),)
    assert box.findings == []


def test_x_29_a_line_behind_the_end_takes_no_win_away() -> None:
    box = after("blue 3@3x  white 1@X")
    while not box.view.finished:
        box.throw(None, "blue 3@3x  white 1@X")
    winners = box.view.winners
    assert winners
    box.event("round")
    result = box.referee.result()
    assert (result["finished"], tuple(result["winners"])) == (True, winners)
    assert not box.view.finished, "who asked for it is asked to throw"
