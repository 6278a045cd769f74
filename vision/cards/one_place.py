"""Cards that are laid to one mark under a camera that stands: what was found elsewhere is another thing.

A note, a phone or a coaster that came beside a card changes more of the picture than the card, where most
pictures show a card and the ground under it was never seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cards.lone import MOST_AGREE, SOME
from vision.cards.reasons import Reason

NOT_THERE = Reason(
    "place", "what was found does not lie where the other cards lay; take it again at their place"
)


def strays(middles: Sequence[NDArray[np.float64] | None], near: float, far: float) -> list[bool]:
    """Which cards' middles (2,) lie `far` off the mark that most lie `near` to; none where there is no mark.

    Both in the same pixels; None stands for a card that was not found.
    """
    known = [middle for middle in middles if middle is not None]
    if len(known) < SOME:
        return [False] * len(middles)
    mark = np.median(known, axis=0)
    if np.mean(np.linalg.norm(np.array(known) - mark, axis=1) < near) < MOST_AGREE:
        return [False] * len(middles)
    return [middle is not None and bool(np.linalg.norm(middle - mark) > far) for middle in middles]
