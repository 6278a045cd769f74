"""What undo takes back and redo brings back: both are corrections, for the journal only grows (G-10).

Undo writes a correction to null of the last entry that still holds; redo writes a correction to null of that
correction. So both can be read from the log alone, even after a power cut.
"""

from __future__ import annotations

from collections.abc import Sequence

from table.journal import Entry
from table.rules.events import Event
from table.standing import UNDO_PASSES, deeds, standing


def undoable(entries: Sequence[Entry]) -> Entry | None:
    """The last entry that still holds and that a person may take back; None in a game that has just begun."""
    for entry, event in deeds(entries):
        if "rules" in (event.get("source"), entry.event.get("source")):
            continue  # what the rules inferred goes with the entry that they inferred it from
        return None if event.kind == "game" else entry
    return None


def redoable(entries: Sequence[Entry]) -> Entry | None:
    """The undo that redo takes back; None once something else has been played, entered or corrected."""
    now = standing(entries)
    for entry in reversed(entries):
        event = now.get(entry.id, entry.event)
        if event is None or event.kind in UNDO_PASSES:
            continue
        if "rules" in (event.get("source"), entry.event.get("source")):
            continue
        if event.kind != "correction" or event.instead is not None:
            return None
        if not _takes_back(entries[event.fields["of"] - 1].event):
            return entry
    return None


def redone(entries: Sequence[Entry], undone: Entry) -> list[int]:
    """The ids of the corrections that go with `undone`: the rules may have closed a round with it."""
    closed = []
    for entry in entries[undone.id :]:
        if not (entry.event.get("source") == "rules" and _takes_back(entry.event)):
            break
        closed.append(entry.id)
    return [*closed, undone.id]


def _takes_back(event: Event) -> bool:
    return bool(event.kind == "correction" and event.instead is None)
