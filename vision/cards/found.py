"""A rectangle with a face that was found on a table, and how far it may be believed."""

from __future__ import annotations

from dataclasses import dataclass

from vision.arrays import Float64
from vision.cards.parameters import FACE, MAT_CARD
from vision.cards.proposal import why_unsure
from vision.cards.reading import Reading
from vision.cards.rectangle import Box
from vision.sightings import Picture


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A rectangle with a face: corners (4, 2) in mm, the fit, what the deck says, the flattened card.

    `fresh` is the share of its place that has changed. `alone`: nothing strange lies beside it; otherwise
    hand may still lie on it.
    """

    corners_mm: Float64
    box: Box
    reading: Reading
    crop: Picture
    fresh: float = 1.0
    alone: bool = True

    @property
    def sure(self) -> bool:
        """Whether the best face may be told."""
        least = MAT_CARD.sure_margin
        return self.reading.likeness >= self._least_likeness and self.reading.margin >= least

    @property
    def why_unsure(self) -> str | None:
        """Why the best face may not be told, in words; None where it may."""
        return why_unsure(self.reading, self._least_likeness, MAT_CARD.sure_margin)

    @property
    def _least_likeness(self) -> float:
        # A rectangle with a side that lies on no edge may be another card's place: its face must be liker.
        faint = self.box.weakest < MAT_CARD.faint_side
        return FACE.clear_likeness if faint else MAT_CARD.sure_likeness

    @property
    def clear(self) -> bool:
        """Whether all four sides and the face are seen so well that nothing can lie on it."""
        return self.told_by_print and self.box.weakest >= MAT_CARD.least_support

    @property
    def doubtful(self) -> bool:
        """Whether this is a card, though its best face may not be believed."""
        return self.reading.likeness >= FACE.least_likeness and self.box.support >= MAT_CARD.least_support

    @property
    def told_by_print(self) -> bool:
        """Whether its face alone is enough to tell a card that lies on others and has changed little else."""
        return self.sure and self.reading.likeness >= FACE.clear_likeness
