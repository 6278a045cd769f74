"""Table events as JSON Lines: the one vocabulary for recordings, journal, replay and live play.

An `Event` is a checked, frozen value: its kind, its id and the fields as they were given (unknown fields
are kept). Nothing here knows a game; the referee checks seats, cards and options against the game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from math import isfinite
from types import MappingProxyType
from typing import Any, NamedTuple

from table.catalogue import Fact, fact

PlainEvent = dict[str, Any]
"""An event as a JSON object, which exists only at the edges: read into an `Event`, or written from one."""


UNPLAYED = frozenset({"hand", "too-dark"})
"""Kinds that change nothing in the game; the notation and the network messages leave them out."""


class EventError(ValueError):
    """An event that cannot be understood: `fact` says what is wrong and what helps, `line` where."""

    def __init__(self, wrong: Fact, line: int | None = None) -> None:
        super().__init__(wrong, line)
        self.fact, self.line = wrong, line

    def __str__(self) -> str:
        return str(self.fact) if self.line is None else f"line {self.line}: {self.fact}"

    def at(self, line: int) -> EventError:
        """Return the same error with this line."""
        return EventError(self.fact, line)


def nearest(word: str, known: Iterable[str]) -> Fact:
    """Return a remedy naming the known word most like `word`, or all known words."""
    names = sorted(known)
    close = get_close_matches(word, names, n=1, cutoff=0.6)
    return fact("nearest.one", word=close[0]) if close else fact("nearest.all", known=names)


class Event(NamedTuple):
    """One table event. `fields` holds everything but `kind` and `id`; `id` is None until a log numbers it."""

    kind: str
    fields: Mapping[str, Any] = MappingProxyType({})
    id: int | None = None

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any], line: int | None = None) -> Event:
        """Check a plain dict. Raises EventError that names `line`."""
        try:
            return checked(plain)
        except EventError as wrong:
            raise (wrong.at(line) if line is not None else wrong) from None

    def to_dict(self) -> PlainEvent:
        """Return the event as a plain dict, with the id if there is one."""
        plain = {"kind": self.kind, **({} if self.id is None else {"id": self.id}), **self.fields}
        if self.kind == "correction" and self.instead is not None:
            plain["event"] = self.instead.to_dict()
        return plain

    def get(self, name: str, default: Any = None) -> Any:
        """Return a field, or `default`."""
        return self.fields.get(name, default)

    def numbered(self, number: int | None) -> Event:
        """Return the same event with this id; None: a log numbers it."""
        return Event(self.kind, self.fields, number)

    def having(self, **fields: Any) -> Event:
        """Return the same event with these fields set."""
        return Event(self.kind, {**self.fields, **fields}, self.id)

    def without(self, *names: str) -> Event:
        """Return the same event without these fields."""
        kept = {name: value for name, value in self.fields.items() if name not in names}
        return Event(self.kind, kept, self.id)

    @property
    def instead(self) -> Event | None:
        """What, according to a `correction`, really happened; None: nothing did."""
        right = self.fields.get("event")
        return right if isinstance(right, Event) else None

    @property
    def resumes(self) -> int | None:
        """The number of the game that a `game` event continues; that one and all between no longer count."""
        told = self.fields.get("resumes") if self.kind == "game" else None
        return told if isinstance(told, int) and not isinstance(told, bool) and told > 0 else None

    @property
    def seat(self) -> str | None:
        """The seat the event names."""
        return self.fields.get("seat")

    @property
    def card(self) -> str:
        """The card of a `card` or `turned` event."""
        return str(self.fields["card"])


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _optional_text(value: Any) -> bool:
    return value is None or _text(value)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(_text(item) for item in value)


def _candidates(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(c, list | tuple) and len(c) == 2 and _text(c[0]) and _number(c[1]) for c in value
    )


def _dice(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(die, Mapping) for die in value)


# field: (test, what it is called)
_TEXT = (_text, fact("form.text"))
_MAYBE_TEXT = (_optional_text, fact("form.text-or-null"))
_NUMBER = (_number, fact("form.number"))
_NAMES = (_texts, fact("form.texts"))
_OBJECT = (lambda value: isinstance(value, Mapping), fact("form.object"))
_DIE_VALUE = (lambda value: value is None or (_whole(value) and value >= 1), fact("form.die-value"))
_PLACES = (_candidates, fact("form.candidates"))

Check = tuple[Any, Fact]
_ALWAYS: dict[str, Check] = {"t": _NUMBER, "confidence": _NUMBER, "source": _TEXT}
_WHEREVER: dict[str, Check] = {
    "before": (_whole, fact("form.id")),
    "candidates": _PLACES,
    "seat": _MAYBE_TEXT,
    "spot": _MAYBE_TEXT,
}
"""Optional fields that several kinds share: they are folded, so their form is checked."""
# kind: (required fields, optional fields)
_FORMS: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
    "game": ({"game": _TEXT}, {"preset": _TEXT, "options": _OBJECT, "seats": _NAMES, "players": _NAMES}),
    "round": ({}, {"dealer": _TEXT, "first": _TEXT}),
    "say": ({"what": _TEXT}, {"seat": _MAYBE_TEXT}),
    "card": ({"card": _TEXT}, {"seat": _MAYBE_TEXT}),
    "collected": ({}, {"seat": _MAYBE_TEXT}),
    "touch": ({}, {"seat": _MAYBE_TEXT}),
    "die": ({}, {"colour": _MAYBE_TEXT, "value": _DIE_VALUE, "spot": _MAYBE_TEXT}),
    "throw": ({"dice": (_dice, fact("form.dice"))}, {"player": _MAYBE_TEXT}),
    "turned": ({"card": _TEXT}, {}),
    "shown": ({"cards": _NAMES}, {"seat": _MAYBE_TEXT}),
    "correction": ({"of": (_whole, fact("form.id"))}, {}),
    "end": ({}, {}),
    "hand": ({}, {"seat": _MAYBE_TEXT}),
    "unsure": ({}, {"seat": _MAYBE_TEXT, "candidates": _PLACES}),
    "too-dark": ({}, {}),
    "blind": ({}, {"until": _NUMBER, "why": _TEXT}),
}
_CHECKS: dict[str, tuple[tuple[str, ...], dict[str, Check], frozenset[str]]] = {
    kind: (
        tuple(required),
        all_checks := {**required, **optional, **_ALWAYS, **_WHEREVER},
        frozenset(name for name, check in all_checks.items() if check in (_TEXT, _MAYBE_TEXT)),
    )
    for kind, (required, optional) in _FORMS.items()
}
"""The forms, arranged for the look-up at every event: kind → (required fields, all checks, text fields)."""
KINDS: frozenset[str] = frozenset(_FORMS)
TRUTH_KINDS: frozenset[str] = frozenset({"moved", "bet", "taken", "box_turned", "deal", "peek", "exposed"})
"""Kinds that occur only in the ground truth of footage; `lenient` reading skips them."""
_NO_EVENT: frozenset[str] = frozenset({"points", "frames", "seconds_busy"})
"""An object without a kind but with one of these is the result or the statistics at the end of `watch`."""


def checked(plain: Mapping[str, Any], unless_own: int | None = None) -> Event:
    """Check a plain dict; `unless_own` is its id if it has none. Raises EventError, without a line."""
    if type(plain) is not dict and not isinstance(plain, Mapping):
        raise EventError(fact("event.no-object"))
    kind = plain.get("kind")
    if not isinstance(kind, str):
        raise EventError(fact("event.no-kind", known=sorted(KINDS)))
    known = _CHECKS.get(kind)
    if known is None:
        if kind in TRUTH_KINDS:
            raise EventError(fact("event.footage", kind=kind))
        raise EventError(fact("rules.kind", kind=kind, remedy=nearest(kind, KINDS)))
    required, checks, texts = known
    for name in required:
        if name not in plain:
            raise EventError(fact("rules.needs", kind=kind, field=name, form=checks[name][1]))
    fields = dict(plain)
    del fields["kind"]
    number = fields.pop("id", None)
    for name, value in fields.items():
        if value and type(value) is str and name in texts:
            continue  # almost every field
        check = checks.get(name)
        if check is not None and not check[0](value):
            raise EventError(fact("rules.is", field=name, kind=kind, value=_shown(value), form=check[1]))
    if number is not None and not _whole(number):
        raise EventError(fact("event.id", value=_shown(number)))
    if kind == "correction":
        if "event" not in plain:
            raise EventError(fact("rules.needs", kind=kind, field="event", form=fact("form.correction")))
        inner = plain["event"]
        if inner is not None and not isinstance(inner, Event):
            fields["event"] = checked(inner)
    return Event(kind, fields, unless_own if number is None else number)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def lines_of(text: str) -> list[str]:
    """Return the lines of a log's text; other Unicode line ends may occur within a name."""
    return re.split(r"\r\n|\r|\n", text)


