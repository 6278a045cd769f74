"""What a correction would lead to, before anybody agrees to it: one more line, folded in a fork of the game.

A tap on a telephone may turn a true record into an accusation, so the guest first sees what follows.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

from table.fold import lines_before
from table.journal import Entry
from table.rules.events import Event
from table.rules.referee import Referee
from table.rules.undisputed import Accusation, accusation
from table.rules.view import Finding, View
from table.standing import standing

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Consequences:
    """What would change: the points before and after, and the accusations that were not there before."""

    before: dict[str, int]
    after: dict[str, int]
    findings: tuple[Finding, ...]
    entries: tuple[Entry, ...]
    """The log as it would be; findings refer to its ids."""

    @property
    def state(self) -> str:
        """A digest of the findings: whoever agrees to it agrees to these accusations and no others."""
        text = json.dumps([asdict(finding) for finding in self.findings], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def accusations(self) -> tuple[Accusation, ...]:
        """Who would be accused of what; agreeing confirms it."""
        return tuple(map(accusation, self.findings))


def foresee(referee: Referee, entries: Sequence[Entry], view: View, further: Sequence[Event]) -> Consequences:
    """Fold further events into a fork of the game.

    Args:
        referee: the referee of the current game; it is not changed.
        entries: the log of the game so far.
        view: the current game.
        further: the events that would be written.
    """
    trial = _Trial(referee.fork(), [*entries])
    then = trial.referee
    try:
        for event in further:
            trial.add(event)
    except Exception:  # as in `fold`: a fault in the rules costs an event and leaves the game unchanged
        log.exception("the rules failed on what would be written; nothing follows from it")
        then = referee
    # Findings that a missed card may still explain are shown, too: further cards may prove them.
    known = {accusation(each) for each in (*view.findings, *view.contested, *referee.as_it_stands())}
    proven = then.findings()
    # A question is news only if this correction concerns its own line: confirming that line answers it.
    of = further[0].get("of")
    known -= {accusation(each) for each in view.contested if of in (each.event, each.about or each.event)}
    known -= set(map(accusation, view.contested)) & set(map(accusation, proven))
    said = dict.fromkeys((*then.as_it_stands(), *proven, *then.contested()))
    new = tuple(finding for finding in said if accusation(finding) not in known)
    return Consequences(view.points, then.points(), new, tuple(trial.entries))


@dataclass(slots=True)
class _Trial:
    """A game as `GameLog.add` would continue it, with the rules' own lines: these may explain a finding."""

    referee: Referee
    entries: list[Entry]

    def add(self, event: Event) -> None:
        self.write(*lines_before(self.referee, event), event)
        self._follow()
        if event.kind == "correction":
            self.write(*map(taken_back, unfounded(self.referee, self.entries)))
            self._follow()

    def write(self, *lines: Event) -> None:
        for line in lines:
            self.entries.append(Entry(len(self.entries) + 1, line, 0.0))
            self.referee.add(line.numbered(len(self.entries)))

    def _follow(self) -> None:
        self.write(*self.referee.unwritten())
        self._settle()

    def _settle(self) -> None:
        answers = _settle(self.referee, len(self.entries))
        self.entries += [Entry(n, line, 0.0) for n, line in enumerate(answers, len(self.entries) + 1)]


def unfounded(referee: Referee, entries: Sequence[Entry]) -> list[int]:
    """The ids of lines that the rules wrote and that the cards no longer justify.

    They are places held for unseen cards, where no card is missing any more, and answers to doubts.
    """
    places = _unfounded_places(referee, entries)
    if not places:
        return _unfounded_answers(referee, entries)
    answers = _without(
        referee, entries, places, lambda trial: _unfounded_answers(trial.referee, trial.entries)
    )
    return [] if answers is None else [*places, *answers]


def taken_back(number: int) -> Event:
    """The line by which the rules take back one of their own lines."""
    return Event("correction", {"of": number, "event": None, "source": "rules"})


def _without(
    referee: Referee, entries: Sequence[Entry], gone: Iterable[int], ask: Callable[[_Trial], T]
) -> T | None:
    """What `ask` returns for a fork without these lines; None: the rules failed, so the lines stand."""
    try:
        trial = _Trial(referee.fork(), [*entries])
        trial.write(*map(taken_back, gone))
        return ask(trial)
    except Exception:
        log.exception("the rules failed on what would be taken back; their lines stand")
        return None


def _unfounded_places(referee: Referee, entries: Sequence[Entry]) -> list[int]:
    """Ids of the places held for unseen cards, answered by the rules at most, that are no longer needed."""
    now = standing(entries)
    answered = {
        line.event.fields["of"]: line.event.instead
        for line in entries
        if line.event.kind == "correction" and line.event.get("source") == "rules"
    }
    places = {
        line.id: line.event
        for line in entries
        if line.event.kind == "unsure"
        and (line.event.get("reason"), line.event.get("source")) == ("missed", "rules")
        and (line.id not in now or now[line.id] is answered.get(line.id, line.event) is not None)
    }
    if not places:
        return []
    doubts = _without(referee, entries, places, lambda trial: trial.referee.unwritten())
    if doubts is None:
        return []
    needed = [(doubt.get("seat"), doubt.get("before")) for doubt in doubts]
    held = {number: (event.get("seat"), event.get("before")) for number, event in places.items()}
    for number, where in [*held.items()]:
        if where in needed:
            needed.remove(where)
            del held[number]
    # If the round has ended since, its last cards fell before another line: compare by seat alone.
    seats = [seat for seat, _ in needed]
    for number, (seat, _) in [*held.items()]:
        if seat in seats:
            seats.remove(seat)
            del held[number]
    return [*held]


def _unfounded_answers(referee: Referee, entries: Sequence[Entry]) -> list[int]:
    """Ids of the answers that the rules gave to doubts and that the current cards no longer justify.

    A card since taken back may have been the only reason why a doubtful card could be no other.
    """
    now = standing(entries)
    answers = {
        entry.id: entry.event
        for entry in entries
        if entry.event.kind == "correction"
        and entry.event.get("source") == "rules"
        and entries[entry.event.fields["of"] - 1].event.kind == "unsure"
        and entry.id not in now
        and now.get(entry.event.fields["of"]) is entry.event.instead is not None
    }
    if not answers:
        return []
    settled = _without(referee, entries, answers, lambda trial: _settle(trial.referee, len(trial.entries)))
    if settled is None:
        return []
    given = {event.fields["of"]: event.instead for event in settled}
    return [number for number, event in answers.items() if given.get(event.fields["of"]) != event.instead]


def _settle(referee: Referee, newest: int) -> list[Event]:
    """Add and return the answers to doubts that the cards decide; ids continue after `newest`."""
    answers: list[Event] = []
    # One answer may decide the next doubt.
    while settled := referee.settle_by_rules():
        for event in settled:
            newest += 1
            referee.add(event.numbered(newest))
        answers += settled
    return answers
