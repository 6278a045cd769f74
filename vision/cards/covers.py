"""What known cards leave visible of a top view in which cards beneath them are searched for."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Float32, Mask
from vision.cards.rectangle import Box


@dataclass(frozen=True, slots=True)
class Covers:
    """A top view (h, w), what known cards cover of it, and what counts as an edge in it."""

    grey: Float32
    paper: Mask
    """Where the margin's paper shows."""
    cover: Mask
    """Where a known card lies."""
    free: Mask
    """Where neither a known card lies nor the edge and shadow of its rim are seen."""
    level: float
    """Edge strength that counts for half, in grey levels a pixel."""
    corner: tuple[int, int] = (0, 0)
    """Where this part lies in the whole picture: left, top (px)."""

    def near(self, size: tuple[float, float]) -> Covers | None:
        """The part within a rectangle's reach (width, height) of a cover; None if nothing is covered."""
        reach = int(np.ceil(np.hypot(*size)))
        ys, xs = np.flatnonzero(self.cover.any(axis=1)), np.flatnonzero(self.cover.any(axis=0))
        if not len(ys):
            return None
        top, left = max(0, int(ys[0]) - reach), max(0, int(xs[0]) - reach)
        part = np.s_[top : ys[-1] + reach, left : xs[-1] + reach]
        grey, paper, cover, free = self.grey[part], self.paper[part], self.cover[part], self.free[part]
        return Covers(grey, paper, cover, free, self.level, (left, top))

    def whole(self, box: Box) -> Box:
        """A rectangle of this part, in the whole picture."""
        return replace(box, middle=(box.middle[0] + self.corner[0], box.middle[1] + self.corner[1]))
