"""The mat of one table as the camera sees it: its tags, its open ground, whether paper stands out on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imgproc.change_detection import COARSE_MM, Coarse, Mask, grow, light_apart
from vision.layout import Layout
from vision.rectified import Plan

OTHER_LIGHT = 0.35
"""What differs by so much from the mat's light is no mat."""
_SOME = 7
"""A median over every seventh place of the mat is as good as one over all."""
_INK_MM = 20.0
_PAPER_MM = 28.0
_TAG_RIM = 0.75
"""Half the side of a tag with its white rim, in edges of its black square."""
_BESIDE_TAG = 6
_PAPER_RANK = 95
_PLAIN = 0.7
"""So much at least of a mat of one colour looks about like most of it (ten films: .89 to .96 of plain mats
and of boards, .56 of a chequered cloth)."""
_EVEN, _EVEN_SHARE, _EVEN_CELLS = 0.15, 0.6, 8
"""And so much of it is within that of what lies round about, a hand's breadth across: on a faded or a dim
chequered cloth the squares differ by less than `OTHER_LIGHT`, and what lies between them looks like a sleeve
(six films of plain mats and boards, in their light and others: .73 to .95; a chequered cloth, as it is, at
gamma 1.5 and faded: .36 to .46)."""
_PALE = 0.45
"""Paper and a mat that differ by less in light: a card in slightly other light may not stand out."""


class Mat:
    """One mat in the picture.

    `tags` are the places (h, w) of its tags with their white rims, as far as the camera sees them, `open` is
    the mat without them. `pale`: it is about as light as paper, so that of a card little but its ink differs.
    `plain`: it is of one colour; on a chequered one every sleeve looks like some of it.
    """

    def __init__(self, layout: Layout, plan: Plan, light: Coarse) -> None:
        """`light` is the first frame as logarithms (3, h, w)."""
        self.tags = _tags_seen(layout, plan)
        x, y = (side / 2 for side in layout.size_mm)
        self.open: Mask = plan.fill([(-x, -y), (x, -y), (x, y), (-x, y)]) & plan.valid
        for place in self.tags:
            self.open &= ~place
        self.pale = self._as_paper(light)
        usual = light_apart(light, self.usual(light))[self.open] < OTHER_LIGHT
        self.plain = bool(usual.size) and float(usual.mean()) >= _PLAIN and self._even(light) >= _EVEN_SHARE

    def _even(self, light: Coarse) -> float:
        """The share of the mat that looks as its surroundings do; uneven light hardly matters."""
        weight = cv2.GaussianBlur(self.open.astype(np.float32), (0, 0), _EVEN_CELLS) + np.float32(1e-3)
        around = np.stack(
            [cv2.GaussianBlur(plane * self.open, (0, 0), _EVEN_CELLS) / weight for plane in light]
        )
        return float((light_apart(light, around)[self.open] < _EVEN).mean())

    def _as_paper(self, light: Coarse) -> bool:
        """Whether the tags' paper hardly differs from what lies beside it."""
        found = []
        for tag in self.tags:
            beside = grow(tag, _BESIDE_TAG) & self.open
            if beside.any():
                paper = np.percentile(light[:, tag], _PAPER_RANK, axis=1)
                found.append(float(np.abs(paper - np.median(light[:, beside], axis=1)).max()))
        return bool(found) and float(np.median(found)) < _PALE

    def usual(self, light: Coarse) -> Coarse:
        """The mat's most frequent light, (3, 1, 1)."""
        middle = np.median(light[:, self.open][:, ::_SOME], axis=1)
        return np.asarray(middle[:, None, None], np.float32)

    def lying(self, light: Coarse) -> Mask:
        """Where something as large as paper may lie on a table that was never seen empty.

        Its light differs from the mat's most frequent one, lines of print left out. On a mat as light as
        paper nothing stands out: then nothing is known, and nothing is said.
        """
        other = light_apart(light, self.usual(light)) > OTHER_LIGHT
        # Ink may look like the mat, so holes are closed; narrower than half a card is no card.
        whole = cv2.morphologyEx((other & self.open).astype(np.uint8), cv2.MORPH_CLOSE, _kernel(_INK_MM))
        return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, _kernel(_PAPER_MM)) > 0)


def _tags_seen(layout: Layout, plan: Plan) -> list[Mask]:
    places = []
    for tag in layout.tags:
        a, b, r = tag.center_mm[0], tag.center_mm[1], _TAG_RIM * tag.size_mm
        square = [(a - r, b - r), (a + r, b - r), (a + r, b + r), (a - r, b + r)]
        places.append(plan.fill(square) & plan.valid)
    return [place for place in places if place.any()]


def _kernel(width_mm: float) -> NDArray[np.uint8]:
    side = round(width_mm / COARSE_MM)
    return np.ones((side, side), np.uint8)
