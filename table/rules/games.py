"""The register of the games that the house knows; `table/rules/game.py` defines what each declares."""

from __future__ import annotations

from table.rules.doppelkopf import DOPPELKOPF
from table.rules.doppelx import DOPPELX
from table.rules.dubbe import DUBBE
from table.rules.dulle import DULLE
from table.rules.game import EngineGame, Game, Round
from table.rules.klapperjas import KLAPPERJAS

__all__ = ["GAMES", "TRICK_GAMES", "EngineGame", "Game", "Round", "boxed", "title"]

TRICK_GAMES: dict[str, EngineGame] = {game.name: game for game in (DUBBE, DOPPELKOPF, DULLE, KLAPPERJAS)}
GAMES: dict[str, Game] = {**TRICK_GAMES, DOPPELX.name: DOPPELX}


def boxed(name: object) -> bool:
    """Return whether a game of this name is played with dice in a box; its players are named after them."""
    return isinstance(name, str) and name in GAMES and GAMES[name].boxed


def title(name: str | None) -> str:
    """Return the title of a game of this name; for an unknown game its name."""
    return GAMES[name].title if name in GAMES else str(name)
