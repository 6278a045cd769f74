"""Cards that differ in colour alone: a camera without colours cannot distinguish them.

The lightness of an ink does not help there: a veil of haze, or a lamp, turns any grey into another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.cards.face_similarity import same_print
from vision.cards.reading import Reading
from vision.sightings import Guess, Picture

_SHORTLIST = 0.5
"""Least correlation of the greys of two faces for a close comparison."""


class ColourTwins:
    """The faces (120, 80, 3) BGR of a deck with their names, and which are one print in different inks."""

    def __init__(self, learnt: Sequence[tuple[str, Picture]]) -> None:
        self._learnt = learnt
        self._known: dict[str, frozenset[str]] = {}

    def doubted(self, reading: Reading) -> Reading:
        """Put a reading without colours in doubt if other cards show the same print."""
        name = reading.name
        others = self._of(name) if name is not None else frozenset()
        if not others:
            return reading
        belief = {guess.name: guess.confidence for guess in reading.guesses}
        # In the order of their greys: a reader who is shown only some of them sees the likelier ones.
        alike = [each for each in belief if each == name or each in others]
        alike += sorted(others - belief.keys())
        share = sum(belief.pop(each, 0.0) for each in alike) / len(alike)
        guesses = [Guess(each, share) for each in alike] + [Guess(*pair) for pair in belief.items()]
        guesses.sort(key=lambda guess: -guess.confidence)
        return replace(reading, guesses=tuple(guesses), margin=0.0)

    def _of(self, name: str) -> frozenset[str]:
        """The other cards with the same print as this one, computed on first request."""
        if name not in self._known:
            own = next(face for each, face in self._learnt if each == name)
            near = {each for each, face in self._learnt if each != name and _near(own, face)}
            self._known[name] = frozenset(
                each for each, face in self._learnt if each in near and same_print(own, face)
            )
        return self._known[name]


def _near(one: Picture, other: Picture) -> bool:
    """Whether two faces are roughly as light and dark in the same places, either way up."""
    ours, theirs = (face.mean(axis=2).ravel() for face in (one, other))
    return max(float(np.corrcoef(ours, way)[0, 1]) for way in (theirs, theirs[::-1])) > _SHORTLIST
