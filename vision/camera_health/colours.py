"""Detects a camera that no longer delivers colours: in poor light many switch to night mode by themselves."""

from __future__ import annotations

from vision.imgproc.colourless import is_colourless
from vision.sightings import LightFine, LightPoor, Picture


def no_colours(t: float) -> LightPoor:
    """The sighting of a camera without colours."""
    why = "the camera shows no colours: switch its night mode off, or give more light"
    return LightPoor(t, why, {"colours": 0})


class ColourCheck:
    """Reports once when the colours go, and once when they are back."""

    def __init__(self) -> None:
        self.gone = False
        """Whether the last picture has no colours."""

    def see(self, picture: Picture, t: float) -> list[LightPoor | LightFine]:
        """Take in a picture (h, w, 3) BGR uint8; return the sighting if its colours went or came back."""
        before, self.gone = self.gone, is_colourless(picture)
        if self.gone == before:
            return []
        return [no_colours(t) if self.gone else LightFine(t)]
