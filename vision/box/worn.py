"""What each die looked like this evening: a camera of its own way with colours shows one die always alike.

Learnt where a die has a name and a face; asked only where the enrolled colours do not name it.
"""

from __future__ import annotations

import numpy as np

from vision.box.dice_set import DiceSet
from vision.dice.colour import Vector, in_white_light
from vision.dice.pips import Lab

_AGAIN = 6.0
"""CIELAB distance (lightness by half) up to which a body looks as it did before."""
_OTHERS = 3.0
"""So many times farther all other dice must look, as enrolled and as seen this evening."""
_LIGHT_BY_HALF = np.array([0.5, 1.0, 1.0])


class Worn:
    """Bodies (CIELAB in white light) by colour, as last seen."""

    def __init__(self, dice: DiceSet) -> None:
        self._dice = dice
        self._seen: dict[str, Vector] = {}

    def learn(self, colour: str, body: Vector, white: Lab | None) -> None:
        """A die of that colour surely has this body (CIELAB) where paper looks `white`."""
        self._seen[colour] = in_white_light(body, white)

    def knows(self, colour: str, body: Vector, white: Lab | None) -> bool:
        """Whether this body is that of the die of that colour, and of no other."""
        if colour not in self._seen:
            return False
        now = in_white_light(body, white)
        far = _far(now, self._seen[colour])
        others = [own for c, own in (*self._dice.bodies.items(), *self._seen.items()) if c != colour]
        return far < _AGAIN and all(_far(now, own) > _OTHERS * max(far, _AGAIN / 2) for own in others)


def _far(one: Vector, two: Vector) -> float:
    return float(np.linalg.norm((one - two) * _LIGHT_BY_HALF))
