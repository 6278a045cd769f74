"""What people may tell the table: they choose from what the game has; only the eye may see strange cards."""

from __future__ import annotations

from table.catalogue import Fact, fact
from table.rules.events import Event
from table.rules.game import CARD_KINDS
from table.rules.games import GAMES
from table.rules.view import View

UNTOLD = ("correction", "game", "hand", "unsure", "too-dark", "blind")
"""Kinds that nobody tells: they have ways of their own, or only the camera has them."""


def kinds(game: str | None) -> tuple[str, ...]:
    """The kinds of events that people may tell in a game."""
    return GAMES[game].kinds if game in GAMES else CARD_KINDS


def refusal(event: Event, view: View) -> Fact | None:
    """Why the table does not take this from people; None where it does, as far as can be told here."""
    kind, game = event.kind, view.game
    if game in GAMES and isinstance(kind, str) and kind not in (*kinds(game), "game", "correction"):
        return fact("session.kind", kind=kind, game=GAMES[game].title, known=kinds(game))
    card = event.get("card")
    if kind in ("card", "turned") and isinstance(card, str) and card not in view.pack:
        return fact("session.card", card=card)
    return None


def untold(event: Event, view: View) -> Fact | None:
    """As `refusal`, for what somebody tells anew: some kinds have ways of their own."""
    if event.kind in UNTOLD:
        return fact("session.told", kind=str(event.kind), known=kinds(view.game))
    return refusal(event, view)
