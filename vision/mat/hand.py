"""One hand over one table, from its coming to its going."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.imgproc.change_detection import Mask
from vision.sightings import HandSeen

_AS_LIKELY = 0.7


@dataclass(slots=True, eq=False)
class Hand:
    """One hand from its coming to its going. `moved_t`: when it last stirred; `entry_mm`: its way in."""

    number: int
    since_t: float
    seen_t: float
    moved_t: float
    came: bool = True
    """Whether it was seen to come, so that its first frames tell best where from."""
    entries: dict[str, float] = field(default_factory=dict)
    entry_mm: NDArray[np.float64] | None = None
    uncertain: bool = False
    """Whether so much else moved meanwhile that its way in tells nothing."""
    mask: Mask = field(default_factory=lambda: np.zeros((0, 0), np.bool_))

    @property
    def seat(self) -> str | None:
        """The seat whose side it came in from; None when two sides are as likely."""
        seats = self.seats
        return seats[0] if len(seats) == 1 else None

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats whose side it may have come in from, the likeliest first."""
        if self.uncertain:
            return ()
        ranked = sorted(self.entries.items(), key=lambda entry: -entry[1])
        return tuple(name for name, weight in ranked if weight > _AS_LIKELY * ranked[0][1])


def as_seen(hand: Hand) -> HandSeen:
    """The sighting of a hand that has gone."""
    return HandSeen(hand.since_t, hand.seen_t, hand.seat)
