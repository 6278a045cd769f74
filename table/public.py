"""What of an event everybody may be told: the page, and whoever reads along over the network (G-14)."""

from __future__ import annotations

from table.rules.events import PlainEvent

PUBLIC = frozenset(
    {"kind", "t", "source", "of", "event", "candidates", "doubt", "inferred", "after_gap"}
    | {"game", "preset", "options", "seats", "players", "dealer", "first"}
    | {"seat", "what", "card", "cards", "colour", "value", "spot", "player", "dice"}
)
"""Fields of an event that everybody may see; what a log carries besides stays in the journal."""


def public(event: PlainEvent) -> PlainEvent:
    """The fields of an event that everybody may see."""
    return {
        key: public(value) if key == "event" and isinstance(value, dict) else value
        for key, value in event.items()
        if key in PUBLIC
    }
