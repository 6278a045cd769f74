"""The mat of one table as the camera sees it: its tags, its open ground, whether paper stands out on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.imgproc.change_detection import COARSE_MM, Coarse, grow, light_apart, light_at
from vision.layout import Layout
from vision.mat.scene_parameters import SCENE
from vision.rectified import Plan

_SOME = 7
"""Step between the places of the mat whose median is taken: as good as the median of all places."""


class Mat:
    """One mat in the picture.

    `tags` are the places (h, w) of its tags with their white rims, as far as the camera sees them; `open` is
    the mat without them. `pale`: the mat is about as light as paper, so that little but a card's ink differs.
    `plain`: the mat is of one colour; on a chequered one every sleeve looks like some part of it.
    """

    def __init__(self, layout: Layout, plan: Plan, light: Coarse) -> None:
        """`light` is the table without cards as logarithms (3, h, w); at first, the first frame."""
        self.tags = _tags_seen(layout, plan)
        x, y = (side / 2 for side in layout.size_mm)
        self.open: Mask = plan.fill([(-x, -y), (x, -y), (x, y), (-x, y)]) & plan.valid
        for place in self.tags:
            self.open &= ~place
        self._some = np.flatnonzero(self.open)[::_SOME]
        self.pale = self._as_paper(light)
        usual = light_apart(light, self.usual(light))[self.open] < SCENE.other_light
        self.plain = (
            bool(usual.size) and float(usual.mean()) >= SCENE.plain and self._even(light) >= SCENE.even_share
        )

    def _even(self, light: Coarse) -> float:
        """The share of the mat that looks like its surroundings; uneven light hardly matters."""
        weight = cv2.GaussianBlur(self.open.astype(np.float32), (0, 0), SCENE.even_cells) + np.float32(1e-3)
        around = np.stack(
            [cv2.GaussianBlur(plane * self.open, (0, 0), SCENE.even_cells) / weight for plane in light]
        )
        return float((light_apart(light, around)[self.open] < SCENE.even_within).mean())

    def _as_paper(self, light: Coarse) -> bool:
        """Whether the tags' paper hardly differs from the mat beside it."""
        found = []
        for tag in self.tags:
            beside = grow(tag, SCENE.beside_tag) & self.open
            if beside.any():
                paper = np.percentile(light[:, tag], SCENE.paper_rank, axis=1)
                found.append(float(np.abs(paper - np.median(light[:, beside], axis=1)).max()))
        return bool(found) and float(np.median(found)) < SCENE.pale

    def usual(self, light: Coarse) -> Coarse:
        """The mat's median light, (3, 1, 1)."""
        middle = np.median(light_at(light, self._some), axis=1)
        return np.asarray(middle[:, None, None], np.float32)

    def lying(self, light: Coarse) -> Mask:
        """Where something as large as paper may lie on a table that was never seen empty.

        Its light differs from the mat's median, and lines of print are left out. On a mat as light as paper
        nothing stands out: then nothing is found or reported.
        """
        other = light_apart(light, self.usual(light)) > SCENE.other_light
        # Ink may look like the mat, so holes are closed; anything narrower than half a card is no card.
        whole = cv2.morphologyEx((other & self.open).astype(np.uint8), cv2.MORPH_CLOSE, _kernel(SCENE.ink_mm))
        return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, _kernel(SCENE.paper_mm)) > 0)


def _tags_seen(layout: Layout, plan: Plan) -> list[Mask]:
    places = []
    for tag in layout.tags:
        a, b, r = tag.center_mm[0], tag.center_mm[1], SCENE.tag_rim * tag.size_mm
        square = [(a - r, b - r), (a + r, b - r), (a + r, b + r), (a - r, b + r)]
        places.append(plan.fill(square) & plan.valid)
    return [place for place in places if place.any()]


def _kernel(width_mm: float) -> NDArray[np.uint8]:
    side = round(width_mm / COARSE_MM)
    return np.ones((side, side), np.uint8)
