"""A still that stands alone, and what was found in it."""

from __future__ import annotations

from dataclasses import dataclass

from vision.arrays import Float64
from vision.cards.outline import sides_of
from vision.cards.reasons import Reason
from vision.geometry import Registration
from vision.sightings import Picture

ELSEWHERE = 0.25
"""Distance in short sides beyond which a find lies at another place."""
MOST_AGREE = 0.6
"""Share of a series that must agree for a value to count as usual."""
SOME = 4
"""Number of pictures from which a series has a usual value."""


@dataclass(slots=True)
class Lone:
    """A picture examined by itself: corners (4, 2) in its pixels, or the reason why there are none.

    `size` (short, long) is in millimetres if the table is known, else in pixels.
    """

    picture: Picture
    registration: Registration | None
    corners: Float64 | None = None
    size: Float64 | None = None
    reason: Reason | None = None

    def take(self, corners: Float64) -> None:
        """Take these corners as the card."""
        self.corners = corners
        self.size = sides_of(
            corners if self.registration is None else self.registration.to_mm(corners) * [1, -1]
        )

    def refuse(self, reason: Reason) -> None:
        """Refuse the picture: nothing may be learnt from it."""
        self.corners, self.size, self.reason = None, None, reason
