"""A log folded by the referee, and the findings in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from table.rules import Referee, View
from table.rules.events import Event

Proof = tuple[str, str | None, int, int | None]
"""Finding, seat, number of the event that proves it, number of the event it is about."""


def fold(log: Iterable[Event | dict[str, Any]]) -> Referee:
    referee = Referee()
    for event in log:
        referee.add(event)
    return referee


def state_hash(referee: Referee) -> str:
    """A hash of everything known: two folds of the same events have the same hash."""
    state = [referee.result(), asdict(referee.view())]
    text = json.dumps(state, sort_keys=True, ensure_ascii=True, default=sorted)
    return hashlib.sha256(text.encode()).hexdigest()


def accusations(referee: Referee) -> list[Proof]:
    """The findings against anybody."""
    return [(f.finding, f.seat, f.event, f.about) for f in referee.findings()]


def stands(referee: Referee) -> list[Proof]:
    """Findings of the log taken literally; `test_missed.py` tests whether a missed card may explain them."""
    return [(f.finding, f.seat, f.event, f.about) for f in referee.as_it_stands()]


class AtTable:
    """A referee, and the events in front of him."""

    referee: Referee

    def event(self, kind: str, **fields: Any) -> int:
        return self.referee.add({"kind": kind, **fields})

    @property
    def view(self) -> View:
        return self.referee.view()


class Plays(AtTable):
    """Plays several cards from one string."""

    def play(self, cards: str) -> list[int]:
        """`red-5 S3:red-8`: a card without a seat is played by the one whose turn it is."""
        ids = []
        for word in cards.split():
            seat, _, card = word.rpartition(":")
            ids.append(self.event("card", seat=seat or self.view.turn, card=card))
        return ids


class Folded(AtTable):
    """What a test asks of its table's referee."""

    @property
    def points(self) -> dict[str, int]:
        return self.referee.points()

    @property
    def proofs(self) -> list[Proof]:
        return stands(self.referee)
