"""One round of Dubbe as the engine and people see it: moves, chores, what is shown (D-10 to D-41)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from table.rules.cards import COLOURS
from table.rules.dubbe.fold import DubbeFold
from table.rules.dubbe.shown import ledger, view_fields
from table.rules.dubbe.terms import (
    AAGEWWER,
    CHARACTERS,
    JAMMERLABBE,
)
from table.rules.events import Event
from table.rules.sayings import FIRST_CARD, ROUND, Saying
from table.rules.tricks import DealtHands


class DubbeRound(DubbeFold):
    """One round of Dubbe, 2 to 5 players; with two a third packet stays face down (D-08)."""

    def calls(self, hands: DealtHands) -> tuple[tuple[str, Event], ...]:
        """Return the chooser's moves: any colour's die on Aagewwer (D-11)."""
        if self.begun or self.trump is not None:
            return ()
        die = {"value": 1, "spot": CHARACTERS[AAGEWWER]}
        return tuple((self.seats[self.chooser], Event("die", {"colour": c} | die)) for c in COLOURS)

    def may_say(self, seat: int) -> Iterable[Saying]:
        """Return the trumps that the chooser may name if no die shows one (D-10, D-11)."""
        if self.over or seat != self.chooser:
            return
        for colour in COLOURS:
            if not self.begun and colour != self.trump:
                yield Saying(f"trump:{colour}", FIRST_CARD)
            elif self.begun and self.trump is None:
                yield Saying(f"trump:{colour}", ROUND)

    def chores(self) -> tuple[Event, ...]:
        """Return the chores: the led colour's die is set, then the trick goes to the pile (D-19, D-41)."""
        if self.trick or not self.tricks:
            return ()
        jammer = self.tiles[JAMMERLABBE].owner if self.options["black_die"] else None
        collector = self.tricks[-1].winner if jammer is None else jammer
        dice = [
            Event("die", {"colour": die[0], "value": die[1], "spot": change.character})
            for change in self.changes[-1]
            if (die := self.expected()[change.character]) is not None
        ]
        return (*dice, Event("collected", {"seat": self.seats[collector]}))

    def shown(self) -> dict[str, Any]:
        """Return trump, characters, black die, expected dice and prompts for the View."""
        return super().shown() | view_fields(self)

    def ledger(self) -> dict[str, Any]:
        """Return the round trick by trick: who played what, who won, what was booked and why."""
        return ledger(self)
