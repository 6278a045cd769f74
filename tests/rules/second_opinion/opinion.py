"""What the texts make of a log: points, winners, ledger, and who broke which rule where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Log = list[dict[str, Any]]
Fault = tuple[str, str, int]
"""Finding (its name in events.md), seat, number of the line at fault."""


@dataclass(frozen=True)
class Denial:
    """With this line a seat has played as if it held none of these cards (G-03)."""

    seat: str
    line: int
    cards: dict[str, frozenset[str]]
    """By the name that the fault bears if one of them falls later."""


@dataclass
class Opinion:
    """A log that grows, and what has to come of it."""

    log: Log
    points: dict[str, int]
    faults: dict[Fault, int | None] = field(default_factory=dict)
    """Each with the line that proves it; None leaves open which one does."""
    ledger: list[dict[str, Any]] = field(default_factory=list)
    """Of each round what its entry says, among other things."""
    standing: dict[int, dict[str, int]] = field(default_factory=dict)
    """After the lines with these numbers everybody's points."""
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
        """A card falls; what its seat denied to hold is proven by it, once for each offence."""
        line = self.write("card", seat=seat, card=card)
        for denial in [one for one in self.denials if one.seat == seat]:
            for finding in [finding for finding, cards in denial.cards.items() if card in cards]:
                self.denials.remove(denial)
                self.faults[finding, seat, denial.line] = line
        return line

    def deny(self, seat: str, line: int, **cards: frozenset[str]) -> None:
        """With this line the seat claims to hold none of these cards: a later one will prove the fault."""
        self.denials.append(Denial(seat, line, cards))

    def close(self, winners: list[str], **entry: Any) -> None:
        """The round is over, its tricks won by these: what has been denied till now was true."""
        self.denials.clear()
        self.ledger.append({"tricks": [{"winner": seat} for seat in winners], **entry})
        self.stand()

    def stand(self) -> None:
        """So it stands after the last line."""
        self.standing[len(self.log)] = dict(self.points)

    def end(self) -> None:
        """The game is over; the most points win, together if several have them."""
        self.finished = True
        self.winners = [seat for seat, points in self.points.items() if points == max(self.points.values())]
