"""Folds a game's entries by the rules. A fault in the rules must not end the evening: it costs one event."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from table.journal import Entry
from table.rules.events import Event
from table.rules.referee import Referee

log = logging.getLogger(__name__)


class Fold:
    """A referee, and the entries that it failed on: those stay in the journal and are skipped."""

    def __init__(self, new_referee: Callable[[], Referee]) -> None:
        self.new_referee = new_referee
        self.referee = new_referee()
        self.choked: tuple[int, ...] = ()

    def begin(self, entries: Sequence[Entry]) -> None:
        """Fold another game from its first entry."""
        self.choked = ()
        self._anew(entries)

    def add(self, entries: Sequence[Entry], checked: Event | None = None) -> None:
        """Fold the last entry of the game; `checked` is its event if that was already parsed."""
        if not self._take(entries[-1], checked):
            self._anew(entries)

    def _take(self, entry: Entry, checked: Event | None = None) -> bool:
        try:
            self.referee.add((checked or entry.told()).numbered(entry.id))
        except Exception as wrong:
            log.error("the rules failed on event %d and go on without it", entry.id, exc_info=wrong)
            self.choked = (*self.choked, entry.id)
            return False
        return True

    def _anew(self, entries: Sequence[Entry]) -> None:
        """Fold from the first event, and again whenever one fails, since it may have been half applied."""
        if not self.choked and self._read(entries):
            return
        whole = False
        while not whole:
            self.referee = self.new_referee()
            whole = all(self._take(entry) for entry in entries if entry.id not in self.choked)

    def _read(self, entries: Sequence[Entry]) -> bool:
        """Fold all entries at once; return whether that worked: `_anew` else folds line by line."""
        self.referee = self.new_referee()
        try:
            self.referee.read(entry.told().numbered(entry.id) for entry in entries)
        except Exception:
            log.info("the rules failed on the game as a whole", exc_info=True)
            return False
        return True


def lines_before(referee: Referee, event: Event) -> list[Event]:
    """What the rules write before an event: places for missed cards, and the `round` that is due.

    If a new round begins, this concludes the one before in `referee`.
    """
    opening = referee.next_round(event)
    lines: list[Event] = []
    if opening is not None or event.kind == "round":
        referee.conclude()
        lines += referee.unwritten()
    if opening is not None:
        lines.append(opening.having(source="rules"))
    return lines
