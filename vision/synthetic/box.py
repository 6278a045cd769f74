"""Camera frames of a dice box: a deep floor, tags and bet tiles at the rim's height, dice in between."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Float64
from vision.sightings import Picture
from vision.synthetic.scene import ViewPoint
from vision.synthetic.shapes import BGR, DieLying
from vision.synthetic.table import Flat, GainMap, Painter, fixed

_WALLS: tuple[BGR, ...] = ((36, 44, 58), (46, 56, 72), (30, 37, 50), (40, 49, 64))
"""Colours of the shaded wooden walls at +y, +x, -y, -x."""


class BoxPainter(Painter):
    """Draws scenes in one box with one camera; cards are not drawn.

    Args:
        top: the print at the rim's height round the opening.
        floor: the printed floor.
        rim_mm: height of the rim above the floor.
        view: the camera.
        noise: standard deviation of a pixel, 0..255.
    """

    def __init__(self, top: Flat, floor: Flat, rim_mm: float, view: ViewPoint, noise: float = 2.0) -> None:
        self._floor, self._rim_mm = floor, rim_mm
        super().__init__(top, {}, view, noise=noise)

    def _lay_mat(self, mat: Flat) -> None:
        """Draw rim, walls and floor; each hides what lies below it."""
        everything = np.full(self._unlit.shape[:2], 255, np.uint8)
        self._lay_at(mat, self._rim_mm, everything)
        x, y = self._floor.size_mm[0] / 2, self._floor.size_mm[1] / 2
        corners = [(-x, y), (x, y), (x, -y), (-x, -y)]
        rim, foot = self.to_px(corners, self._rim_mm), self.to_px(corners)
        for i, tone in enumerate(_WALLS):
            j = (i + 1) % 4
            wall = np.array([rim[i], rim[j], foot[j], foot[i]])
            cv2.fillPoly(self._unlit, [fixed(wall)], tone, cv2.LINE_AA, shift=4)
        opening = np.zeros_like(everything)
        cv2.fillConvexPoly(opening, fixed(rim), 255, shift=4)
        self._lay_at(self._floor, 0.0, opening)

    def _lay_at(self, printed: Flat, z_mm: float, through: Picture) -> None:
        """Draw a flat print at one height where the mask `through` (h, w) is set."""
        flat, flat_mm = printed
        x, y = flat_mm[0] / 2, flat_mm[1] / 2
        onto = self.to_px([(-x, y), (x, y), (x, -y), (-x, -y)], z_mm).astype(np.float32)
        scale = self.view.f_px / (self.view.eye_mm[2] - z_mm)
        size = (round(flat_mm[0] * scale), round(flat_mm[1] * scale))
        if size[0] < flat.shape[1]:
            flat = np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.uint8)
        h, w = flat.shape[:2]
        warp = cv2.getPerspectiveTransform(np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32) - 0.5, onto)
        laid = self._unlit.copy()
        cv2.warpPerspective(flat, warp, self.view.size_px, laid, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
        self._unlit[through > 0] = laid[through > 0]

    def _lay_die(self, die: DieLying, picture: Picture, gain: GainMap) -> None:
        """Draw a die; one on a bet tile casts its shadow there, not on the floor far below."""
        self._ground_mm = die.z_mm if die.z_mm >= self._rim_mm else 0.0
        super()._lay_die(die, picture, gain)
        self._ground_mm = 0.0

    def _shadow_px(self, outline_mm: Float64) -> Float64:
        return self.to_px(outline_mm, self._ground_mm)
