"""A doubtful throw is corrected when a die is seen clearly later, unless somebody moved it."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from table.cli.watch_log import Log
from table.rules.events import Event
from tests.table.lying_dice import PLAYERS, REST_OF_OPENING, Table, die
from vision.sightings import DieSeen

GLARE = ((100.0, 20.0, 130.0, 60.0),)
WHITE = die("white", "2", 50.0)


def vague(colour: str, x: float) -> DieSeen:
    """A die that is there and cannot be read."""
    return replace(die(colour, None, x), margin_mm=None, doubt=("face", "line", "cocked"))


def thrown(event: Event) -> dict[str, tuple[str | None, str]]:
    return {d["colour"]: (d["face"], d["where"]) for d in (event.instead or event).fields["dice"]}


def test_a_die_that_comes_out_of_a_glare_counts_in_the_throw_that_brought_it_there() -> None:
    """X-12, X-14: blue was recorded as lost, in doubt; when the box is turned, the die is there."""
    table = Table().opened()
    (throw,) = table.rest(*REST_OF_OPENING, WHITE, hiding=GLARE)
    before = table.points["blue"]
    lay = (*REST_OF_OPENING, WHITE, die("blue", "3", 115.0))
    (right,) = table.rest(*lay, rolled=False)
    assert (right.kind, right.fields["source"]) == ("correction", "camera")
    assert thrown(right)["blue"] == ("3", "field")
    assert right.fields["event"].fields["t"] == throw.fields["t"]
    assert table.points["blue"] == before + 3
    assert table.rest(*lay, rolled=False) == []


def test_a_die_that_turns_up_where_nothing_was_hidden_was_laid_there() -> None:
    """X-22: it had fallen out of the box, and a hand brings it back."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, WHITE, hiding=GLARE)
    assert table.rest(*REST_OF_OPENING, WHITE, die("blue", "3", -50.0), rolled=False) == []


def test_a_die_that_turns_up_after_the_place_was_seen_empty_was_laid_there() -> None:
    table = Table().opened()
    table.rest(*REST_OF_OPENING, WHITE, hiding=GLARE)
    table.rest(*REST_OF_OPENING, WHITE, rolled=False)
    assert table.rest(*REST_OF_OPENING, WHITE, die("blue", "3", 115.0), rolled=False) == []


def test_a_die_that_could_not_be_read_is_read_once_the_arm_is_gone() -> None:
    table = Table().opened()
    table.rest(*REST_OF_OPENING, vague("blue", 115.0), WHITE)
    before = table.points["blue"]
    (right,) = table.rest(*REST_OF_OPENING, die("blue", "3", 111.0), WHITE, rolled=False)
    assert thrown(right)["blue"] == ("3", "field")
    assert table.points["blue"] == before + 3


@pytest.mark.parametrize("x", [119.0, 60.0])
def test_a_die_that_was_moved_says_nothing_of_the_throw(x: float) -> None:
    table = Table().opened()
    doubted = replace(die("blue", "2", 115.0), doubt=("face",))
    table.rest(*REST_OF_OPENING, doubted, WHITE)
    assert table.rest(*REST_OF_OPENING, die("blue", "3", x), WHITE, rolled=False) == []


def test_a_die_without_a_name_gets_it_where_it_lay() -> None:
    table = Table().opened()
    nameless = replace(die(None, "3", 115.0), doubt=("colour",))
    table.rest(*REST_OF_OPENING, nameless, WHITE)
    (right,) = table.rest(*REST_OF_OPENING, die("blue", "3", 115.0), WHITE, rolled=False)
    assert thrown(right)["blue"] == ("3", "field")


def test_what_guests_have_settled_stands() -> None:
    """They said that it is lost; the eye does not contradict them."""
    table = Table().opened()
    (throw,) = table.rest(*REST_OF_OPENING, vague("blue", 115.0), WHITE)
    said = {"colour": "blue", "face": None, "where": "outside", "touches": []}
    dice = [said if d["colour"] == "blue" else d for d in throw.fields["dice"]]
    table.referee.add({"kind": "correction", "of": 4, "event": throw.having(dice=dice)})
    assert table.rest(*REST_OF_OPENING, die("blue", "3", 115.0), WHITE, rolled=False) == []


def test_a_watched_film_tells_the_points_of_a_throw_that_was_put_right(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """command-line.md#what-watch-prints: `watch --game` adds the totals to each throw."""
    game = [Event("game", {"game": "doppelx", "players": PLAYERS}), Event("round", {"first": "blue"})]
    log = Log(game, True, io.StringIO(), folding=True)
    dice = [{"colour": c, "face": "1", "where": "field", "touches": ["1x"]} for c in PLAYERS]
    throw = {"kind": "throw", "player": "all", "dice": dice, "t": 1.0}
    log.add(Event.from_dict(throw))
    right = {**throw, "dice": [{**dice[0], "face": "3"}, *dice[1:]]}
    log.add(Event("correction", {"of": 3, "event": Event.from_dict(right), "source": "camera", "t": 2.0}))
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["event"]["points"] == {"blue": 3, "green": 1, "yellow": 1}
