"""One picture at many scales, and where in it a search for dice of a given size is worthwhile.

A die shows spots (its pips), and usually stands out from the ground as a body of another colour. Both are
found in a shrunk copy, `COARSE` of the fine scale: most of a picture is calm table and is never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.face_parameters import FACE_SEARCH
from vision.dice.pips import EDGE_PX, FAINT, Lab, from_eight, ring_of
from vision.sightings import Picture

COARSE = 0.5
"""Scale, as a share of the fine picture's, at which calm places are told from busy ones."""
_COVERED = 0.62
"""Share of a picture near spots above which its ground is cloth."""
_REACH = round(EDGE_PX * COARSE * 1.1) | 1
"""Width of the square round a spot, in the coarse copy, in which the other pips of its die may lie."""
_FULL = 0.6
"""Share of a rectangle to be searched above which cutting it up gains nothing."""
_SPARED = 16 * _REACH**2
"""Pixels of the coarse copy below which leaving them out costs more than it saves."""
_FAINTER = 0.3
"""Share of a faint pip's contrast above which a place in the coarse copy is a spot."""
_GROUND_PX = 7.0
"""Edge of a die in the copy whose median is the ground: small, because a wide median is slow."""
_GROUND_WIDTH = 31
_LIKE = 1.34
"""Ratio of the sizes of two dice up to which both may share their ground."""
_STANDS_OUT = 9.0
"""CIELAB distance from the ground above which something lies there: no die's body is nearer in colour."""

