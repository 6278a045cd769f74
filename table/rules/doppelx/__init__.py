"""DoppelX as the referee knows it: players, options, end (X-01 to X-30, XA-1 to XA-11).

Decisions where the text is silent: two players over the limit in one scoring → the higher total wins (XA-3);
a die that shows X serves C to F by where it lies (XA-4, XA-5); "X und 1" in the text means -1 (XA-6); the
screen's total counts when the bank runs out of chips (XA-8); no rule asks which faces a die has (XA-9); only
a `say` confirms the spinner (XA-10); A and H may both be played (XA-11). In a deciding game (X-30) only the
dice of those who tied count, and totals go on. Two dice of one colour both count as they lie until one is
corrected away (X-I7); a bet counts as it lies, even a bad one (X-I3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.catalogue import fact
from table.rules.doppelx.round import DoppelXRound
from table.rules.doppelx.story import DoppelXStory
from table.rules.doppelx.terms import ALL, BETS, COLOURS, FIELDS, WHITE, limit, read_die
from table.rules.events import Event, EventError, nearest
from table.rules.game import Game
from table.rules.setup import SWITCH, Option, Setup
from table.rules.view import View

_CARD_KINDS = frozenset({"card", "die", "collected", "turned", "shown", "unsure"})


class DoppelX(Game):
    """The game of DoppelX."""

    name = "doppelx"
    title = "DoppelX"
    kinds = ("throw", "say", "round", "end")
    boxed = True
    story = DoppelXStory
    presets = ("doppelx",)
    players = tuple(range(3, 9))
    colours = COLOURS
    options = (
        Option("edge_penalty", "X-09", "none", ("none", "chip1", "drink")),
        Option("opening_doppelx", "XA-1", True, SWITCH),
        Option("floor", "XA-2", "0", ("0", "negative")),
        Option("cocked", "XA-7", "ask", ("ask", "stands")),
    )

    def check_setup(self, setup: Setup) -> None:
        """Check for three to eight players, each with a colour of his own (X-01). Raises EventError."""
        if len(setup.players) not in self.players:
            raise EventError(fact("opening.colours", n=len(setup.players)))
        for colour in setup.players:
            if colour == WHITE:
                raise EventError(fact("opening.white", known=COLOURS))
            if colour not in COLOURS:
                raise EventError(fact("opening.die", die=colour, remedy=nearest(colour, COLOURS)))
        if len(set(setup.players)) != len(setup.players):
            raise EventError(fact("opening.colour"))
        board, bets = setup.details.get("field"), setup.details.get("bets")
        if board is not None and not isinstance(board, str):
            raise EventError(fact("opening.field", value=repr(board), known=FIELDS))
        if bets is not None and not (isinstance(bets, list | tuple) and all(bet in BETS for bet in bets)):
            raise EventError(fact("opening.bets", value=repr(bets)))

    def check_event(self, event: Event, setup: Setup) -> None:
        """Check dice, players and the spinner; there are no cards here. Raises EventError."""
        if event.kind in _CARD_KINDS:
            raise EventError(fact("rules.no-cards", kind=event.kind))
        known = dict.fromkeys((*setup.players, *setup.seats))
        if event.kind == "throw":
            _check_player("player", event.get("player"), (*known, ALL))
            for die in event.fields["dice"]:
                read_die(die)
        elif event.kind == "round":
            _check_player("first", event.get("first"), tuple(known))
        elif event.kind == "say":
            word, _, colour = str(event.get("what")).partition(":")
            if word != "spinner" or colour not in (*setup.players, WHITE):
                says = [f"spinner:{name}" for name in setup.players]
                what = str(event.get("what"))
                raise EventError(fact("rules.says", what=what, game=self.title, remedy=nearest(what, says)))

    def pack(self, setup: Setup) -> dict[str, int]:
        """Return no cards: there are none."""
        return {}

    def open_round(self, setup: Setup, number: int, event: Event, before: Any) -> DoppelXRound:
        """Begin the game, or the deciding game of those who tied in the last one (X-07, X-30)."""
        first = event.get("first")
        if first is not None and first not in setup.players:
            first = setup.players[setup.seats.index(first)]
        return DoppelXRound(setup, number, first, before or setup.players)

    def next_dealer(self, setup: Setup, before: Any) -> None:
        """Return None: nobody deals."""

    def begins_round(self, event: Event) -> bool:
        """Return whether this event opens the deciding game: after a tie the next throw does."""
        return event.kind == "throw"

    def finished(self, setup: Setup, complete: int, points: Mapping[str, int]) -> bool:
        """Return whether one player alone has reached the limit (X-29, XA-3); a tie goes on (X-30)."""
        most = max(points.values())
        return most >= limit(len(setup.players)) and list(points.values()).count(most) == 1

    def winners(self, setup: Setup, points: Mapping[str, int]) -> tuple[str, ...]:
        """Return who has reached the limit (X-29); nobody in a game that was ended earlier."""
        return super().winners(setup, points) if self.finished(setup, 1, points) else ()

    def sayings(self, view: View) -> tuple[str, ...]:
        """Return what the spinner may have flung."""
        return tuple(f"spinner:{colour}" for colour in view.players)


def _check_player(field: str, player: Any, known: tuple[str, ...]) -> None:
    if player is not None and player not in known:
        raise EventError(fact("rules.player", field=field, value=repr(player), known=known))


DOPPELX = DoppelX()
