"""A die found in a picture, in pixels, and comparisons between two findings."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.dice.parameters import DIE
from vision.imgproc.small_change import Changed
from vision.sightings import DieSeen, Picture


@dataclass(frozen=True, slots=True)
class FoundDie:
    """One die found by a reader, with its middle and edge in pixels of the picture."""

    die: DieSeen
    at_px: tuple[float, float]
    edge_px: float

    def is_where(self, other: FoundDie) -> bool:
        """Whether both are one die of known size: two dice cannot lie this near to each other."""
        return _far(self, other) < DIE.same_die * min(self.edge_px, other.edge_px)


def overlap(one: FoundDie, two: FoundDie) -> bool:
    """Whether two readings are of one die of estimated size; the larger size sets the distance allowed."""
    return _far(one, two) < DIE.same_reading * max(one.edge_px, two.edge_px)


def same(one: FoundDie, two: FoundDie) -> bool:
    """Whether a die is unchanged: same place within a third of its edge, and same face (or one unread)."""
    faces = one.die.face, two.die.face
    near = _far(one, two) < DIE.as_it_lay * max(one.edge_px, two.edge_px)
    return near and (None in faces or faces[0] == faces[1])


def same_together(before: list[FoundDie], now: list[FoundDie]) -> bool:
    """Whether all dice `now` are those of `before`, apart from a shift and a small turn common to all."""
    for anchor in before:
        for other in now:
            if anchor.die.face != other.die.face:
                continue
            shift = np.subtract(other.at_px, anchor.at_px)
            moved = [
                FoundDie(f.die, (f.at_px[0] + shift[0], f.at_px[1] + shift[1]), 2 * f.edge_px) for f in before
            ]
            if all(any(same(f, old) for old in moved) for f in now):
                return True
    return False


def around(changed: Changed, found: FoundDie, scale: float, share: float = 0.1) -> bool:
    """Whether more than a share of the pixels at a die changed; `changed` is of a copy shrunk to `scale`."""
    x, y, r = found.at_px[0] * scale, found.at_px[1] * scale, max(1.0, 0.5 * found.edge_px * scale)
    part = changed[max(0, int(y - r)) : int(y + r) + 2, max(0, int(x - r)) : int(x + r) + 2]
    return bool(part.mean() > share) if part.size else False


def dice_crop(picture: Picture, found: list[FoundDie]) -> Picture:
    """Crop the picture to all dice, with a margin of 1.2 edges round their middles."""
    rim = max(f.edge_px for f in found) * 1.2
    xs, ys = [f.at_px[0] for f in found], [f.at_px[1] for f in found]
    x0, y0 = max(0, int(min(xs) - rim)), max(0, int(min(ys) - rim))
    return picture[y0 : int(max(ys) + rim) + 1, x0 : int(max(xs) + rim) + 1].copy()


def _far(one: FoundDie, two: FoundDie) -> float:
    """Distance between the middles of two dice, in pixels."""
    return math.dist(one.at_px, two.at_px)
