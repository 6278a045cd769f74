"""Motion over a dice box: compares small copies of two pictures, ignoring light and camera tremble."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.box.motion_parameters import BOX_MOTION
from vision.frame import Frame
from vision.imgproc.registration import shift
from vision.imgproc.small_change import largest, lit_as
from vision.sightings import Picture

WIDTH = 200
"""Width of the small copies, in pixels."""
_ROUNDS = 3
"""Number of rounds in which outlier pixels are left out."""
_NEXT = np.ones((3, 3), np.uint8)
GREEN = 1
"""The channel of a picture with the least noise, used where colour does not matter."""

SmallCopy = NDArray[np.uint8]


def small_copy(frame: Frame) -> SmallCopy:
    """Shrink the frame, in colour, to `WIDTH` pixels, blurred to tolerate a slight shift in comparisons."""
    shrunk = frame.tiny
    h, w = shrunk.shape[:2]
    small = cv2.resize(shrunk, (WIDTH, max(1, round(h * WIDTH / w))), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.blur(small, (3, 3)), np.uint8)


def changed(one: SmallCopy, two: SmallCopy, jump: int | None = None) -> Mask:
    """Mask of pixels that changed in any channel, apart from a change common to all (lamps, exposure, white).

    They changed by more than `jump` steps of 255, by default `BOX_MOTION.jump`. More light adds the same
    share to every channel, so bright pixels gain more steps than dark ones. A camera that trembles moves
    every edge slightly, and all in one direction.
    """
    jump = BOX_MOTION.jump if jump is None else jump
    if cv2.norm(one, two, cv2.NORM_INF) <= jump // 2:  # in most frames neither box nor light changes
        return np.zeros(one.shape[:2], bool)
    expected = lit_as(one, two)
    news = largest(cv2.absdiff(two, expected)) > jump
    if stirs(news) and _trembled(expected, two):
        # A pixel at an edge that moved by part of a pixel lies between its neighbours' old values.
        low, high = cv2.erode(expected, _NEXT), cv2.dilate(expected, _NEXT)
        news &= largest(cv2.max(cv2.subtract(two, high), cv2.subtract(low, two))) > jump
    return np.asarray(news)


def stirs(news: Mask) -> bool:
    """Whether the mask that `changed` returns is more than a camera's noise."""
    return bool(np.count_nonzero(news) > BOX_MOTION.noise * news.size)


def grown(mask: Mask) -> Mask:
    """Grow the mask by one pixel."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), _NEXT) > 0)


def from_rim(news: Mask, least: float, view: Mask | None = None) -> Mask:
    """Keep the pieces of a mask (h, w) that reach in from the rim and fill more than a share of the picture.

    `view` (h, w) is the known part of the picture, if that is not all of it; then its rim counts.
    """
    thick = cv2.morphologyEx(news.astype(np.uint8), cv2.MORPH_CLOSE, _NEXT)
    inner = np.zeros(news.shape, np.uint8)
    inner[1:-1, 1:-1] = 1 if view is None else cv2.erode(view.astype(np.uint8), _NEXT)[1:-1, 1:-1]
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick)
    at_rim = set(np.unique(labels[inner == 0]).tolist()) - {0}
    own = [k for k in range(1, count) if k in at_rim and stats[k, cv2.CC_STAT_AREA] > least * news.size]
    return np.asarray(np.isin(labels, own))


def pieces(news: Mask, least: float) -> Mask:
    """Keep the pieces of a mask (h, w) that fill more than a share of the picture."""
    thick = cv2.morphologyEx(news.astype(np.uint8), cv2.MORPH_CLOSE, _NEXT)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick)
    own = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] > least * news.size]
    return np.asarray(np.isin(labels, own))


def is_torn(news: Mask) -> bool:
    """Whether in a mask (h, w) all of the upper or lower rows differ and the others do not.

    No real thing looks like that; a decoder leaves such pictures after a fault in the stream.
    """
    return _ends_at_once(news) or _ends_at_once(news[::-1])


def is_capped(news: Mask) -> bool:
    """Whether in a mask (h, w) everything on one side of a row or column differs, and the rest does not.

    A cap or a sleeve before the lens looks like that, from any side; an arm does not.
    """
    return is_torn(news) or is_torn(news.T)


def _ends_at_once(news: Mask) -> bool:
    """Whether the first rows of a mask differ completely, and the others do not."""
    full = news.mean(axis=1) > BOX_MOTION.whole_row
    first = len(full) if full.all() else int(np.argmin(full))
    beyond = news[first + 1 :]
    return bool(
        first > BOX_MOTION.torn_rows * len(full) and beyond.size and beyond.mean() < BOX_MOTION.torn_else
    )


def carried(small: SmallCopy, warp: NDArray[np.float64]) -> tuple[SmallCopy, Mask]:
    """Warp the copy to the view of a moved camera, by `warp` (3, 3) in its pixels; mask of what is known."""
    size = (small.shape[1], small.shape[0])
    view = cv2.warpPerspective(small, warp, size)
    known = cv2.warpPerspective(np.full(small.shape[:2], 255, np.uint8), warp, size)
    return np.asarray(view, np.uint8), np.asarray(cv2.erode(known, _NEXT) == 255)


def crept_px(one: Picture, two: Picture) -> NDArray[np.float64]:
    """Shift (x, y) of the content of a cut-out (h, w, 3) BGR, in pixels; usually a fraction of one."""
    before, now = (cv2.GaussianBlur(part[..., GREEN], (5, 5), 1.0).astype(np.float32) for part in (one, two))
    return shift(before, now)


def _trembled(one: SmallCopy, two: SmallCopy) -> bool:
    """Whether the whole picture has shifted by part of a pixel, apart from what moved by itself."""
    before, now = (cv2.cvtColor(copy, cv2.COLOR_BGR2GRAY).astype(np.float32) for copy in (one, two))
    # Every other row is enough.
    moved = shift(before, now, outlier=BOX_MOTION.other_grey, rounds=_ROUNDS, every_row=2)
    return BOX_MOTION.least_creep_px < float(np.abs(moved).max()) < BOX_MOTION.most_creep_px
