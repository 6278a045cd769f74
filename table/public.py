"""The public part of an event, for the page and for readers over the network (G-14)."""

from __future__ import annotations

from table.rules.events import Event, PlainEvent

PUBLIC = frozenset(
    {"kind", "t", "source", "of", "event", "candidates", "doubt", "inferred", "after_gap"}
    | {"game", "preset", "options", "seats", "players", "dealer", "first", "resumes"}
    | {"seat", "what", "card", "cards", "colour", "value", "spot", "player", "dice"}
)
"""Fields of an event that everybody may see; all others stay in the journal."""


def public(event: Event) -> PlainEvent:
    """An event as everybody may see it."""
    seen = {"kind": event.kind} | {name: value for name, value in event.fields.items() if name in PUBLIC}
    seen.pop("event", None)
    if event.kind == "correction":
        seen["event"] = None if event.instead is None else public(event.instead)
    return seen
