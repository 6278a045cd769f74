"""Evenings of whole rounds with full information: cards dealt from a seed, players who choose, table events.

    for event in evening(opening, seed=7):            # game, round, die, card, die, collected, … to the end
        referee.add(event)

`EveningRounds` is the same evening step by step for a demo that moves hands between the events: `next(table)`
gives the next event, `table.hand("S2")` what a player holds. A player is a function (position, seat) -> move;
`bots.choose` is the house's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from table.rules import bots
from table.rules.chance import Chance
from table.rules.engine import Position, apply, deal, turn
from table.rules.events import Event
from table.rules.games import TRICK_GAMES
from table.rules.opening import as_event, open_game

Player = Callable[[Position, str], Event]
"""Chooses one of the legal moves for a seat; a fair one looks only at its own hand and at what is public."""


class EveningRounds(Iterator[Event]):
    """An evening of whole rounds as table events, up to `rounds`, the agreed number or the game's end."""

    def __init__(
        self, opening: Event | Mapping[str, Any], seed: int, player: Player, *, rounds: int | None = None
    ) -> None:
        self._opening = as_event(opening)
        self.setup = open_game(self._opening)
        self._chance, self._player = Chance(seed), player
        self._rounds = rounds if rounds is not None else self.setup.options.get("rounds")
        self.position: Position | None = None
        """The position after the last event; None between the rounds."""
        self._events = self._play()

    def __next__(self) -> Event:
        """Return the next table event."""
        return next(self._events)

    def hand(self, seat: str) -> tuple[str, ...]:
        """Return what a seat holds now."""
        return () if self.position is None else self.position.hand(seat)

    def _play(self) -> Iterator[Event]:
        yield self._opening
        game, number, before = TRICK_GAMES[self.setup.game], 0, None
        while self._rounds is None or number < self._rounds:
            number, dealer = number + 1, game.next_dealer(self.setup, before)
            seed = self._chance.number()
            self.position = deal(self.setup, seed, number=number, dealer=dealer, before=before)
            yield Event("round", {"dealer": dealer})
            yield from self._round(self.position)
            before, outcome = self.position.round.handed_on(), self.position.round.outcome()
            self.position = None
            if outcome is not None and outcome[0]:
                return

    def _round(self, position: Position) -> Iterator[Event]:
        while (seat := turn(position)) is not None:
            move = self._player(position, seat)
            after = apply(position, move)
            self.position = position = after
            yield move
            yield from after.round.chores()


def evening(
    opening: Event | Mapping[str, Any], seed: int, player: Player | None = None, *, rounds: int | None = None
) -> Iterator[Event]:
    """Yield the table events of whole rounds; the house's own player plays unless another is given."""
    return EveningRounds(opening, seed, player or bots.choose, rounds=rounds)
