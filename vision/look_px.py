"""Cards in any photograph: no table, no scale. Corners in pixels, x right, y down.

Levels of lightness and of difference from the ground cut the picture into pieces; pieces that fill a
quadrilateral of a card's shape, with edges all round, are outlines. With a deck the face decides, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.enrolment import quads_in
from vision.geometry import flatten_px
from vision.naming import FACE_PX, Reading
from vision.sightings import Picture

Floats = NDArray[np.float64]

SURE_LIKENESS = 0.6
SURE_MARGIN = 0.2
LEAST_SCORE = 0.45
_FAINT_LIKENESS = 0.35
_FAINT_SUM = 0.95
_LEAST_FACE = 0.3


@dataclass(frozen=True, slots=True)
class CardOutlined:
    """One card in a photograph: corners (4, 2) in pixels, how well its outline fits, what the deck says."""

    corners_px: Floats
    score: float
    reading: Reading

    @property
    def sure(self) -> bool:
        """Whether its name may be said.

        An ace has so little ink that shading leaves over as much again; there a clear lead over every
        other face, inside a good outline, makes up for likeness.
        """
        likeness, margin = self.reading.likeness, self.reading.margin
        if likeness >= SURE_LIKENESS:
            return margin >= SURE_MARGIN
        return self.score >= 0.5 and likeness >= _FAINT_LIKENESS and likeness + margin >= _FAINT_SUM


def look_cards_px(picture: Picture, deck: Deck | None = None) -> list[CardOutlined]:
    """Cards in a picture (h, w, 3) BGR, the best first; without a deck only their outlines."""
    found = []
    for score, quad in quads_in(picture, heaps=True):
        if deck is None:
            reading = Reading((), 0.0, 0.0, False, (0.0, 0.0))
        else:
            reading = deck.faces.read(flatten_px(picture, quad, FACE_PX))
        found.append(CardOutlined(quad, score, reading))
    found.sort(key=lambda card: -(card.score + max(0.0, card.reading.likeness)))
    kept: list[CardOutlined] = []
    for card in found:
        if card.score < LEAST_SCORE and not card.sure:
            continue
        if deck is not None and card.reading.likeness < _LEAST_FACE and card.score < 0.6:
            continue
        if all(shared(card.corners_px, other.corners_px) < 0.3 for other in kept):
            kept.append(card)
    return kept


def shared(one: Floats, two: Floats) -> float:
    """How much of the smaller quadrilateral lies in the other."""
    a, b = one.astype(np.float32), two.astype(np.float32)
    area, _ = cv2.intersectConvexConvex(a, b)
    return float(area) / max(1e-6, min(cv2.contourArea(a), cv2.contourArea(b)))
