"""One round of Klapper-Jas as the engine and people see it: moves, chores, what is shown (RULES.md, J)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from table.rules.events import Event
from table.rules.klapperjas import moves, sayable, shown
from table.rules.klapperjas.fold import KlapperFold
from table.rules.sayings import Saying
from table.rules.tricks import DealtHands


class KlapperRound(KlapperFold):
    """One deal of Klapper-Jas."""

    def calls(self, hands: DealtHands) -> tuple[tuple[str, Event], ...]:
        """Return who may declare what before cards are played."""
        return moves.calls(self)

    def offers(self, hands: DealtHands) -> tuple[Event, ...]:
        """Return what the seat whose card is awaited may say."""
        return tuple(moves.offers(self, hands))

    def passed(self, hands: DealtHands, move: Event) -> DealtHands:
        """Return the hands after a swap of the 7."""
        return moves.swapped(self, hands, move)

    def chores(self) -> tuple[Event, ...]:
        """Return the chores: best melds are laid open after trick one, every trick is taken (J-16, J-17)."""
        return moves.chores(self)

    def may_say(self, seat: int) -> Iterable[Saying]:
        """Return what a seat might say now, and until when."""
        return sayable.may_say(self, seat)

    def shown(self) -> dict[str, Any]:
        """Return the round's fields of the View."""
        return super().shown() | shown.view_fields(self)

    def ledger(self) -> dict[str, Any]:
        """Return the round as plain values."""
        return shown.ledger(self)
