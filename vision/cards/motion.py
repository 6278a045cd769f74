"""How a camera moved between two pictures of one ground, from ground points found in both.

Corners are tracked from one picture to the other (Lucas & Kanade 1981), to a tenth of a pixel. If the camera
moved further than tracking reaches, points are first matched by descriptor (Lowe 2004). On a chequered cloth
one square looks like the next, so descriptors alone are not exact there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64
from vision.sightings import Picture

Grey = NDArray[np.uint8]

_MATCHED_PX = 800.0
"""Longer side, in pixels, of the grey pictures that are compared: exactness against time."""
_LEAST_MATCHES = 24
"""Least number of points that must agree on a homography: bare ground against chance."""
_CLEARER = 0.75
"""Ratio of best to second best descriptor distance below which a match is clear: a cloth's are not."""
_POINTS = 1500
"""Number of points of each picture that are matched by descriptor."""
_OFF_PX = 2.0
"""Pixels by which a point matched by descriptor may be off the homography."""
_MOST_BEND = 0.25
"""Change of perspective over the picture (share) above which the camera cannot have moved only a little."""
_CORNERS, _CORNER_APART_PX, _CORNER_QUALITY = 500, 8, 0.02
"""Number of corners to track, their least distance, and their quality relative to the clearest one's."""
_WINDOW_PX = (21, 21)
"""Window round a corner that is compared (width, height): odd sides."""
_RETURNS_PX = 0.5
"""Distance within which a corner tracked there and back must return; further off it is another corner."""
_EXACT_PX = 1.0
"""Pixels by which a tracked corner may be off the homography."""
_AGREEING, _SPREAD = 0.5, 0.25
"""Least share of the corners, and of the picture that they span, for the ground: a card has less."""

_COMPARED, _NEARER = 8, 1.1
"""Number of pictures whose ground is compared, to save time; ratio of sizes above which a camera moved."""


@dataclass(frozen=True, slots=True)
class _Looks:
    """Points `at` (n, 2) in pixels, and their descriptors `marks` (n, 128)."""

    at: Float64
    marks: NDArray[np.float32]


class GroundPoints:
    """The points of one picture (h, w, 3) BGR, to be found again in others of its form."""

    def __init__(self, picture: Picture) -> None:
        self._size = picture.shape[1::-1]
        self._scale = min(1.0, _MATCHED_PX / max(self._size))
        self._grey = self._shrunk(picture)
        found = cv2.goodFeaturesToTrack(self._grey, _CORNERS, _CORNER_QUALITY, _CORNER_APART_PX)
        self._corners = np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32)

    def place_in(self, picture: Picture) -> Float64 | None:
        """Homography (3, 3) from this picture's pixels to another's; None if too little ground is known."""
        grey = self._shrunk(picture)
        near = self._followed(grey, np.eye(3))
        if near is not None:
            return self._in_full(near)
        start = self._known_again(grey)
        if start is None:
            return None
        exact = self._followed(grey, start)
        return self._in_full(start if exact is None else exact)

    def shift_px(self, picture: Picture) -> float:
        """Median shift of the ground's points in another picture, in pixels; 0 if it cannot be measured."""
        place = self._followed(self._shrunk(picture), np.eye(3))
        if place is None:
            return 0.0
        there = cv2.perspectiveTransform(self._corners, place)
        far = np.linalg.norm(there - self._corners, axis=2)
        return float(np.median(far) / self._scale)

    def _shrunk(self, picture: Picture) -> Grey:
        size = [max(1, round(side * self._scale)) for side in self._size]
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)

    def _in_full(self, place: Float64) -> Float64:
        """A homography between shrunk pictures as one between the full ones."""
        off = 0.5 * self._scale - 0.5
        shrink = np.array([[self._scale, 0, off], [0, self._scale, off], [0, 0, 1]])
        full = np.linalg.inv(shrink) @ place @ shrink
        return np.asarray(full / full[2, 2], np.float64)

    def _followed(self, grey: Grey, start: Float64) -> Float64 | None:
        """The homography (3, 3) on which most corners agree, tracked from about where `start` leads."""
        if len(self._corners) < _LEAST_MATCHES:
            return None
        begin = cv2.perspectiveTransform(self._corners, start)
        there, found, _ = cv2.calcOpticalFlowPyrLK(
            self._grey,
            grey,
            self._corners,
            begin.copy(),
            winSize=_WINDOW_PX,
            maxLevel=2,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        back, home, _ = cv2.calcOpticalFlowPyrLK(
            grey,
            self._grey,
            there,
            self._corners.copy(),
            winSize=_WINDOW_PX,
            maxLevel=0,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        good = (found.ravel() > 0) & (home.ravel() > 0)
        good &= np.linalg.norm(back - self._corners, axis=2).ravel() < _RETURNS_PX
        if good.sum() < _LEAST_MATCHES:
            return None
        place, kept = cv2.findHomography(self._corners[good], there[good], cv2.RANSAC, _EXACT_PX)
        agreeing = self._corners[good][kept.ravel() > 0]
        if not len(agreeing) or cv2.contourArea(cv2.convexHull(agreeing)) < _SPREAD * self._grey.size:
            return None
        least = max(_LEAST_MATCHES, _AGREEING * len(self._corners))
        return _believed(place, len(agreeing), least, self._grey.shape)

    @cached_property
    def _looks(self) -> _Looks:
        return _looks_of(self._grey)

    def _known_again(self, grey: Grey) -> Float64 | None:
        """The homography (3, 3) from points matched by descriptor."""
        own, seen = self._looks, _looks_of(grey)
        if min(len(own.at), len(seen.at)) < _LEAST_MATCHES:
            return None
        pairs = cv2.BFMatcher().knnMatch(own.marks, seen.marks, k=2)
        good = [a for a, b in pairs if a.distance < _CLEARER * b.distance]
        if len(good) < _LEAST_MATCHES:
            return None
        ours = np.array([own.at[match.queryIdx] for match in good])
        theirs = np.array([seen.at[match.trainIdx] for match in good])
        place, kept = cv2.findHomography(ours, theirs, cv2.RANSAC, _OFF_PX)
        return _believed(place, int(kept.sum()), _LEAST_MATCHES, self._grey.shape)


def is_ground_nearer(pictures: Sequence[Picture]) -> bool:
    """Whether the ground, if it is recognised, is nearer in some pictures of one form than in others."""
    first, *rest = pictures[:_COMPARED]
    ground = GroundPoints(first)
    places = [place for each in rest if (place := ground.place_in(each)) is not None]
    sizes = [1.0, *(float(np.sqrt(abs(np.linalg.det(place[:2, :2])))) for place in places)]
    return max(sizes) > _NEARER * min(sizes)


def _looks_of(grey: Grey) -> _Looks:
    found, marks = cv2.SIFT.create(_POINTS).detectAndCompute(grey, None)
    at = np.array([point.pt for point in found], np.float64).reshape(-1, 2)
    return _Looks(at, np.asarray(marks if len(at) else np.zeros((0, 128)), np.float32))


def _believed(
    place: NDArray[Any] | None, agreeing: int, least: float, shape: tuple[int, ...]
) -> Float64 | None:
    """The homography (3, 3) if enough points agree on it and a camera that moved a little could cause it."""
    if place is None or agreeing < least:
        return None
    full = np.asarray(place, np.float64)
    bend = np.abs(full[2, :2]) * max(shape)
    size = float(np.sqrt(abs(np.linalg.det(full[:2, :2]))))
    return full if bend.max() < _MOST_BEND and 0.5 < size < 2 else None
