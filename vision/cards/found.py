"""A rectangle with a face that was found on a table, and how far it may be believed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.proposal import why_unsure
from vision.cards.reading import Reading
from vision.cards.rectangle import Box
from vision.sightings import Picture

Floats = NDArray[np.float64]

SURE_LIKENESS = 0.62
SURE_MARGIN = 0.2
CLEAR_LIKENESS = 0.8
"""A face seen so well has nothing on it."""
_FAINT_SIDE = 0.2
"""A rectangle with a side that lies on no edge may be another card's place: its face must be liker."""
FACE_LIKENESS = 0.3
"""Below this no face of the deck is on the card: a back, a beer mat, another deck."""
LEAST_SUPPORT = 0.5
"""So much of the outline must lie on edges for a card that cannot be named to be one at all."""


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A rectangle with a face: corners (4, 2) in mm, the fit, what the deck says, the flattened card.

    `fresh` is the share of its place that has changed. `alone`: nothing strange is left beside it; else a
    hand may still lie on it.
    """

    corners_mm: Floats
    box: Box
    reading: Reading
    crop: Picture
    fresh: float = 1.0
    alone: bool = True

    @property
    def sure(self) -> bool:
        """Whether the best face may be said aloud."""
        return self.reading.likeness >= self._least_likeness and self.reading.margin >= SURE_MARGIN

    @property
    def why_unsure(self) -> str | None:
        """Why the best face may not be said aloud, in words; None where it may."""
        return why_unsure(self.reading, self._least_likeness, SURE_MARGIN)

    @property
    def _least_likeness(self) -> float:
        return CLEAR_LIKENESS if self.box.weakest < _FAINT_SIDE else SURE_LIKENESS

    @property
    def clear(self) -> bool:
        """Whether all four sides and the face are seen so well that nothing can lie on it."""
        return self.told_by_print and self.box.weakest >= LEAST_SUPPORT

    @property
    def doubtful(self) -> bool:
        """Whether this is a card, though its best face may not be believed."""
        return self.reading.likeness >= FACE_LIKENESS and self.box.support >= LEAST_SUPPORT

    @property
    def told_by_print(self) -> bool:
        """Whether its face alone may tell a card that lies on others and has changed little else."""
        return self.sure and self.reading.likeness >= CLEAR_LIKENESS
