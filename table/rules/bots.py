"""The house's own players: they look only at their hand and the open table; each game brings its own."""

from __future__ import annotations

from table.rules.engine import Position, legal
from table.rules.events import Event
from table.rules.games import TRICK_GAMES


def choose(position: Position, seat: str) -> Event:
    """Return a sensible legal move for `seat`, from its own hand and the open table only."""
    game = TRICK_GAMES[position.setup.game]
    return game.choose(position.round, seat, position.hands, legal(position))
