"""When the journal's main file is brought up to date: at the end of a round, and when nothing happens."""

from __future__ import annotations

from collections.abc import Callable

from table.journal.journal import Journal

QUIET_S = 20.0
"""Time without a new line after which the main file is also brought up to date."""


class Checkpointing:
    """Brings the main file up to date in pauses: a copy without its -wal lacks only the current round."""

    def __init__(self, journal: Journal, clock: Callable[[], float]) -> None:
        self._journal, self._clock = journal, clock
        self._quiet_since = clock()
        self._stage: object = None

    def wrote(self) -> None:
        """Note that a line was written just now."""
        self._quiet_since = self._clock()

    def tend(self, stage: object) -> None:
        """Settle the journal if due; call often, between events. `stage` changes with the round and its end.

        Raises:
            JournalError: the disk is full or broken; nothing is lost.
        """
        quiet = self._clock() - self._quiet_since >= QUIET_S
        if self._journal.unsettled and (stage != self._stage or quiet):
            self._stage, self._quiet_since = stage, self._clock()
            self._journal.settle()
        self._stage = stage
