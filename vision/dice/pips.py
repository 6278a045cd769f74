"""Pips: round spots of another colour than their surroundings (white on red, black on yellow, gold on red).

All pictures here are float32 CIELAB of shape (h, w, 3) with the die's edge near `EDGE_PX` pixels. All spots
of a picture are measured at once, because a weave shows thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.dice.face_parameters import FACE_SEARCH
from vision.sightings import Picture

EDGE_PX = 44.0
"""Edge of a die, in pixels, in the pictures that are searched: the caller scales to it."""

FAINT = 14.0
"""Least CIELAB distance between a pip and its die: below it noise, weave and grain look the same."""

Lab = Float32
"""CIELAB: a picture (h, w, 3), colours (..., 3), or differences of such colours; L 0..100, a, b."""

LIGHT_BY_HALF = np.array([0.5, 1.0, 1.0], np.float32)
"""Weights of L, a and b where two colours are compared under lights that may differ slightly."""

_EIGHT = np.arange(256)
_FROM_EIGHT = np.stack([_EIGHT * 100 / 255, _EIGHT - 128, _EIGHT - 128], axis=1).astype(np.float32)[None]
_ADDED = np.ones((1, 3), np.float32)
_MARGIN = int(0.2 * EDGE_PX) + 1
_STEPS = np.arange(-_MARGIN, _MARGIN + 1)
_DX, _DY = (axis.ravel() for axis in np.meshgrid(_STEPS, _STEPS))
_SPAN = np.hypot(_DX, _DY)
_RING = (_SPAN > 0.16 * EDGE_PX) & (_SPAN <= _MARGIN)
_CORE = np.abs(np.stack([_DX, _DY])).max(axis=0) <= 1
_MOMENTS = np.stack([np.ones_like(_DX), _DX, _DY, _DX * _DX, _DY * _DY, _DX * _DY], axis=1).astype(np.float32)
_CLEAN, _FLOOR = 0.05, 0.25
"""Largest unevenness of the ring on a clean body, and height of a hollow pip's lit floor; in pip heights."""
_DARK, _ROUND = 0.75, 0.7
"""Largest share of a hollow pip that is at least half as dark as its wall (nearly all of an ink spot is),
and its least roundness."""
_CHUNK = 4096
"""Spots that are measured at once: more need more memory and are no faster."""


@dataclass(frozen=True, slots=True)
class Pips:
    """Round spots of one picture: `at` (n, 2) and `radius` (n,) in pixels, `contrast` (n, 3) in CIELAB.

    `round_` (n,) is the short axis over the long one.
    """

    at: Float32
    radius: Float32
    round_: Float32
    contrast: Lab

    @classmethod
    def none(cls) -> Pips:
        """No spot at all."""
        empty = np.zeros(0, np.float32)
        return cls(np.zeros((0, 2), np.float32), empty, empty, np.zeros((0, 3), np.float32))

    def __len__(self) -> int:
        return len(self.at)


def to_lab(picture: Picture) -> Lab:
    """Convert a BGR uint8 picture to CIELAB (L 0..100, a, b) float32, in steps of OpenCV's 8 bits."""
    return from_eight(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8))


def from_eight(eight: Picture) -> Lab:
    """Convert OpenCV's 8-bit CIELAB to float32 (L 0..100, a, b)."""
    return np.asarray(cv2.LUT(eight, _FROM_EIGHT), np.float32)


def spots(lab: Lab) -> Lab:
    """Difference of each pixel from the ring round it, as a Lab vector: a band-pass at a pip's size."""
    sigma = FACE_SEARCH.pip_sigma * EDGE_PX
    return np.asarray(cv2.GaussianBlur(lab, (15, 15), sigma) - ring_of(lab, sigma), np.float32)


