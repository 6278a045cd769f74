"""What the page is told: the view as JSON, audience "all", and nothing that a guest may not see (G-14).

One message holds everything; a client that missed some needs only the newest:

    {"type": "state",
     "game": 3,                      number of the game in the journal, null before the first
     "language": "de",               what the house speaks; a guest may switch
     "view": {…},                    the fields of `table.rules.view.View`
     "events": [{"id": 17, "wall": 1700000000.0, "event": {…}, "now": {…} or null}, …],
                                     the last ones; "now" only where corrected, null = never happened
     "proof": {"12": {…}, …},        the events that findings and doubts point to, the last throw, and throws
                                     with a die that may lie unseen
     "crops": [17, …],               those of them with a picture at /crop/GAME/17.jpg
     "health": {"camera": {"what": "lost", "detail": "…", "since": 1700000000.0}, …}}

Every few seconds `{"type": "tick"}` says that the table is still there.
"""

from __future__ import annotations

from typing import Any

import msgspec

from table.journal import Entry, Event
from table.live import Table
from table.standing import SILENT, standing

LAST_EVENTS = 30
"""So many events are listed on the page."""

PUBLIC = frozenset(
    {"kind", "t", "source", "of", "event", "candidates", "doubt"}
    | {"game", "preset", "options", "seats", "players", "dealer", "first"}
    | {"seat", "what", "card", "cards", "colour", "value", "spot", "player", "dice"}
)
"""Fields of an event that everybody may see; what a log carries besides stays in the journal."""


def state(table: Table, language: str) -> dict[str, Any]:
    """The whole message; see above."""
    session = table.session
    view = session.view
    now = standing(session.entries)
    pointed = (
        {f.event for f in view.findings} | {f.about for f in view.findings} | {d.event for d in view.doubts}
    )
    thrown = {view.box.event} if view.box is not None and view.box.event is not None else set()
    return {
        "type": "state",
        "game": session.game,
        "language": language,
        "view": msgspec.to_builtins(view),
        "events": [_line(entry, now) for entry in _last(session.entries)],
        "proof": {
            str(entry.id): public(now.get(entry.id) or entry.event)
            for entry in session.entries
            if entry.id in pointed | thrown or _unseen(now.get(entry.id, entry.event))
        },
        "crops": [
            event
            for event in [*(doubt.event for doubt in view.doubts), *thrown]
            if session.pictured(event) is not None
        ],
        "health": msgspec.to_builtins(table.health),
    }


def public(event: Event) -> Event:
    """The fields of an event that everybody may see."""
    return {
        key: public(value) if key == "event" and isinstance(value, dict) else value
        for key, value in event.items()
        if key in PUBLIC
    }


def _unseen(event: Event | None) -> bool:
    """Whether a throw tells a die as lost that may lie where the camera cannot see it."""
    dice = event["dice"] if event is not None and event["kind"] == "throw" else ()
    return any(die.get("where") == "outside" and "line" in die.get("doubt", ()) for die in dice)


def _last(entries: list[Entry]) -> list[Entry]:
    heard = (entry for entry in reversed(entries) if entry.event["kind"] not in SILENT)
    return [entry for entry, _ in zip(heard, range(LAST_EVENTS), strict=False)][::-1]


def _line(entry: Entry, now: dict[int, Event | None]) -> dict[str, Any]:
    line: dict[str, Any] = {"id": entry.id, "wall": entry.wall, "event": public(entry.event)}
    if entry.id in now:
        event = now[entry.id]
        line["now"] = None if event is None else public(event)
    return line
