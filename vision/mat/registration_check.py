"""Checks between plays: is the table still where it was, and is there enough light to read?

Done at intervals while nothing moves, at the tags only: their positions and the white of their paper.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_health.colours import no_colours
from vision.geometry import Registration
from vision.imgproc.colourless import is_colourless
from vision.layout import Layout, Tag
from vision.mat.watch_parameters import MAT_WATCH
from vision.sightings import LightFine, LightPoor, Picture
from vision.tags import find_tags, tag_corners_mm


class RegistrationCheck:
    """Checks one registered table every `MAT_WATCH.every_s` seconds."""

    def __init__(self, registration: Registration, layout: Layout) -> None:
        # Include tags not seen when the table was found: they show whether it was found correctly.
        self._corners = {tag.id: registration.to_px(tag_corners_mm(tag)) for tag in layout.tags}
        self._paper = _paper_px(registration, [tag for tag in layout.tags if tag.id in registration.tags])
        self._next_t = MAT_WATCH.every_s
        self._looked_t, self._sought_t = -MAT_WATCH.again_s, -MAT_WATCH.every_s
        self._poor: str | None = None

    def take_over(self, old: RegistrationCheck) -> None:
        """Take over from the same table elsewhere in the picture: what was reported of the light holds."""
        self._poor = old._poor

    def due(self, t: float) -> bool:
        """Whether it is time to look again."""
        return t >= self._next_t

    def awake(self, t: float) -> bool:
        """Whether the last look was long enough ago."""
        return t - self._looked_t >= MAT_WATCH.again_s

    def note_look(self, t: float) -> None:
        """Note that the table was looked at now, by any caller: `due` and `awake` count from here."""
        self._next_t, self._looked_t = t + MAT_WATCH.every_s, t

    def moved(self, picture: Picture, t: float) -> bool:
        """Whether most of the visible tags lie elsewhere than before."""
        self.note_look(t)
        found = {n: at for n in self._corners if (at := self._find(picture, n)) is not None}
        if self._corners and not found and t >= self._sought_t + MAT_WATCH.every_s:
            self._sought_t = t  # far from their places, or hidden
            found = find_tags(picture, self._corners)
        shifts = [
            np.linalg.norm(found[n] - at, axis=1).mean() for n, at in self._corners.items() if n in found
        ]
        return len(shifts) >= 2 and float(np.median(shifts)) > MAT_WATCH.moved_px

    def light(self, picture: Picture, t: float) -> list[LightPoor | LightFine]:
        """Report when the light becomes too poor, or poor in another way, and when that is over."""
        poor = self._poor_light(picture, t)
        before, self._poor = self._poor, None if poor is None else poor.why
        if self._poor == before:
            return []
        return [LightFine(t) if poor is None else poor]

    def _poor_light(self, picture: Picture, t: float) -> LightPoor | None:
        """What is wrong with the light in a picture; None: nothing."""
        white = self.paper_level(picture)
        if white is not None and white < MAT_WATCH.dark_level:
            return LightPoor(t, "too dark to read the cards: give more light", {"white": round(white)})
        if white is not None and white > MAT_WATCH.glare_level:
            why = "the white paper is burnt out: give less light, or let the camera expose shorter"
            return LightPoor(t, why, {"white": round(white)})
        return no_colours(t) if is_colourless(picture) else None

    def paper_level(self, picture: Picture) -> float | None:
        """Grey level 0..255 of the white paper round the tags; None if none of it is in the picture."""
        height, width = picture.shape[:2]
        x, y = self._paper[:, 0], self._paper[:, 1]
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        if not inside.any():
            return None
        return float(np.median(picture[y[inside], x[inside]].min(axis=1)))

    def _find(self, picture: Picture, number: int) -> NDArray[np.float64] | None:
        """One tag's corners, searched for only round its last place."""
        corners = self._corners[number]
        reach = float(np.ptp(corners, axis=0).max())
        x0, y0 = np.maximum(np.floor(corners.min(axis=0) - reach), 0).astype(int)
        x1, y1 = np.maximum(np.ceil(corners.max(axis=0) + reach), 0).astype(int)
        part = picture[y0:y1, x0:x1]
        if min(part.shape[:2]) < MAT_WATCH.least_tag_px:
            return None
        grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
        found = find_tags(grey, [number]).get(number)
        return None if found is None else np.add(found, (x0, y0))


def _paper_px(registration: Registration, tags: Sequence[Tag]) -> NDArray[np.intp]:
    """Pixels (n, 2) half a module outside the black squares, where the paper is white."""
    rings = []
    for tag in tags:
        middle = np.asarray(tag.center_mm)
        ring = middle + (tag_corners_mm(tag) - middle) * (1 + 1 / 6)
        rings.append((ring + np.roll(ring, 1, axis=0)) / 2)
        rings.append(ring)
    if not rings:
        return np.zeros((0, 2), np.intp)
    return np.rint(registration.to_px(np.concatenate(rings))).astype(np.intp)
