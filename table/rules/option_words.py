"""The words for every house rule and each of its choices (`options.json` of the catalogue)."""

from __future__ import annotations

from typing import Any

from table.catalogue import Language, known, text
from table.rules.setup import Option


def option_words(game: str, option: Option, language: Language = "en") -> str:
    """Return what an option means; if it has no words, its name."""
    key = f"option.{game}.{option.name}"
    return text(key, language) if known(key) else option.name


def choice_words(option: str, choice: Any, language: Language = "en") -> str:
    """Return the words for a choice of an option; if it has none, its written form."""
    keys = (f"choice.{option}:{choice}", f"choice.{choice}")
    key = next((key for key in keys if known(key)), None)
    return str(choice) if key is None else text(key, language)
