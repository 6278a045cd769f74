"""What stands in a log whose events were corrected, and whose corrections were corrected again (G-10)."""

from __future__ import annotations

from collections.abc import Sequence

from table.journal import Entry, Event


def standing(entries: Sequence[Entry]) -> dict[int, Event | None]:
    """What stands in the place of each corrected event, after all corrections of corrections (G-10).

    None = it never happened. Events that nobody corrected are not in it.
    """
    now: dict[int, Event | None] = {}
    for entry in reversed(entries):  # the latest word wins, so it must be heard first
        event = now.get(entry.id, entry.event)
        if event is None:
            continue
        if event["kind"] == "correction":
            now.setdefault(event["of"], event["event"])
        elif entry.event["kind"] == "correction":  # a correction corrected to a plain event: same place
            now.setdefault(entry.event["of"], event)
    return now
