"""A place in the log of a round, and how sure what stands there is."""

from __future__ import annotations

from dataclasses import dataclass

from table.rules.events import Event
from table.rules.readings import MISSED, SURE, UNPLACED, UNREAD


@dataclass(slots=True)
class Slot:
    """A place in the log: the event that stands there after all corrections (None: it never happened)."""

    id: int
    first: Event
    event: Event | None
    concluded: bool = False
    """The rules put in what stands there."""


def trust_in(slot: Slot) -> str:
    """Tell how surely the card and the seat of a slot's event were seen or said."""
    event = slot.event
    assert event is not None
    if event.kind not in ("card", "unsure"):
        return SURE
    fields = event.fields
    if fields.get("after_gap"):
        return UNPLACED
    if slot.first.get("reason") == "missed" and (slot.concluded or event.kind == "unsure"):
        return MISSED
    if event.kind == "unsure" or slot.concluded:
        return UNREAD
    return UNPLACED if fields.get("inferred") else SURE
