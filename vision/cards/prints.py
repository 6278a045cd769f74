"""Cards found in a photograph by what is printed on them, where no outline shows.

A white card on a white cloth has no rim, and a card half under another one or beyond the edge of the picture
has no complete rim, but the print is visible all the same. Feature points of every enrolled face are searched
for in the picture (SIFT: Lowe 2004); each pair of similar points proposes where, how large and how turned the
card would lie, and places on which many pairs agree are cards to be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32, Float64
from vision.cards.outline import look_up
from vision.pictures import within_reach
from vision.sightings import Picture

_ENLARGED = 2
_NEIGHBOURS = 4
_LIKE = 0.85
"""Least product of two descriptors (of unit length) for the points to match."""
_POINTS_A_FACE = 200
_POINTS = 2500
"""Number of the strongest points that are used; a carpet alone has ten thousand."""
_MOST_PX = 1000
"""Longest side of a picture in which points are sought: the search doubles it first, and finer print is
more than a camera shows."""
_LEAST_VOTES = 5
"""Features of one face that must agree on a place: three determine it, two more confirm it."""
_TURN_RAD = 0.4
"""Difference of turn (radians) below which features may belong to one card."""
_SCALE_LOG = 0.4
"""Logarithm of the ratio of sizes below which features may belong to one card."""
_NEAR = 0.2
"""Distance of predicted middles, relative to a card's long side, below which features may be of one card."""
_STRAY = 0.04
"""Distance, relative to the features' extent, beyond which a feature does not belong to a place."""
_SLANT = 2.2
"""Largest foreshortening of a card that is read: from a flatter angle no card can be read."""
_SIZED_LOG = 0.22
"""Width, as a logarithm of size, of the bands within which features are compared with each other."""
_SIZED_REACH_PX, _SIZED_TURN_RAD = 12.0, 0.3
_SIZED_VOTES, _SIZED_STRAY_PX, _SIZED_TRIES = 4, 2.5, 8
_SIZED_STRETCH = 0.12
"""For faces of known size: how far pairs of one place may differ, how many must agree, how exactly, and how
many groups of pairs are tried."""
_MOST_A_FACE = 2
"""Most places of one face in a picture: Doppelkopf has each card twice."""
_MOST = 80
"""Most places kept of a picture, those with most votes first."""


@dataclass(frozen=True, slots=True)
class PrintFound:
    """Where a face may lie: its index, corners (4, 2) in pixels in the face's own order, agreeing pairs."""

    face: int
    corners_px: Float64
    votes: int


