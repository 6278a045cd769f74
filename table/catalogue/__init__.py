"""What the table says, in every language it speaks: codes with arguments, and the sentences for them.

    refused = fact("rules.seat", seat="S9", seats=["S1", "S2"])   # a value, in no language yet
    tell(refused, "de")                                           # Auf „S9“ sitzt niemand; Plätze sind S1, S2
    str(refused)                                                  # in English, for logs and command line
    text("trump", "pfl")                                          # a word without arguments

A sentence stands once a language, in `LANGUAGE/PART.json` beside this file, with its places in braces. The
page loads the same files (`PAGE_PARTS`) and tells facts by `static/words.js`. Arguments are texts, numbers,
other facts (told in the same language), or lists of these (told one after another).

This is read by the rules too: nothing but the standard library, nothing of the house.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

Language = Literal["de", "en", "pfl"]
"""German, English and Pfälzisch (ISO 639-3: pfl)."""

LANGUAGES: tuple[Language, ...] = ("de", "en", "pfl")

PAGE_PARTS = ("page", "refusals")
"""The parts of the catalogue that the page tells by itself."""

PARTS = (*PAGE_PARTS, "ledger", "options", "house", "paper", "hub")

MOST_LETTERS = 60
"""Letters that a message quotes of a value that somebody gave; a megabyte of it would help nobody."""

_LONG = 4 * MOST_LETTERS
"""Most letters of an argument of a sentence: paths and reasons are long, too."""

_PLACE = re.compile(r"\{(\w+)\}")

Argument: TypeAlias = "str | int | float | Fact | Sequence[Argument]"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something to be told: a code of the catalogue, and what fills its places. `str()` is English."""

    code: str
    args: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return tell(self)


def fact(code: str, /, **args: Argument) -> Fact:
    """Return the fact of this code. A test finds every call and checks it against the catalogue."""
    return Fact(code, {name: _held(value) for name, value in args.items()})


def foreign(sentence: str) -> Fact:
    """Return a sentence from a source without a catalogue: the operating system, a driver, the eye."""
    return Fact("foreign", {"text": sentence})


def shortened(value: str) -> str:
    """Return a value as a sentence shows it: the beginning of a long one, and … for the rest."""
    return value if len(value) <= MOST_LETTERS else f"{value[: MOST_LETTERS - 1]}…"


def shown(value: object) -> str:
    """Return a value in quotes, as a sentence about a file shows it; the beginning of a long one."""
    return repr(shortened(value)) if isinstance(value, str) else shortened(repr(value))


def _held(value: Argument) -> Argument:
    """Cut an argument that is too long for a sentence."""
    return shortened(value) if isinstance(value, str) and len(value) > _LONG else value


def tell(told: Fact, language: Language = "en") -> str:
    """Return the sentence of a fact."""
    return text(told.code, language, **told.args)


def text(key: str, language: Language = "en", /, **places: Any) -> str:
    """Return the text of a key with its places filled; a key without text comes back as it is."""
    return filled(sentences(language).get(key, key), language, places)


def filled(sentence: str, language: Language, places: Mapping[str, Any]) -> str:
    """Return the sentence with its places filled; a place without a value becomes "?"."""
    return _PLACE.sub(lambda found: _argument(places.get(found[1], "?"), language), sentence)


def language_of(name: str | None) -> Language:
    """Return the language of this name; German where there is none."""
    return next((language for language in LANGUAGES if language == name), "de")


def known(key: str) -> bool:
    """Return whether there is a text for this key."""
    return key in sentences("en")


@cache
def sentences(language: Language) -> Mapping[str, str]:
    """Return the whole catalogue of a language."""
    folder = files(__package__) / language
    parts = (json.loads((folder / f"{part}.json").read_text("utf-8")) for part in PARTS)
    return {key: sentence for part in parts for key, sentence in part.items()}


def _argument(value: Any, language: Language) -> str:
    if isinstance(value, Fact):
        return tell(value, language)
    if isinstance(value, list | tuple):
        return ", ".join(_argument(each, language) for each in value)
    if isinstance(value, float) and language != "en":
        return str(value).replace(".", ",")
    return str(value)
