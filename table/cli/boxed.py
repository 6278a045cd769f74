"""The dice game's eye where frames come undecoded."""

from __future__ import annotations

from collections.abc import Sequence

from vision.box.dice_set import DiceSet
from vision.box.eye import BoxEye
from vision.frame import Frame, as_picture
from vision.layout import Layout
from vision.sightings import Picture, Sighting


class Boxed:
    """A `BoxEye` that takes frames as the running table has them."""

    def __init__(self, layout: Layout, dice: DiceSet) -> None:
        self._eye = BoxEye(layout, dice)

    def see(self, picture: Picture | Frame, t: float) -> Sequence[Sighting]:
        """What came to be known with this frame."""
        return self._eye.see(as_picture(picture), t)
