"""One picture in which cards are sought: which parts of the table are quiet, new, covered, worth reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vision.arrays import Mask
from vision.cards.rectangle import Box
from vision.mat.parameters import CARD_SEARCH
from vision.sightings import Picture

Altered = Callable[[Mask], float]
"""Share of a place that looks different from when the table was last settled, without lamplight."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One picture, taken at `t` seconds, and what is known of the table in it.

    `free` is all quiet change (in a heap, a white card on white ones changes the table in several pieces),
    `hands` is what hands cover. `lying`: where cards lie, if a new one may lie on them; what has changed
    there may be cards that were pushed. `altered` finds cards that lie nearly as those beneath them. `pale`:
    the mat is as light as paper, so perhaps only the ink of a card has changed. `handless`: what looks
    different but was not changed by a hand: since the camera was blind, or for a long time.
    """

    picture: Picture
    t: float
    free: Mask
    hands: Mask
    lying: Mask | None = None
    altered: Altered | None = None
    pale: bool = False
    handless: Mask | None = None

    @property
    def least_share(self) -> float:
        """The least share of a card's area that must have changed."""
        return CARD_SEARCH.least_ink_change if self.pale else CARD_SEARCH.least_change


def why_not(moment: Moment, box: Box, place: Mask, fresh: float, printed: bool) -> str | None:
    """Why a rectangle is not even read; None if it is to be read."""
    if box.support < CARD_SEARCH.least_support and not printed:
        return "too little of its outline lies on edges"
    if (place & moment.hands).any():
        return "a hand is over it"
    inky = moment.pale and fresh >= CARD_SEARCH.least_ink_change
    if fresh < CARD_SEARCH.least_fresh and not inky and not is_altered(moment, place):
        return "too little of its place has changed"
    return None


def is_altered(moment: Moment, place: Mask) -> bool:
    """Whether the print at a place differs from what was there, though little of it has changed."""
    return moment.altered is not None and moment.altered(place) >= CARD_SEARCH.least_altered


def beside(altered: Altered | None, taken: Mask) -> Altered | None:
    """As `altered`, without what is `taken` by cards already found, so that no card is found twice."""
    if altered is None:
        return None

    def elsewhere(place: Mask) -> float:
        rest = place & ~taken
        return altered(rest) * float(rest.sum()) / max(1, int(place.sum()))

    return elsewhere