Rect = tuple[int, int, int, int]
ByteMask = NDArray[np.uint8]
Known = Sequence[tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class SearchTile:
    """A rectangle `rect` (x0, y0, x1, y1) of the picture to be searched, in pixels.

    Neighbouring tiles overlap by as much as a die needs; a face with its middle in `own` belongs to this one.
    """

    rect: Rect
    own: tuple[float, float, float, float]

    def owns(self, x: float, y: float) -> bool:
        """Whether a face with its middle at (x, y) of the picture belongs to this tile."""
        x0, y0, x1, y1 = self.own
        return x0 <= x <= x1 and y0 <= y <= y1


class Views:
    """One picture at the scales that the search needs; each scale is made once and kept.

    `where` (any size, over the whole picture) is not 0 where dice are sought; None: everywhere.
    """

    def __init__(self, picture: Picture, where: ByteMask | None = None) -> None:
        self.shape = picture.shape[:2]
        self._where = where
        self._halves = [np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)]
        self._spotted: dict[float, tuple[ByteMask, float]] = {}
        self._near: dict[float, ByteMask] = {}
        self._ground: tuple[float, Picture] | None = None

    def cut(self, rect: Rect, scale: float) -> Lab:
        """A rectangle (x0, y0, x1, y1) of the picture in CIELAB, `scale` times as large."""
        x0, y0, x1, y1 = rect
        size = (max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale)))
        eight, k = self._half(scale)
        part = eight[y0 // k : -(-y1 // k), x0 // k : -(-x1 // k)]
        # Less than a factor of two is left to shrink: bilinear loses nothing, at a fifth of a mean's cost.
        way = cv2.INTER_LINEAR if scale * k < 1 else cv2.INTER_CUBIC
        return from_eight(np.asarray(cv2.resize(part, size, interpolation=way), np.uint8))

    def colours(self, points: NDArray[np.floating[Any]], scale: float) -> Lab:
        """CIELAB colours (..., 3) at points (..., 2) of the picture, as sharp as `scale` requires."""
        eight, k = self._half(scale)
        at = ((points.reshape(len(points), -1, 2) + 0.5) / k - 0.5).astype(np.float32)
        xs, ys = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
        seen = cv2.remap(eight, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return from_eight(np.asarray(seen, np.uint8)).reshape(*points.shape[:-1], 3)

    def spotted(self, edge: float) -> tuple[ByteMask, float]:
        """Mask of a shrunk copy of the picture, 1 where it has spots like pips, else 0; and its scale."""
        if edge not in self._spotted:
            k = COARSE * EDGE_PX / edge
            small = self._whole(k)
            sigma = FACE_SEARCH.pip_sigma * EDGE_PX * COARSE
            wide = ring_of(small, sigma)
            light, a, b = cv2.split(cv2.absdiff(cv2.GaussianBlur(small, (0, 0), sigma), wide))
            spot = cv2.max(cv2.max(light, a), b) > _FAINTER * FAINT
            self._spotted[edge] = spot.astype(np.uint8), k
        return self._spotted[edge]

    def near(self, edge: float) -> ByteMask:
        """Mask of the copy used by `spotted`: 1 within a die's reach of a spot, else 0."""
        if edge not in self._near:
            self._near[edge] = grown(self.spotted(edge)[0])
        return self._near[edge]

    def worth(self, edge: float, known: Known) -> ByteMask:
        """Mask of that copy: 1 near a spot where dice are sought, else 0.

        Where the search is limited to a part of the picture, `known` dice are left out. In a search of the
        whole picture, as of a photograph, they stay in, because dice may lie in heaps.
        """
        if self._where is None:
            return self.near(edge)
        spot, k = self.spotted(edge)
        spot = self.asked(spot.copy())
        without(spot, known, k)
        return grown(spot)

    def asked(self, mask: ByteMask) -> ByteMask:
        """Limit a mask over the whole picture to where dice are sought: 1 there, else 0."""
        if self._where is None:
            return mask
        size = (mask.shape[1], mask.shape[0])
        where = cv2.resize(self._where, size, interpolation=cv2.INTER_NEAREST) > 0
        return np.asarray(mask & where, np.uint8)

    def standing(self, edge: float, *, crisp: bool = False) -> ByteMask:
        """Mask of the copy used by `spotted`: 1 where its colour differs from the ground round a die, else 0.

        The ground is the median over about four edges; dice that fill most of that count as ground. With
        `crisp`, a colour at most half as far from the ground as its surroundings is shadow, not body.
        """
        if self._ground is None or not 1 / _LIKE < self._ground[0] / edge < _LIKE:
            self._ground = edge, np.asarray(cv2.medianBlur(self._whole(_GROUND_PX / edge), _GROUND_WIDTH))
        ground = self._ground[1]
        small = self._whole(COARSE * EDGE_PX / edge)
        wide = cv2.resize(ground, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_LINEAR)
        off = from_eight(small) - from_eight(np.asarray(wide, np.uint8))
        far = np.einsum("ijk,ijk->ij", off, off)
        if not crisp:
            return np.asarray(far > _STANDS_OUT**2, np.uint8)
        beside = cv2.dilate(cv2.blur(far, (3, 3)), np.ones((_REACH // 2, _REACH // 2), np.uint8))
        return np.asarray(far > np.maximum(_STANDS_OUT**2, beside / 4), np.uint8)

    def step(self, scale: float) -> int:
        """Pixels of the picture per pixel of the halved copy from which `scale` is made: a power of two."""
        step = 1
        while scale * step * 2 <= 1:
            step *= 2
        return step

    def _whole(self, scale: float) -> Picture:
        """The whole picture in 8-bit CIELAB, shrunk to `scale`."""
        h, w = self.shape
        size = (max(1, round(w * scale)), max(1, round(h * scale)))
        return np.asarray(cv2.resize(self._half(scale)[0], size, interpolation=cv2.INTER_LINEAR), np.uint8)

    def _half(self, scale: float) -> tuple[Picture, int]:
        """The smallest halved copy with at least as many pixels as `scale` requires, and its step."""
        step = self.step(scale)
        while len(self._halves) < step.bit_length():
            last = self._halves[-1]
            size = ((last.shape[1] + 1) // 2, (last.shape[0] + 1) // 2)
            self._halves.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._halves[step.bit_length() - 1], step


def grown(spot: ByteMask) -> ByteMask:
    """Grow a mask of the coarse copy by a die's reach: 1 within reach of a spot, else 0."""
    return np.asarray(cv2.dilate(spot, np.ones((_REACH, _REACH), np.uint8)), np.uint8)


def without(mask: ByteMask, known: Known, k: float) -> None:
    """Clear a mask of a copy shrunk to `k`, in place, at known dice (x, y, edge, in the picture's pixels)."""
    for x, y, size in known:
        cv2.circle(mask, (round(x * k), round(y * k)), round(0.7 * size * k), (0,), -1)


def is_cloth(views: Views, edge: float) -> bool:
    """Whether spots of a pip's size lie nearly everywhere: carpet, weave, gravel."""
    return bool(views.near(edge).mean() > _COVERED)


def tiles(views: Views, edge: float, area: ByteMask) -> list[SearchTile]:
    """Cover `area`, a mask of the copy used by `Views.spotted`, with few tiles that are not too empty.

    One rectangle round a long edge, of a box or a table, might be the whole picture: it is cut into pieces.
    """
    found, k = [], COARSE * EDGE_PX / edge
    whole = (-np.inf, -np.inf, np.inf, np.inf)
    for rect, (x0, y0, x1, y1) in _pieces(area, (0, 0), whole):
        own = ((x0 - 2) / k, (y0 - 2) / k, (x1 + 2) / k, (y1 + 2) / k)
        found.append(SearchTile(_to_picture(views, rect, k, edge), own))
    return found


def _pieces(
    area: ByteMask, at: tuple[int, int], own: tuple[float, float, float, float]
) -> Iterator[tuple[Rect, tuple[float, float, float, float]]]:
    """Yield rectangles that cover all 1s in `area`, whose origin is `at` (x, y), and the part each owns."""
    across, down = np.flatnonzero(area.any(axis=0)), np.flatnonzero(area.any(axis=1))
    if not len(across):
        return
    x0, x1, y0, y1 = int(across[0]), int(across[-1]) + 1, int(down[0]), int(down[-1]) + 1
    area, at = area[y0:y1, x0:x1], (at[0] + x0, at[1] + y0)
    long_ = 0 if x1 - x0 >= y1 - y0 else 1
    length = area.shape[1 - long_]
    empty = area.size - int(area.sum())
    if empty < max((1 - _FULL) * area.size, _SPARED) or length < 4 * _REACH:
        yield (at[0], at[1], at[0] + area.shape[1], at[1] + area.shape[0]), own
        return
    # Cut through as few 1s as possible. The two pieces overlap, so one shows whole what the cut divides.
    middle = slice(length // 4, length - length // 4)
    cut = length // 4 + int(area.sum(axis=long_)[middle].argmin())
    near, far = list(own), list(own)
    near[long_ + 2], far[long_] = at[long_] + cut, at[long_] + cut
    lap = 2 * _REACH // 3 if area.take(cut, axis=1 - long_).any() else 0
    first, second = slice(0, cut + lap), slice(max(0, cut - lap), length)
    begin = (at[0] + second.start, at[1]) if long_ == 0 else (at[0], at[1] + second.start)
    yield from _pieces(
        area[:, first] if long_ == 0 else area[first], at, (near[0], near[1], near[2], near[3])
    )
    yield from _pieces(
        area[:, second] if long_ == 0 else area[second], begin, (far[0], far[1], far[2], far[3])
    )


def _to_picture(views: Views, rect: Rect, k: float, edge: float) -> Rect:
    """Convert a rectangle of a copy shrunk to `k` to the picture's pixels, aligned to the halved copy."""
    (h, w), step = views.shape, views.step(EDGE_PX / edge)
    x0, y0, x1, y1 = rect
    return (
        max(0, int(x0 / k) - 2) // step * step,
        max(0, int(y0 / k) - 2) // step * step,
        min(w, int(x1 / k) + 2),
        min(h, int(y1 / k) + 2),
    )
