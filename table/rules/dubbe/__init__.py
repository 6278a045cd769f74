"""Dubbe as the referee and the engine know it: who may play, which options, when it is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.catalogue import fact
from table.rules.cards import DIE_COLOURS
from table.rules.dubbe import player
from table.rules.dubbe.round import DubbeRound
from table.rules.dubbe.story import DubbeStory
from table.rules.dubbe.terms import CHARACTERS, HAND_SIZE, SAYINGS, TOP_VALUE, contract, disc, pack
from table.rules.events import Event, EventError, nearest
from table.rules.game import CARD_KINDS, EngineGame
from table.rules.setup import SWITCH, Option, Setup
from table.rules.tricks import DealtHands
from table.rules.view import View

__all__ = ["CHARACTERS", "DUBBE", "Dubbe", "DubbeRound", "contract", "disc", "pack"]

_ROUNDS = {2: 4, 3: 6, 4: 4, 5: 5}
"""Rounds of a game by number of players."""


class Dubbe(EngineGame):
    """The game of Dubbe (D-01 to D-46)."""

    name = "dubbe"
    title = "Dubbe"
    kinds = (*CARD_KINDS, "die")
    character_dice = True
    story = DubbeStory
    presets = ("dubbe",)
    pieces = ("deck", "dice", "figures", "tiles")
    players = tuple(TOP_VALUE)  # D-02
    options = (
        Option("rounds", "D-36", None, None),
        Option("ten_as", "D-39", "disc10", ("disc10", "chip")),
        Option("black_die", "D-40", False, SWITCH),
        Option("die_max", "DA-1", 6, (6, "unbounded")),
        Option("game_tie", "DA-3", "shared", ("shared", "extra_round")),
        Option(
            "black_grace",
            "DA-4",
            "both",
            ("both", "new_only"),
        ),
        Option("black_confirm", "DA-7", "ask", ("ask", "auto")),
        Option("show_inference", "G-14", False, SWITCH),
    )

    def check_event(self, event: Event, setup: Setup) -> None:
        """Check that only trump is said, and a die's colour and character spot. Raises EventError."""
        self.check_said(event, SAYINGS)
        if event.kind != "die":
            return
        for field, known in (("colour", DIE_COLOURS), ("spot", CHARACTERS)):
            value = event.get(field)
            if value is not None and value not in known:
                remedy = nearest(value, known)
                raise EventError(fact("rules.die", field=field, value=repr(value), remedy=remedy))

    def pack(self, setup: Setup) -> dict[str, int]:
        """Return the cards in play."""
        return pack(len(setup.seats))

    def hidden(self, setup: Setup) -> int:
        """Return the number of cards of the pack that nobody plays (D-08)."""
        return len(self.pack(setup)) - HAND_SIZE * len(setup.seats)

    def open_round(self, setup: Setup, number: int, event: Event, before: str | None) -> DubbeRound:
        """Begin a round; without a dealer the deal moves to the left (D-35)."""
        dealer = event.get("dealer")
        return DubbeRound(setup, number, dealer if dealer is not None else self.next_dealer(setup, before))

    def begins_round(self, event: Event) -> bool:
        """Return whether, after a settled round, this event can only belong to the next one."""
        if event.kind == "die":
            unread = bool(event.get("doubt")) and event.get("value") is None
            return bool(event.get("spot") == CHARACTERS[0] and (unread or event.get("value") == 1))
        return event.kind in ("card", "say", "unsure")

    def finished(self, setup: Setup, complete: int, points: Mapping[str, int]) -> bool:
        """Return whether the agreed rounds are played; a tie may ask for one more (D-36, DA-3)."""
        agreed = setup.options["rounds"]
        if agreed is None or complete < agreed:
            return False
        extra = bool(setup.options["game_tie"] == "extra_round")
        best = [seat for seat, total in points.items() if total == max(points.values())]
        return len(best) == 1 or not extra

    def score_marks(self, setup: Setup, points: Mapping[str, int]) -> dict[str, Any]:
        """Return where discs and chips should lie, as fields of the View (D-38)."""
        return {"discs": {seat: disc(total, setup.options["ten_as"]) for seat, total in points.items()}}

    def sayings(self, view: View) -> tuple[str, ...]:
        """Return the trumps to choose from (D-11)."""
        return SAYINGS

    def usual_options(self, players: int) -> dict[str, Any]:
        """Return a number of rounds that lets everybody deal equally often (D-36)."""
        return {"rounds": _ROUNDS[players]}

    def choose(self, opened: Any, seat: str, hands: DealtHands, moves: Sequence[Event]) -> Event:
        """Return the move of the house's own player."""
        return player.choose(opened, seat, hands, moves)


DUBBE = Dubbe()
