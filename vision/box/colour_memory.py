"""Remembers how each die has looked this evening: one camera always renders one die alike.

It learns from dice that have a name and a face, and is used only where the enrolled colours name no die.
"""

from __future__ import annotations

import math

from vision.box.colour_parameters import BOX_COLOUR
from vision.box.dice_set import DiceSet
from vision.dice.colour import Vector, in_white_light
from vision.dice.pips import Lab


class ColourMemory:
    """Body colours (CIELAB in white light) by colour name, as last seen."""

    def __init__(self, dice: DiceSet) -> None:
        self._dice = dice
        self._seen: dict[str, Vector] = {}

    def apart(self) -> ColourMemory:
        """Copy the memory, so that the copy learns independently."""
        other = ColourMemory(self._dice)
        other._seen = dict(self._seen)
        return other

    def learn(self, colour: str, body: Vector, white: Lab | None) -> None:
        """Learn that the die of that colour has this body colour (CIELAB) where paper looks `white`."""
        self._seen[colour] = in_white_light(body, white)

    def name(self, body: Vector, white: Lab | None) -> str | None:
        """Name the die with this body colour (CIELAB), if no other looks nearly like it; None if unsure."""
        now = in_white_light(body, white)
        far = {colour: _far(now, own) for colour, own in self._seen.items()}
        colour = min(far, key=lambda c: far[c], default=None)
        if colour is None or far[colour] > BOX_COLOUR.again:
            return None
        others = [own for c, own in (*self._dice.bodies.items(), *self._seen.items()) if c != colour]
        clear = all(
            _far(now, own) > BOX_COLOUR.others * max(far[colour], BOX_COLOUR.again / 2) for own in others
        )
        return colour if clear else None


def _far(one: Vector, two: Vector) -> float:
    light, a, b = (one - two).tolist()
    return math.hypot(light / 2, a, b)
