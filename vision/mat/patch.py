"""The part of the fine plan round an island, with everything derived from it that is needed more than once.

An island of several cards, or of stacks of backs, is searched for rectangles repeatedly, each time with
fewer places left for their middles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.cards.rectangle import (
    Box,
    EdgeImage,
    Proposals,
    distinct,
    edge_level,
    fit_box,
    fit_boxes,
    propose_boxes,
)
from vision.imgproc.change_detection import grow
from vision.mat.candidate_parameters import CANDIDATES
from vision.mat.colour_edges import away_from_ground
from vision.mat.parameters import CARD_SEARCH
from vision.rectified import Plan
from vision.sightings import Picture


@dataclass(slots=True, eq=False)
class Patch:
    """A grey cut-out (h, w) of the fine plan, float32; `corner` is its (x, y) there.

    `size` is the card's size in pixels of the cut-out, `level` the strength that counts as an edge.
    """

    grey: NDArray[np.float32]
    corner: tuple[int, int]
    size: tuple[float, float]
    level: float
    printed: list[Box] | None = None
    """Where whole faces lie by their print; None until they are searched for."""
    _proposals: Proposals | None = None
    _proposed: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 0), np.bool_))
    """The middles (h, w) within which `_proposals` were made."""
    _fitted: dict[tuple[tuple[float, float], float], Box] = field(default_factory=dict)

    @property
    def image(self) -> EdgeImage:
        """The cut-out as an edge image."""
        return EdgeImage(self.grey, self.level)

    def boxes(self, middles: NDArray[np.bool_], most: int, known: Sequence[Box] = ()) -> list[Box]:
        """`known` rectangles and up to `most` on edges, proposed within `middles` (h, w), each once."""
        if self._proposals is None or (middles & ~self._proposed).any():
            self._proposals = propose_boxes(self.image, self.size, where=middles)
            self._proposed = middles
        places = [(middle, angle) for middle, angle, _ in self._proposals.within(middles, most)]
        new = [place for place in places if place not in self._fitted]
        fitted = fit_boxes(self.image, new, self.size, CANDIDATES.fit_reach_px)
        self._fitted.update(zip(new, fitted, strict=True))
        return distinct(
            [*known, *(self._fitted[place] for place in places)], CANDIDATES.alike_px, CANDIDATES.alike_rad
        )

    def middles(self, left: Mask, step: float) -> NDArray[np.bool_]:
        """Where (h, w) the middle of a card that reaches into the island `left` may lie.

        `left` is a coarse mask of the whole plan, with pixels `step` times as large.
        """
        near = grow(left, round(0.5 * self.size[1] / step))
        height, width = self.grey.shape
        x0, y0 = self.corner
        rows = np.minimum(((np.arange(height) + y0) / step).astype(int), near.shape[0] - 1)
        columns = np.minimum(((np.arange(width) + x0) / step).astype(int), near.shape[1] - 1)
        return np.asarray(near[np.ix_(rows, columns)])

    def whole(self, box: Box) -> Box:
        """A rectangle of the patch in the pixels of the fine plan."""
        x0, y0 = self.corner
        return replace(box, middle=(box.middle[0] + x0, box.middle[1] + y0))

    def cut(self, box: Box) -> Box:
        """A rectangle of the fine plan in the pixels of the patch."""
        x0, y0 = self.corner
        return replace(box, middle=(box.middle[0] - x0, box.middle[1] - y0))

    def fit(self, middle: tuple[float, float], angle: float, reach_px: float) -> Box:
        """The rectangle fitted at a place."""
        return fit_box(self.image, middle, angle, self.size, reach_px)


class Island(NamedTuple):
    """A piece of the table that changed: a coarse mask (h, w), and the size of its pixels."""

    mask: Mask
    mm_per_px: float


def cut_patch(picture: Picture, fine: Plan, island: Island, size: tuple[float, float], reach: int) -> Patch:
    """Cut the plan round an island, with `reach` of its pixels on each side."""
    step = island.mm_per_px / fine.mm_per_px
    ys, xs = np.nonzero(island.mask)
    x0 = max(0, int(xs.min() * step) - reach)
    y0 = max(0, int(ys.min() * step) - reach)
    x1 = min(fine.width, int((xs.max() + 1) * step) + reach)
    y1 = min(fine.height, int((ys.max() + 1) * step) + reach)
    cut = fine.draw(picture, (x0, y0, x1, y1))
    return _patch(cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY).astype(np.float32), (x0, y0), size)


def in_colour(patch: Patch, picture: Picture, fine: Plan, thing: Island) -> Patch | None:
    """The same patch, projected to the colour direction in which a thing differs from its ground."""
    (x0, y0), (height, width) = patch.corner, patch.grey.shape
    cut = fine.draw(picture, (x0, y0, x0 + width, y0 + height))
    shades = away_from_ground(cut, thing.mask, patch.corner, thing.mm_per_px / fine.mm_per_px)
    return None if shades is None else _patch(shades, patch.corner, patch.size)


def _patch(shades: NDArray[np.float32], corner: tuple[int, int], size: tuple[float, float]) -> Patch:
    grey = np.asarray(cv2.GaussianBlur(shades, (0, 0), CANDIDATES.edge_sigma_px), np.float32)
    return Patch(grey, corner, size, edge_level(grey))


def outlined(box: Box) -> bool:
    """Whether all four sides of a rectangle lie on edges."""
    return min(box.support, box.weakest + CARD_SEARCH.weak_side) >= CARD_SEARCH.good_support
