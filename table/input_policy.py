"""What people may enter: they choose from what the game has; only the eye may report cards foreign to it."""

from __future__ import annotations

from table.catalogue import Fact, fact
from table.rules.events import Event
from table.rules.game import CARD_KINDS
from table.rules.games import GAMES
from table.rules.view import View

UNTOLD = ("correction", "game", "hand", "unsure", "too-dark", "blind")
"""Kinds that nobody enters as events: they have requests of their own, or only the camera reports them."""


def kinds(game: str | None) -> tuple[str, ...]:
    """The kinds of events that people may enter in a game."""
    return GAMES[game].kinds if game in GAMES else CARD_KINDS


def refusal(event: Event, view: View) -> Fact | None:
    """Why people may not enter this event; None if nothing checked here forbids it."""
    kind, game = event.kind, view.game
    if game in GAMES and isinstance(kind, str) and kind not in (*kinds(game), "game", "correction"):
        return fact("session.kind", kind=kind, game=GAMES[game].title, known=kinds(game))
    card = event.get("card")
    if kind in ("card", "turned") and isinstance(card, str) and card not in view.pack:
        return fact("session.card", card=card)
    return None


def untold(event: Event, view: View) -> Fact | None:
    """As `refusal`, for a new event rather than a correction: `UNTOLD` kinds are refused, too."""
    if event.kind in UNTOLD:
        return fact("session.told", kind=str(event.kind), known=kinds(view.game))
    return refusal(event, view)
