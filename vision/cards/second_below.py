"""Two cards of one size of which the lower sticks out: their common outline was found.

Such an outline is bare at two opposite corners, where neither card lies. The size of the bare corners gives
the size of the cards. The card on top shows its edges right across the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64, Mask
from vision.cards.outline import order_corners, settle_quad, sides_of
from vision.cards.rectangle import EdgeImage, fit_box
from vision.cards.series import LEAST, Series
from vision.geometry import flatten_px
from vision.sightings import Picture

_SEEN_PX = 60
"""Short side, in pixels, at which outlines are examined: as large as cards are in their frames."""
_LEAST_BARE, _MOST_BARE = 0.1, 0.6
"""Least side of a bare corner over the outline's width, and most over its own: cards almost squarely on
others found against round corners and shadows taken for bare ones; cards that hardly lie on others found."""
_OFF_PX, _STRIP_PX = 2, 4
"""Width of the shadow that is left out of a bare corner, and of the strips beside it that must have
changed."""
_PARTED = 0.6
"""Least share of a corner that is bare, and of each strip that changed: a larger one misses cards on others.
Half of the outlines of two cards have .7 and more; single outlines of one card .55."""
_SHARE = 0.5
"""Share of the outlines that must be two cards for all to count as such."""
_SOBEL, _NEAR_EDGE_PX = 8, 5
"""Scale of a Sobel response, and width of the band in which an edge counts for a line: cards laid a little
askew against other edges near by."""
_HALF_EDGE = 6.0
"""Grey levels a pixel that make half an edge: faint rims against print."""
_CLEARLY, _MOST_AGREE = 0.08, 0.75
"""How much more of one card's edges is seen than of the other's, and share of the pictures that must agree
for the upper one to be known: larger values learn less, and confuse the two less often."""
_NEAR_PX, _REACH_PX = 3.0, 1.6
"""How far an edge of the upper card may lie from where the bare corners put it, and the shared size does."""
_SAME = 0.08
"""Share by which an upper card's sides may differ from those of the others: a push against another edge."""
_LEAST_SUPPORT = 0.4
"""Least share of an upper card's outline that lies on edges: faint rims learnt against print."""


@dataclass(frozen=True, slots=True)
class _Bare:
    """Two bare corners of a flattened outline, (width, height) pixels each.

    `mirrored`: they are the upper right and the lower left one, otherwise the upper left and the lower right
    one. `share` is how bare they are, or how much changed right beside them, whichever is less.
    """

    share: float
    mirrored: bool
    width: int
    height: int


def upper_cards(series: Series, outlines: Mapping[int, Float64], size: Float64) -> dict[int, Float64] | None:
    """The upper cards (4, 2) by frame number, if most `outlines` (4, 2) hold two cards; otherwise None.

    A number is left out if it cannot be known which of the two is on top, or where it lies.
    """
    form = (_SEEN_PX, max(_SEEN_PX, round(_SEEN_PX * float(size[1] / size[0]))))
    bare = {n: _bare_corners(_flat(series.changed(n), quad, form)) for n, quad in outlines.items()}
    two = {n: each for n, each in bare.items() if each.share > _PARTED}
    if len(two) < max(LEAST, _SHARE * len(outlines)):
        return None
    right = {n: _right_above(flatten_px(series.frames[n], outlines[n], form), two[n]) for n in two}
    usual = float(np.median(list(right.values())))
    agree = float(np.mean([each * usual > 0 for each in right.values()]))
    if abs(usual) < _CLEARLY or agree < _MOST_AGREE:
        return {}
    rough = {n: _in_frame(_upper(two[n], usual > 0, form), outlines[n], form) for n in two}
    return _fitted(series, rough)


