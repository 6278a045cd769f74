"""One way to read the doubtful cards of a round, and the round that results."""

from __future__ import annotations

from dataclasses import dataclass, field

from table.rules.games import Round


@dataclass(slots=True)
class DoubtReading:
    """One way to read the doubts: event id → card."""

    round: Round
    weight: float = 1.0
    cards: dict[int, str] = field(default_factory=dict)

    def copy(self) -> DoubtReading:
        """Return an independent copy."""
        return DoubtReading(self.round.copy(), self.weight, self.cards)
