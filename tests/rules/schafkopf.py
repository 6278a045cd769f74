"""Schafkopf, Rufspiel: a sixth trick game in one small module, to show that it fits (tests only).

Eichel, Gras, Herz, Schellen are written C S H D, Ober Q, Unter J. Whoever calls plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from table.rules.cards import FRENCH_CARDS, SUITS
from table.rules.events import Event
from table.rules.evidence import Duty
from table.rules.game import EngineGame
from table.rules.sayings import FIRST_CARD, Saying
from table.rules.setup import Option, Setup
from table.rules.tricks import Contract, DealtHands, Play, Trick, TrickRound
from table.rules.view import View

OBER_UNTER = tuple(suit + rank for rank in "QJ" for suit in SUITS)
TRUMPS = (*OBER_UNTER, *(f"H{rank}" for rank in "ATK987"))
CALLABLE = ("CA", "SA", "DA")
SAYINGS = tuple(f"rufspiel:{ace}" for ace in CALLABLE)
EYES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
PACK = dict.fromkeys(FRENCH_CARDS.names, 1)


@dataclass(frozen=True)
class Rufspiel(Contract):
    """Players follow suit; the called ace must be played when its suit is led."""

    ace: int = 0

    def duties(self, trick: Sequence[Play]) -> tuple[Duty, ...]:
        follow = super().duties(trick)
        led = trick[0].card
        if self.ace and led >= 0 and self.members[self.class_of[led]] & self.ace:
            return (Duty("partner_duty", "Ruf", self.ace), *follow)
        return follow


@cache
def contract(called: str | None) -> Rufspiel:
    names, trump = FRENCH_CARDS.names, len(SUITS)
    class_of = tuple(trump if name in TRUMPS else SUITS.index(name[0]) for name in names)
    power = [100 - TRUMPS.index(n) if n in TRUMPS else 1 + "789KTA".index(n[1]) for n in names]
    kinds, cards = range(trump + 1), list(zip(names, power, class_of, strict=True))
    strength = tuple(tuple(p if kind in (trump, led) else 0 for _, p, kind in cards) for led in kinds)
    members = tuple(FRENCH_CARDS.mask(n for n, _, own in cards if own == kind) for kind in kinds)
    ace = 0 if called is None else FRENCH_CARDS.mask([called])
    return Rufspiel("Rufspiel", class_of, members, strength, 0, ace)


class SchafkopfRound(TrickRound):
    """One deal: somebody calls an ace; caller and its holder play together and need 61 of 120."""

    def __init__(self, setup: Setup, number: int, dealer: str) -> None:
        super().__init__(FRENCH_CARDS, PACK, setup.seats, 8, dealer)
        self.number, self.price = number, setup.options["price"]
        self.leader = (self.seats.index(dealer) + 1) % 4
        self.caller: int | None = None
        self.called: str | None = None
        self.partner: int | None = None
        self.booked = [0] * 4

    def contract(self) -> Contract:
        return contract(self.called)

    def say(self, event: Event) -> None:
        if self.begun or event.seat is None:
            return
        self.caller, self.called = self.seats.index(event.seat), str(event.get("what")).partition(":")[2]

    def calls(self, hands: DealtHands) -> tuple[tuple[str, Event], ...]:
        """Calls open to each seat: an ace that it lacks, of a suit of which it has a card."""
        if self.called is not None or self.begun:
            return ()
        may = [
            (seat, ace)
            for seat, hand in zip(self.seats, hands, strict=True)
            for ace in CALLABLE
            if ace not in hand and any(card[0] == ace[0] and card not in TRUMPS for card in hand)
        ]
        return tuple((seat, Event("say", {"seat": seat, "what": f"rufspiel:{ace}"})) for seat, ace in may)

    def may_say(self, seat: int) -> Iterator[Saying]:
        """Before the first card, whoever wants to play calls an ace."""
        if self.called is None and not self.begun:
            yield from (Saying(what, FIRST_CARD) for what in SAYINGS)

    def first_card(self, event: int) -> None:
        if self.called is None:
            self.evidence.report("missing_declaration", "Ruf", None, event)

    def card_shows(self, seat: int, card: int, event: int) -> None:
        if self.family.names[card] == self.called:
            self.partner = seat

    def settle(self) -> None:
        if self.caller is None or self.partner is None:
            return
        side = {self.caller, self.partner}
        ours = sum(eyes(trick.plays) for trick in self.tricks if trick.winner in side)
        won, lost = ours >= 61, min(ours, 120 - ours)
        value = self.price * (1 + (lost < 30 if won else lost < 31) + (lost == 0))
        self.booked = [value if (seat in side) == won else -value for seat in range(4)]

    def points(self) -> dict[str, int]:
        return dict(zip(self.seats, self.booked, strict=True))

    def trick_told(self, number: int, trick: Trick) -> dict[str, Any]:
        return super().trick_told(number, trick) | {"eyes": eyes(trick.plays)}

    def ledger(self) -> dict[str, Any]:
        return super().ledger() | {"contract": self.called}


def eyes(plays: Sequence[Play]) -> int:
    return sum(EYES[play.name[1]] for play in plays)


class Schafkopf(EngineGame):
    """The game object: options, pack, how a round begins, what may be said."""

    name = "schafkopf"
    title = "Schafkopf"
    presets = ("schafkopf",)
    preset_folder = Path(__file__).parent
    players = (4,)
    options = (Option("price", "Ruf", 1, None),)

    def check_event(self, event: Event, setup: Setup) -> None:
        self.check_said(event, SAYINGS)

    def pack(self, setup: Setup) -> dict[str, int]:
        return PACK

    def open_round(self, setup: Setup, number: int, event: Event, before: Any) -> SchafkopfRound:
        return SchafkopfRound(setup, number, event.get("dealer") or self.next_dealer(setup, before))

    def begins_round(self, event: Event) -> bool:
        return event.kind in ("say", "card", "unsure")

    def sayings(self, view: View) -> tuple[str, ...]:
        return SAYINGS