def parse(lines: Iterable[str], *, lenient: bool = False) -> Iterator[Event]:
    """Read a log, one JSON object a line; events without an id are numbered by line, not counting blank ones.

    The result and statistics lines of `watch --json` are skipped, and with `lenient` also TRUTH_KINDS.
    Raises EventError with the line number that an editor shows.
    """
    return (event for _, event in parse_lines(lines, lenient=lenient))


def parse_lines(lines: Iterable[str], *, lenient: bool = False) -> Iterator[tuple[int, Event]]:
    """Read a log as `parse` does; yield (line number that an editor shows, event)."""
    number = 0
    for line, text in enumerate(lines, 1):
        if not text.strip():
            continue
        number += 1
        try:
            plain = json.loads(text)
        except ValueError as broken:
            raise EventError(fact("event.json", why=str(broken)), line) from None
        except RecursionError:
            raise EventError(fact("event.brackets"), line) from None
        if isinstance(plain, dict):
            if "kind" not in plain and _NO_EVENT & plain.keys():
                continue
            if lenient and plain.get("kind") in TRUTH_KINDS:
                continue
        event = Event.from_dict(plain, line)
        yield line, event if event.id is not None else event.numbered(number)


def write(event: Event) -> str:
    """Return the event as one line of JSON, without a line end."""
    return json.dumps(event.to_dict(), ensure_ascii=False)
