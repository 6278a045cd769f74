"""Enrolment before a live camera: one card after the other is laid down and learnt when it rests.

Which card it is says the list of wanted names, in its order; what is laid down twice is noticed by its face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.cards.deck import Deck
from vision.cards.naming import FACE_PX
from vision.cards.outline import sides_of
from vision.cards.quads import LEAST_SCORE, quads_in
from vision.errors import TagsNotFoundError
from vision.geometry import Registration, flatten_px, register
from vision.layout import Layout, Point
from vision.rest import Rest
from vision.sightings import Picture

SAME_LIKENESS = 0.975
"""From here on a face is one that was shown before: no two cards of a deck share so much of their ink."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What came of a card at rest: `name` was learnt, or (`again`) it was learnt before."""

    t: float
    name: str
    again: bool = False


class Showing:
    """The state between frames. Pure: the caller brings pictures and times, in order.

    Args:
        names: the cards to be shown, in this order; each once.
        layout: the table, when the camera looks at one: sizes are measured in millimetres.
    """

    def __init__(self, names: Sequence[str], layout: Layout | None = None) -> None:
        self._missing = list(dict.fromkeys(names))
        self._layout = layout
        self._rest = Rest()
        self._deck = Deck((), ())
        self._sizes_mm: list[Point] = []
        self._ratios: list[float] = []

    @property
    def missing(self) -> tuple[str, ...]:
        """The cards still to be shown, the next one first."""
        return tuple(self._missing)

    def skip(self) -> None:
        """Put the next card to the end of the list."""
        self._missing = self._missing[1:] + self._missing[:1]

    def see(self, picture: Picture, t: float) -> Shown | None:
        """Take in one frame (h, w, 3) BGR. Something comes back when a card has just come to rest."""
        if not self._missing or not self._rest.reached(picture, t):
            return None
        registration = self._registered(picture)
        found = max(quads_in(picture, registration), key=lambda quad: quad[0], default=None)
        if found is None or found[0] < LEAST_SCORE:
            return None  # the hand, or the bare table between two cards
        corners = found[1]
        face = flatten_px(picture, corners, FACE_PX)
        if self._deck.names:
            reading = self._deck.faces.read(face)
            if reading.name is not None and reading.likeness >= SAME_LIKENESS:
                return Shown(t, reading.name, again=True)
        name = self._missing.pop(0)
        self._deck = self._deck.with_pictures((name,), (face,))
        sides = sides_of(corners)
        self._ratios.append(float(sides[1] / sides[0]))
        if registration is not None:
            short, long = sides_of(registration.to_mm(corners) * [1, -1])
            self._sizes_mm.append((float(short), float(long)))
        return Shown(t, name)

    def deck(self) -> Deck:
        """What was learnt so far, with the median of the measured sizes."""
        size: Point | None = self._layout.card_size_mm if self._layout else None
        if size is None and self._sizes_mm:
            short, long = np.median(np.array(self._sizes_mm), axis=0)
            size = (float(short), float(long))
        ratio = size[1] / size[0] if size else float(np.median(self._ratios)) if self._ratios else 1.5
        return Deck(self._deck.names, self._deck.pictures, size, ratio)

    def _registered(self, picture: Picture) -> Registration | None:
        if self._layout is None or not self._layout.tags:
            return None
        try:
            return register(picture, self._layout)
        except TagsNotFoundError:
            return None  # a hand over the tags: the next rest will do
