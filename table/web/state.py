"""The state message for the page: the view as JSON, audience "all", without what a guest may not see (G-14).

Each message is complete, so a client that missed some needs only the newest:

    {"type": "state",
     "game": 3,                      number of the game in the journal, null before the first
     "newest": 41,                   the newest line of its log; requests name it as what the page had seen
     "undo": 40, "redo": null,       the event that undo would take back, and redo bring back
     "language": "de",               the language of the house; a guest may switch
     "form": {"title": "Dubbe",      how the game is played at a table (`rules.game.Game`):
              "boxed": false,        its name for people; whether with dice in a box, not with cards;
              "kinds": [...],        events that people may enter; everything that may be said
              "sayings": [...]},
     "view": {…},                    the fields of `table.rules.view.View`; of findings, contested, remarks
                                     and doubts the newest
     "events": [{"id": 17, "wall": 1700000000.0, "event": {…}, "now": {…} or null, "by": 23}, …],
                                     the last ones; "now" only if corrected, null = never happened; "by"
                                     is the newest correction that concerns it
     "faces": "1a2b3c4d",            the `v` with which to request the enrolled faces (`faces`), or null
     "demo": false,                  whether the table is only drawn and plays by itself
     "lamps": ["turn", "trump", …],  what the lamps of this table show
     "proof": {"12": {…}, …},        the events that findings and doubts point to, the last throw, and throws
                                     with a die that may lie unseen
     "sure": ["red-7", …],           cards that the seat whose turn it is may lay whatever else it holds;
                                     empty where the turn is not sure
     "crops": [17, …],               doubts and throws with a picture at /crop/GAME/17.jpg
     "left_out": {"findings": 170, "contested": 0, "doubts": 0, "events": 120},   numbers of older ones
     "health": {"camera": {"what": "lost", "detail": "…", "since": 1700000000.0}, …}}

However long the evening, the message stays below `MOST_BYTES`. Every few seconds `{"type": "tick"}` shows
that the table is still there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from table.health import Health
from table.journal import Entry
from table.live import Table
from table.public import public
from table.rules.events import Event, PlainEvent
from table.rules.games import GAMES
from table.rules.view import Doubt, Finding, View
from table.standing import UNDO_PASSES, last_word, pictured, standing
from table.undoing import redoable, undoable

MOST_BYTES = 16_000
"""Greatest length of the message."""

LAST_EVENTS = 30
"""Number of events in the message; the page requests older ones on demand."""

_FINDINGS_BYTES, _DOUBTS_BYTES, _THROWS_BYTES, _REMARKS_BYTES = 2_400, 2_400, 2_400, 600
_CONTESTED_BYTES = 1_200
_LONGEST_DETAIL = 300
"""Most characters of a text in the detail of a part's fault."""

_MOST_NAMED = 5
"""Most items of a list in the detail of a part's fault."""

encode = msgspec.json.Encoder().encode


def state(table: Table, language: str) -> dict[str, Any]:
    """The whole message, as described in the module docstring."""
    session = table.session
    turn = session.view.turn
    may = session.may_play(turn) if turn else None
    sure = may.sure if may else ()
    now = GameShown(session.game, session.entries, session.view)
    told = message(now, language, sure, _health(table))
    return {
        **told,
        "faces": session.equipment.faces_mark,
        "demo": session.equipment.drawn,
        "lamps": _lamps(table),
    }


def _lamps(table: Table) -> list[str]:
    """The kinds of lamps, each once, in the order of the chain."""
    return list(dict.fromkeys(lamp.shows for lamp in table.plan.lamps)) if table.plan else []


class GameShown(NamedTuple):
    """A game at one moment: its number in the journal (None: in none), its lines so far, and its view."""

    game: int | None
    entries: Sequence[Entry]
    view: View


