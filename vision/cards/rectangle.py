"""Where a card lies: a rectangle of known size whose four sides lie on edges of the picture.

All search is done in plan pixels (see `rectified`), one grey picture at a time. A half-size scan over all
places and turns proposes, and a fine fit of the rigid rectangle decides (edge strengths saturate, so that a
faint seam between two white cards counts nearly as much as the rim against the mat).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32, Float64
from vision.cards.outline import box_corners, edge_offsets, look_up
from vision.cards.rectangle_parameters import RECTANGLE

_SPREADS_PX = (2.0, 1.0, 0.7)
"""Distance from an edge at which it loses most of its pull, for each round of a fit."""
_SAME_PX = 5
"""Distance, at half the size, below which two proposals have the same middle."""
_TURN_STEP = np.deg2rad(3.0)
_NEAR_PX = 1.2
"""Distance from its line up to which an edge point belongs to it."""
_HELD = np.diag([1e-3, 1e-3, 1.0])
"""Weights that keep a rectangle in place where no edges pull it."""
_TWO_ACROSS, _TWO_DOWN = np.ones((1, 2), np.uint8), np.ones((2, 1), np.uint8)
_BACKWARD = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


@dataclass(frozen=True, slots=True)
class Box:
    """A fitted rectangle: middle (x, y) in plan pixels, angle in radians of its short side, support.

    `support` is the share of the outline that lies on an edge, `weakest` that of its worst side.
    """

    middle: tuple[float, float]
    angle: float
    size: tuple[float, float]
    support: float
    weakest: float

    @property
    def corners(self) -> Float64:
        """Plan pixels (4, 2), clockwise as shown, the first side a short one."""
        return box_corners(self.middle, self.size, self.angle)


def noise_of(grey: Float32) -> float:
    """Typical noise of a grey picture, in grey levels (Immerkaer 1996)."""
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    rough = np.abs(cv2.filter2D(grey, cv2.CV_32F, kernel)).ravel()
    middle = rough.size // 2
    return float(np.partition(rough, middle)[middle] / 0.6745 / 6.0)


def edge_level(grey: Float32) -> float:
    """Edge strength, in grey levels, that counts for half in a grey picture: above its noise."""
    return max(RECTANGLE.least_level, RECTANGLE.noise_levels * noise_of(grey))


@dataclass(frozen=True, slots=True)
class EdgeImage:
    """A grey picture (h, w) in which edges are measured; an edge as strong as `level` counts for half.

    With `free` (h, w), only outline that lies in it counts: the rest is covered.
    """

    grey: Float32
    level: float
    free: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, grey: Float32) -> EdgeImage:
        """The picture with the level that its noise requires."""
        return cls(grey, edge_level(grey))


def fit_box(
    image: EdgeImage, middle: tuple[float, float], angle: float, size: tuple[float, float], reach_px: float
) -> Box:
    """Slide and turn the rectangle onto the edges round its outline."""
    return fit_boxes(image, [(middle, angle)], size, reach_px)[0]


def fit_boxes(
    image: EdgeImage,
    places: Sequence[tuple[tuple[float, float], float]],
    size: tuple[float, float],
    reach_px: float,
) -> list[Box]:
    """As `fit_box` for many places (middle, angle) at once: each is fitted as if alone."""
    if not places:
        return []
    grey, level, free = image.grey, image.level, image.free
    middles: Float64 = np.array([middle for middle, _ in places], np.float64)
    angles: Float64 = np.array([angle for _, angle in places], np.float64)
    for reach in (reach_px, max(2.0, reach_px * 0.6), 1.5):
        corners = _corners(middles, angles, size)
        offsets, strength, at = edge_offsets(grey, corners, reach)
        side = corners[:, (1, 2, 3, 0)] - corners
        side /= np.sqrt((side * side).sum(axis=2, keepdims=True))
        across, down = side[:, :, None, 1], -side[:, :, None, 0]
        power = np.abs(strength)
        weight = power / (power + level)
        if free is not None:
            weight = weight * look_up(free, at)
        a = np.empty((*weight.shape, 3))
        a[..., 0], a[..., 1] = across, down
        # How far a turn about the middle moves a place outwards.
        a[..., 2] = (at[..., 0] - middles[:, None, None, 0]) * down
        a[..., 2] -= (at[..., 1] - middles[:, None, None, 1]) * across
        a = a.reshape(len(places), -1, 3)
        b, w = offsets.reshape(len(places), -1), weight.reshape(len(places), -1)
        step: Float64 = np.zeros((len(places), 3))
        for spread in _SPREADS_PX:
            rest = b - (a @ step[..., None])[..., 0]
            trust = w / (1 + (rest / spread) ** 2) ** 2
            pull = (a * trust[..., None]).transpose(0, 2, 1)
            gram = pull @ a + _HELD
            step = np.asarray(np.linalg.solve(gram, pull @ b[..., None])[..., 0], np.float64)
        middles = middles + step[:, :2]
        angles = angles + np.clip(step[:, 2], -RECTANGLE.most_turn_rad, RECTANGLE.most_turn_rad)
    support = _support(grey, _corners(middles, angles, size), level)
    return [
        Box((float(x), float(y)), float(angle), size, float(sides.mean()), float(sides.min()))
        for (x, y), angle, sides in zip(middles, angles, support, strict=True)
    ]


def distinct(boxes: Sequence[Box], near_px: float = 3.0, near_rad: float = 0.05) -> list[Box]:
    """The boxes without those that lie where a better supported one does, best supported first."""
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda b: -b.support):
        for other in kept:
            turn = abs((box.angle - other.angle + np.pi / 2) % np.pi - np.pi / 2)
            apart = np.hypot(box.middle[0] - other.middle[0], box.middle[1] - other.middle[1])
            if apart < near_px and turn < near_rad:
                break
        else:
            kept.append(box)
    return kept


def _support(grey: Float32, corners: Float64, level: float) -> Float64:
    """The share of each side of rectangles (n, 4, 2) that lies on an edge: (n, 4)."""
    offsets, strength, _ = edge_offsets(grey, corners, 2.0)
    power = np.abs(strength)
    good = (np.abs(offsets) < _NEAR_PX) * power / (power + level)
    return np.asarray(good.mean(axis=-1), np.float64)


def _corners(middles: Float64, angles: Float64, size: tuple[float, float]) -> Float64:
    """As `box_corners` for many: (n, 4, 2)."""
    w, h = size[0] / 2, size[1] / 2
    local = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    c, s = np.cos(angles), np.sin(angles)
    turn = np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], -2)
    return np.asarray(middles[:, None, :] + local @ turn, np.float64)


@dataclass(frozen=True, slots=True)
class Proposals:
    """Where rectangles of one size may lie in one picture, at any turn, best first: scanned once.

    `found` holds (score, x, y of the middle, angle) in pixels of the picture at half its size, `shape` its
    rows and columns.
    """

    found: tuple[tuple[float, float, float, float], ...]
    shape: tuple[int, int]

    def within(
        self, where: NDArray[np.bool_] | None, most: int
    ) -> list[tuple[tuple[float, float], float, float]]:
        """Up to `most` distinct ones, (middle, angle, score); `where` limits the middles."""
        rows, columns = self.shape
        allowed = None if where is None else cv2.resize(where.astype(np.uint8), (columns, rows)) > 0
        kept: list[tuple[float, float, float, float]] = []
        for best, px, py, angle in self.found:
            if allowed is not None and not (
                0 <= round(py) < rows and 0 <= round(px) < columns and allowed[round(py), round(px)]
            ):
                continue
            for _, qx, qy, other in kept:
                apart = abs((angle - other + np.pi / 2) % np.pi - np.pi / 2)
                if np.hypot(px - qx, py - qy) < _SAME_PX and apart < 3 * _TURN_STEP:
                    break
            else:
                kept.append((best, px, py, angle))
            if len(kept) >= most:
                break
        return [((2 * px + 0.5, 2 * py + 0.5), angle, best) for best, px, py, angle in kept]


def scan_boxes(
    image: EdgeImage,
    size: tuple[float, float],
    where: NDArray[np.bool_] | None = None,
    most: int = 6,
    peaks: int = 3,
) -> list[tuple[tuple[float, float], float, float]]:
    """Propose rectangles anywhere: (middle, angle, score), best first. `where` limits the middles.

    At every turn the `peaks` best places are kept: a heap holds more cards at one turn than a bare mat.
    """
    return propose_boxes(image, size, peaks, where).within(where, most)


def propose_boxes(
    image: EdgeImage, size: tuple[float, float], peaks: int = 3, where: NDArray[np.bool_] | None = None
) -> Proposals:
    """As `scan_boxes`, for callers that query one picture more than once, for places within `where`."""
    level = image.level
    half = cv2.resize(image.grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    width, height = size[0] / 2, size[1] / 2
    rows, columns = half.shape
    bounds = (0.0, 0.0, columns - 1.0, rows - 1.0) if where is None else _bounds(where, half.shape)
    if bounds is None:
        return Proposals((), (rows, columns))
    left, top, right, bottom = bounds
    reach = int(np.ceil(np.hypot(width, height) / 2)) + 2
    dx = cv2.Sobel(half, cv2.CV_32F, 1, 0, ksize=3) / 8
    dy = cv2.Sobel(half, cv2.CV_32F, 0, 1, ksize=3) / 8
    # All places of a middle, at any turn, and half a card beyond: nothing else need be rotated.
    beyond = 0.0 if where is None else max(width, height)
    side = int(np.ceil(np.hypot(right - left + 1, bottom - top + 1) + beyond)) + 2
    middle = np.array([left + right, top + bottom]) / 2
    found: list[tuple[float, float, float, float]] = []
    # A quarter turn later, the same two pictures have merely changed places.
    for angle in np.arange(0, np.pi / 2, _TURN_STEP):
        c, s = float(np.cos(angle)), float(np.sin(angle))
        turn = np.array(
            [
                [c, -s, middle[0] - c * (side / 2) + s * (side / 2)],
                [s, c, middle[1] - s * (side / 2) - c * (side / 2)],
            ]
        )
        # How much more the light changes along the turned x than along y, and vice versa.
        more = np.abs(c * dx + s * dy) - np.abs(-s * dx + c * dy)
        # Warp each picture by itself: OpenCV's warp of two channels takes twice as long as two of one.
        warped = (
            cv2.warpAffine(u / (u + level), turn, (side, side), flags=_BACKWARD)
            for u in (np.maximum(more, 0), np.maximum(-more, 0))
        )
        # A line between two pixels must not be lost: thicken across it before summing along it.
        across, down = (
            np.asarray(cv2.dilate(lines, thick), np.float32)
            for lines, thick in zip(warped, (_TWO_ACROSS, _TWO_DOWN), strict=True)
        )
        for quarter, wide, high in ((0.0, width, height), (np.pi / 2, height, width)):
            score = _score(across, down, wide, high)
            for _ in range(peaks):
                _, best, _, at = cv2.minMaxLoc(score)
                if best < RECTANGLE.least_score:
                    break
                px = c * (at[0] - side / 2) - s * (at[1] - side / 2) + middle[0]
                py = s * (at[0] - side / 2) + c * (at[1] - side / 2) + middle[1]
                if -reach / 2 < px < columns + reach / 2 and -reach / 2 < py < rows + reach / 2:
                    found.append((best, px, py, float(angle + quarter)))
                cv2.circle(score, at, _SAME_PX, 0, -1)
    return Proposals(tuple(sorted(found, reverse=True)), (rows, columns))


def _bounds(where: NDArray[np.bool_], shape: tuple[int, int]) -> tuple[float, float, float, float] | None:
    """The rectangle (left, top, right, bottom) round `where`, in pixels of the picture (h, w) halved."""
    down, along = (np.flatnonzero(where.any(axis=axis)) for axis in (1, 0))
    if not len(down):
        return None
    rows, columns = shape
    y, x = rows / where.shape[0], columns / where.shape[1]
    last = min(columns - 1.0, along[-1] * x + 1), min(rows - 1.0, down[-1] * y + 1)
    return max(0.0, along[0] * x - 1), max(0.0, down[0] * y - 1), *last


def _score(across: Float32, down: Float32, width: float, height: float) -> Float32:
    """How well four sides of an upright rectangle (pixels) lie on edges, by the place (n, n) of its middle.

    `across` and `down` (n, n) measure, from 0 to 1, where light changes from left to right and from top to
    bottom; each line is two pixels thick.
    """
    w, h = round(width / 2), round(height / 2)
    score = np.zeros_like(across)
    if min(across.shape) <= 2 * max(w, h):
        return score
    long = cv2.boxFilter(across, -1, (1, round(height * RECTANGLE.straight)))
    short = cv2.boxFilter(down, -1, (round(width * RECTANGLE.straight), 1))
    # Middles nearer to the rim than half a card have no four sides and keep a score of 0.
    left, right = long[h:-h, : -2 * w], long[h:-h, 2 * w :]
    top, bottom = short[: -2 * h, w:-w], short[2 * h :, w:-w]
    weakest = cv2.min(cv2.min(left, right), cv2.min(top, bottom))
    score[h:-h, w:-w] = (left + right + top + bottom) / 4 + 0.5 * weakest
    return score
