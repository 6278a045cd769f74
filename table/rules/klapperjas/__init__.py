"""Klapper-Jas as the referee and the engine know it, for 2, 3 and 4 players (RULES.md, J)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.catalogue import fact
from table.rules.cards import SUITS
from table.rules.events import Event, EventError, nearest
from table.rules.game import CARD_KINDS, EngineGame
from table.rules.klapperjas import player
from table.rules.klapperjas.fold import KlapperHanded
from table.rules.klapperjas.options import OPTIONS
from table.rules.klapperjas.round import KlapperRound
from table.rules.klapperjas.sayable import SAYINGS
from table.rules.klapperjas.story import KlapperStory
from table.rules.klapperjas.terms import HAND_SIZE, PACK, score_dice
from table.rules.setup import Setup
from table.rules.tricks import DealtHands
from table.rules.view import View

__all__ = ["KLAPPERJAS", "KlapperJas", "KlapperRound", "score_dice"]


class KlapperJas(EngineGame):
    """The game of Klapper-Jas."""

    name = "klapper-jas"
    title = "Klapper-Jas"
    kinds = (*CARD_KINDS, "die", "turned", "shown")
    story = KlapperStory
    presets = ("klapper-jas",)
    players = tuple(HAND_SIZE)
    mat_row = SUITS
    options = OPTIONS

    def check_event(self, event: Event, setup: Setup) -> None:
        """Check what is said and what lies open against the game. Raises EventError."""
        self.check_said(event, SAYINGS)
        if event.kind not in ("turned", "shown"):
            return
        for card in [event.card] if event.kind == "turned" else event.get("cards") or ():
            if card not in PACK:
                raise EventError(fact("rules.card", card=card, game=self.title, remedy=nearest(card, PACK)))

    def pack(self, setup: Setup) -> dict[str, int]:
        """Return the cards in play (J-01)."""
        return PACK

    def hidden(self, setup: Setup) -> int:
        """Return the number of cards of the pack that nobody plays: the rest pile (J-28, J-29)."""
        return len(PACK) - len(setup.seats) * HAND_SIZE[len(setup.seats)]

    def open_round(self, setup: Setup, number: int, event: Event, before: Any) -> KlapperRound:
        """Begin a round; `before` is what the last one handed on (`KlapperHanded`)."""
        return KlapperRound(setup, number, event.get("dealer") or self.next_dealer(setup, before), before)

    def next_dealer(self, setup: Setup, before: Any) -> str:
        """Return who deals: again after a deal that nobody played (J-20), with two the winner (J-34).

        With three and four the deal moves on (J-35). A player who leaves deals once more for the other two;
        then the rules for two apply (J-46).
        """
        last: KlapperHanded | None = before
        if last is None:
            return setup.seats[-1]
        if last.again:
            return last.dealer
        if last.winner is not None:
            return last.winner
        if len(setup.seats) == 3 and last.home:
            return last.home[0]
        return setup.seats[(setup.seats.index(last.dealer) + 1) % len(setup.seats)]

    def is_dealer_sure(self, setup: Setup, before: Any) -> bool:
        """Return whether nobody has left: in some groups one who left goes on dealing for the two (J-46)."""
        last: KlapperHanded | None = before
        return last is None or len(setup.seats) != 3 or not last.home

    def begins_round(self, event: Event) -> bool:
        """Return whether, after a settled round, this event can only belong to the next one."""
        if event.kind == "say":
            return event.get("what") in ("passe", "orgi", "kleines")
        return event.kind in ("turned", "card", "unsure")

    def finished(self, setup: Setup, complete: int, points: Mapping[str, int]) -> bool:
        """Return False: the end depends on who was first, which `KlapperRound.outcome` knows."""
        return False

    def score_marks(self, setup: Setup, points: Mapping[str, int]) -> dict[str, Any]:
        """Return how the score dice should lie, one for each player or party (J-47, J-48)."""
        seats = setup.seats[:2] if len(setup.seats) == 4 else setup.seats
        return {"score_dice": {seat: score_dice(points[seat], setup.options["dice"]) for seat in seats}}

    def winners(self, setup: Setup, points: Mapping[str, int]) -> tuple[str, ...]:
        """Return nobody: the winner depends on who was first, which `KlapperRound.outcome` knows."""
        return ()

    def sayings(self, view: View) -> tuple[str, ...]:
        """Return bids, suits, melds, the swap of the 7, Kontra and Re."""
        return SAYINGS

    def choose(self, opened: Any, seat: str, hands: DealtHands, moves: Sequence[Event]) -> Event:
        """Return the move of the house's own player."""
        return player.choose(opened, seat, hands, moves)


KLAPPERJAS = KlapperJas()
