"""Lines of a log, changed: what the ways to tell a log badly are made of."""

from __future__ import annotations

from typing import Any

from table.rules.chance import Chance
from tests.rules.spoilt import Log, cards


def of_kind(log: Log, *kinds: str) -> list[int]:
    """Where lines of these kinds stand."""
    return [at for at, event in enumerate(log) if event["kind"] in kinds]


def seats_in(log: Log) -> list[str]:
    """Who played."""
    return sorted({log[at]["seat"] for at in cards(log)})


def any_of(places: list[int], chance: Chance) -> int:
    """One of them."""
    return places[chance.below(len(places))]


def without(log: Log, gone: set[int]) -> Log:
    """The log without the lines at these places."""
    return [event for at, event in enumerate(log) if at not in gone]


def later(log: Log, at: int, after: int) -> Log:
    """The line at `at` is told behind the one at `after`."""
    return [*log[:at], *log[at + 1 : after + 1], log[at], *log[after + 1 :]]


def earlier(log: Log, at: int, before: int) -> Log:
    """The line at `at` is told before the one at `before`."""
    return [*log[:before], log[at], *log[before:at], *log[at + 1 :]]


def instead(log: Log, at: int, **fields: Any) -> Log:
    """The line at `at` says this instead."""
    return [*log[:at], {**log[at], **fields}, *log[at + 1 :]]


def other_seat(log: Log, at: int, chance: Chance) -> Log:
    """The line at `at` is told of another seat."""
    others = [seat for seat in seats_in(log) if seat != log[at]["seat"]]
    return instead(log, at, seat=others[chance.below(len(others))])


def again(log: Log, at: int, after: int, fresh: int = 9_000) -> Log:
    """The line at `at` is told once more behind the one at `after`, with an id of its own."""
    return [*log[: after + 1], {**log[at], "id": fresh}, *log[after + 1 :]]


def put_right(log: Log, at: int, after: int, **wrong: Any) -> Log:
    """The line at `at` says something wrong; a person puts it right behind the one at `after`."""
    said = {key: value for key, value in log[at].items() if key != "id"}
    right = {"kind": "correction", "of": log[at]["id"], "event": said, "source": "touch", "id": 9_500}
    told = instead(log, at, **wrong)
    return [*told[: after + 1], right, *told[after + 1 :]]


def taken_back(number: int, fresh: int = 9_400) -> dict[str, Any]:
    """A line that says that another never happened."""
    return {"kind": "correction", "of": number, "event": None, "id": fresh}


def soon(log: Log, at: int, chance: Chance, most: int = 8) -> int:
    """A place at or soon behind another."""
    return min(len(log) - 1, at + chance.below(most))
