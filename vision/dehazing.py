"""Removal of veiling glare from every frame: haze on the lens, or a lamp that shines into it.

Outlines and faces are found by the contrast of ink and paper. A veil adds the same light to both, and on
dark wood more than the cards reflect. It is measured on the black of the tags when the table is found; a thin
veil is left in place.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.colour import to_linear
from vision.dice.reading import paper_white
from vision.dice.veiling_glare import veiling_glare
from vision.frame import Frame
from vision.geometry import Registration
from vision.imgproc.srgb import LIGHT, from_light
from vision.layout import Layout
from vision.sightings import Picture

_THICK = 0.06
"""Share of the paper's light that a veil must add to be removed; cards can be read through less."""
_NOTHING = 1e-3
_OTHER_LEVELS = 8
"""Change of the correction curve, in grey levels, above which the veil has changed; noise causes less."""


class Dehazing:
    """The veil that is removed from the frames of one camera."""

    def __init__(self) -> None:
        self._curve: NDArray[np.uint8] | None = None

    def measure(self, picture: Picture, registration: Registration, layout: Layout) -> None:
        """Measure the veil over a picture (h, w, 3) BGR in which the table was found."""
        self._curve = None
        white = paper_white(picture, registration, layout)
        veil = veiling_glare(picture, registration, layout, white)
        if white is None or veil is None:
            return
        paper = to_linear(white)
        if float((veil / paper.clip(_NOTHING)).mean()) >= _THICK:
            self._curve = from_light((LIGHT[:, None] - veil) * (paper / (paper - veil)))

    @property
    def clears(self) -> bool:
        """Whether a veil is removed."""
        return self._curve is not None

    def has_changed(self, picture: Picture, registration: Registration, layout: Layout) -> bool:
        """Measure the veil again over a table that has not moved; return whether it changed."""
        before = self._curve
        self.measure(picture, registration, layout)
        if before is None or self._curve is None:
            return before is not self._curve
        return bool(np.abs(before.astype(np.int16) - self._curve).max() > _OTHER_LEVELS)

    def cleared(self, frame: Frame) -> Frame:
        """The frame without its veil; unchanged where there is none worth removing."""
        return frame if self._curve is None else Frame(self.cleared_picture(frame.picture))

    def cleared_picture(self, picture: Picture) -> Picture:
        """As `cleared`, for a picture (h, w, 3) BGR."""
        return picture if self._curve is None else np.asarray(cv2.LUT(picture, self._curve[None]), np.uint8)