def _flat(changed: Mask, outline: Float64, form: tuple[int, int]) -> Mask:
    """What changed within an outline, without specks."""
    clean = cv2.morphologyEx(changed.astype(np.uint8) * 255, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(flatten_px(np.asarray(clean, np.uint8), outline, form) > 255 * 0.5, bool)


def _bare_corners(changed: Mask) -> _Bare:
    """The two opposite corners of a flattened outline that are most surely bare."""
    best = _Bare(-1.0, False, 0, 0)
    for mirrored in (False, True):
        upright = changed[:, ::-1] if mirrored else changed
        shares = np.minimum(_bare_upper_left(upright), _bare_upper_left(upright[::-1, ::-1]))
        down, across = (int(n) for n in np.unravel_index(shares.argmax(), shares.shape))
        if shares[down, across] > best.share:
            least = _least_px(changed)
            best = _Bare(float(shares[down, across]), mirrored, least + across, least + down)
    return best


def _least_px(changed: Mask) -> int:
    """Width and height of the smallest bare corner."""
    return int(_LEAST_BARE * min(changed.shape))


def _bare_upper_left(changed: Mask) -> NDArray[np.float64]:
    """How bare the upper left corner is, for each height and width: see `_Bare.share`."""
    height, width = changed.shape
    total = cv2.integral(np.ascontiguousarray(changed, np.uint8))
    least = _least_px(changed)
    x, y = np.meshgrid(np.arange(least, int(_MOST_BARE * width)), np.arange(least, int(_MOST_BARE * height)))
    one = np.ones_like(x)

    def share(
        columns: tuple[NDArray[np.int64], ...], rows: tuple[NDArray[np.int64], ...]
    ) -> NDArray[np.float64]:
        (first, last), (upper, lower) = columns, rows
        inside = total[lower, last] - total[upper, last] - total[lower, first] + total[upper, first]
        return np.asarray(inside / ((last - first) * (lower - upper)), np.float64)

    beside, below = (x + 1, x + 1 + _STRIP_PX), (y + 1, y + 1 + _STRIP_PX)
    strips = (
        share(beside, (one, y)),
        share((one, x), below),
        share((one, one + _STRIP_PX), (y + 1, one * (height - 2))),
        share((x + 1, one * (width - 2)), (one, one + _STRIP_PX)),
    )
    bare = 1 - share((0 * one, x - _OFF_PX), (0 * one, y - _OFF_PX))
    return np.asarray(np.minimum.reduce([bare, *strips]), np.float64)


def _right_above(face: Picture, bare: _Bare) -> float:
    """How much more of the right card's edges is seen across the other one than the other way about.

    The face is mirrored if necessary, so that the upper left and the lower right corner are bare.
    """
    face = np.ascontiguousarray(face[:, ::-1]) if bare.mirrored else face
    soft = cv2.GaussianBlur(face, (0, 0), 1.0)
    strong = [np.abs(cv2.Sobel(soft, cv2.CV_32F, *along)).max(axis=2) / _SOBEL for along in ((1, 0), (0, 1))]
    upright, level = (
        cv2.dilate(each / (each + _HALF_EDGE), np.ones(shape, np.uint8))
        for each, shape in zip(strong, ((1, _NEAR_EDGE_PX), (_NEAR_EDGE_PX, 1)), strict=True)
    )
    height, width = face.shape[:2]
    x, y = bare.width, bare.height
    rows, columns = slice(y, height - y), slice(x, width - x)
    right = min(float(upright[rows, x].mean()), float(level[height - 1 - y, columns].mean()))
    left = min(float(upright[rows, width - 1 - x].mean()), float(level[y, columns].mean()))
    return right - left


def _upper(bare: _Bare, is_right: bool, form: tuple[int, int]) -> Float64:
    """The upper card's corners (4, 2) in a flattened outline."""
    width, height = form
    x0, y0, x1, y1 = 0, bare.height, width - bare.width, height
    if is_right:
        x0, y0, x1, y1 = bare.width, 0, width, height - bare.height
    if bare.mirrored:
        x0, x1 = width - x1, width - x0
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64) - 0.5


def _in_frame(corners: Float64, outline: Float64, form: tuple[int, int]) -> Float64:
    """Corners (4, 2) of a flattened outline, in pixels of its frame."""
    width, height = form
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    way = cv2.getPerspectiveTransform(whole, outline.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(corners[None], way)[0], np.float64)


def _fitted(series: Series, rough: Mapping[int, Float64]) -> dict[int, Float64]:
    """The cards fitted to the edges of their frames in the size that they share; without edges, no card."""
    grey = {n: np.asarray(cv2.cvtColor(series.frames[n], cv2.COLOR_BGR2GRAY), np.float32) for n in rough}
    free = {n: order_corners(settle_quad(grey[n], quad, _NEAR_PX)) for n, quad in rough.items()}
    size = np.median([sides_of(quad) for quad in free.values()], axis=0)
    cards = {}
    for number, quad in free.items():
        if np.abs(sides_of(quad) / size - 1).max() > _SAME:
            quad = order_corners(rough[number])
        (x, y), along = quad.mean(axis=0), quad[1] - quad[0]
        angle = float(np.arctan2(along[1], along[0]))
        box = fit_box(
            EdgeImage.of(grey[number]),
            (float(x), float(y)),
            angle,
            (float(size[0]), float(size[1])),
            _REACH_PX,
        )
        if box.support > _LEAST_SUPPORT:
            cards[number] = order_corners(box.corners)
    return cards
