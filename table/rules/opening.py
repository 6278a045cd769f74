"""From a `game` event to a `Setup`, and the checks that an event must pass before it is folded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.catalogue import fact
from table.rules.cards import respelt
from table.rules.events import Event, EventError, nearest
from table.rules.games import GAMES
from table.rules.presets import preset
from table.rules.setup import Setup, read_options

_TOLD = frozenset({"game", "preset", "options", "seats", "players"})
"""Fields of a game line that a `Setup` holds as attributes, not as details."""


def open_game(event: Event) -> Setup:
    """Read a `game` event: preset over defaults, the log's own options over the preset. Raises EventError."""
    name = str(event.get("game"))
    if name not in GAMES:
        raise EventError(fact("opening.game", game=name, remedy=nearest(name, GAMES)))
    game = GAMES[name]
    chosen = event.get("preset") or game.presets[0]
    if chosen not in game.presets:
        remedy = nearest(chosen, game.presets)
        raise EventError(fact("opening.preset", game=game.title, name=chosen, remedy=remedy))
    options: dict[str, Any] = {option.name: option.default for option in game.options}
    options |= preset(chosen).options
    options |= read_options(game.options, event.get("options") or {})
    seats = tuple(event.get("seats") or event.get("players") or ())
    if len(set(seats)) != len(seats):
        raise EventError(fact("opening.seats.twice"))
    players = tuple(event.get("players") or seats)
    if len(players) != len(seats):
        raise EventError(fact("opening.seats.count", seats=len(seats), players=len(players)))
    details = {key: value for key, value in event.fields.items() if key not in _TOLD}
    setup = Setup(name, chosen, seats, players, options, details)
    game.check_setup(setup)
    return setup


def check_seats(event: Event, setup: Setup) -> None:
    """Check an event's seats and words against the game. Raises EventError."""
    kind = event.kind
    seat = event.fields.get("dealer" if kind == "round" else "seat")
    if seat is not None and seat not in setup.seats and isinstance(seat, str):
        raise EventError(fact("rules.seat", seat=seat, seats=setup.seats))
    game = GAMES[setup.game]
    if kind == "card" and (card := respelt(event.card)):  # a slip of the pen is no foreign card
        raise EventError(fact("rules.card", card=event.card, game=game.title, remedy=nearest(card, [card])))
    game.check_event(event, setup)


def as_event(event: Event | Mapping[str, Any]) -> Event:
    """Return an Event, checking a plain dict on the way."""
    return event if isinstance(event, Event) else Event.from_dict(event)
