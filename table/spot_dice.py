"""Dice on the mat's marked places: what one that came to stand there means in the game as it stands."""

from __future__ import annotations

from typing import Any

from table import telling
from table.input_policy import kinds
from table.rules.events import Event
from table.rules.view import View
from vision.sightings import DieDown, Guess


def spot_die(seen: DieDown, view: View) -> list[Event]:
    """The `die` that a die on a marked place stands for; one that is not wholly read says so in `doubt`."""
    if view.game is not None and "die" not in kinds(view.game):
        return []  # the print of a pile's back on a character's place, in a game that has no dice
    unread = [name for name, read in (("colour", seen.colour), ("value", seen.value)) if read is None]
    if unread and not _may_declare(seen, view):
        return []
    if seen.at_start and view.dice_seen.get(seen.spot or "") == (seen.colour, seen.value):
        return []  # after a power cut it stands as it stood: nobody turned it to a wrong value
    told: dict[str, Any] = {
        "t": telling.number(seen.t, 3),
        "colour": seen.colour,
        "value": seen.value,
        "spot": seen.spot,
        "doubt": unread or None,
        "candidates": telling.candidates(_fitting(seen)) if unread else None,
        "confidence": telling.number(seen.confidence, 3),
        "source": "camera",
        "after_gap": seen.after_gap or None,
    }
    return [Event("die", {name: value for name, value in told.items() if value is not None})]


def _may_declare(seen: DieDown, view: View) -> bool:
    """Whether something may hang on a die that is not wholly read: no card of the round has fallen yet.

    Later dice follow the cards, so that one which cannot be read proves nothing and leaves nothing open.
    """
    if seen.spot is None or (view.phase == "play" and any(view.seen.values())):
        return False
    if view.phase == "settled" and seen.value is None:
        return False  # the dice of the round that is over are being taken off
    known = view.dice_seen.get(seen.spot)
    return known is None or any(
        read not in (None, right) for read, right in zip((seen.colour, seen.value), known, strict=True)
    )


def _fitting(seen: DieDown) -> list[Guess]:
    """What a die may be, `<colour>-<value>`, as far as that goes with what was read of it."""
    read = [str(name) for name in (seen.colour, seen.value) if name is not None]
    return [guess for guess in seen.candidates if set(read) <= set(guess.name.split("-"))]
