"""Things on calm ground: patches of another colour that no face explains, and whole bodies of dice.

All masks (1, else 0) have the size of a shrunk copy, `COARSE` of the fine scale (`Views.spotted`).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice.face import Face
from vision.dice.pips import EDGE_PX
from vision.dice.search_parameters import DIE_SEARCH
from vision.dice.views import COARSE, ByteMask, Known, Views, without

_TALL = 1.4
"""Largest aspect ratio of the box round one die with a side in view; two dice are longer."""
_OFF_MIDDLE = 0.35
"""Largest distance between the middles of a top face and of the visible die, over the root of its area."""
_SEEN = 1.3
"""Short side of the box round a body over the edge that its pips give: part of a side is in view."""
_OFF_SIZE = 1.3
"""Largest ratio, either way, between a body's edge and the one sought for both to be of one size."""
_NARROWER = 1.25
"""Ratio by which a body may be narrower than a die's edge and still be a die."""
_SET = 2
"""Least number of bodies of one size that are taken for dice before any face is read."""
_COMPACT = 0.75
"""Least share of the narrowest box round a body that a die fills."""


def unread_parts(views: Views, edge: float, known: Known, *, crisp: bool = False) -> ByteMask:
    """Mask of the copy used by `Views.spotted`: 1 where something lies that no known face explains."""
    standing = views.standing(edge, crisp=crisp)
    k = COARSE * EDGE_PX / edge
    # A pip of the ground's colour is a hole in its body.
    standing = np.asarray(cv2.morphologyEx(standing, cv2.MORPH_CLOSE, _disc(0.3)), np.uint8)
    without(standing, known, k)
    # Grain, rims and the shadows beside known dice are not bodies: keep what is half a die wide.
    return np.asarray(cv2.morphologyEx(standing, cv2.MORPH_OPEN, _disc(0.5)), np.uint8)


def standing_edges(views: Views, bounds: tuple[float, float]) -> list[float]:
    """Edges (px, one per body) of the dice in a picture, from isolated bodies of one size; least first.

    Empty for fewer than two bodies: a single thing of some size may be anything.
    """
    best: list[float] = []
    edge = bounds[0] * DIE_SEARCH.second_slack
    while edge < bounds[1] / DIE_SEARCH.second_slack:
        k = COARSE * EDGE_PX / edge
        widths = Bodies(unread_parts(views, edge, (), crisp=True), k).widths_px
        edges = sorted(w / _SEEN for w in widths if edge / _OFF_SIZE < w / _SEEN < edge * _OFF_SIZE)
        best = max(best, edges, key=len)
        edge *= DIE_SEARCH.second_step
    return best if len(best) >= _SET else []


class Bodies:
    """Isolated bodies of a die's size: connected components of `unread_parts` in a copy shrunk to `k`."""

    def __init__(self, unread: ByteMask, k: float) -> None:
        count, self._labels, stats, self._middles = cv2.connectedComponentsWithStats(unread)
        self._k = k
        self._reach = np.zeros(count)
        self.widths_px: list[float] = []
        """Short side of the narrowest box round each body, in pixels of the picture."""
        edge = EDGE_PX * COARSE
        for i in range(1, count):
            x, y, wide, high, area = stats[i].tolist()
            own = np.asarray(self._labels[y : y + high, x : x + wide] == i, np.uint8)
            outline, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            _, sides, _ = cv2.minAreaRect(outline[0])
            short, long_ = min(sides) + 1, max(sides) + 1
            if edge < _NARROWER * short and long_ < _TALL * short and area > _COMPACT * short * long_:
                self._reach[i] = _OFF_MIDDLE * area**0.5
                self.widths_px.append(short / k)

    def spread_to(self, shape: Sequence[int]) -> ByteMask:
        """Mask of these bodies, resized to a copy of the same picture of that shape (h, w): 1, else 0."""
        own = np.asarray(self._reach > 0, np.uint8)[self._labels]
        return np.asarray(cv2.resize(own, (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST), np.uint8)

    def carries(self, face: Face) -> bool | None:
        """Whether the body under a face may have it on top, in or near its middle; None beside all bodies."""
        h, w = self._labels.shape
        x, y = face.x * self._k, face.y * self._k
        body = int(self._labels[min(h - 1, max(0, round(y))), min(w - 1, max(0, round(x)))])
        if not self._reach[body]:
            return None
        middle = self._middles[body]
        return bool(np.hypot(x - middle[0], y - middle[1]) < self._reach[body])


def _disc(share: float) -> ByteMask:
    """Disc whose diameter is that share of a die's edge, in the copy used by `Views.spotted`."""
    wide = round(share * EDGE_PX * COARSE) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide)), np.uint8)
