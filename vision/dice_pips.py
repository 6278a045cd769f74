"""Pips: round spots of another colour than their surroundings (white on red, black on yellow, gold on red).

All pictures here are float32 CIELAB of shape (h, w, 3) with the die's edge near `EDGE_PX` pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import Picture

EDGE_PX = 44.0
"""Edge of a die, in pixels, in the pictures that the search works on: the caller scales to it."""

FAINT = 14.0
"""Least CIELAB distance between a pip and its die: below it noise, weave and grain look the same."""

Lab = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Pip:
    """A round spot: place and radius in pixels, `round_` = short by long axis, `contrast` in Lab."""

    x: float
    y: float
    radius: float
    round_: float
    contrast: tuple[float, float, float]


def to_lab(picture: Picture) -> Lab:
    """CIELAB (L 0..100, a, b) as float32 of a BGR uint8 picture, to the nearest whole step of 8 bits."""
    eight = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    eight[..., 0] *= 100 / 255
    eight[..., 1:] -= 128
    return np.asarray(eight, np.float32)


def spots(lab: Lab) -> Lab:
    """How much each place differs from its ring, as a Lab vector: a band-pass at the size of a pip."""
    sigma = 0.055 * EDGE_PX
    return np.asarray(
        cv2.GaussianBlur(lab, (0, 0), sigma) - cv2.GaussianBlur(lab, (0, 0), 2.2 * sigma), np.float32
    )


def find_pips(lab: Lab, band: Lab, least: float = 0.4 * FAINT) -> list[Pip]:
    """Every spot in the picture that could be a pip seen from above or a little from the side."""
    strength = np.sqrt((band * band).sum(axis=2))
    reach = int(0.14 * EDGE_PX) | 1
    peak = cv2.dilate(strength, np.ones((reach, reach), np.uint8))
    margin = int(0.2 * EDGE_PX) + 1
    rim = np.zeros(strength.shape, bool)
    rim[margin:-margin, margin:-margin] = True
    ys, xs = np.nonzero((strength >= peak) & (strength > least) & rim)
    if not len(xs):
        return []
    at = np.stack([xs, ys], axis=1)
    contrast = band[ys, xs]
    dy, dx = np.mgrid[-margin : margin + 1, -margin : margin + 1]
    span = np.hypot(dx, dy)
    ring = (span > 0.16 * EDGE_PX) & (span <= margin)
    found = []
    for i, (x, y) in enumerate(at.tolist()):
        # The pips of a 6 run into each other: each keeps the pixels that are nearer to it.
        gap = at - at[i]
        near = (np.abs(gap).max(axis=1) < 0.36 * EDGE_PX) & (
            contrast @ contrast[i] > 0.5 * strength[y, x] ** 2
        )
        near[i] = False
        own = np.ones(span.shape, bool)
        for gx, gy in gap[near]:
            own &= gx * dx + gy * dy <= (gx * gx + gy * gy) / 2
        patch = lab[y - margin : y + margin + 1, x - margin : x + margin + 1]
        pip = _measure(patch @ (contrast[i] / strength[y, x]), ring, own)
        if pip is not None:
            cx, cy, radius, round_, height = pip
            colour = (height / strength[y, x] * contrast[i]).tolist()
            found.append(Pip(x + cx, y + cy, radius, round_, (colour[0], colour[1], colour[2])))
    return found


def _measure(
    patch: Lab, ring: NDArray[np.bool_], own: NDArray[np.bool_]
) -> tuple[float, float, float, float, float] | None:
    """Middle (from the patch's middle), radius, roundness and height of the spot in a one-colour patch.

    Cut at half height above the ring; where that runs into something else, higher.
    """
    margin = patch.shape[0] // 2
    around = np.sort(patch[ring])
    low, base, high = (float(around[int(share * len(around))]) for share in (0.25, 0.5, 0.75))
    height = float(patch[margin - 1 : margin + 2, margin - 1 : margin + 2].mean()) - base
    # Weak spots are noise; a pip stands on a calm surface, a bit of cloth among others like it.
    if height < FAINT or high - low > 0.5 * height:
        return None
    scaled = (patch - base) / height
    for level in (0.5, 0.7):
        found = _cut(scaled, level, own)
        if found is not None:
            return (*found, height)
    return None


def _cut(scaled: Lab, level: float, own: NDArray[np.bool_]) -> tuple[float, float, float, float] | None:
    """Middle, radius and roundness of the piece above `level` that holds the patch's middle."""
    margin = scaled.shape[0] // 2
    _, labels = cv2.connectedComponents(((scaled > level) & own).astype(np.uint8), connectivity=4)
    piece = labels[margin, margin]
    if piece == 0:
        return None
    # Rim pixels count in part, so that small spots keep their middle.
    weight = np.where(labels == piece, np.clip(scaled - level + 0.5, 0.0, 1.0), 0.0)
    area = float(weight.sum())
    if not 0.006 < area / EDGE_PX**2 < 0.06:
        return None
    steps = np.arange(-margin, margin + 1, dtype=np.float64)
    cx, cy = float((weight.sum(0) * steps).sum() / area), float((weight.sum(1) * steps).sum() / area)
    xx = float((weight.sum(0) * (steps - cx) ** 2).sum() / area)
    yy = float((weight.sum(1) * (steps - cy) ** 2).sum() / area)
    xy = float((weight * np.outer(steps - cy, steps - cx)).sum() / area)
    middle, spread = (xx + yy) / 2, float(np.hypot((xx - yy) / 2, xy))
    long_, short = middle + spread, max(middle - spread, 1e-6)
    round_ = float(np.sqrt(short / long_))
    # An ellipse of that area has exactly these moments; a letter or a bit of cloth does not.
    fill = area / (4 * np.pi * np.sqrt(short * long_))
    if round_ < 0.6 or fill < 0.75 or np.hypot(cx, cy) > 0.08 * EDGE_PX:
        return None
    return cx, cy, float(np.sqrt(area / np.pi)), round_
