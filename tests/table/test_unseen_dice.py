"""Dice that are missing while part of the box cannot be seen: doubtful, never certainly lost."""

from __future__ import annotations

from table.rules.events import Event
from tests.table.lying_dice import REST_OF_OPENING, Table, die

GLARE = ((100.0, 20.0, 130.0, 60.0),)
UNSEEN = ["face", "line"]


def unseen(throw: Event) -> dict[str, list[str]]:
    """Dice recorded as out of view, each with its doubts."""
    return {d["colour"]: d.get("doubt", []) for d in throw.fields["dice"] if d["where"] == "outside"}


def test_a_die_that_is_missing_beside_a_glare_is_not_surely_lost_and_stays_in_doubt() -> None:
    """X-14: it may lie there, during the next throws as well."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, rolled=False, hiding=GLARE)
    (throw,) = table.rest(*REST_OF_OPENING, die("white", "2", 50.0), hiding=GLARE)
    assert unseen(throw) == {"blue": UNSEEN}
    lay = (REST_OF_OPENING[1], die("green", "3", 20.0), die("white", "1", 70.0))
    (throw,) = table.rest(*lay, hiding=GLARE)
    assert (throw.fields["player"], unseen(throw)) == ("green", {"blue": UNSEEN})


def test_once_the_place_is_seen_again_what_does_not_lie_there_is_no_longer_told() -> None:
    table = Table().opened()
    table.rest(*REST_OF_OPENING, die("white", "2", 50.0), hiding=GLARE)
    table.rest(*REST_OF_OPENING, die("white", "2", 50.0), rolled=False)
    (throw,) = table.rest(REST_OF_OPENING[1], die("green", "3", 20.0), die("white", "1", 70.0), hiding=GLARE)
    assert unseen(throw) == {}


def test_a_die_that_comes_to_light_was_not_thrown() -> None:
    """Blue lay in the glare until the box was turned; the next throw records it as it lies."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, die("white", "2", 50.0), hiding=GLARE)
    lay = (die("yellow", "3", 80.0), die("blue", "3", 115.0))
    (right,) = table.rest(*lay, REST_OF_OPENING[0], die("white", "2", 50.0), rolled=False)
    assert right.kind == "correction"
    (throw,) = table.rest(*lay, die("green", "3", 20.0), die("white", "1", 70.0))
    assert (throw.fields["player"], unseen(throw)) == ("green", {})
    assert [d["face"] for d in throw.fields["dice"] if d["colour"] == "blue"] == ["3"]


def test_a_die_over_which_a_glare_comes_is_not_forgotten() -> None:
    """The box was turned under the lamp; white and green lay elsewhere, and hands took them."""
    table = Table().opened()
    table.rest(*REST_OF_OPENING, die("blue", "3", 115.0), die("white", "2", 50.0))
    table.rest(REST_OF_OPENING[1], rolled=False, hiding=GLARE)
    lay = (REST_OF_OPENING[1], die("green", "3", 20.0), die("white", "1", 70.0))
    (throw,) = table.rest(*lay, hiding=GLARE)
    assert (throw.fields["player"], unseen(throw)) == ("green", {"blue": UNSEEN})
