"""Compares likely faces with the visible part of a card under one fitted light: the best face and its leads.

Where two faces differ, each pixel shows which of them it is nearer to: a small index or the tint of an ink
weighs as much there as a whole court figure. Faces and what is seen are planes (3, n) float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Float32
from vision.imgproc.photometry import Grid, believe, ink, left_over, relight
from vision.imgproc.registration import Affine

_NEAR = np.ones((3, 3), np.uint8)
_LEAST_CLEAR = 0.02
"""Least share of the difference between two faces that must exceed the effect of a shift by one pixel."""
_RIVALS = 3
"""Number of other names, those with the least residual, compared this closely: at six times the cost."""
_AGAINST = -0.25
"""Sturdy lead below which a card counts as nearer to the other face: of rightly named cards in three films
and 123 photographs one is below 0."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """The visible part of a card: planes (3, n) at the places of a face, and each pixel's weight (n,)."""

    grid: Grid
    planes: Float32
    weight: Float32

    def trusted(self, trust: Float32) -> SeenCard:
        """The same with each pixel weighed by how far it is trusted (n,)."""
        return SeenCard(self.grid, self.planes, trust)


@dataclass(frozen=True, slots=True)
class SeenAs:
    """How a face was seen: the map (2, 3) from its places to the picture's, and its blur as a variance."""

    warp: Affine
    blur_px2: float


@dataclass(frozen=True, slots=True)
class Lighting:
    """The light on a face that was seen: its veil in grey levels, and how far each pixel (n,) is trusted."""

    seen_as: SeenAs
    veil: float
    belief: Float32


@dataclass(frozen=True, slots=True)
class Compared:
    """The likely faces, the best, its residual, its likeness, its leads over others, how it was seen."""

    order: list[int]
    best: int
    rest: float
    likeness: float
    leads: dict[str, float]
    seen_as: SeenAs


def hold(names: Sequence[str], faces: Mapping[int, Float32], seen: SeenCard, lighting: Lighting) -> Compared:
    """Compare faces, by their number in `names` and without moving them, with what is seen."""
    lit = {
        i: relight(seen.grid, face, seen.planes, lighting.belief, lighting.veil) for i, face in faces.items()
    }
    # A pixel is trusted as far as any likely face explains it: trust by one face's own errors would hide
    # just those places where the others are better.
    trust = np.maximum.reduce([believe(model, seen.planes, seen.weight) for model in lit.values()])
    return judge(names, lit, seen.trusted(trust), lighting.seen_as)


def judge(names: Sequence[str], lit: Mapping[int, Float32], seen: SeenCard, seen_as: SeenAs) -> Compared:
    """Compare lit faces with what is seen where it is trusted: the least residual, and how far it leads."""
    planes, trust = seen.planes, seen.weight
    rests = {index: left_over(model, planes, trust) for index, model in lit.items()}
    ranked = sorted(lit, key=lambda index: rests[index])
    best = ranked[0]
    leads: dict[str, float] = {}
    for index in ranked[1:]:
        name = names[index]
        if name != names[best] and name not in leads:
            lead = lead_over(planes, trust, lit[best], lit[index])
            sturdy = sturdy_lead_over(seen, lit[best], lit[index]) if len(leads) < _RIVALS else 1.0
            leads[name] = lead if sturdy > _AGAINST else min(lead, sturdy)
    rest = rests[best]
    likeness = 1 - rest / max(ink(seen.grid, planes, trust), 1e-6)
    return Compared(list(lit), best, rest, likeness, leads, seen_as)


def lead_over(seen: Float32, weight: Float32, best: Float32, other: Float32) -> float:
    """Where the picture lies between the other face (-1) and the best one (1), where the two differ."""
    apart = best - other
    size = float((weight * apart * apart).sum())
    if size <= 1e-6:
        return 0.0
    return float((weight * (seen - (best + other) / 2) * apart).sum() * 2 / size)


def sturdy_lead_over(seen: SeenCard, best: Float32, other: Float32) -> float:
    """As `lead_over`, only where the faces differ by more than a shift of either by a pixel would cause.

    In an ornament that both share, every edge differs if one of them was cut out or laid slightly off. That
    can outweigh a small figure, which alone tells them apart. Without a clear difference the lead is 1.
    """
    apart = best - other
    beyond = _beyond(seen.grid, best, other), -_beyond(seen.grid, other, best)
    clear = np.where(beyond[0] * beyond[1] > 0, np.minimum(*np.abs(beyond)) * np.sign(apart), 0)
    size = float((seen.weight * clear * apart).sum())
    if size <= _LEAST_CLEAR * float((seen.weight * apart * apart).sum()):
        return 1.0
    return float((seen.weight * (seen.planes - (best + other) / 2) * clear).sum() * 2 / size)


def _beyond(grid: Grid, face: Float32, other: Float32) -> Float32:
    """How far a face is darker or lighter than the other face is anywhere within a pixel; 0 elsewhere."""
    rows = other.reshape(-1, grid.width)
    low, high = cv2.erode(rows, _NEAR), cv2.dilate(rows, _NEAR)
    return face - np.clip(face, low.reshape(face.shape), high.reshape(face.shape))