def message(
    shown_game: GameShown,
    language: str,
    sure: Sequence[str] = (),
    health: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The message for the lines of a game, be it the current one or an older one."""
    game, entries, view = shown_game
    now = standing(entries)
    proof = _Proof(entries, now)
    thrown = [view.box.event] if view.box is not None and view.box.event is not None else []
    proof.hold(thrown)
    findings = proof.newest(view.findings, _FINDINGS_BYTES)
    contested = proof.newest(view.contested, _CONTESTED_BYTES)
    doubts = proof.newest(view.doubts, _DOUBTS_BYTES)
    proof.newest_throws([entry.id for entry in entries if _unseen(now.get(entry.id, entry.event))])
    shown = msgspec.to_builtins(view)
    shown["findings"], shown["doubts"] = msgspec.to_builtins(findings), msgspec.to_builtins(doubts)
    shown["contested"] = msgspec.to_builtins(contested)
    shown["remarks"] = within(view.remarks, _REMARKS_BYTES)
    undo, redo = undoable(entries), redoable(entries)
    told: dict[str, Any] = {
        "type": "state",
        "game": game,
        "newest": len(entries),
        "undo": undo and undo.id,
        "redo": redo and redo.id,
        "language": language,
        "form": form(view),
        "view": shown,
        "faces": None,
        "demo": False,
        "lamps": [],
        "sure": sure,
        "proof": {str(number): event for number, event in proof.events.items()},
        "crops": [
            event
            for event in [*(doubt.event for doubt in doubts), *thrown]
            if pictured(entries, event) is not None
        ],
        "health": health or msgspec.to_builtins(Health()),
    }
    lines = list(_newest_lines(entries, now, MOST_BYTES - len(encode(told)) - 100))
    told["events"] = lines[::-1]
    told["left_out"] = {
        "findings": len(view.findings) - len(findings),
        "contested": len(view.contested) - len(contested),
        "doubts": len(view.doubts) - len(doubts),
        "events": _heard(entries) - len(lines),
    }
    return told


def form(view: View) -> dict[str, Any]:
    """How the game is played; empty fields if there is no game."""
    game = GAMES.get(view.game or "")
    if game is None:
        return {"title": "", "boxed": False, "kinds": (), "sayings": ()}
    return {"title": game.title, "boxed": game.boxed, "kinds": game.kinds, "sayings": game.sayings(view)}


def events_before(entries: Sequence[Entry], before: int, limit: int) -> dict[str, Any]:
    """The lines before an id, oldest first, and the number of still older ones."""
    now = standing(entries)
    older = entries[: max(0, before - 1)]
    lines = [line(entry, entries, now) for entry, _ in zip(_reversed(older), range(limit), strict=False)]
    return {"newest": len(entries), "events": lines[::-1], "left_out": _heard(older) - len(lines)}


def findings_before(
    entries: Sequence[Entry], findings: Sequence[Finding], before: int, limit: int
) -> dict[str, Any]:
    """The findings before the `before`th (counted from 1), oldest first, with the events that prove them."""
    older = findings[: max(0, before - 1)]
    shown = older[-limit:] if limit > 0 else ()
    return {
        "findings": msgspec.to_builtins(shown),
        "proof": {str(number): event for number, event in proof_of(entries, shown).items()},
        "left_out": len(older) - len(shown),
    }


def proof_of(entries: Sequence[Entry], findings: Iterable[Finding]) -> dict[int, PlainEvent]:
    """The events to which findings point, as everybody may see them."""
    proof = _Proof(entries, standing(entries))
    for finding in findings:
        proof.hold(_pointed(finding))
    return proof.events


T = TypeVar("T")


def within(items: Sequence[T], most: int) -> list[T]:
    """The last items that fit into this many bytes of JSON, in their order."""
    kept: list[T] = []
    for item in reversed(items):
        most -= len(encode(item)) + 1
        if most < 0:
            break
        kept.append(item)
    return kept[::-1]


class _Proof:
    """The events that the message points to, each once."""

    def __init__(self, entries: Sequence[Entry], now: dict[int, Event | None]) -> None:
        self._entries = entries
        self._now = now
        self.events: dict[int, PlainEvent] = {}

    def _event(self, number: int) -> PlainEvent | None:
        if not 1 <= number <= len(self._entries):
            return None
        return public(self._now.get(number) or self._entries[number - 1].event)

    def hold(self, numbers: Iterable[int]) -> int:
        """Take in these events; return the number of bytes that this costs."""
        fresh = {n: event for n in numbers if n not in self.events and (event := self._event(n)) is not None}
        self.events.update(fresh)
        return sum(len(encode(event)) + 8 for event in fresh.values())

    def newest(self, items: Sequence[Finding | Doubt], most: int) -> list[Finding | Doubt]:
        """The last findings or doubts that fit with their events, in their order; usually all."""
        kept: list[Finding | Doubt] = []
        for item in reversed([*items]):
            before = dict(self.events)
            most -= len(encode(item)) + 1 + self.hold(_pointed(item))
            if most < 0:
                self.events = before
                break
            kept.append(item)
        return kept[::-1]

    def newest_throws(self, numbers: Sequence[int]) -> None:
        """Take in the newest of these throws that fit; once their doubts are settled, older ones will fit."""
        room = _THROWS_BYTES
        for number in reversed(numbers):
            before = dict(self.events)
            room -= self.hold([number])
            if room < 0:
                self.events = before
                return


def _pointed(item: Finding | Doubt) -> list[int]:
    about = item.about if isinstance(item, Finding) else None
    return [number for number in (item.event, about) if number is not None]


def _unseen(event: Event | None) -> bool:
    """Whether an event is a throw with a die that may lie unseen: one reported as lost, or an unseen bet."""
    dice = event.fields["dice"] if event is not None and event.kind == "throw" else ()
    return any(
        "line" in die.get("doubt", ())
        and (die.get("where") == "outside" or die.get("in_view", True) is False)
        for die in dice
    )


def _reversed(entries: Sequence[Entry]) -> Iterator[Entry]:
    return (entry for entry in reversed(entries) if entry.event.kind not in UNDO_PASSES)


def _heard(entries: Sequence[Entry]) -> int:
    return sum(entry.event.kind not in UNDO_PASSES for entry in entries)


def _newest_lines(
    entries: Sequence[Entry], now: dict[int, Event | None], most: int
) -> Iterator[dict[str, Any]]:
    for entry, _ in zip(_reversed(entries), range(LAST_EVENTS), strict=False):
        told = line(entry, entries, now)
        most -= len(encode(told)) + 1
        if most < 0:
            return
        yield told


def line(entry: Entry, entries: Sequence[Entry], now: dict[int, Event | None]) -> dict[str, Any]:
    """One line of the log as everybody may see it."""
    told: dict[str, Any] = {"id": entry.id, "wall": entry.wall, "event": public(entry.event)}
    if entry.id in now:
        event = now[entry.id]
        told["now"] = None if event is None else public(event)
        told["by"] = last_word(entries, entry.id)
    return told


def _health(table: Table) -> dict[str, Any]:
    health: dict[str, Any] = msgspec.to_builtins(table.health)
    for part in health.values():
        if isinstance(part, dict):
            part["detail"] = _short(part.get("detail"))
    return health


def _short(told: Any) -> Any:
    """Shorten a detail to what fits on a screen: that of a damaged file may name a line of each evening."""
    match told:
        case str() if len(told) > _LONGEST_DETAIL:
            return told[:_LONGEST_DETAIL] + "…"
        case list() if len(told) > _MOST_NAMED:
            return [*map(_short, told[:_MOST_NAMED]), "…"]
        case list():
            return [*map(_short, told)]
        case dict():
            return {key: _short(each) for key, each in told.items()}
    return told
