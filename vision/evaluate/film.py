"""Events reported for a film, compared with what truly happened in it: paired by name and time.

Events with equal names are paired first, then unsure events, then the others: a card with another name is
wrong, one without a partner is invented.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vision.evaluate.tally import Tally

EventFields = Mapping[str, Any]

_BEFORE_S, _AFTER_S = 0.5, 3.0
"""Seconds before and after the true moment within which an event may belong to it."""
_REST_S = 0.7
"""How long before its true moment a throw may be reported: that moment is labelled shortly after the rest."""


@dataclass(slots=True)
class FilmTally:
    """Result for a film: a tally for each kind of event, and the delays of the right ones (s)."""

    kinds: dict[str, Tally] = field(default_factory=dict)
    late_s: list[float] = field(default_factory=list)
    until: float = math.inf
    """Time after which events do not count (s)."""

    def counts(self, event: EventFields) -> bool:
        """Whether an event happened early enough to count."""
        return float(event["t"]) <= self.until

    def late(self) -> dict[str, float] | None:
        """Median, 95th percentile and maximum of the delays in seconds; None where nothing was right."""
        if not self.late_s:
            return None
        late = sorted(self.late_s)
        marks = {"p50": statistics.median(late), "p95": late[int(len(late) * 0.95)], "max": late[-1]}
        return {word: round(value, 3) for word, value in marks.items()}


def tally_film(
    truth: Sequence[EventFields], events: Sequence[EventFields], until: float | None = None
) -> FilmTally:
    """Compare the events of a film, corrections applied, with the true ones.

    `until`: how long the film was watched (s). What happened in its last seconds may have been reported after
    its end; it counts neither as reported nor as missed.
    """
    told = FilmTally(until=math.inf if until is None else until - _AFTER_S)
    cards, fell = _of("card", events), _of("card", truth)
    if fell:
        told.kinds["card"] = _named(told, fell, cards, lambda e: str(e["card"]), _of("unsure", events))
    for kind, name in (("die", _die), ("collected", lambda e: str(e.get("seat")))):
        happened = [e for e in _of(kind, truth) if kind != "die" or e.get("spot")]
        if happened:
            seen = [e for e in _of(kind, events) if kind != "die" or e.get("spot")]
            told.kinds[kind] = _named(told, happened, seen, name, [])
    throws = _of("throw", truth)
    if throws:
        told.kinds["thrown die"] = _thrown(told, throws, _of("throw", events))
    return told


def _of(kind: str, events: Sequence[EventFields]) -> list[EventFields]:
    return [e for e in events if e["kind"] == kind and e.get("t") is not None]


def _die(event: EventFields) -> str:
    return f"{event.get('colour')}-{event.get('value')} on {event['spot']}"


def _named(
    told: FilmTally,
    happened: list[EventFields],
    seen: list[EventFields],
    name: Callable[[EventFields], str],
    unsure: list[EventFields],
) -> Tally:
    tally = Tally(labels=sum(map(told.counts, happened)))
    exact = [(w, g) for w, g in _pair(happened, seen, lambda w, g: name(w) == name(g)) if told.counts(w)]
    told.late_s += [float(g["t"]) - float(w["t"]) for w, g in exact]
    tally.right = len(exact)
    tally.unsure = sum(told.counts(w) for w, _ in _pair(happened, unsure, lambda w, g: True))
    for w, g in _pair(happened, seen, lambda w, g: True):
        if told.counts(w):
            tally.wrong += 1
            tally.confusion[name(w), name(g)] += 1
    tally.missed, tally.invented = (sum(map(told.counts, left)) for left in (happened, seen))
    return tally


def _pair(
    want: list[EventFields], got: list[EventFields], same: Callable[[EventFields, EventFields], bool]
) -> list[tuple[EventFields, EventFields]]:
    """Pair events, the nearest in time first; paired events are removed from both lists."""
    near = sorted(
        (abs(late), i, j)
        for i, w in enumerate(want)
        for j, g in enumerate(got)
        if -_BEFORE_S <= (late := float(g["t"]) - float(w["t"])) <= _AFTER_S and same(w, g)
    )
    pairs: dict[int, int] = {}
    for _, i, j in near:
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    made = [(want[i], got[j]) for i, j in sorted(pairs.items())]
    taken = set(pairs.values())
    want[:] = [w for i, w in enumerate(want) if i not in pairs]
    got[:] = [g for j, g in enumerate(got) if j not in taken]
    return made


def _thrown(told: FilmTally, throws: list[EventFields], seen: list[EventFields]) -> Tally:
    """Tally each die on the field by its colour and face; of several reports of a throw the last counts."""
    tally = Tally()
    ends = [float(e["t"]) for e in throws[1:]] + [float("inf")]
    for w, end in zip(throws, ends, strict=True):
        if not told.counts(w):
            break
        start = float(w["t"]) - _REST_S
        near = [g for g in seen if start <= float(g["t"]) < end - _REST_S]
        have = {str(d.get("colour")): d for d in near[-1]["dice"]} if near else {}
        if near:
            told.late_s.append(float(near[-1]["t"]) - float(w["t"]))
        for die in (d for d in w["dice"] if d.get("where") == "field"):
            answer = have.pop(str(die["colour"]), None)
            if answer is None:
                tally.miss()
                continue
            face = answer.get("face")
            said = None if face is None else f"{die['colour']}-{face}"
            tally.name(f"{die['colour']}-{die['face']}", said)
        tally.invented += sum(d.get("where") == "field" and d.get("face") is not None for d in have.values())
    return tally
