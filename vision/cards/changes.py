"""One card a frame where it differs from the ground: found as a piece, then fitted in the size all share.

All lengths are in pixels of frames in which a card is some sixty pixels wide (see `views`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64, Mask
from vision.cards.one_place import ELSEWHERE, MARK, strays, usual_size
from vision.cards.outline import order_corners, settle_quad, sides_of
from vision.cards.rectangle import Box, EdgeImage, fit_boxes, scan_boxes
from vision.cards.series import Series

_Fitting = tuple[list["Fit | None"], Float64 | None]

_CLOSE_PX = 13
"""Diameter (px) of the disc that joins pieces of one card across unchanged print; less is no card."""
_EDGE = 8.0
"""Grey levels of change that make half an edge: faint rims found against noise."""
_REACH_PX = 4.0
"""How far a side may lie from where it is first sought (px)."""
_FINE_PX = 1.2
"""As above, once the side lies nearly right: an edge further away is another one."""
_LOUD = 60.0
"""Grey levels towards which large changes are compressed (`_evened`)."""
_FULL = 0.8
"""Least share of its rectangle that a piece must fill to be a card alone."""
_LOOKS = 2
"""How often the ground is learnt: the second time without the cards found the first time."""
_MARGIN_PX = 1
"""Width (px) of the rim round a card that is not taken for ground: its shadow and blur."""
_PIECES = 3
"""Number of the largest pieces of a frame that are examined."""
_CLEAR_FILLED, _MOST_BESIDE = 0.84, 0.12
"""`Fit.filled` above and `Fit.beside` below which a card is all that changed at its place."""
_INSIDE_PX, _OUTSIDE_PX = 1.8, 3.0
"""How far (px) within and beyond the outline its `step` is measured: off the blurred rim itself."""
_RING = 24
"""Number of places along each side at which the step is measured."""
_AGREED, _FAIRLY, _MOST_AGREED = 0.012, 0.025, 0.8
"""How far cards may differ from the shared size, and the share of them to which that applies."""
_SMALLEST = 0.1
"""Share of the cards that may be measured too small."""
_DOUBTED, _BETTER = (2.0, 2.0), 0.7
"""Factors by which less is believed in each narrower look; ratio of spreads at which a look is better."""
_STRONG, _NEARLY = 30.0, 0.35
"""Change outside that counts as `beside`: in grey levels, and as a share of that inside."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A card in a frame: corners (4, 2), and how far it may be believed.

    `filled` is the intersection over union of the rectangle and the hull of all that changed at the card.
    `free` are the corners found when no side is held to the size of the others. `step` is how
    many times more changed right inside the outline than right outside, as far as the ground inside is
    `known` (share of the outline). `beside` is the share of the outline with a change right outside nearly
    as strong as inside.
    """

    corners: Float64
    free: Float64
    support: float
    filled: float
    step: float
    known: float
    beside: float

    @property
    def clear(self) -> bool:
        """Whether this card is all that changed at its place."""
        return self.filled > _CLEAR_FILLED and self.beside < _MOST_BESIDE


@dataclass(frozen=True, slots=True)
class Fitted:
    """The fits to the views of one ground, one a view, and the size (short, long side) of all cards.

    `on_table`: the size is in millimetres of a registered table; else in pixels of unmeasured views.
    """

    fits: Sequence[Fit | None]
    size: Float64 | None
    on_table: bool


def fit_series(
    series: Series,
    size: Float64 | None = None,
    widths: tuple[float, float] = (0.0, np.inf),
    cards: Sequence[Float64 | None] | None = None,
) -> tuple[list[Fit | None], Float64 | None]:
    """The card of every frame of a series, and the size (short, long) that they share.

    A known `size` holds; otherwise a card's width lies within `widths`. A frame in which nothing of that size
    changed has None. `cards` are the outlines (4, 2) found in an earlier look, if there was one. Cards of one
    size are found in almost exactly one size. Where they are not, more changed than the cards: the rings that
    a camera's JPEG leaves round them have an outline, too, and so has ground that cards cover by turns. Then
    a narrower look is taken, and less is believed to have changed.
    """
    best = first = _fit_all(series, size, widths, cards)
    if size is None and _spread(*best) > _FAIRLY:
        best = _better(best, _fit_narrower(series, best[0], widths))
    for times in _DOUBTED:
        # A narrower look may have lost some cards; then the next one, which believes less, is tried as well.
        if _spread(*best) < _AGREED and (best is first or _agreeing(*best) == len(series)):
            break
        series.doubt(times)
        before, best = best, _better(best, _fit_all(series, size, widths, cards))
        if best is before and _spread(*best) < _FAIRLY:
            break
    return best


def _fit_narrower(
    series: Series, fits: Sequence[Fit | None], widths: tuple[float, float]
) -> tuple[list[Fit | None], Float64 | None]:
    """Fit the cards anew, starting from the smallest size among the `fits`.

    Ground that an outline covers by mistake is filled in from beside it, and then seems to have changed: an
    outline that is too large confirms itself.
    """
    sizes = [sides_of(fit.free) for fit in fits if fit is not None]
    if not sizes:
        return [None] * len(fits), None
    narrow = np.quantile(np.array(sizes), _SMALLEST, axis=0, method="lower")
    first, _ = _fit_all(series, np.asarray(narrow, np.float64), widths, None)
    return _fit_all(series, None, widths, [None if fit is None else fit.corners for fit in first])


def _better(one: _Fitting, other: _Fitting) -> _Fitting:
    """The one of two looks at a series whose cards are more of one size."""
    if _spread(*other) < _AGREED and _agreeing(*other) > _agreeing(*one):
        return other
    return other if _spread(*other) < _BETTER * _spread(*one) else one


def _agreeing(fits: Sequence[Fit | None], size: Float64 | None) -> int:
    """Number of cards that have the shared size, each measured by itself."""
    if size is None:
        return 0
    far = [np.abs(sides_of(fit.free) / size - 1).max() for fit in fits if fit is not None]
    return int(np.count_nonzero(np.array(far) < _FAIRLY))


def _spread(fits: Sequence[Fit | None], size: Float64 | None) -> float:
    """How far most cards are from the shared size, each measured by itself."""
    if size is None:
        return np.inf
    far = [np.inf if fit is None else float(np.abs(sides_of(fit.free) / size - 1).max()) for fit in fits]
    return float(np.quantile(far, _MOST_AGREED, method="lower"))


def _fit_all(
    series: Series,
    size: Float64 | None,
    widths: tuple[float, float],
    cards: Sequence[Float64 | None] | None,
) -> tuple[list[Fit | None], Float64 | None]:
    numbers = range(len(series))
    hulls = [_pieces(series.changed(number)) for number in numbers]
    sizes = [_sides(pieces[0]) for pieces in hulls if pieces]
    if cards is not None and any(quad is not None for quad in cards):
        sizes = [sides_of(quad) for quad in cards if quad is not None]
    else:
        cards = None
    first = usual_size(sizes, widths) if size is None else size
    if first is None:
        return [None] * len(series), None
    cards = [_of_size(pieces, first) for pieces in hulls] if cards is None else cards
    fits: list[Fit | None] = []
    for _ in range(_LOOKS):
        series.learn_ground(_at_mark(cards, float(first[0])), _MARGIN_PX)
        changed = [series.changed(number) for number in numbers]
        hulls = [_pieces(mask) for mask in changed]
        free = [_free(series, number, hulls[number], first) for number in numbers]
        shared = usual_size([sides_of(quad) for quad in free if quad is not None], widths)
        first = size if size is not None else shared if shared is not None else first
        fits = [_stiff(series, number, free[number], first) for number in numbers]
        cards = [fit.corners if fit is not None and fit.clear else None for fit in fits]
    return fits, first


def _at_mark(cards: Sequence[Float64 | None], width: float) -> list[Float64 | None]:
    """The cards (4, 2) without those that lie off the mark at which all others lie.

    Such a thing is no card: the mark in its picture shows a card, not ground that no other picture shows.
    """
    middles = [None if corners is None else corners.mean(axis=0) for corners in cards]
    off_mark = strays(middles, MARK * width, ELSEWHERE * width)
    return [None if stray else corners for corners, stray in zip(cards, off_mark, strict=True)]


def _pieces(mask: Mask) -> list[NDArray[np.int32]]:
    """Hulls (n, 1, 2) of the largest pieces that changed, largest first."""
    clean = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    ball = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_CLOSE_PX, _CLOSE_PX))
    contours, _ = cv2.findContours(
        cv2.morphologyEx(clean, cv2.MORPH_CLOSE, ball), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    hulls = [np.asarray(cv2.convexHull(contour), np.int32) for contour in contours]
    hulls = [hull for hull in hulls if cv2.contourArea(hull) > _CLOSE_PX**2]
    return sorted(hulls, key=cv2.contourArea, reverse=True)[:_PIECES]


def _sides(hull: NDArray[np.int32]) -> Float64:
    """Short and long side of the rectangle round a hull; zeros if the hull does not fill it."""
    _, (width, height), _ = cv2.minAreaRect(hull)
    if cv2.contourArea(hull) < _FULL * width * height:
        return np.zeros(2)
    return np.array(sorted((width, height)))


def _of_size(hulls: list[NDArray[np.int32]], size: Float64) -> Float64 | None:
    """The rectangle round the piece nearest to a size; None if none is near."""
    best, off = None, 0.2
    for hull in hulls:
        far = float(np.abs(_sides(hull) / size - 1).max())
        if far < off:
            best, off = order_corners(cv2.boxPoints(cv2.minAreaRect(hull))), far
    return best


def _free(series: Series, number: int, hulls: list[NDArray[np.int32]], size: Float64) -> Float64 | None:
    """The piece of about that size, with each side moved by itself onto the edge of what changed."""
    rough = _of_size(hulls, size)
    if rough is None:
        return None
    about = settle_quad(_evened(series.roughly_apart(number)), rough, _REACH_PX)
    return order_corners(settle_quad(series.apart(number), about, _FINE_PX))


def _evened(far: NDArray[np.float32]) -> NDArray[np.float32]:
    """Changes with the large ones compressed: print on a pale rim is stronger than the rim on pale ground."""
    return np.asarray(_LOUD * far / (far + _LOUD / 3), np.float32)


def _stiff(series: Series, number: int, free: Float64 | None, size: Float64) -> Fit | None:
    """The rectangle of the shared size that lies best on what changed."""
    far = series.apart(number)
    even = EdgeImage(_evened(far), _EDGE / 2)
    form = (float(size[0]), float(size[1]))
    places: list[tuple[tuple[float, float], float]] = []
    if free is not None:
        along = free[1] - free[0]
        at = free.mean(axis=0)
        places.append(((float(at[0]), float(at[1])), float(np.arctan2(along[1], along[0]))))
    else:
        places += [(at, angle) for at, angle, _ in scan_boxes(even, form)]
    rough = fit_boxes(even, places, form, _REACH_PX)
    boxes = fit_boxes(EdgeImage(far, _EDGE), [(box.middle, box.angle) for box in rough], form, _FINE_PX)
    best: Box | None = max(boxes, key=lambda box: box.support, default=None)
    if best is None:
        return None
    corners = order_corners(best.corners)
    own = free if free is not None else order_corners(settle_quad(far, corners, _REACH_PX / 2))
    filled = _filled(corners, series.changed(number))
    return Fit(corners, own, best.support, filled, *_rims(far, series.known, corners))


def _rims(far: NDArray[np.float32], known: Mask, corners: Float64) -> tuple[float, float, float]:
    """`step`, `known` and `beside` of an outline; see `Fit`."""
    middle = corners.mean(axis=0)
    short, _ = sides_of(corners)
    rings = []
    for off in (-_INSIDE_PX, _OUTSIDE_PX):
        ring = middle + (corners - middle) * (1 + 2 * off / short)
        shares = np.linspace(0.1, 0.9, _RING)[:, None]
        sides = zip(ring, np.roll(ring, -1, axis=0), strict=True)
        places = np.concatenate([a + (b - a) * shares for a, b in sides])
        rings.append((_at(far, places), _at(known.astype(np.float32), places) > 0.5))
    (inside, free), (outside, _) = rings
    if not free.any():
        return 1.0, 0.0, 0.0
    within = float(inside[free].mean())
    beside = float((outside > max(_STRONG, _NEARLY * within)).mean())
    return within / max(float(outside.mean()), 1.0), float(free.mean()), beside


def _at(values: NDArray[np.float32], places: Float64) -> Float64:
    x, y = places.astype(np.float32).T
    return np.asarray(cv2.remap(values, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).ravel())


def _filled(corners: Float64, changed: Mask) -> float:
    """Intersection over union of a rectangle and the hull of the change in and right round it."""
    middle = corners.mean(axis=0)
    wide = middle + (corners - middle) * 1.15
    near = np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(near, np.round(wide).astype(np.int32), 1)
    clean = cv2.morphologyEx(
        (changed & (near > 0)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)
    )
    points = cv2.findNonZero(clean)
    if points is None or len(points) < 3:
        return 0.0
    hull = cv2.convexHull(points).astype(np.float32)
    card = corners.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(hull, card)
    whole = cv2.contourArea(hull) + cv2.contourArea(card) - shared
    return float(shared / max(whole, 1e-6))
