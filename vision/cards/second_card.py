"""A second card beside the one that was found: it is unknown which of the two bears the picture's name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Float64
from vision.cards.lone import Lone
from vision.cards.one_place import MARK
from vision.cards.one_thing import has_print
from vision.cards.outline import sides_of
from vision.cards.parameters import PHOTO_CARD
from vision.cards.quads import quads_in
from vision.cards.reasons import Reason
from vision.cards.recognition import FACE_PX
from vision.geometry import flatten_px

_SAME_SIZE = 0.15
"""Share by which the second card's sides may differ: two cards seen askew against a tuck box or a note."""
_STANDS_IN = 0.5
"""Share of the pictures above which it is no stray card but the pack, or part of the ground."""
TWO_CARDS = Reason(
    "two", "two cards lie in this picture; take it again with only the card it is named after, wholly in view"
)
"""Why nothing was learnt: it cannot be known which of them the name belongs to."""


def refuse_second(found: Sequence[Lone]) -> None:
    """Refuse pictures that show another printed card of the same size beside the found one.

    What lies at one place in most pictures of a form is fixed there: the rest of the pack beside the card.
    """
    forms = defaultdict(list)
    for each in found:
        if each.corners is not None and each.size is not None:
            forms[each.picture.shape].append(each)
    for same in forms.values():
        seconds = [_beside(each) for each in same]
        middles = [np.array([quad.mean(axis=0) for quad in second]).reshape(-1, 2) for second in seconds]
        for each, second, own in zip(same, seconds, middles, strict=True):
            near = MARK * max((float(sides_of(quad)[0]) for quad in second), default=0.0)
            others = [other for other in middles if other is not own]
            shown = np.zeros(len(own), int)
            for other in others:
                shown += (np.linalg.norm(own[:, None] - other[None], axis=2) < near).any(axis=1)
            if (shown <= _STANDS_IN * len(others)).any() if others else len(own):
                each.refuse(TWO_CARDS)


def _beside(each: Lone) -> list[Float64]:
    """Outlines (4, 2), in pixels, of printed cards as large as the found one whose middle lies outside it."""
    found = np.asarray(each.corners)
    rim = found.astype(np.float32)
    usual = np.asarray(each.size)
    seconds = []
    for score, quad in quads_in(each.picture, each.registration):
        own = quad if each.registration is None else each.registration.to_mm(quad) * [1, -1]
        middle = quad.mean(axis=0)
        if (
            score >= PHOTO_CARD.least_score
            and np.abs(np.log(sides_of(own) / usual)).max() < _SAME_SIZE
            and cv2.pointPolygonTest(rim, (float(middle[0]), float(middle[1])), False) < 0
            and has_print(flatten_px(each.picture, quad, FACE_PX))
        ):
            seconds.append(quad)
    return seconds
