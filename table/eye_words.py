"""The eye's errors and complaints as facts of the catalogue, for people at the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table.catalogue import Argument, Fact, fact, foreign, known
from vision.cards.reasons import Reason
from vision.cards.still import Refusal
from vision.errors import FirstOf, VisionError
from vision.sightings import LightPoor

_MIDDLE = 128
"""Middle grey level: white paper that is too dark or overexposed is far to one side of it
(`registration_check`)."""


def told_by(wrong: Exception) -> Fact:
    """An error of the eye as a fact; its own English sentence if the catalogue has no entry for it."""
    if isinstance(wrong, VisionError) and wrong.code is not None and known(f"eye.{wrong.code}"):
        told = {place: _argument(each, _NAMES.get(place, str)) for place, each in wrong.told.items()}
        return fact(f"eye.{wrong.code}", **told)
    return foreign(str(wrong))


def _argument(value: Any, named: Callable[[str], Argument]) -> Argument:
    """An argument of a catalogue sentence: names as people say them, numbers, and nested errors as facts."""
    match value:
        case VisionError():
            return told_by(value)
        case Refusal():
            return fact("eye.deck.refused", path=value.where, why=unlearnt_told(value.reason))
        case FirstOf():
            more = [fact("eye.more", n=value.more)] if value.more else []
            return [*(_argument(each, named) for each in value.shown), *more]
        case tuple() | list():
            return [_argument(each, named) for each in value]
        case str():
            return named(value)
        case int() | float():
            return value
    return foreign(str(value))  # reporting an error must not raise another one


def _card(name: str) -> Argument:
    """A card as the page calls it: `red-1` is Rot 1, `CQ` is Kreuz Dame; others keep their picture's name."""
    colour, dash, value = name.partition("-")
    if dash and known(f"colour.{colour}"):
        return fact("eye.card", of=fact(f"colour.{colour}"), n=value)
    if len(name) == 2 and known(f"suit.{name[0]}"):
        rank = fact(f"rank.{name[1]}") if known(f"rank.{name[1]}") else name[1]
        return fact("card.name", suit=fact(f"suit.{name[0]}"), rank=rank)
    return name


def _colour(name: str) -> Argument:
    return fact(f"colour.{name}") if known(f"colour.{name}") else name


_NAMES: dict[str, Callable[[str], Argument]] = {"cards": _card, "dice": _colour}
"""Placeholders whose words are card or die names; all others keep the eye's words."""


def unlearnt_told(reason: Reason) -> Fact:
    """Why a card was not learnt. A test checks that the catalogue has every reason of the eye."""
    return fact(f"eye.enrol.{reason.code}", **reason.told)


def light_told(poor: LightPoor) -> Fact | None:
    """Why the light is poor."""
    if "colours" in poor.measured:
        return fact("eye.light.grey")
    if "unrest_s" in poor.measured:
        return fact("eye.light.restless")
    white = poor.measured.get("white")
    if white is None:
        return foreign(poor.why) if poor.why else None
    return fact("eye.light.dark") if white < _MIDDLE else fact("eye.light.burnt")
