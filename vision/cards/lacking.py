"""Faces of a deck from which cards are missing: what may be a missing card is never taken for another.

The nearest face also explains most of a missing card: frames and pips are alike. So a reading is believed
only if its face and the card differ nowhere, not even in a small index.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from vision.cards.face_similarity import unlike
from vision.cards.parameters import FACE
from vision.cards.reading import Reading
from vision.cards.recognition import Faces, Glimpse
from vision.sightings import Guess, Picture

SAME_CARD = 0.2
"""Largest difference between a card and its own face, over the print's contrast: .06 to .17, others .22."""
_SHARE = 0.5
"""Belief that the missing cards share."""


class FacesLacking(Faces):
    """As `Faces`, for playing also with the cards named in `missing`, which have no face."""

    def __init__(
        self,
        names: Sequence[str],
        pictures: Sequence[Picture],
        missing: Sequence[str],
        colourless: bool = False,
    ) -> None:
        super().__init__(names, pictures, colourless)
        self._missing = tuple(missing)

    @property
    def missing(self) -> tuple[str, ...]:
        """The cards that may lie on the table and have no face."""
        return self._missing

    def expect(self, names: Iterable[str]) -> None:
        """Declare that cards of these names, which have no face, may lie on the table as well."""
        self._missing = tuple(sorted({*self._missing, *names}))
        vars(self).pop("in_grey", None)

    @cached_property
    def in_grey(self) -> Faces:
        """The faces without their colours; the same cards are missing."""
        return FacesLacking(*self._names_and_pictures(), self._missing, colourless=True)

    def name(self, glimpse: Glimpse, fairly: bool = False) -> Reading:
        """As `Faces.name`, which `read` uses too; if the best face is not that very card, the margin is 0."""
        reading = super().name(glimpse, fairly)
        if not self._missing or reading.name is None or reading.likeness < FACE.least_likeness:
            return reading
        own = [face for name, face in self._learnt if name == reading.name]
        unlikes = (unlike(glimpse.picture, face, glimpse.visible) for face in own)
        if not self._colourless and min(unlikes) < SAME_CARD:  # else it may be the same print in another ink
            return reading
        kept = tuple(Guess(guess.name, guess.confidence * (1 - _SHARE)) for guess in reading.guesses)
        lacking = tuple(Guess(name, _SHARE / len(self._missing)) for name in self._missing)
        guesses = sorted((*kept, *lacking), key=lambda guess: -guess.confidence)
        return replace(reading, guesses=tuple(guesses), margin=0.0, lookalike=reading.name)
