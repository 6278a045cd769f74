"""What most cards of a series have in common: their size, and the mark at which they were laid.

Under a camera that stands still, a find off the mark is another thing. A note, a phone or a coaster beside
the card changes more of the picture than the card, where most pictures show a card and the ground under it
was never seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Float64
from vision.cards.lone import MOST_AGREE, SOME
from vision.cards.quads import RATIO
from vision.cards.reasons import Reason

MARK, ELSEWHERE = 0.3, 1.0
"""Distance from the mark, in card widths, up to which a card lies at it (a stranger's deck: at most .10), and
above which a find is a note or a phone, which changed more than the card did on unseen ground."""
SAME_SIZE = 0.06
"""Share within which the sides of cards of one size agree."""
NOT_THERE = Reason("place", "what was found is not where the other cards lay; take it again in their place")


def strays(middles: Sequence[Float64 | None], near: float, far: float) -> list[bool]:
    """Which cards' middles (2,) lie `far` off the mark that most are `near` to; none if there is no mark.

    All in the same pixels; None is a card that was not found.
    """
    known = [middle for middle in middles if middle is not None]
    if len(known) < SOME:
        return [False] * len(middles)
    mark = np.median(known, axis=0)
    if np.mean(np.linalg.norm(np.array(known) - mark, axis=1) < near) < MOST_AGREE:
        return [False] * len(middles)
    return [middle is not None and bool(np.linalg.norm(middle - mark) > far) for middle in middles]


def usual_size(sizes: Sequence[Float64], widths: tuple[float, float] = (0.0, np.inf)) -> Float64 | None:
    """The size (short, long) on which most cards agree; None if there is none."""
    shaped = [
        size
        for size in sizes
        if widths[0] <= size[0] <= widths[1] and RATIO[0] < size[1] / max(size[0], 1e-6) < RATIO[1]
    ]
    if not shaped:
        return None
    all_sizes = np.array(shaped)
    near = [np.abs(all_sizes / size - 1).max(axis=1) < SAME_SIZE for size in shaped]
    most = near[int(np.argmax([friends.sum() for friends in near]))]
    return np.asarray(np.median(all_sizes[most], axis=0), np.float64)
