"""A box that never rests though no hand is over it: light wanders over it, and no throw is ever read.

The dice cannot be read then, but the reason is reported; otherwise a whole game would pass in silence.
"""

from __future__ import annotations

from vision.box.motion_parameters import BOX_MOTION
from vision.sightings import LightPoor


def never_rests(t: float, for_s: float) -> LightPoor:
    """Return the sighting of a box that has not rested for `for_s` seconds."""
    why = (
        f"the picture of the box has not come to rest for {for_s:.0f} s, so no throw is read: keep moving"
        " light and shadows off the box"
    )
    return LightPoor(t, why, {"unrest_s": round(for_s, 1)})


class MovingLight:
    """Measures how long the box stirs without a hand; reports it once when that is long."""

    def __init__(self) -> None:
        self.told = False
        """Whether it was reported that the box never rests, and it has not rested since."""
        self._since: float | None = None
        self._last_t = 0.0

    def stir(self, t: float, hand: bool) -> list[LightPoor]:
        """Take in a frame with motion; `hand`: a hand is over the box."""
        if hand or self._since is None or t - self._last_t > BOX_MOTION.unrest_pause_s:
            self._since = t
        self._last_t = t
        if self.told or t - self._since < BOX_MOTION.unrest_s:
            return []
        self.told = True
        return [never_rests(t, t - self._since)]

    def rest(self) -> bool:
        """Note that the box is at rest; return whether that ends a reported unrest."""
        self._since, told, self.told = None, self.told, False
        return told
