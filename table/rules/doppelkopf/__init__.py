"""Doppelkopf as the referee and the engine know it: rule sets, who plays, when it ends (RULES.md, K)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.catalogue import fact
from table.rules.doppelkopf import player
from table.rules.doppelkopf.contracts import USUAL_TRUMPS, pack
from table.rules.doppelkopf.options import OPTIONS, check
from table.rules.doppelkopf.round import DoppelkopfRound
from table.rules.doppelkopf.sayable import spoken
from table.rules.doppelkopf.story import DoppelkopfStory
from table.rules.doppelkopf.terms import SAYINGS, DoppelkopfHanded
from table.rules.events import Event, EventError
from table.rules.game import EngineGame
from table.rules.setup import Setup
from table.rules.tricks import DealtHands
from table.rules.view import View

__all__ = ["DOPPELKOPF", "Doppelkopf", "DoppelkopfRound"]


class Doppelkopf(EngineGame):
    """The game of Doppelkopf in its four rule sets."""

    name = "doppelkopf"
    title = "Doppelkopf"
    endless = left_leads = True
    story = DoppelkopfStory
    presets = ("ddv", "bundeswehr", "dieblich", "club")
    players = (4, 5)
    mat_row = USUAL_TRUMPS
    options = OPTIONS

    def check_setup(self, setup: Setup) -> None:
        """Check for four players, or five of whom the dealer sits out (K-02). Raises EventError."""
        if len(setup.seats) not in self.players:
            raise EventError(fact("opening.doppelkopf", n=len(setup.seats)))
        self.check_options(setup.options)

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Check the options against each other. Raises EventError."""
        check(options)

    def check_event(self, event: Event, setup: Setup) -> None:
        """Check what is said against the words of the game. Raises EventError."""
        self.check_said(event, SAYINGS)

    def pack(self, setup: Setup) -> dict[str, int]:
        """Return the cards in play (K-01, K-50, K-66)."""
        return pack(setup.options["cards"], setup.options["spitze"])

    def open_round(self, setup: Setup, number: int, event: Event, before: Any) -> DoppelkopfRound:
        """Begin a round; `before` is what the last one handed on (`DoppelkopfHanded`)."""
        dealer = event.get("dealer")
        return DoppelkopfRound(setup, number, dealer or self.next_dealer(setup, before), before)

    def next_dealer(self, setup: Setup, before: Any) -> str:
        """Return who deals next: the next seat, or the same after a solo (K-68)."""
        last: DoppelkopfHanded | None = before
        if last is None:
            return setup.seats[-1]
        return (
            last.dealer
            if last.again
            else setup.seats[(setup.seats.index(last.dealer) + 1) % len(setup.seats)]
        )

    def is_dealer_sure(self, setup: Setup, before: Any) -> bool:
        """Return whether the rules say who deals after this round (K-68)."""
        last: DoppelkopfHanded | None = before
        return last is None or last.is_sure

    def begins_round(self, event: Event) -> bool:
        """Return whether, after a settled round, this event can only belong to the next one."""
        if event.kind == "say":
            return event.get("what") in ("gesund", "vorbehalt")
        return event.kind in ("card", "unsure")

    def sayings(self, view: View) -> tuple[str, ...]:
        """Return announcements and Vorbehalte; of Hochzeiten and soli only those that the options allow."""
        return spoken(view.options)

    def playing(self, seats: Sequence[str]) -> Sequence[str]:
        """Return who plays: with five at the table the dealer sits out (K-02)."""
        return seats[:4]

    def choose(self, opened: Any, seat: str, hands: DealtHands, moves: Sequence[Event]) -> Event:
        """Return the move of the house's own player."""
        return player.choose(opened, seat, hands, moves)


DOPPELKOPF = Doppelkopf()
