"""The names that people use for cards, colours, characters and players, in every language.

Unknown names are returned unchanged: decks of other games have names of their own.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping

from table.catalogue import LANGUAGES, Fact, Language, fact, foreign, known, text


def colour(name: str | None, language: Language = "de") -> str:
    """Return a colour's or suit's name; "–" for None."""
    if name is None:
        return "–"
    key = next((key for key in (f"colour.{name}", f"suit.{name}") if known(key)), None)
    return name if key is None else _within(text(key, language), language)


def card(name: str | None, language: Language = "de") -> str:
    """Return a card's name: "Grün 11", "Kreuz Dame"; an unknown card is "?"."""
    if name is None:
        return "?"
    shade, dash, value = name.partition("-")
    if dash and value.isdigit():
        return f"{colour(shade, language)} {value}"
    if len(name) == 2 and known(f"suit.{name[0]}") and (name[1] in "23456789" or known(f"rank.{name[1]}")):
        rank = text(f"rank.{name[1]}", language) if known(f"rank.{name[1]}") else name[1]
        suit = colour(name[0], language)
        return text("card.name", language, suit=suit, rank=_within(rank, language))
    return name


def card_fact(name: str) -> Fact:
    """Return a card's name as a fact, for sentences that are put into a language later."""
    shade, dash, value = name.partition("-")
    if dash and value.isdigit() and known(f"colour.{shade}"):
        return fact("checkup.card", colour=fact(f"colour.{shade}"), n=value)
    if len(name) == 2 and known(f"suit.{name[0]}"):
        rank = fact(f"rank.{name[1]}") if known(f"rank.{name[1]}") else name[1]
        return fact("card.name", suit=fact(f"suit.of.{name[0]}"), rank=rank)
    return foreign(name)


def _within(word: str, language: Language) -> str:
    """Return a word as it is written within a sentence: English has small letters for colours and cards."""
    return word.lower() if language == "en" else word


def character(name: str) -> str:
    """Return a Dubbe character's name; it is the same in every language."""
    key = f"character.{name}"
    return text(key).replace(_SOFT_HYPHEN, "") if known(key) else name


_SOFT_HYPHEN = "\u00ad"


def signed(points: int) -> str:
    """Return points as people write them on a slate: +3, −2, 0."""
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


JOINERS = "\u200c\u200d"
"""Invisible characters that scripts and emoji need; others would reverse the text or hide in it."""


def names(players: Mapping[str, str]) -> dict[str, str]:
    """Return what to call the person at each seat: two with one name are told apart by their seats."""
    plain = {seat: printed(name) or seat for seat, name in players.items()}
    count = Counter(name.casefold() for name in plain.values())
    return {
        seat: name if count[name.casefold()] == 1 or name == seat else f"{name} ({seat})"
        for seat, name in plain.items()
    }


def guest(name: str, language: Language) -> str:
    """Return a name; a placeholder that the house gave, in whatever language, is put into this one."""
    for other in LANGUAGES:
        before, _, behind = text("begin.guest", other, n="\0").partition("\0")
        number = name[len(before) : len(name) - len(behind)]
        if name == f"{before}{number}{behind}" and number.isdecimal():
            return text("begin.guest", language, n=number)
    return name


def alone(name: str) -> str:
    """Return a name for use in a sentence: a right-to-left one does not reverse the text around it."""
    turns = any(unicodedata.bidirectional(each) in ("R", "AL") for each in name)
    return f"\u2068{name}\u2069" if turns else name


def printed(name: str) -> str:
    """Return a name for use in a line of text: nothing in it reverses the line or breaks it."""
    kept = (c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) != "Cf" or c in JOINERS)
    return " ".join("".join(c if unicodedata.category(c) != "Cc" else " " for c in kept).split())
