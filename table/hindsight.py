"""Corrects a throw when a die that was in doubt is seen clearly later, with all dice still as they lay.

An arm is taken away, or the box is turned out of a lamp's reflection. Only a die that cannot have been moved
since is believed: one that lies where it lay, or just where it may have been hidden all the time
(events.md#corrections). What guests have settled in the meantime holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from table import telling
from table.rules.events import Event
from table.rules.view import ThrowView
from table.unseen import UNSEEN
from vision.sightings import DieSeen

TableArea = tuple[float, float, float, float]

MOVED_MM = 3.0
"""Distance from which on a die was moved; less is the eye's error or a push."""
FAR_MM = 12.0
"""Distance that readings of an untouched die never differ by."""
_RIM_MM = 8.0
"""How far outside the hiding area the centre of a hidden die may lie: half its edge."""


@dataclass(frozen=True, slots=True)
class ToldThrow:
    """The last throw as it was reported, and where in the box a die may have lain unseen then (mm)."""

    event: Event
    hiding_mm: tuple[TableArea, ...]

    def put_right(
        self, box: ThrowView, now: Mapping[str, DieSeen], stayed: Collection[str], hidden: Collection[str]
    ) -> Event | None:
        """The throw corrected by the dice as they lie; None where they show nothing new.

        `box` is the throw as the rules have it; `now` the dice as they lie, by colour; `stayed` the colours
        that were in view at the rest before, `hidden` those that may have lain unseen.
        """
        if not self.stands_in(box):
            return None
        sure = {colour: die for colour, die in now.items() if not die.doubt and die.where == "field"}
        dice = list(self._dice(sure, stayed, hidden))
        return None if dice == self.event.fields["dice"] else self.event.having(dice=dice)

    def stands_in(self, box: ThrowView) -> bool:
        """Whether the last throw of the game is this one, and nobody has corrected it."""
        said = [(die["colour"], die["face"], die["where"]) for die in self.event.fields["dice"]]
        return said == [(die.colour, die.face, die.where) for die in box.dice]

    def _dice(
        self, sure: Mapping[str, DieSeen], stayed: Collection[str], hidden: Collection[str]
    ) -> Iterator[dict[str, Any]]:
        names = [die["colour"] for die in self.event.fields["dice"]]
        for old in self.event.fields["dice"]:
            colour, doubts = old["colour"], [what for what in old.get("doubt", ()) if what != UNSEEN]
            new = None
            if doubts and colour is not None and names.count(colour) == 1 and colour in sure:
                new = sure[colour]
                unseen = old["where"] == "outside" and "line" in doubts
                lay = unseen and colour in hidden and _in_one(new, self.hiding_mm)
                new = new if lay or (colour in stayed and _lies_as(old, new)) else None
            elif colour is None and old["where"] == "field":
                there = [die for name, die in sure.items() if name not in names and _lies_as(old, die)]
                new = there[0] if len(there) == 1 else None
            if new is None:
                yield old
            else:
                still = {"doubt": [UNSEEN]} if UNSEEN in old.get("doubt", ()) else {}
                yield telling.die(new) | still


def _lies_as(old: Mapping[str, Any], new: DieSeen) -> bool:
    """Whether a die reported in doubt lies where it lay; a leaning die may have been pushed flat since."""
    if old["where"] != "field" or ("cocked" in old.get("doubt", ()) and old["face"] is not None):
        return False
    (x, y), (a, b) = old["center"], new.center_mm
    vague = old["face"] is None and "margin_mm" not in old
    return hypot(x - a, y - b) < (FAR_MM if vague else MOVED_MM)


def _in_one(die: DieSeen, areas: Sequence[TableArea]) -> bool:
    """Whether a die may have lain unseen in one of the rectangles (mm)."""
    x, y = die.center_mm
    return any(
        x0 - _RIM_MM <= x <= x1 + _RIM_MM and y0 - _RIM_MM <= y <= y1 + _RIM_MM for x0, y0, x1, y1 in areas
    )
