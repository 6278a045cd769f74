"""The rules over a game's entries. A fault in them must not end the evening: it costs one event."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from table.journal import Entry
from table.rules.events import Event
from table.rules.referee import Referee

log = logging.getLogger(__name__)


class Fold:
    """A referee, and the entries that it failed on: those stay in the journal and are passed over."""

    def __init__(self, new_referee: Callable[[], Referee]) -> None:
        self.new_referee = new_referee
        self.referee = new_referee()
        self.choked: tuple[int, ...] = ()

    def begin(self, entries: Sequence[Entry]) -> None:
        """Fold another game from its first entry."""
        self.choked = ()
        self._anew(entries)

    def add(self, entries: Sequence[Entry], checked: Event | None = None) -> None:
        """Fold the last entry of the game; `checked` is its event where that has been read already."""
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
        """Fold from the first event, and anew whenever one fails, since it may have left half its marks."""
        if not self.choked and self._read(entries):
            return
        whole = False
        while not whole:
            self.referee = self.new_referee()
            whole = all(self._take(entry) for entry in entries if entry.id not in self.choked)

    def _read(self, entries: Sequence[Entry]) -> bool:
        """Fold all at once; tell whether the rules took it: if not, single lines show which one it is."""
        self.referee = self.new_referee()
        try:
            self.referee.read(entry.told().numbered(entry.id) for entry in entries)
        except Exception:
            log.info("the rules failed on the game as a whole", exc_info=True)
            return False
        return True


def lines_before(referee: Referee, event: Event) -> list[Event]:
    """What the rules write before an event: places for the cards that were missed, the round that is due.

    `referee` is told that nothing more comes in the round before, once a new one begins.
    """
    opening = referee.next_round(event)
    lines: list[Event] = []
    if opening is not None or event.kind == "round":
        referee.conclude()
        lines += referee.unwritten()
    if opening is not None:
        lines.append(opening.having(source="rules"))
    return lines
