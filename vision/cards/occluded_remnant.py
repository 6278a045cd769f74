"""Cards that show too little rim to be placed by it: paper beside known cards that no card explains.

A corner or a strip of paper that touches known cards belongs to a card beneath them. That card covers the
paper, and no ground may be visible where the card would lie in the open; of all such places, the one is taken
whose visible rim lies best on edges. It may be millimetres off, but the card is known to be there.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Float32, Mask
from vision.cards.covers import Covers
from vision.cards.outline import box_corners, edge_offsets, look_up
from vision.cards.rectangle import Box

_TURN_STEP = np.deg2rad(3.0)
_LEAST_PX = 12
_SPECK_PX = 6
"""Least area (px) of a piece of paper; less is a sliver between two outlines that do not quite meet."""
_MOST_SHARE = 0.8
"""Largest share of a card that a remnant may show: more would have been found, or is not a card's."""
_TOUCH_PX = 4
"""Distance (px) below which a piece of paper touches what covers it."""
_AS_GOOD = 0.97
"""Share of the best score at one turn above which a place counts towards the mean of the best places."""
_EDGE_PX = 1.5
"""Distance (px) below which an edge of the picture belongs to the rectangle's side."""
_RIVALS = 0.9
"""Share of the best score above which a place is as good: where the card lies is then not known."""
_BACKWARD = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


def find_remnant(covers: Covers, size: tuple[float, float]) -> Box | None:
    """A rectangle (width, height) for the largest piece of unexplained paper; None if there is none."""
    part = covers.near(size)
    if part is None:
        return None
    left_over = _left_over(part.paper & part.free, part.cover, size)
    places = _places(left_over.astype(np.float32) - (part.free & ~part.paper), size)
    most = max(score for score, _, _ in places)
    if most < _LEAST_PX:
        return None
    rivals = [(score, middle, angle) for score, middle, angle in places if score >= _RIVALS * most]
    corners = np.array([box_corners(middle, size, angle) for _, middle, angle in rivals])
    offsets, strength, rim = edge_offsets(part.grey, corners, 2.0)
    power = np.abs(strength)
    shows = look_up(part.free, rim)
    good = (np.abs(offsets) < _EDGE_PX) * power / (power + part.level)
    _, middle, angle = rivals[int((shows * (good - 0.5)).sum(axis=(1, 2)).argmax())]
    return part.whole(Box(middle, angle, size, 0.0, 0.0))


def _left_over(paper: Mask, cover: Mask, size: tuple[float, float]) -> Mask:
    """The pieces (h, w) of open paper that touch the cover and are smaller than a card."""
    _, pieces, stats, _ = cv2.connectedComponentsWithStats(paper.astype(np.uint8), connectivity=4)
    wide = np.ones((2 * _TOUCH_PX + 1, 2 * _TOUCH_PX + 1), np.uint8)
    near = np.bincount(pieces[cv2.dilate(cover.astype(np.uint8), wide) > 0], minlength=len(stats)) > 0
    areas = stats[:, cv2.CC_STAT_AREA]
    remnant = near & (areas >= _SPECK_PX) & (areas <= _MOST_SHARE * size[0] * size[1])
    remnant[0] = False
    return np.asarray(remnant[pieces])


def _places(worth: Float32, size: tuple[float, float]) -> list[tuple[float, tuple[float, float], float]]:
    """The best place of a rectangle at every turn, by the sum of `worth` inside: (sum, middle, angle)."""
    rows, columns = worth.shape
    side = int(np.ceil(np.hypot(rows, columns))) + 2
    middle = np.array([columns - 1, rows - 1]) / 2
    found = []
    width, height = round(size[0]), round(size[1])
    for angle in np.arange(0, np.pi, _TURN_STEP):
        c, s = float(np.cos(angle)), float(np.sin(angle))
        start = middle - np.array([c - s, s + c]) * (side / 2)
        turn = np.array([[c, -s, start[0]], [s, c, start[1]]])
        turned = cv2.warpAffine(worth, turn, (side, side), flags=_BACKWARD)
        sums = cv2.boxFilter(turned, -1, (width, height), normalize=False, borderType=cv2.BORDER_CONSTANT)
        _, best, _, (x, y) = cv2.minMaxLoc(sums)
        # Often many places do equally well: their middle is the best guess.
        near = np.argwhere(sums > _AS_GOOD * best)
        y, x = near.mean(axis=0) if len(near) else (y, x)
        place = start + np.array([c * x - s * y, s * x + c * y])
        found.append((float(best), (float(place[0]), float(place[1])), float(angle)))
    return found
