"""Dice on the mat's marked places: what a die that appears there means in the current game."""

from __future__ import annotations

from typing import Any

from table import telling
from table.input_policy import kinds
from table.rules.events import Event
from table.rules.view import View
from vision.sightings import DieDown, DieGone, Guess


class SpotDice:
    """Turns dice on marked places into events; remembers which places were seen empty in between."""

    def __init__(self) -> None:
        self._bare: set[str | None] = set()

    def gone(self, seen: DieGone) -> None:
        """Note that a die was taken off: the next one there is another, or was put there again."""
        self._bare.add(seen.spot)

    def down(self, seen: DieDown, view: View) -> list[Event]:
        """The `die` event for a die on a marked place; its `doubt` names what was not read."""
        bare = seen.spot in self._bare
        self._bare.discard(seen.spot)
        return _told(seen, view, bare)


def _told(seen: DieDown, view: View, bare: bool) -> list[Event]:
    if view.game is not None and "die" not in kinds(view.game):
        return []  # in a game without dice, the print on a card's back that lies on a character's place
    unread = [name for name, read in (("colour", seen.colour), ("value", seen.value)) if read is None]
    if unread and not _may_declare(seen, view, bare):
        return []
    if seen.at_start and not bare and view.dice_seen.get(seen.spot or "") == (seen.colour, seen.value):
        return []  # the die lies as before a power cut: nobody turned it to a wrong value
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


def _may_declare(seen: DieDown, view: View, bare: bool) -> bool:
    """Whether a die that was not fully read may matter: it may only before the round's first card.

    Later dice follow the cards, so an unreadable one proves nothing and leaves nothing open. The same holds
    for dice of the finished round while they are taken off; a die on a place that was `bare` in between
    belongs to the next round.
    """
    if seen.spot is None or (view.phase == "play" and any(view.seen.values())):
        return False
    if bare:
        return True
    if view.phase == "settled" and seen.value is None:
        return False
    known = view.dice_seen.get(seen.spot)
    return known is None or any(
        read not in (None, right) for read, right in zip((seen.colour, seen.value), known, strict=True)
    )


def _fitting(seen: DieDown) -> list[Guess]:
    """The candidates (`<colour>-<value>`) that are consistent with what was read of the die."""
    read = [str(name) for name in (seen.colour, seen.value) if name is not None]
    return [guess for guess in seen.candidates if set(read) <= set(guess.name.split("-"))]
