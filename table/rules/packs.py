"""The cards of a game, by name, for callers that learn, draw or print them."""

from __future__ import annotations

from collections.abc import Sequence

from table.rules.games import TRICK_GAMES
from table.rules.opening import as_event, open_game


def pack_of(game: str, seats: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of all cards of a game with its usual options; without seats, of the largest pack it uses."""
    if not seats:
        tables = ([f"S{n + 1}" for n in range(players)] for players in TRICK_GAMES[game].players)
        return max((pack_of(game, here) for here in tables), key=lambda pack: len(set(pack)))
    setup = open_game(as_event({"kind": "game", "game": game, "seats": list(seats)}))
    return tuple(TRICK_GAMES[game].pack(setup))
