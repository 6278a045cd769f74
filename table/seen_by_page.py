"""What the page showed when a guest tapped it: two equal taps on two phones count once.

A request names the newest line of the journal that its page had seen. It is refused where something has
happened since that it would have to know of; whatever else was played since does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from table.journal import Entry
from table.rules.events import Event
from table.standing import last_word

_BOUNDS = frozenset({"round", "end"})


@dataclass(frozen=True, slots=True)
class Seen:
    """The newest line of the journal that a page had shown: number of the game, id of the event."""

    game: int
    id: int


def stands_as_seen(entries: Sequence[Entry], of: int, seen: Seen | None) -> bool:
    """Whether nobody changed event `of` since. A guest who does not tell what he saw knows of none."""
    return last_word(entries, of) <= (of if seen is None else max(of, seen.id))


def told_since(entries: Sequence[Entry], event: Event, seen: Seen, running: bool) -> bool:
    """Whether what a guest tells was told or seen already, or overtaken, since his page last changed.

    Args:
        entries: the journal's lines.
        event: what is told.
        seen: the newest line that his page had shown.
        running: a round is on.
    """
    news = _news(entries[max(0, seen.id) :])
    if running and event.kind in _BOUNDS:  # the round that his page showed goes on, unless a new one began
        return any(other.kind in _BOUNDS for other in news)
    return any(_same_matter(event, other) for other in news)


def _news(entries: Sequence[Entry]) -> Iterator[Event]:
    for entry in entries:
        event = entry.event.instead if entry.event.kind == "correction" else entry.event
        if event is not None and event.kind != "correction":
            yield event


def _same_matter(told: Event, other: Event) -> bool:
    """Whether two events speak of one thing, so that the second is superfluous."""
    kind = told.kind
    if kind in _BOUNDS:
        return other.kind in _BOUNDS | {"card", "throw", "unsure"}
    if kind == "card" and other.kind == "unsure":
        return bool(told.get("seat") == other.get("seat"))
    if kind != other.kind:
        return False
    if kind == "card":
        return bool(told.fields["card"] == other.fields["card"] or told.get("seat") == other.get("seat"))
    if kind == "say":
        same = "what" if told.get("seat") is None else "seat"
        return bool(told.fields[same] == other.get(same))
    if kind == "die":
        return bool(told.get("spot") == other.get("spot") or told.get("colour") == other.get("colour"))
    return bool(kind in ("throw", "turned") or told.get("seat") == other.get("seat"))
