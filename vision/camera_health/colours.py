"""A camera that gives no colours any more: in poor light many go over to a night mode by themselves."""

from __future__ import annotations

from vision.imgproc.colourless import is_colourless
from vision.sightings import LightFine, LightPoor, Picture


def no_colours(t: float) -> LightPoor:
    """What is told of it."""
    why = "the camera shows no colours: switch its night mode off, or give more light"
    return LightPoor(t, why, {"colours": 0})


class ColourCheck:
    """One word when the colours go, one when they are back; silence while it stays so."""

    def __init__(self) -> None:
        self.gone = False
        """Whether the picture seen last has no colours."""

    def see(self, picture: Picture, t: float) -> list[LightPoor | LightFine]:
        """Take in a picture (h, w, 3) BGR uint8."""
        before, self.gone = self.gone, is_colourless(picture)
        if self.gone == before:
            return []
        return [no_colours(t) if self.gone else LightFine(t)]
