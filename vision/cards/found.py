"""A rectangle with a face that was found on a table, and how far it may be trusted."""

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
    """A rectangle with a face: corners (4, 2) in mm, the fit, the reading, the flattened card.

    `fresh` is the share of its place that has changed. `alone`: nothing strange lies beside it; otherwise a
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
        """Whether the best face may be reported."""
        least = MAT_CARD.sure_margin
        return self.reading.likeness >= self._least_likeness and self.reading.margin >= least

    @property
    def why_unsure(self) -> str | None:
        """Why the best face may not be reported, in words; None if it may."""
        return why_unsure(self.reading, self._least_likeness, MAT_CARD.sure_margin)

    @property
    def _least_likeness(self) -> float:
        # A rectangle with a side on no edge may be another card's place, so its face must be more like.
        faint = self.box.weakest < MAT_CARD.faint_side
        return FACE.clear_likeness if faint else MAT_CARD.sure_likeness

    @property
    def clear(self) -> bool:
        """Whether all four sides and the face are seen so well that nothing can lie on it."""
        return self.told_by_print and self.box.weakest >= MAT_CARD.least_support

    @property
    def doubtful(self) -> bool:
        """Whether this is a card, even if its best face may not be believed."""
        return self.reading.likeness >= FACE.least_likeness and self.box.support >= MAT_CARD.least_support

    @property
    def told_by_print(self) -> bool:
        """Whether its face alone is enough to report a card on top of others that has changed little else."""
        return self.sure and self.reading.likeness >= FACE.clear_likeness
