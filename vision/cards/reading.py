"""What a flattened card is taken for, and how firmly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.sightings import Guess


@dataclass(frozen=True, slots=True)
class Reading:
    """What a flattened card looks like: `guesses` best first, different names only.

    `likeness` is the share of the card's ink that the best face explains (1 = all). `margin` says where
    the picture stands between the best face and the runner-up: 1 = exactly at the best, 0 = in the middle
    between the two. `turned`: the card lies upside down against its enrolled picture.
    """

    guesses: tuple[Guess, ...]
    likeness: float
    margin: float
    turned: bool
    shift_px: tuple[float, float] = (0.0, 0.0)
    """How far its print's middle lay from where it was sought, in pixels of the flattened face."""
    turn_rad: float = 0.0
    """How far its print was turned against where it was sought, clockwise as shown."""
    lookalike: str | None = None
    """The face to which `likeness` belongs, where the card may be one without a face."""

    @property
    def name(self) -> str | None:
        """The best name, None when the deck is empty."""
        return self.guesses[0].name if self.guesses else None


NOTHING = Reading((), 0.0, 0.0, False)
"""The reading where nothing was read."""


def beliefs(best: str, leads: dict[str, float]) -> tuple[Guess, ...]:
    """Shares of belief: a face whose lead over the others is 1 keeps nearly all, at 0 they share alike."""
    odds = {best: 1.0} | {name: float(np.exp(-4.0 * max(lead, 0.0))) for name, lead in leads.items()}
    total = sum(odds.values())
    return tuple(Guess(name, odd / total) for name, odd in sorted(odds.items(), key=lambda pair: -pair[1]))
