"""The log of a watched film: prints, folds and copies events in the order in which they are decided."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TextIO

from table.cli.event_words import in_words, sums_in_words
from table.errors import StammtischError
from table.rules import EventError, Referee, View
from table.rules.events import Event, write


class Log:
    """Prints events in the order of decision and folds them by the rules; game lines are merged by time."""

    def __init__(
        self,
        game: list[Event],
        as_json: bool,
        copy: TextIO | None,
        folding: bool,
        aside: Callable[[], None] = lambda: None,
    ) -> None:
        """`aside` is called before anything is printed, to remove a line of progress.

        Args:
            game: the lines of the --game file.
            as_json: print JSON Lines instead of words.
            copy: a file that gets the same lines as JSON; None: no copy.
            folding: fold the lines by the rules.
            aside: see above.
        """
        self._aside = aside
        self.listener: Callable[[Event], None] = lambda _: None
        """Called with every line that is written."""
        self._as_json, self._copy, self._folding = as_json, copy, folding
        self._referee = Referee()
        self.heard = False
        """Whether something was seen."""
        self._later = sorted((e for e in game if "t" in e.fields), key=lambda e: float(e.fields["t"]))
        self._view: View | None = None
        self._lines = 0
        for event in game:
            if "t" not in event.fields:
                self._write(event)

    @property
    def view(self) -> View:
        """The game as it stands; an empty view without --game."""
        if self._view is None:
            self._view = self._referee.view()
        return self._view

    def reach(self, t: float) -> None:
        """Write the game lines whose time has come."""
        while self._later and float(self._later[0].fields["t"]) <= t:
            self._write(self._later.pop(0))

    def add(self, event: Event) -> int:
        """Write one event and return its line's number; with rules, first open the next round if it is due.

        A card that nobody saw gets a doubt in its place as soon as its trick has been taken away.
        """
        self.heard = True
        if self._folding and (opening := self._referee.next_round(event)) is not None:
            self._referee.conclude()
            self._hold_places(event.get("t"))
            self._write(_at(opening, event.get("t")))
        number = self._write(event)
        if self._folding:
            self._hold_places(event.get("t"))
            self._settle()
        return number

    def _hold_places(self, t: float | None = None) -> None:
        """Write a doubt for every card that surely fell but that nobody saw."""
        for doubt in self._referee.unwritten():
            self._write(_at(doubt, t))

    def _settle(self) -> None:
        """Write the corrections that follow from the cards alone; one may settle a further doubt."""
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
            self._hold_places()
            self._settle()
            result = self._referee.result()
            self.say(result if self._as_json else {"points": result["points"], "winners": result["winners"]})

    def say(self, plain: dict[str, Any]) -> None:
        """Print one line that is not an event."""
        self._aside()
        print(json.dumps(plain, ensure_ascii=False) if self._as_json else sums_in_words(plain), flush=True)

    def _write(self, event: Event) -> int:
        if self._folding:
            try:
                self._referee.add(event)
            except EventError as wrong:
                raise StammtischError(f"the rules cannot take {write(event)}: {wrong}") from None
            self._view = None
            event = self._with_points(event)
        line = write(event)
        self._aside()
        print(line if self._as_json else in_words(event), flush=True)
        if self._copy is not None:
            print(line, file=self._copy, flush=True)
        self.listener(event)
        self._lines += 1
        return self._lines

    def _with_points(self, event: Event) -> Event:
        """The event; a throw, or a correction of the last throw, gets the totals after it."""
        points, last = dict(self.view.points), self.view.box and self.view.box.event
        if event.kind == "throw":
            return event.having(points=points)
        right = event.instead
        if event.kind == "correction" and right and right.kind == "throw" and event.get("of") == last:
            return event.having(event=right.having(points=points))
        return event


def _at(event: Event, t: float | None) -> Event:
    """The event with this time, in seconds; None: unchanged."""
    return event if t is None else event.having(t=t)
