"""Dulle as the referee and the engine know it: players, options, end (U-01 to U-30, UA-1 to UA-11).

Decisions where the text is silent: only opponents of a call may be asked for a Pflichtstoß, not those of a
solo (UA-5), and not when their side has given one; a Stoß of the wrong side does not count (UA-6); without a
call, or when the Rufkarte never shows, nobody wins or loses; the first of two callers is taken at his word
until Kreuz Dame shows who was right (U-I1); a solo may be said until the first card, and of two the one
nearer to the lead is played (UA-7); the holder of Kreuz Dame may say one too (UA-8); a soloist is Schneider
like a caller (UA-10); Schwarz means no trick, which is the same as no point (UA-11).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from table.rules.cards import FRENCH_CARDS
from table.rules.dulle import player
from table.rules.dulle.fold import DulleHanded
from table.rules.dulle.round import DulleRound
from table.rules.dulle.story import DulleStory
from table.rules.dulle.terms import PACK, SAYINGS, SOLOS, TARIFF, TRUMPS, TariffOption
from table.rules.events import Event
from table.rules.game import EngineGame
from table.rules.setup import SWITCH, Option, Setup
from table.rules.tricks import DealtHands
from table.rules.view import View


class Dulle(EngineGame):
    """The game of Dulle."""

    name = "dulle"
    title = "Dulle"
    endless = left_leads = True
    story = DulleStory
    presets = ("dulle",)
    players = (4,)  # U-01
    mat_row = TRUMPS
    options = (
        Option("karo10", "U-04", "kleine_dulle", ("kleine_dulle", "lowest_trump")),
        Option("pflichtstoss", "U-23", False, SWITCH),
        Option("pflichtstoss_card", "UA-5", "HT", ("HT", "DT")),
        Option("ansagen", "U-24", False, SWITCH),
        Option("bock", "U-27", False, SWITCH),
        Option("bock_deals", "UA-9", 1, (1, 4)),
        Option("schneider", "UA-1", "inclusive", ("inclusive", "free_at")),
        Option(
            "partner_duty",
            "UA-2",
            "any_position",
            ("any_position", "led_only"),
        ),
        TariffOption("tariff", "UA-3", TARIFF, ()),
        Option("stoss_until", "UA-4", "before_own_first_card", ("before_own_first_card", "any")),
    )

    def check_event(self, event: Event, setup: Setup) -> None:
        """Check that what is said is a call, a solo, Stoß or an Ansage. Raises EventError."""
        if event.kind != "say":
            return
        word, _, card = str(event.get("what")).partition(":")
        if not (word == "ruf" and card in FRENCH_CARDS.number):
            self.check_said(event, SAYINGS)

    def pack(self, setup: Setup) -> dict[str, int]:
        """Return the sixteen cards (U-01, U-02)."""
        return PACK

    def open_round(self, setup: Setup, number: int, event: Event, before: Any) -> DulleRound:
        """Begin a round; without a dealer the deal moves one seat on (U-28)."""
        dealer = event.get("dealer")
        left = before.bock_left if isinstance(before, DulleHanded) else 0
        return DulleRound(
            setup, number, dealer if dealer is not None else self.next_dealer(setup, before), left
        )

    def next_dealer(self, setup: Setup, before: Any) -> str:
        """Return who deals; the last seat deals first, so that the first one leads (U-28)."""
        seats = setup.seats
        if not isinstance(before, DulleHanded):
            return seats[-1]
        return seats[(seats.index(before.dealer) + 1) % len(seats)]

    def begins_round(self, event: Event) -> bool:
        """Return whether, after a settled round, this event can only belong to the next one."""
        if event.kind == "say":
            return str(event.get("what")).partition(":")[0] in ("ruf", *SOLOS)
        return event.kind in ("card", "unsure")

    def sayings(self, view: View) -> tuple[str, ...]:
        """Return the calls, the solos, Stoß and the Ansagen."""
        return SAYINGS

    def choose(self, opened: Any, seat: str, hands: DealtHands, moves: Sequence[Event]) -> Event:
        """Return the move of the house's own player."""
        return player.choose(opened, seat, hands, moves)


DULLE = Dulle()
