"""What stands in a log whose events were corrected, and whose corrections were corrected again (G-10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table.journal import Entry, Event

SILENT = ("hand", "too-dark", "blind")
"""Kinds that change nothing in the game: undo passes over them."""


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


def deeds(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Event]]:
    """What still holds of all that was played, told or put right, newest first, with what it is now.

    Left out: what is silent, what was taken back, and the corrections that took it back.
    """
    now = standing(entries)
    for entry in reversed(entries):
        event = now.get(entry.id, entry.event)
        if event is None or event["kind"] in SILENT:
            continue
        if event["kind"] == "correction" and event["event"] is None:
            continue
        yield entry, event
