"""`watch` without a table file: everything in pixels, no seats, no zones."""

from __future__ import annotations

from vision.sightings import Picture, Sighting
from vision.throws import Throws


class PixelEye:
    """Sees thrown dice in any film, and with a deck cards; a moving camera is no play."""

    def __init__(self) -> None:
        self._throws = Throws()

    def see(self, picture: Picture, t: float) -> list[Sighting]:
        """Take in one frame (h, w, 3) BGR at `t` seconds."""
        return list(self._throws.see(picture, t))
