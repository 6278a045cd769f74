"""Changes to the lines of a log, from which the ways to record it badly are made."""

from __future__ import annotations

from typing import Any

from table.rules.chance import Chance
from tests.rules.spoilt import Log, cards


def of_kind(log: Log, *kinds: str) -> list[int]:
    """Places of the lines of these kinds."""
    return [at for at, event in enumerate(log) if event["kind"] in kinds]


def seats_in(log: Log) -> list[str]:
    """The seats that played."""
    return sorted({log[at]["seat"] for at in cards(log)})


def any_of(places: list[int], chance: Chance) -> int:
    """One of these places."""
    return places[chance.below(len(places))]


def without(log: Log, gone: set[int]) -> Log:
    """The log without the lines at these places."""
    return [event for at, event in enumerate(log) if at not in gone]


def later(log: Log, at: int, after: int) -> Log:
    """Move the line at `at` to behind the one at `after`."""
    return [*log[:at], *log[at + 1 : after + 1], log[at], *log[after + 1 :]]


def earlier(log: Log, at: int, before: int) -> Log:
    """Move the line at `at` to before the one at `before`."""
    return [*log[:before], log[at], *log[before:at], *log[at + 1 :]]


def instead(log: Log, at: int, **fields: Any) -> Log:
    """Replace these fields of the line at `at`."""
    return [*log[:at], {**log[at], **fields}, *log[at + 1 :]]


def other_seat(log: Log, at: int, chance: Chance) -> Log:
    """Give the line at `at` another seat."""
    others = [seat for seat in seats_in(log) if seat != log[at]["seat"]]
    return instead(log, at, seat=others[chance.below(len(others))])


def again(log: Log, at: int, after: int, fresh: int = 9_000) -> Log:
    """Repeat the line at `at` behind the one at `after`, with an id of its own."""
    return [*log[: after + 1], {**log[at], "id": fresh}, *log[after + 1 :]]


def put_right(log: Log, at: int, after: int, **wrong: Any) -> Log:
    """Make the line at `at` wrong; behind the one at `after` a person corrects it."""
    said = {key: value for key, value in log[at].items() if key != "id"}
    right = {"kind": "correction", "of": log[at]["id"], "event": said, "source": "touch", "id": 9_500}
    told = instead(log, at, **wrong)
    return [*told[: after + 1], right, *told[after + 1 :]]


def taken_back(number: int, fresh: int = 9_400) -> dict[str, Any]:
    """A line that takes another one back: it never happened."""
    return {"kind": "correction", "of": number, "event": None, "id": fresh}


def soon(log: Log, at: int, chance: Chance, most: int = 8) -> int:
    """A place at `at` or soon after it."""
    return min(len(log) - 1, at + chance.below(most))
