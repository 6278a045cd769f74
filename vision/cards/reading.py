"""What a flattened card is taken for, and with what confidence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.sightings import Guess


@dataclass(frozen=True, slots=True)
class Reading:
    """What a flattened card looks like: `guesses`, best first, each name once.

    `likeness` is the share of the card's ink that the best face explains (1 = all). `margin` is where
    the picture lies between the best face and the runner-up: 1 = exactly at the best, 0 = half-way
    between the two. `turned`: the card lies upside down relative to its enrolled picture.
    """

    guesses: tuple[Guess, ...]
    likeness: float
    margin: float
    turned: bool
    shift_px: tuple[float, float] = (0.0, 0.0)
    """How far the middle of its print lay from where it was sought, in pixels of the flattened face."""
    turn_rad: float = 0.0
    """How far its print was turned relative to where it was sought, clockwise as shown."""
    lookalike: str | None = None
    """The face to which `likeness` belongs, if the card may be one without a face."""

    @property
    def name(self) -> str | None:
        """The best name; None if there are no guesses."""
        return self.guesses[0].name if self.guesses else None


NOTHING = Reading((), 0.0, 0.0, False)
"""The reading of a place where nothing was read."""


def beliefs(best: str, leads: dict[str, float]) -> tuple[Guess, ...]:
    """Shares of belief: with a lead of 1 over the others a face keeps nearly all, at 0 they share equally."""
    odds = {best: 1.0} | {name: float(np.exp(-4.0 * max(lead, 0.0))) for name, lead in leads.items()}
    total = sum(odds.values())
    return tuple(Guess(name, odd / total) for name, odd in sorted(odds.items(), key=lambda pair: -pair[1]))
