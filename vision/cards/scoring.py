"""Likely faces held against what is seen of a card, all in one light: the best, its likeness, its leads.

Where two faces differ, a pixel tells which of them it stands nearer to: a small index or the tint of an ink
weighs as much there as a whole court figure. Faces and what is seen are planes (3, n) float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Float32
from vision.imgproc.photometry import Grid, believe, ink, left_over, relight
from vision.imgproc.registration import Affine


@dataclass(frozen=True, slots=True)
class SeenCard:
    """What is seen of a card: planes (3, n) in the places of a face, and how much each pixel (n,) weighs."""

    grid: Grid
    planes: Float32
    weight: Float32

    def trusted(self, trust: Float32) -> SeenCard:
        """The same, each pixel weighed by how far it is trusted (n,)."""
        return SeenCard(self.grid, self.planes, trust)


@dataclass(frozen=True, slots=True)
class SeenAs:
    """How a face was seen: the map (2, 3) from its places to the picture's, and its blur as a variance."""

    warp: Affine
    blur_px2: float


@dataclass(frozen=True, slots=True)
class Lighting:
    """The light on a face that was seen: its veil in grey levels, and how far each pixel (n,) is believed."""

    seen_as: SeenAs
    veil: float
    belief: Float32


@dataclass(frozen=True, slots=True)
class Compared:
    """The likely faces, the best, what it leaves over, its likeness, leads over others, how it was seen."""

    order: list[int]
    best: int
    rest: float
    likeness: float
    leads: dict[str, float]
    seen_as: SeenAs


def hold(names: Sequence[str], faces: Mapping[int, Float32], seen: SeenCard, lighting: Lighting) -> Compared:
    """Faces by their number in `names`, as they lie, against what is seen."""
    lit = {
        i: relight(seen.grid, face, seen.planes, lighting.belief, lighting.veil) for i, face in faces.items()
    }
    # A pixel is believed as far as any likely face explains it: belief after one face's own errors
    # would hide just the places where the others are better.
    trust = np.maximum.reduce([believe(model, seen.planes, seen.weight) for model in lit.values()])
    return judge(names, lit, seen.trusted(trust), lighting.seen_as)


def judge(names: Sequence[str], lit: Mapping[int, Float32], seen: SeenCard, seen_as: SeenAs) -> Compared:
    """Lit faces against what is seen where it is trusted: which leaves least, and how far it leads."""
    planes, trust = seen.planes, seen.weight
    rests = {index: left_over(model, planes, trust) for index, model in lit.items()}
    ranked = sorted(lit, key=lambda index: rests[index])
    best = ranked[0]
    leads: dict[str, float] = {}
    for index in ranked[1:]:
        name = names[index]
        if name != names[best] and name not in leads:
            leads[name] = lead_over(planes, trust, lit[best], lit[index])
    rest = rests[best]
    likeness = 1 - rest / max(ink(seen.grid, planes, trust), 1e-6)
    return Compared(list(lit), best, rest, likeness, leads, seen_as)


def lead_over(seen: Float32, weight: Float32, best: Float32, other: Float32) -> float:
    """Where the picture stands on the way from the other face (-1) to the best (1), where they differ."""
    apart = best - other
    size = float((weight * apart * apart).sum())
    if size <= 1e-6:
        return 0.0
    return float((weight * (seen - (best + other) / 2) * apart).sum() * 2 / size)
