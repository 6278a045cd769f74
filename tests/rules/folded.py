"""A log folded by the referee, and what he finds in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from table.rules import Referee
from table.rules.events import Event

Proof = tuple[str, str | None, int, int | None]
"""Finding, seat, number of the event that proves it, number of the event it is about."""


def fold(log: Iterable[Event | dict[str, Any]]) -> Referee:
    referee = Referee()
    for event in log:
        referee.add(event)
    return referee


def accusations(referee: Referee) -> list[Proof]:
    """What is held against somebody."""
    return [(f.finding, f.seat, f.event, f.about) for f in referee.findings()]


def stands(referee: Referee) -> list[Proof]:
    """What the log says as it stands; whether a missed card may explain it: `test_missed.py`."""
    return [(f.finding, f.seat, f.event, f.about) for f in referee.as_it_stands()]


class Folded:
    """What a table of a test asks of its referee."""

    referee: Referee

    @property
    def points(self) -> dict[str, int]:
        return self.referee.points()

    @property
    def proofs(self) -> list[Proof]:
        return stands(self.referee)
