"""What people call things: cards, colours, characters, players, in German and English.

Unknown names come back as they are: decks of other games have names of their own.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Literal

Language = Literal["de", "en"]

_COLOURS: dict[Language, dict[str, str]] = {
    "de": {
        "blue": "Blau",
        "brown": "Braun",
        "yellow": "Gelb",
        "green": "Grün",
        "red": "Rot",
        "black": "Schwarz",
        "white": "Weiß",
        "purple": "Lila",
        "orange": "Orange",
        "pink": "Rosa",
    },
    "en": {},
}
_SUITS: dict[Language, dict[str, str]] = {
    "de": {"C": "Kreuz", "S": "Pik", "H": "Herz", "D": "Karo"},
    "en": {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"},
}
_RANKS: dict[Language, dict[str, str]] = {
    "de": {"T": "10", "J": "Bube", "Q": "Dame", "K": "König", "A": "Ass"},
    "en": {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"},
}
_CHARACTERS: dict[str, str] = {
    "aagewwer": "Aagewwer",
    "weschwieschmaennchen": "Weschwieschmännchen",
    "jammerlabbe": "Jammerlabbe",
    "jo-lossen": "Jo Lossen",
    "gliggsridder": "Gliggsridder",
}


def colour(name: str | None, language: Language = "de") -> str:
    """Return a colour's or suit's name; none is "–"."""
    return "–" if name is None else _COLOURS[language].get(name) or _SUITS[language].get(name, name)


def card(name: str | None, language: Language = "de") -> str:
    """Return a card's name: "Grün 11", "Kreuz Dame"; an unknown card is "?"."""
    if name is None:
        return "?"
    shade, dash, value = name.partition("-")
    if dash and value.isdigit():
        return f"{colour(shade, language)} {value}"
    if (
        len(name) == 2
        and name[0] in _SUITS[language]
        and (name[1] in "23456789" or name[1] in _RANKS[language])
    ):
        suit, rank = _SUITS[language][name[0]], _RANKS[language].get(name[1], name[1])
        return f"{suit} {rank}" if language == "de" else f"{rank} of {suit}"
    return name


def character(name: str) -> str:
    """Return a Dubbe character's name; it is the same in every language."""
    return _CHARACTERS.get(name, name)


def signed(points: int) -> str:
    """Return points as people write them on a slate: +3, −2, 0."""
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


_JOINERS = "\u200c\u200d"
"""Invisible characters that scripts and emoji need; others turn the text round or hide in it."""


def names(players: Mapping[str, str]) -> dict[str, str]:
    """Return what to call who sits at each seat: two of one name are told apart by their seats."""
    plain = {seat: _printed(name) or seat for seat, name in players.items()}
    count = Counter(name.casefold() for name in plain.values())
    return {
        seat: name if count[name.casefold()] == 1 or name == seat else f"{name} ({seat})"
        for seat, name in plain.items()
    }


def _printed(name: str) -> str:
    """A name as it may stand in a line of text: nothing in it turns the line round or breaks it."""
    kept = (c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) != "Cf" or c in _JOINERS)
    return " ".join("".join(c if unicodedata.category(c) != "Cc" else " " for c in kept).split())
