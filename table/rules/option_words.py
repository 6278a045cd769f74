"""What every house rule means to people, in two languages."""

from __future__ import annotations

from typing import Literal

from table.rules.games import GAMES
from table.rules.setup import Option

Language = Literal["de", "en"]

_EVERYWHERE: dict[str, str] = {"show_inference": "zeigen, wer sich als frei von einer Farbe gezeigt hat"}


def option_words(game: str, option: Option, language: Language = "en") -> str:
    """Return what an option means, for people."""
    if language == "en":
        return option.words
    return GAMES[game].german.get(option.name) or _EVERYWHERE.get(option.name, option.words)
