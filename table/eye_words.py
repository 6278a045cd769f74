"""What the eye says of its troubles, in the house's own words where somebody at the table reads them."""

from __future__ import annotations

from typing import Any

from table.catalogue import Argument, Fact, fact, foreign, known
from vision.cards.reasons import Reason
from vision.cards.still import Refusal
from vision.errors import VisionError
from vision.sightings import LightPoor

_MIDDLE = 128
"""Paper that is too dark or burnt out is far on one side of it (`registration_check`)."""


def told_by(wrong: Exception) -> Fact:
    """An error of the eye as a fact; a sentence of its own where the catalogue has no word for it."""
    match (wrong.code, wrong.told) if isinstance(wrong, VisionError) else (None, {}):
        case ("camera.silent", told):
            return fact("eye.camera.silent", camera=told["camera"], n=told["seconds"])
        case ("camera.gone", told):
            return fact("eye.camera.gone", camera=told["camera"])
        case ("tags.few", told):
            return fact("eye.tags.few", tags=told["wanted"], n=told["seen"])
        case ("tags.elsewhere", _):
            return fact("eye.tags.elsewhere")
        case ("tags.mirrored", _):
            return fact("eye.tags.mirrored")
        case ("lens.few", told):
            return fact("eye.lens.few", n=told["seen"], least=told["wanted"])
        case ("lens.sizes", _):
            return fact("eye.lens.sizes")
        case ("lens.flat", told):
            return fact("eye.lens.flat", n=told["tilt"])
        case ("lens.contradictory", _):
            return fact("eye.lens.contradictory")
        case (str(code), told) if known(f"eye.{code}"):
            return fact(f"eye.{code}", **{place: _argument(each) for place, each in told.items()})
    return foreign(str(wrong))


def _argument(value: Any) -> Argument:
    """What fills a place: names and numbers as they are, what the eye found wrong in words of its own."""
    match value:
        case VisionError():
            return told_by(value)
        case Refusal():
            return fact("eye.deck.refused", path=value.where, why=unlearnt_told(value.reason))
        case tuple() | list():
            return [_argument(each) for each in value]
        case str() | int() | float():
            return value
    return foreign(str(value))  # an error that is told must not become another one


def unlearnt_told(reason: Reason) -> Fact:
    """Why a card was not learnt. A test holds every reason of the eye to the catalogue."""
    return fact(f"eye.enrol.{reason.code}", **reason.told)


def light_told(poor: LightPoor) -> Fact | None:
    """Why the light is poor."""
    white = poor.measured.get("white")
    if white is None:
        return foreign(poor.why) if poor.why else None
    return fact("eye.light.dark") if white < _MIDDLE else fact("eye.light.burnt")
