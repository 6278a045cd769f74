"""What a correction would lead to, before anybody agrees to it: a fold over one more line, written nowhere.

A tap on a telephone may turn a true record into an accusation. So whoever taps sees first what follows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

from table.fold import Fold
from table.journal import Entry, Event
from table.rules.referee import Referee
from table.rules.view import Finding, View
from table.standing import standing


@dataclass(frozen=True, slots=True)
class Consequences:
    """What would change: the points before and after, and the accusations that were not there before."""

    before: dict[str, int]
    after: dict[str, int]
    findings: tuple[Finding, ...]
    entries: tuple[Entry, ...]
    """The log as it would then be; findings point into it."""

    @property
    def state(self) -> str:
        """A name for what was foreseen: agreeing to it is agreeing to these accusations and no others."""
        text = json.dumps([asdict(finding) for finding in self.findings], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def foresee(
    referee: Callable[[], Referee], entries: Sequence[Entry], view: View, further: Sequence[Event]
) -> Consequences:
    """Fold the log with further events at its end.

    Args:
        referee: makes a new one.
        entries: the log of the game so far.
        view: the game as it stands.
        further: what would be written.
    """
    trial = [*entries, *(Entry(len(entries) + i, event, 0.0) for i, event in enumerate(further, 1))]
    then = _settled(referee, list(_without_detours(trial)), len(trial)).referee
    now = _settled(referee, list(_without_detours(entries)), len(entries)).referee
    # What a missed card may still explain is told too: further cards may prove it.
    known = {_accusation(finding) for finding in (*view.findings, *now.as_it_stands())}
    said = dict.fromkeys((*then.as_it_stands(), *then.findings()))
    new = tuple(finding for finding in said if _accusation(finding) not in known)
    return Consequences(view.points, then.points(), new, tuple(trial))


def unfounded_answers(referee: Callable[[], Referee], entries: Sequence[Entry]) -> list[int]:
    """The ids of answers that the rules gave to doubts and that the cards, as they now stand, do not give.

    A card that was taken back may have been the only reason why a doubtful one could be no other.
    """
    now = standing(entries)
    answers = {
        entry.id: entry.event
        for entry in entries
        if entry.event["kind"] == "correction"
        and entry.event.get("source") == "rules"
        and entries[entry.event["of"] - 1].event["kind"] == "unsure"
        and entry.id not in now
        and now.get(entry.event["of"]) is entry.event["event"] is not None
    }
    if not answers:
        return []
    trial = list(_without_detours([entry for entry in entries if entry.id not in answers]))
    _settled(referee, trial, len(entries))
    given = {entry.event["of"]: entry.event["event"] for entry in trial if entry.id > len(entries)}
    return [number for number, event in answers.items() if given.get(event["of"]) != event["event"]]


def _settled(referee: Callable[[], Referee], entries: list[Entry], newest: int) -> Fold:
    """The fold of a log and of all answers to doubts that its cards give; ids go on behind `newest`."""
    fold = Fold(referee)
    fold.begin(entries)
    while settled := fold.referee.settle_by_rules():
        choked = fold.choked
        for event in settled:
            newest += 1
            entries.append(Entry(newest, event, 0.0))
            fold.add(entries)
        if fold.choked != choked:
            break
    return fold


def _without_detours(entries: Sequence[Entry]) -> Iterator[Entry]:
    """What stands, each at its place: every correction that is folded by itself would cost a fold anew.

    What the rules concluded stays a correction, for nothing is proven with it.
    """
    now = standing(entries)
    stood = [(entry, now.get(entry.id, entry.event)) for entry in entries]
    last = {
        entry.event["of"]: entry
        for entry, event in stood
        if event is not None and entry.event["kind"] == "correction"
    }
    by_rules = {
        of: entry
        for of, entry in last.items()
        if entry.event.get("source") == "rules" and now.get(of, entry.event) is not None
    }
    for entry, stands in stood:
        if stands is None:
            continue
        if entry.event["kind"] != "correction":
            yield entry if entry.id in by_rules else Entry(entry.id, stands, entry.wall)
        elif entry is by_rules.get(entry.event["of"]):
            yield Entry(entry.id, stands if stands["kind"] == "correction" else entry.event, entry.wall)


def _accusation(finding: Finding) -> tuple[object, ...]:
    """Who is accused of what, whichever card proves it."""
    offending = finding.event if finding.about is None else finding.about
    return finding.finding, finding.seat, offending