def ring_of(picture: NDArray[Any], sigma: float) -> NDArray[Any]:
    """Blur a picture (h, w[, 3]) widely enough to show what surrounds a spot of size `sigma`."""
    h, w = picture.shape[:2]
    # A wide blur has no fine detail, so a quarter of the pixels suffices; the - 0.7 is the blur that
    # shrinking adds.
    half = cv2.resize(picture, ((w + 1) // 2, (h + 1) // 2), interpolation=cv2.INTER_LINEAR)
    wide = cv2.GaussianBlur(half, (0, 0), np.sqrt((FACE_SEARCH.ring_sigmas * sigma) ** 2 - 0.7) / 2)
    return np.asarray(cv2.resize(wide, (w, h), interpolation=cv2.INTER_LINEAR), picture.dtype)


def strength_of(band: Lab) -> Float32:
    """Length (h, w) of each Lab vector of a band-passed picture."""
    return np.asarray(cv2.sqrt(cv2.transform(cv2.multiply(band, band), _ADDED)), np.float32)


def find_pips(lab: Lab, band: Lab, least: float = 0.4 * FAINT) -> Pips:
    """Find every spot that could be a pip seen from above or slightly from the side."""
    at, strength = peaks(band, least)
    return measured(lab, at, band[at[:, 1], at[:, 0]], strength)


def peaks(
    band: Lab,
    least: float = 0.4 * FAINT,
    parts: Sequence[tuple[slice, slice]] = ((slice(None), slice(None)),),
) -> tuple[NDArray[np.intp], Float32]:
    """Local maxima (n, 2) of a band-passed picture's strength, row by row, and their strength (n,).

    Those too near the rim of their part of the picture (rows, columns) for measuring a pip are left out.
    """
    strength = strength_of(band)
    reach = int(FACE_SEARCH.peak_reach * EDGE_PX) | 1
    peak = cv2.dilate(strength, np.ones((reach, reach), np.uint8))
    inner = np.zeros(strength.shape, bool)
    for part in parts:
        inner[part][_MARGIN:-_MARGIN, _MARGIN:-_MARGIN] = True
    inner &= strength > least
    inner &= strength >= peak
    mask = inner.view(np.uint8)
    if not cv2.countNonZero(mask):
        return np.zeros((0, 2), np.intp), np.zeros(0, np.float32)
    at = np.asarray(cv2.findNonZero(mask), np.intp).reshape(-1, 2)
    return at, strength[at[:, 1], at[:, 0]]


def measured(lab: Lab, at: NDArray[np.intp], contrast: Lab, strength: Float32) -> Pips:
    """The pips among the `peaks` of a picture; `contrast` (n, 3) is theirs in the band-passed copy."""
    w = lab.shape[1]
    flat, places = lab.reshape(-1, 3), _DY * w + _DX
    found = [
        _measured(flat, places, _Peaks(at, contrast, strength), np.arange(k, min(k + _CHUNK, len(at))), w)
        for k in range(0, len(at), _CHUNK)
    ]
    if not found:
        return Pips.none()
    return Pips(*(np.concatenate([getattr(p, name) for p in found]) for name in Pips.__slots__))


class _Peaks(NamedTuple):
    """Local maxima of a band-passed picture: pixels (n, 2), Lab vectors (n, 3), their lengths (n,)."""

    at: NDArray[np.intp]
    contrast: Lab
    strength: Float32


def _measured(
    flat: Lab,
    places: NDArray[np.intp],
    found: _Peaks,
    own: NDArray[np.intp],
    width: int,
) -> Pips:
    """Measure the peaks numbered `own` in the picture `flat` (pixels, 3), each along its own contrast."""
    at, contrast, strength = found
    direction = contrast[own] / strength[own, None]
    corner = at[own, 1] * width + at[own, 0]
    around = np.sort(_along(flat, corner[:, None] + places[_RING], direction), axis=1)
    low, base, high = (around[:, int(share * around.shape[1])] for share in (0.25, 0.5, 0.75))
    height = _along(flat, corner[:, None] + places[_CORE], direction).mean(axis=1) - base
    # Weak spots are noise. A pip lies on a calm surface, a speck of cloth among others like it.
    pick = np.nonzero((height >= FAINT) & (high - low <= 0.5 * height))[0]
    if not len(pick):
        return Pips.none()
    clean = (high - low)[pick] <= _CLEAN * height[pick]
    own, height, direction = own[pick], height[pick], direction[pick]
    patch = _along(flat, corner[pick, None] + places, direction)
    scaled = (patch - base[pick, None]) / height[:, None]
    apart = _apart(at, contrast, strength, own)
    # Cut at half height above the ring, or higher where that runs into something else.
    shape = _cut(scaled, 0.5, apart)
    again = np.nonzero(~np.isfinite(shape[:, 0]))[0]
    if len(again):
        shape[again] = _cut(scaled[again], FACE_SEARCH.higher_cut, apart[again])
    # A hollow pip has a lit floor and only its wall is dark: on a clean body, cut it at the floor's height.
    hollow = np.nonzero(~np.isfinite(shape[:, 0]) & clean)[0]
    if len(hollow):
        shape[hollow] = _hollow(scaled[hollow], apart[hollow])
    good = np.isfinite(shape[:, 0])
    return Pips(
        np.asarray(at[own[good]] + shape[good, :2], np.float32),
        shape[good, 2],
        shape[good, 3],
        np.asarray(height[good, None] * direction[good], np.float32),
    )


def _along(flat: Lab, places: NDArray[np.intp], direction: Lab) -> Float32:
    """Project the pixels `places` (n, k) on a Lab direction (n, 3) for each row; (n, k) values."""
    colours = flat.take(places.ravel(), axis=0).reshape(*places.shape, 3)
    return np.asarray(np.matmul(colours, direction[:, :, None])[..., 0], np.float32)


def _apart(
    at: NDArray[np.intp], contrast: Lab, strength: Float32, own: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """(n, patch) pixels nearer to each peak of `own` than to other peaks like it: a 6's pips run together."""
    reach = FACE_SEARCH.rival_reach * EDGE_PX
    # Peaks are sorted by row, so neighbours need to be sought only in a band of rows.
    first = np.searchsorted(at[:, 1], at[own, 1] - reach)
    count = np.searchsorted(at[:, 1], at[own, 1] + reach) - first
    row = np.repeat(np.arange(len(own)), count)
    other = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)
    near = (np.abs(at[other, 0] - at[own[row], 0]) < reach) & (other != own[row])
    row, other = row[near], other[near]
    like = (contrast[other] * contrast[own[row]]).sum(axis=1) > 0.5 * strength[own[row]] ** 2
    row, other = row[like], other[like]
    mine = np.ones((len(own), len(_DX)), bool)
    if len(row):
        gap = at[other] - at[own[row]]
        nearer = gap[:, :1] * _DX + gap[:, 1:] * _DY <= (gap * gap).sum(axis=1, keepdims=True) / 2
        starts = np.nonzero(np.diff(row, prepend=-1))[0]
        mine[row[starts]] = np.logical_and.reduceat(nearer, starts, axis=0)
    return mine


def _hollow(scaled: Float32, own: NDArray[np.bool_]) -> Float32:
    """As `_cut`, for hollow pips, whose wall is dark and whose floor is lit."""
    shape, disc = _cut(scaled, _FLOOR, own), (scaled > _FLOOR) & own
    dark = ((scaled > 0.5) & own).sum(axis=1)
    shape[(shape[:, 3] < _ROUND) | (dark > _DARK * disc.sum(axis=1))] = np.nan
    return shape


def _cut(scaled: Float32, level: float, own: NDArray[np.bool_]) -> Float32:
    """Middle x and y, radius and roundness (n, 4) of the pieces above `level` at the patches' middles.

    NaN where the piece is not a pip.
    """
    n, side = len(scaled), len(_STEPS)
    # One tall picture holds all patches, with a dark line between them: one call labels all.
    tall = np.zeros((n, side + 1, side + 1), np.uint8)
    tall[:, :side, :side] = ((scaled > level) & own).reshape(n, side, side)
    _, labels = cv2.connectedComponents(tall.reshape(-1, side + 1), connectivity=4)
    labels = labels.reshape(n, side + 1, side + 1)[:, :side, :side].reshape(n, -1)
    middle = labels[:, len(_DX) // 2]
    piece = (labels == middle[:, None]) & (middle > 0)[:, None]
    # Rim pixels count in part, so that the middle of small spots is accurate to less than a pixel.
    weight = np.where(piece, np.clip(scaled - level + 0.5, 0.0, 1.0), np.float32(0))
    moments = (weight @ _MOMENTS).astype(np.float64)
    area = moments[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        cx, cy, xx, yy, xy = (moments[:, k] / area for k in range(1, 6))
        xx, yy, xy = xx - cx * cx, yy - cy * cy, xy - cx * cy
        mean, spread = (xx + yy) / 2, np.hypot((xx - yy) / 2, xy)
        long_, short = mean + spread, np.maximum(mean - spread, 1e-6)
        round_ = np.sqrt(short / long_)
        # An ellipse of this area has exactly these moments; a letter or a bit of cloth does not.
        fill = area / (4 * np.pi * np.sqrt(short * long_))
        good = (area > FACE_SEARCH.least_pip * EDGE_PX**2) & (area < FACE_SEARCH.most_pip * EDGE_PX**2)
        good &= (round_ >= FACE_SEARCH.pip_round) & (fill >= FACE_SEARCH.pip_filled)
        good &= np.hypot(cx, cy) <= FACE_SEARCH.off_peak * EDGE_PX
        shape = np.stack([cx, cy, np.sqrt(area / np.pi), round_], axis=1).astype(np.float32)
    shape[~good] = np.nan
    return shape