class Prints:
    """The points of all enrolled faces; `pictures` are (h, w, 3) BGR uint8, all of one size."""

    def __init__(self, pictures: Sequence[Picture]) -> None:
        own = cv2.SIFT.create(_POINTS_A_FACE, contrastThreshold=0.02)
        places, faces, counts = [], [], []
        self._size = (1, 1)
        for index, picture in enumerate(pictures):
            self._size = (picture.shape[1], picture.shape[0])
            large = cv2.resize(picture, None, fx=_ENLARGED, fy=_ENLARGED, interpolation=cv2.INTER_CUBIC)
            place, count = _points(own, np.asarray(large, np.uint8))
            place[:, :3] /= _ENLARGED
            places.append(place)
            counts.append(count.astype(np.uint8))  # whole numbers up to 255: a quarter of the memory
            faces.append(np.full(len(place), index))
        self._places = np.concatenate(places) if places else np.zeros((0, 4), np.float32)
        self._counts = np.concatenate(counts) if counts else np.zeros((0, 128), np.uint8)
        self._faces = np.concatenate(faces) if faces else np.zeros(0, np.intp)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all points of the faces as arrays, by name, for storage."""
        size = np.array(self._size)
        return {"size": size, "places": self._places, "counts": self._counts, "faces": self._faces}

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> Prints:
        """Restore the points from what `arrays` returned."""
        points = cls(())
        points._size = (int(arrays["size"][0]), int(arrays["size"][1]))
        points._places, points._counts, points._faces = (arrays[n] for n in ("places", "counts", "faces"))
        return points

    def find(self, picture: Picture) -> list[PrintFound]:
        """Where faces may lie in a picture (h, w, 3) BGR, most votes first; one card may appear twice."""
        small, by = within_reach(picture, _MOST_PX)
        seen, counts = _points(cv2.SIFT.create(_POINTS, contrastThreshold=0.02), small)
        seen[:, :2] = (seen[:, :2] + 0.5) * by - 0.5
        seen[:, 2] *= by
        if len(seen) < _LEAST_VOTES or len(self._places) < _NEIGHBOURS:
            return []
        ours, theirs = _alike(_marks(counts), _marks(self._counts))
        if not len(ours):
            return []
        votes = self._votes(seen[ours], self._places[theirs])
        found: list[PrintFound] = []
        for face in np.unique(self._faces[theirs]):
            mine = self._faces[theirs] == face
            found += self._placed(int(face), seen[ours[mine]], self._places[theirs[mine]], votes[mine])
        found.sort(key=lambda place: -place.votes)
        return found[:_MOST]

    def places(
        self, picture: Picture, where: NDArray[np.bool_], most: int
    ) -> list[tuple[tuple[float, float], float]]:
        """Where faces may lie in a picture (h, w, 3) BGR that shows them at their enrolled size.

        Only points within `where` (h, w) are compared. Returns up to `most` places, most pairs first: the
        middle in pixels, and the turn in radians, clockwise as shown, up to half a turn.
        """
        # Descriptors are computed only there, and where rounding to pixels may add to it.
        about = np.asarray(cv2.dilate(where.astype(np.uint8), np.ones((3, 3), np.uint8)), np.uint8)
        seen, counts = _points(cv2.SIFT.create(_POINTS, contrastThreshold=0.02), picture, about)
        within = look_up(where, seen[:, :2].astype(np.float64)) > 0
        seen, marks = seen[within], _marks(counts[within])
        if len(seen) < _SIZED_VOTES or not len(self._places):
            return []
        ours, theirs = self._as_large(seen, marks)
        seen, own = seen[ours], self._places[theirs]
        votes = self._votes(seen, own)
        agree = _agreeing(votes)
        counts = agree.sum(axis=1)
        found: list[tuple[tuple[float, float], float]] = []
        for _ in range(_SIZED_TRIES):
            best = int(counts.argmax()) if len(counts) else 0
            if len(found) == most or not len(counts) or counts[best] < _SIZED_VOTES:
                break
            group = agree[best] & (counts > 0)
            flipped = np.cos(votes[group, 3] - votes[best, 3]) < 0
            place = self._stiff(seen[group, :2], own[group, :2], flipped)
            if place is not None:
                found.append(place)
            counts = np.where(group, 0, counts)
        return found

    def _as_large(self, seen: Float32, marks: Float32) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """As `_alike`, but only points of similar size are compared, since the faces' size is known."""
        sizes, own = np.log(seen[:, 2]), np.log(self._places[:, 2])
        bands = np.floor((sizes - sizes.min()) / _SIZED_LOG).astype(int)
        pairs = []
        for band in np.unique(bands):
            mine = np.flatnonzero(bands == band)
            low, high = sizes[mine].min() - _SIZED_LOG, sizes[mine].max() + _SIZED_LOG
            theirs = np.flatnonzero((own > low) & (own < high))
            first, second = _alike(marks[mine], _marks(self._counts[theirs]))
            pairs.append((mine[first], theirs[second]))
        return np.concatenate([p[0] for p in pairs]), np.concatenate([p[1] for p in pairs])

    def _stiff(
        self, seen: Float32, own: Float32, flipped: NDArray[np.bool_]
    ) -> tuple[tuple[float, float], float] | None:
        """The place (middle, turn) of a face of known size; `flipped` pairs show it the other way up."""
        if len(own) < _SIZED_VOTES:
            return None
        middle = (np.array(self._size, np.float32) - 1) / 2
        own = np.where(flipped[:, None], middle - own, own - middle)
        found = cv2.estimateAffinePartial2D(own, seen, ransacReprojThreshold=_SIZED_STRAY_PX, maxIters=200)
        warp, kept = found
        if kept is None or not kept.any():
            return None  # no map fits at all
        good = kept.ravel().astype(bool)
        stretch = float(np.hypot(warp[0, 0], warp[1, 0]))
        if len(np.unique(seen[good].round(), axis=0)) < _SIZED_VOTES or abs(stretch - 1) > _SIZED_STRETCH:
            return None
        return (float(warp[0, 2]), float(warp[1, 2])), float(np.arctan2(warp[1, 0], warp[0, 0]))

    def _votes(self, seen: Float32, face: Float32) -> Float64:
        """Position of the card's middle, log of its scale, and its turn, by each pair: (n, 4)."""
        scale = seen[:, 2] / face[:, 2]
        turn = seen[:, 3] - face[:, 3]
        arm = (np.array(self._size, np.float32) - 1) / 2 - face[:, :2]
        c, s = np.cos(turn) * scale, np.sin(turn) * scale
        x = seen[:, 0] + c * arm[:, 0] - s * arm[:, 1]
        y = seen[:, 1] + s * arm[:, 0] + c * arm[:, 1]
        return np.column_stack([x, y, np.log(scale), turn]).astype(np.float64)

    def _placed(self, face: int, seen: Float32, own: Float32, votes: Float64) -> list[PrintFound]:
        """The places of one face on which most of its pairs agree."""
        found: list[PrintFound] = []
        x, y, scale, turn = votes.T.astype(np.float32)
        reach = _NEAR * self._size[1] * np.exp(scale)[:, None]
        agree = np.abs(scale[:, None] - scale) < _SCALE_LOG
        agree &= np.abs(x[:, None] - x) < reach
        agree &= np.abs(y[:, None] - y) < reach
        agree &= _turn_apart(turn) > np.cos(_TURN_RAD)
        left = np.ones(len(votes), np.bool_)
        for _ in range(_MOST_A_FACE):
            counts = np.where(left, np.count_nonzero(agree & left, axis=1), 0)
            if counts.max(initial=0) < _LEAST_VOTES:
                break
            group = agree[int(counts.argmax())] & left
            place = self._fitted(face, seen[group, :2], own[group, :2])
            if place is not None:
                found.append(place)
            left &= ~group
        return found

    def _fitted(self, face: int, seen: Float32, own: Float32) -> PrintFound | None:
        if len(np.unique(own.round(), axis=0)) < _LEAST_VOTES:
            return None
        spread = float(np.ptp(seen, axis=0).max())
        stray = max(2.0, _STRAY * spread)
        warp, kept = cv2.estimateAffine2D(own, seen, ransacReprojThreshold=stray, maxIters=400)
        if kept is None or not kept.any():
            return None  # no map fits at all
        good = kept.ravel().astype(bool)
        count = len(np.unique(own[good].round(), axis=0))
        stretch = np.linalg.svd(warp[:, :2], compute_uv=False)
        if count < _LEAST_VOTES or np.linalg.det(warp[:, :2]) <= 0 or stretch[0] > _SLANT * stretch[1]:
            return None
        width, height = self._size
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) - 0.5
        return PrintFound(face, corners @ warp[:, :2].T + warp[:, 2], count)


