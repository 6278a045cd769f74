"""One round as the table knows it: several readings side by side while a card is in doubt.

An `unsure` may be any of its candidates that the pack still has. The round is folded once for each reading;
a finding is proven only if every reading proves it, and what is shown meanwhile is the most plausible one
(fewest findings: whoever leads next is taken to have won; then the eye's confidence).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from table.rules.audit import AUDITED, audit
from table.rules.events import Event
from table.rules.games import GAMES, Round
from table.rules.setup import Setup
from table.rules.tricks import TrickRound
from table.rules.view import Doubt, Finding, Played

MOST_READINGS = 96
"""Beyond this the least likely readings are dropped, and nothing more is proven until a doubt is settled."""


@dataclass(slots=True)
class Slot:
    """A place in the log: the event that stands there after all corrections (None: it never happened)."""

    id: int
    first: Event
    event: Event | None


@dataclass(slots=True)
class Reading:
    """One way to read the doubts: event id → card."""

    round: Round
    weight: float = 1.0
    cards: dict[int, str] = field(default_factory=dict)


class RoundFold:
    """A round's slots folded into readings; `before` is what the round before it handed on."""

    def __init__(self, setup: Setup, number: int, before: Any, first: Slot) -> None:
        self.setup, self.number, self.before = setup, number, before
        self.pack = GAMES[setup.game].pack(setup)
        self.slots: list[Slot] = [first]
        self._widened: set[int] = set()
        self._concluded = False
        self.fold()

    def fold(self) -> None:
        """Fold all slots anew."""
        self._widened.clear()
        self._fold()

    def _fold(self) -> None:
        start = self.slots[0].event
        assert start is not None
        opened = GAMES[self.setup.game].open_round(self.setup, self.number, start, self.before)
        self.readings = [Reading(opened)]
        self.doubts: dict[int, Doubt] = {}
        self._blind: set[Finding] | None = None
        for slot in self.slots[1:]:
            self._apply(slot)
        if self._concluded:
            self.conclude()

    def conclude(self) -> None:
        """The next round has begun, or the log is at its end: nothing more comes."""
        self._concluded = True
        for reading in self.readings:
            if isinstance(reading.round, TrickRound):
                reading.round.conclude()

    def add(self, slot: Slot) -> None:
        """Fold one more slot."""
        self.slots.append(slot)
        event = slot.event
        if self.doubts or event is None or event.kind == "unsure":
            self._apply(slot)
        else:  # almost always: one reading, nothing in doubt
            self.readings[0].round.add(slot.id, event)

    def _apply(self, slot: Slot) -> None:
        event = slot.event
        if event is None:
            return
        if event.kind == "unsure":
            self._doubt(slot.id, event)
            return
        if event.id != slot.id:
            event = event.numbered(slot.id)
        for reading in self.readings:
            reading.round.add(slot.id, event)
        if self.doubts and event.kind == "card":
            self._weed(event.card)

    # Doubts -----------------------------------------------------------------------------------------------

    def _doubt(self, number: int, event: Event) -> None:
        if self.best.round.over:
            return  # between the rounds nothing hangs on it
        candidates = tuple((str(name), float(share)) for name, share in event.get("candidates") or ())
        self.doubts[number] = Doubt(number, event.seat, candidates)
        grown = [twin for reading in self.readings for twin in self._split(reading, number)]
        grown.sort(key=lambda twin: -twin[0])
        if len(grown) > MOST_READINGS and self._blind is None:
            self._blind = set(self.findings())
        self.readings = []
        for weight, reading, name in grown[:MOST_READINGS]:
            twin = Reading(reading.round.copy(), weight, reading.cards | {number: name})
            twin.round.add(number, Event("card", {"seat": event.seat, "card": name}, number))
            self.readings.append(twin)

    def _split(self, reading: Reading, number: int) -> Iterator[tuple[float, Reading, str]]:
        """Yield (weight, reading, card) for every card that the doubt may be in a reading."""
        given = dict(self.doubts[number].candidates)
        left = [name for name, count in self.pack.items() if reading.round.seen.get(name, 0) < count]
        left = list(dict.fromkeys(left + self._laid_aside(reading, number)))
        possible = [name for name in left if name in given]
        # A single candidate says only that the eye is not sure of it: then it may be any card.
        if not possible or len(given) < 2 or number in self._widened:
            possible = left or list(given) or list(self.pack)
        for name in possible:
            yield reading.weight * given.get(name, 0.01), reading, name

    def _laid_aside(self, reading: Reading, number: int) -> list[str]:
        """Return the cards that this seat showed as a second card of a trick and may still play."""
        if not isinstance(opened := reading.round, TrickRound):
            return []
        seat = self.doubts[number].seat
        return [card for whose, card in opened.aside if opened.seats[whose] == seat]

    def _weed(self, card: str) -> None:
        """Drop readings that a card has made impossible: it was elsewhere all the time."""
        most = self.pack.get(card, 0)
        if not most:
            return
        left = [r for r in self.readings if card not in r.cards.values() or r.round.seen.get(card, 0) <= most]
        if left:
            self.readings = left
            return
        narrow = {
            number for reading in self.readings for number, name in reading.cards.items() if name == card
        }
        if not narrow <= self._widened:  # none of the candidates can have been it: it was some other card
            self._widened |= narrow
            self._fold()

    # What is known ----------------------------------------------------------------------------------------

    @property
    def best(self) -> Reading:
        """The most plausible reading."""
        if len(self.readings) == 1:
            return self.readings[0]
        return min(self.readings, key=lambda reading: (len(reading.round.findings), -reading.weight))

    def open_doubts(self) -> list[Doubt]:
        """Return everything in this round that waits for a correction."""
        return [*self.doubts.values(), *self.best.round.doubts()]

    def findings(self) -> list[Finding]:
        """Return what every reading proves."""
        found = self.best.round.findings
        if len(self.readings) > 1:
            common = set(found).intersection(*(reading.round.findings for reading in self.readings))
            found = [finding for finding in found if finding in common]
        if self.doubts:
            taken = self._taken_leads()
            found = [finding for finding in found if finding.event not in taken]
        return list(found) if self._blind is None else [f for f in found if f in self._blind]

    def _taken_leads(self) -> set[int]:
        """Return the leads after tricks in doubt: who leads next is taken to have won."""
        opened = self.best.round
        if not isinstance(opened, TrickRound):
            return set()
        tricks = [trick.plays for trick in opened.tricks] + [tuple(opened.trick)]
        return {
            later[0].event
            for earlier, later in pairwise(tricks)
            if later and any(play.event in self.doubts for play in earlier)
        }

    def decided(self) -> dict[int, str]:
        """Return the doubts that the cards themselves have settled: event id → card."""
        if self._blind is not None:
            return {}
        return {
            number: names.pop()
            for number in self.doubts
            if len(names := {reading.cards[number] for reading in self.readings}) == 1
        }

    def ledger(self) -> dict[str, Any]:
        """Return the most plausible round as plain values; a card in doubt is None there."""
        ledger = self.best.round.ledger()
        if self.doubts:
            plays = [play for trick in ledger["tricks"] for play in trick["cards"]] + ledger.get("lying", [])
            for play in plays:
                if play["event"] in self.doubts:
                    play["card"] = None
        if (agrees := self.audit()) is not None:
            ledger["audit"] = agrees
        return ledger

    def audit(self) -> bool | None:
        """Tell whether the audit of a finished round finds what was found on the way (G-07).

        None while the round goes on, while a card is in doubt, and in a game without tricks.
        """
        opened = self.best.round
        if not isinstance(opened, TrickRound) or not opened.over or self.doubts:
            return None
        start = self.slots[0].event
        assert start is not None
        fresh = GAMES[self.setup.game].open_round(self.setup, self.number, start, self.before)
        assert isinstance(fresh, TrickRound)
        events = [
            (slot.id, slot.event.numbered(slot.id)) for slot in self.slots[1:] if slot.event is not None
        ]
        running = {finding for finding in opened.findings if finding.finding in AUDITED}
        return set(audit(fresh, events)) == running

    def _agreed(self, ask: Callable[[TrickRound], str | None]) -> str | None:
        """What all readings answer alike, None if it depends on a doubt."""
        said = {ask(reading.round) for reading in self.readings if isinstance(reading.round, TrickRound)}
        return said.pop() if len(said) == 1 else None

    def shown(self) -> dict[str, Any]:
        """Return the fields of the view that the round fills; cards in doubt have no name in them."""
        shown = self.best.round.shown()
        if self.doubts:
            shown |= {
                "leader": self._agreed(TrickRound.due_to_lead),
                "turn": self._agreed(TrickRound.turn),
                "trick": self._nameless(shown["trick"]),
                "last_trick": self._nameless(shown["last_trick"]),
                "seen": self._sure(shown["seen"]),
            }
        return shown

    def _nameless(self, plays: tuple[Played, ...]) -> tuple[Played, ...]:
        return tuple(replace(play, card=None) if play.event in self.doubts else play for play in plays)

    def _sure(self, seen: dict[str, int]) -> dict[str, int]:
        """What was seen without the cards that the doubts may be."""
        seen = dict(seen)
        for card in self.best.cards.values():
            seen[card] = seen.get(card, 1) - 1
            if not seen[card]:
                del seen[card]
        return seen
