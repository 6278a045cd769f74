"""What a watched film comes to: events in the order they are decided, folded by the rules, printed, kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TextIO

from table.cli.event_words import in_words
from table.errors import StammtischError
from table.rules import EventError, Referee, View
from table.rules.events import PlainEvent


class Log:
    """Prints events in the order they are decided and folds them by the rules; game lines come in by time."""

    def __init__(
        self,
        game: list[PlainEvent],
        as_json: bool,
        copy: TextIO | None,
        folding: bool,
        aside: Callable[[], None] = lambda: None,
    ) -> None:
        """`aside` is called before anything is printed: what stands in the line goes."""
        self._aside = aside
        self._as_json, self._copy, self._folding = as_json, copy, folding
        self._referee = Referee()
        self.heard = False
        """Something was seen."""
        self._later = sorted((e for e in game if "t" in e), key=lambda e: float(e["t"]))
        self._view: View | None = None
        for event in game:
            if "t" not in event:
                self._write(event)

    @property
    def view(self) -> View:
        """The game as it stands; an empty view without --game."""
        if self._view is None:
            self._view = self._referee.view()
        return self._view

    def reach(self, t: float) -> None:
        """Write the game lines whose time has come."""
        while self._later and float(self._later[0]["t"]) <= t:
            self._write(self._later.pop(0))

    def add(self, event: PlainEvent) -> None:
        """Write one event; the table itself opens the next round when its first event comes.

        A card that nobody saw gets a doubt in its place as soon as its trick was taken away.
        """
        self.heard = True
        if self._folding and (opening := self._referee.next_round(event)) is not None:
            self._referee.conclude()
            self._hold_places(event)
            self._write({**opening, "t": event["t"]} if "t" in event else opening)
        self._write(event)
        if self._folding:
            self._hold_places(event)
            self._settle()

    def _hold_places(self, event: PlainEvent) -> None:
        """Write a doubt for every card that surely fell and that nobody saw."""
        for doubt in self._referee.unwritten():
            self._write({**doubt, "t": event["t"]} if "t" in event else doubt)

    def _settle(self) -> None:
        """Write what the cards decide by themselves; one answer may leave one for the next doubt."""
        while corrections := self._referee.settle_by_rules():
            for correction in corrections:
                self._write(correction)

    def end(self) -> None:
        """Write what is left of the game lines and, with rules, the result."""
        for event in self._later:
            self._write(event)
        self._later = []
        if self._folding:
            self._referee.conclude()
            self._hold_places({})
            self._settle()
            result = self._referee.result()
            self.say(result if self._as_json else {"points": result["points"], "winners": result["winners"]})

    def say(self, plain: dict[str, Any]) -> None:
        """Print one line that is no event."""
        self._aside()
        print(json.dumps(plain, ensure_ascii=False) if self._as_json else in_words(plain), flush=True)

    def _write(self, event: PlainEvent) -> None:
        if self._folding:
            try:
                self._referee.add(event)
            except EventError as wrong:
                raise StammtischError(
                    f"the rules cannot take {json.dumps(event, ensure_ascii=False)}: {wrong}"
                ) from None
            self._view = None
            event = self._with_points(event)
        line = json.dumps(event, ensure_ascii=False)
        self._aside()
        print(line if self._as_json else in_words(event), flush=True)
        if self._copy is not None:
            print(line, file=self._copy, flush=True)

    def _with_points(self, event: PlainEvent) -> PlainEvent:
        """The event; a throw with the totals after it, also where the last one was put right."""
        points, last = dict(self.view.points), self.view.box and self.view.box.event
        match event:
            case {"kind": "throw"}:
                return {**event, "points": points}
            case {"kind": "correction", "event": {"kind": "throw"} as right, "of": of} if of == last:
                return {**event, "event": {**right, "points": points}}
            case _:
                return event
