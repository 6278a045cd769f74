"""What the page showed when a guest tapped it: two equal taps on two phones count once.

A request names the newest journal line that its page had shown. It is refused if something that affects it
has happened since; other plays since then do not matter.
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
    """The newest journal line that a page had shown: number of the game, id of the event."""

    game: int
    id: int


def stands_as_seen(entries: Sequence[Entry], of: int, seen: Seen | None) -> bool:
    """Whether event `of` is unchanged since. Without `seen` the guest is taken to know no later line."""
    return last_word(entries, of) <= (of if seen is None else max(of, seen.id))


def told_since(entries: Sequence[Entry], event: Event, seen: Seen, running: bool) -> bool:
    """Whether a guest's event was already entered, seen or overtaken since his page last changed.

    Args:
        entries: the journal's lines.
        event: the event that the guest enters.
        seen: the newest line that his page had shown.
        running: whether a round is on.
    """
    news = _news(entries[max(0, seen.id) :])
    if running and event.kind in _BOUNDS:  # still the round that his page showed, unless a new one began
        return any(other.kind in _BOUNDS for other in news)
    return any(_same_matter(event, other) for other in news)


def _news(entries: Sequence[Entry]) -> Iterator[Event]:
    for entry in entries:
        event = entry.event.instead if entry.event.kind == "correction" else entry.event
        if event is not None and event.kind != "correction":
            yield event


def _same_matter(told: Event, other: Event) -> bool:
    """Whether two events concern the same thing, so that the second is superfluous."""
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
