"""A camera picture of a mat or box with the lamps of the strip as they shine at this moment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from firmware_bridge.lamps import RGB
from table.printables.plan import plan_mat
from table.virtual.camera import painter_for
from vision.layout import Point
from vision.sightings import Picture
from vision.synthetic.scene import Scene
from vision.synthetic.table import Painter

HALO_PX = 40


class LampFilm:
    """Draws lamps at `places_mm` (by index in the chain), `height_mm` above a mat of two seats.

    With `painter` they are above what it paints instead. The sensor is noisy.
    """

    def __init__(
        self,
        places_mm: Sequence[Point],
        seed: int = 1,
        painter: Painter | None = None,
        height_mm: float = 0.0,
    ) -> None:
        painter = painter or painter_for(plan_mat(2, "A3"), {})
        self._mat = painter.render(Scene(), seed).astype(np.float32)
        self._px = painter.to_px(list(places_mm), height_mm).round().astype(int)
        self._chance = np.random.default_rng(seed)
        self._noise = self._chance.normal(0, 2.0, self._mat.shape).astype(np.float32)
        y, x = np.mgrid[-HALO_PX : HALO_PX + 1, -HALO_PX : HALO_PX + 1]
        far = np.hypot(x, y)
        self._halo = (4.0 * np.exp(-((far / 2.5) ** 2)) + 0.5 * np.exp(-far / 9.0)).astype(np.float32)

    def picture(self, colours: Sequence[RGB], daylight: float = 1.0) -> Picture:
        """The frame (h, w, 3) BGR; `daylight` brightens the mat."""
        frame = self._mat * daylight
        for (x, y), rgb in zip(self._px, colours, strict=False):
            light = np.array(rgb[::-1], np.float32)
            bleed = light + 0.12 * light.sum()  # the colour filters of a sensor overlap
            part = frame[max(0, y - HALO_PX) : y + HALO_PX + 1, max(0, x - HALO_PX) : x + HALO_PX + 1]
            at_y, at_x = max(0, HALO_PX - y), max(0, HALO_PX - x)
            part += self._halo[at_y : at_y + len(part), at_x : at_x + part.shape[1], None] * bleed
        shift = int(self._chance.integers(frame.size))
        noise = np.roll(self._noise.reshape(-1), shift).reshape(frame.shape)
        return np.asarray((frame + noise).round().clip(0, 255), np.uint8)