def _points(
    sift: cv2.SIFT, picture: Picture, where: NDArray[np.uint8] | None = None
) -> tuple[Float32, Float32]:
    """Places (n, 4): x, y, size, turn in radians; and their descriptors (n, 128).

    Of the strongest points of the whole picture, those are kept where `where` (h, w) is not 0.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    points, counts = sift.detectAndCompute(grey, where)
    if counts is None or not len(points):
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32)
    places = np.array([[*p.pt, p.size, np.deg2rad(p.angle)] for p in points], np.float32)
    return places, np.asarray(counts, np.float32)


def _marks(counts: NDArray[Any]) -> Float32:
    """The descriptors (n, 128) of points as square roots of normalised histograms, of unit length.

    This keeps a few strong edges from outweighing the rest (Arandjelovic 2012).
    """
    shares = counts.astype(np.float32)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-6)
    return np.asarray(np.sqrt(shares, out=shares), np.float32)


def _agreeing(votes: Float64) -> NDArray[np.bool_]:
    """Which votes (n, 4) for faces of known size agree with each other on a place: (n, n)."""
    x, y, _, turn = votes.T.astype(np.float32)
    agree = np.abs(x[:, None] - x) < _SIZED_REACH_PX
    agree &= np.abs(y[:, None] - y) < _SIZED_REACH_PX
    agree &= _turn_apart(2 * turn) > np.cos(2 * _SIZED_TURN_RAD)
    return np.asarray(agree)


def _turn_apart(turn: Float32) -> Float32:
    """The cosines (n, n) between turns (n,), as a matrix product: one cosine a vote, not one a pair."""
    way = np.stack([np.cos(turn), np.sin(turn)])
    return np.asarray(way.T @ way, np.float32)


def _alike(seen: Float32, own: Float32) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs of matching points: indices into seen and own, for every seen point its few best."""
    products = seen @ own.T
    rows, columns = np.nonzero(products > _LIKE)
    order = np.lexsort((-products[rows, columns], rows))
    rows, columns = rows[order], columns[order]
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    best = rank < _NEIGHBOURS
    return rows[best], columns[best]
