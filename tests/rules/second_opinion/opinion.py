"""What the texts make of a log: points, winners, ledger, and who broke which rule where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Log = list[dict[str, Any]]
Fault = tuple[str, str, int]
"""Finding (its name in events.md), seat, number of the offending line."""


@dataclass(frozen=True)
class Denial:
    """By playing this line a seat claimed to hold none of these cards (G-03)."""

    seat: str
    line: int
    cards: dict[str, frozenset[str]]
    """The denied cards by the name of the fault that is proven if one of them is played later."""


@dataclass
class Opinion:
    """A growing log, and the result expected from it."""

    log: Log
    points: dict[str, int]
    faults: dict[Fault, int | None] = field(default_factory=dict)
    """Each fault with the line that proves it; None leaves that line open."""
    ledger: list[dict[str, Any]] = field(default_factory=list)
    """Some fields of each round's entry."""
    standing: dict[int, dict[str, int]] = field(default_factory=dict)
    """Everybody's points after the lines with these numbers."""
    finished: bool = False
    winners: list[str] = field(default_factory=list)
    denials: list[Denial] = field(default_factory=list)

    def write(self, kind: str, **fields: Any) -> int:
        """Add a line and return its number."""
        self.log.append({"kind": kind, **fields})
        return len(self.log)

    def say(self, seat: str, what: str) -> int:
        return self.write("say", seat=seat, what=what)

    def card(self, seat: str, card: str) -> int:
        """Play a card; it proves every denial by its seat that it contradicts, once for each offence."""
        line = self.write("card", seat=seat, card=card)
        for denial in [one for one in self.denials if one.seat == seat]:
            for finding in [finding for finding, cards in denial.cards.items() if card in cards]:
                self.denials.remove(denial)
                self.faults[finding, seat, denial.line] = line
        return line

    def deny(self, seat: str, line: int, **cards: frozenset[str]) -> None:
        """By this line the seat claims to hold none of these cards: a later one will prove the fault."""
        self.denials.append(Denial(seat, line, cards))

    def close(self, winners: list[str], **entry: Any) -> None:
        """The round is over, its tricks won by `winners`: all denials still open were true."""
        self.denials.clear()
        self.ledger.append({"tricks": [{"winner": seat} for seat in winners], **entry})
        self.stand()

    def stand(self) -> None:
        """Record the points after the last line."""
        self.standing[len(self.log)] = dict(self.points)

    def end(self) -> None:
        """The game is over; whoever has the most points wins, several together if equal."""
        self.finished = True
        self.winners = [seat for seat, points in self.points.items() if points == max(self.points.values())]
