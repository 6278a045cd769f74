"""Faces: lay the six pip patterns over the pips of a picture and ask the die's body to agree.

Two pips that may be the ends of a diagonal fix a face's centre, turn and size; the other places of the
3 x 3 grid then say which pattern it is. A lone pip may be a 1: its turn is the one with the clearest
edge. Side faces fall out because their pips are foreshortened and their grid is no square; cloth and
print fall out because a face is one calm surface with an edge round it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_pattern import PATTERNS, VALUES
from vision.dice_pips import EDGE_PX, Lab, Pip, find_pips, spots

_GRID = np.array([[u, v] for v in (-1, 0, 1) for u in (-1, 0, 1)], np.float32)
_FILLED = np.array([[k in places for k in range(9)] for _, places in PATTERNS])
_PITCH = 0.25
"""Distance of neighbouring grid places over the die's edge; makers keep between 0.21 and 0.29."""
_CROWD = 24
"""Pips of neighbouring dice that may stand round a die."""
CLEAR = 0.45
"""Quality of a face (calm surface, border, strong equal pips) from which it may be said at all."""
_SLANTS = (np.pi / 4, np.pi / 4 - 0.14, np.pi / 4 + 0.14)
"""Angle of a face's diagonal against its side: a slanting view or a tall 6 makes the grid oblong."""


def _sides(out: float, along: Lab) -> Lab:
    """Points (4, n, 2) beside the four sides of a face of edge 1, `out` of its middle."""
    far = np.full_like(along, out)
    right, above = np.stack([far, along], axis=1), np.stack([along, far], axis=1)
    return np.stack([right, above, -right, -above])


_OUT = (0.5, 0.57, 0.64, 0.71)
_BESIDE = np.stack(
    [_sides(out, np.linspace(-0.33, 0.33, 7, dtype=np.float32)) for out in _OUT], axis=1
).reshape(-1, 2)
_TURNS = np.deg2rad(np.arange(0, 90, 3)).astype(np.float32)
# Points just inside and just outside the sides of a die of the usual size, for every turn.
_RIMS = [
    np.concatenate(
        [
            _sides(out * EDGE_PX, np.linspace(-0.4, 0.4, 13, dtype=np.float32) * EDGE_PX).reshape(-1, 2)
            @ np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]], np.float32)
            for t in _TURNS
        ]
    )
    for out in (0.43, 0.57)
]


@dataclass(frozen=True, slots=True)
class Face:
    """The top face of a die, in pixels of the searched picture.

    `belief` maps each value to its share 0..1; `score` orders rivals for one place; `yaw_deg` is modulo
    90, from +x towards +y of the picture; `body` and `pip` are CIELAB colours.
    """

    x: float
    y: float
    edge: float
    yaw_deg: float
    belief: dict[int, float]
    score: float
    body: tuple[float, float, float]
    pip: tuple[float, float, float]
    pips: frozenset[int]
    """Numbers of the pips that it explains, in this search."""
    quality: float
    """0..1: calm surface, border all round, strong and equal pips."""

    @property
    def value(self) -> int:
        """The value with the largest share."""
        return max(self.belief, key=lambda v: self.belief[v])

    def moved(self, dx: float, dy: float) -> Face:
        """The face of a cut-out in the pixels of the whole picture; its pips lose their numbers."""
        return replace(self, x=self.x + dx, y=self.y + dy, pips=frozenset())


def find_faces(lab: Lab, slack: float = 0.12) -> list[Face]:
    """Top faces of dice whose edge is `EDGE_PX` within `slack` (a share), best first, none overlapping."""
    search = Search.of(lab, slack)
    return choose([*search.from_pairs(), *search.from_single()])


def choose(faces: Iterable[Face]) -> list[Face]:
    """Keep the best face of each place: two top faces never overlap and share no pip."""
    kept: list[Face] = []
    for face in sorted(faces, key=lambda f: -f.score):
        clear = (np.hypot(face.x - k.x, face.y - k.y) > 0.75 * min(face.edge, k.edge) for k in kept)
        if all(clear) and not any(face.pips & k.pips for k in kept):
            kept.append(face)
    return kept


class Search:
    """One picture's pips and the pictures in which hypotheses are measured.

    `band` and `calm` are the CIELAB picture band-passed at a pip's size and lightly smoothed.
    """

    def __init__(self, band: Lab, calm: Lab, pips: list[Pip], slack: float) -> None:
        self.band, self.calm, self.pips, self.slack = band, calm, pips, slack
        self.at = np.array([[p.x, p.y] for p in pips], np.float32).reshape(-1, 2)
        self.contrast = np.array([p.contrast for p in pips], np.float32).reshape(-1, 3)
        self.height = np.linalg.norm(self.contrast, axis=1)
        self.radius = np.array([p.radius for p in pips], np.float32)

    @classmethod
    def of(cls, lab: Lab, slack: float = 0.12) -> Search:
        """The search of one CIELAB picture."""
        band = spots(lab)
        calm = np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.03 * EDGE_PX), np.float32)
        return cls(band, calm, find_pips(lab, band), slack)

    def sisters(self, i: int) -> NDArray[np.bool_]:
        """Pips that could be of the same die as pip `i`: same colour direction, similar strength and size."""
        along = self.contrast @ self.contrast[i] / (self.height * self.height[i])
        ratio, size = self.height / self.height[i], self.radius / self.radius[i]
        alike: NDArray[np.bool_] = (
            (along > 0.8) & (ratio > 0.45) & (ratio < 2.2) & (size > 0.65) & (size < 1.55)
        )
        return alike

    def from_pairs(self) -> Iterator[Face]:
        """Faces of value 2 to 6: every pair that may be a diagonal."""
        long_, short = (2 * 2**0.5 * _PITCH * EDGE_PX * k for k in (1.16 + self.slack, 0.84 - self.slack))
        for i in range(len(self.pips)):
            gap = self.at - self.at[i]
            far = np.hypot(gap[:, 0], gap[:, 1])
            for j in np.nonzero(self.sisters(i) & (far > short) & (far < long_))[0]:
                if j > i:
                    middle = (self.at[i] + self.at[j]) / 2
                    for slant in _SLANTS:
                        yaw = float(np.arctan2(gap[j, 1], gap[j, 0])) - slant
                        pitch = far[j] / 2 * np.array([np.cos(slant), np.sin(slant)], np.float32)
                        face = self.judge(middle, yaw, pitch, (i, int(j)))
                        if face is not None:
                            yield face

    def from_single(self) -> Iterator[Face]:
        """Faces of value 1: a pip alone in the middle of a square with an edge round it."""
        for i in range(len(self.pips)):
            if self.pips[i].round_ < 0.7 or not self.alone(i):
                continue
            pitch = np.full(2, _PITCH * EDGE_PX, np.float32)
            face = self.judge(self.at[i], self.turn_of(self.at[i]), pitch, (i,))
            if face is not None:
                yield face

    def turn_of(self, middle: Lab) -> float:
        """The turn (radians) of the square round `middle` whose sides lie best on edges of the picture."""
        jump = np.linalg.norm(
            _sample(self.calm, middle + _RIMS[1]) - _sample(self.calm, middle + _RIMS[0]), axis=1
        )
        clear = np.minimum(jump, 30.0).reshape(len(_TURNS), -1).mean(axis=1)
        return float(_TURNS[int(clear.argmax())])

    def alone(self, i: int) -> bool:
        """Whether nothing like pip `i` stands at any place that could belong to its face."""
        angles = np.deg2rad(np.arange(0, 360, 15))
        round_ = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
        places = self.at[i] + np.concatenate([round_ * _PITCH, round_ * _PITCH * 2**0.5]) * EDGE_PX
        direction = self.contrast[i] / self.height[i]
        own = float((_nearby(self.band, self.at[i : i + 1], 1) @ direction).max())
        return bool((_sample(self.band, places) @ direction).max() < 0.5 * own)

    def judge(self, middle: Lab, yaw: float, pitch: Lab, ends: tuple[int, ...]) -> Face | None:
        """Measure one hypothesis; None when it is no face at all."""
        turn = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]], np.float32)
        contrast = self.contrast[list(ends)].mean(axis=0)
        height = float(np.linalg.norm(contrast))
        filled = self.filled(middle, turn, pitch, contrast / height, ends)
        belief, share = _belief(filled)
        value = max(belief, key=lambda v: belief[v])
        if (value == 1) != (len(ends) == 1) or share < 0.02:
            return None
        edge = min(max(float(pitch.mean()) / _PITCH, EDGE_PX * (1 - self.slack)), EDGE_PX * (1 + self.slack))
        used, stray = self.explained(middle, turn, pitch, edge, ends[0], filled)
        calm, border, body = self.body(middle, turn, edge, filled, pitch, height)
        if calm < 0.65 or border < 0.5 or stray > 1 or (value == 1 and stray):
            return None
        alike = self.alike(used)
        strong = min(1.0, (height - 8.0) / 24.0)
        quality = calm * border * strong * alike * 0.7**stray * self.lonely(middle, edge, ends[0])
        if stray:  # a pip that the pattern does not explain: read, but not believed
            belief = {v: b * 0.5 + 0.5 / 6 for v, b in belief.items()}
        # Of two readings of one place the one that explains more pips is nearer to the truth.
        score = quality * (0.5 + 0.5 * share) * (1 + len(used)) ** 0.5
        pip = body + contrast
        return Face(
            float(middle[0]),
            float(middle[1]),
            edge,
            float(np.rad2deg(yaw) % 90),
            belief,
            score,
            (float(body[0]), float(body[1]), float(body[2])),
            (float(pip[0]), float(pip[1]), float(pip[2])),
            used,
            quality,
        )

    def filled(self, middle: Lab, turn: Lab, pitch: Lab, direction: Lab, ends: tuple[int, ...]) -> Lab:
        """How much of a pip stands at each of the nine places, 1 = as much as at the ends."""
        h, w = self.band.shape[:2]
        reach = max(1, round(0.05 * EDGE_PX))
        own = _nearby(self.band, self.at[list(ends)], reach) @ direction
        full = float(own.max(axis=1).mean())
        places = np.asarray(middle + (pitch * _GRID) @ turn, np.float32)
        if (places < reach).any() or (places[:, 0] >= w - reach).any() or (places[:, 1] >= h - reach).any():
            return np.zeros(9, np.float32)
        return np.asarray((_nearby(self.band, places, reach) @ direction).max(axis=1) / full, np.float32)

    def explained(
        self, middle: Lab, turn: Lab, pitch: Lab, edge: float, like: int, filled: Lab
    ) -> tuple[frozenset[int], int]:
        """Pips of the same kind that stand on the pattern's places, and how many stand beside them."""
        local = (self.at - middle) @ turn.T
        inside = np.nonzero(self.sisters(like) & (np.abs(local) < 0.4 * edge).all(axis=1))[0]
        places = pitch * _GRID[filled > 0.5]
        off = np.linalg.norm(local[inside][:, None, :] - places[None], axis=2).min(axis=1, initial=np.inf)
        on = off <= 0.12 * edge
        return frozenset(inside[on].tolist()), int((~on).sum())

    def alike(self, used: frozenset[int]) -> float:
        """0..1: how round and how equal in size the pips of one face are."""
        if not used:
            return 0.0
        own = list(used)
        sizes = self.radius[own]
        round_ = float(np.mean([self.pips[i].round_ for i in own]))
        uneven = float(sizes.std() / sizes.mean())
        return min(1.0, round_ / 0.8) * min(1.0, 1.25 - 2 * uneven)

    def lonely(self, middle: Lab, edge: float, like: int) -> float:
        """0..1: a die has a few neighbours; a weave is full of spots like its own all round."""
        far = np.abs(self.at - middle).max(axis=1)
        around = int((self.sisters(like) & (far > 0.6 * edge) & (far < 2.5 * edge)).sum())
        return min(1.0, _CROWD / max(1, around))

    def body(
        self, middle: Lab, turn: Lab, edge: float, filled: Lab, pitch: Lab, height: float
    ) -> tuple[float, float, Lab]:
        """Share of the face that has the body's colour, share of its border with an edge, the colour."""
        steps = np.linspace(-0.42, 0.42, 11, dtype=np.float32) * edge
        cells = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        places = pitch * _GRID[filled > 0.5]
        free = np.linalg.norm(cells[:, None] - places[None], axis=2).min(axis=1, initial=np.inf) > 0.17 * edge
        inner = _sample(self.calm, middle + cells[free] @ turn)
        body = np.median(inner, axis=0)
        limit = max(6.0, 0.35 * height)
        calm = float((np.linalg.norm(inner - body, axis=1) < limit).mean())
        # Medians along lines beside each side: a border is one long edge, a weave averages out.
        spread = float(np.median(np.linalg.norm(inner - body, axis=1)))
        beside = _sample(self.calm, np.asarray(middle + (edge * _BESIDE) @ turn, np.float32)).reshape(
            4, len(_OUT), -1, 3
        )
        sides = np.linalg.norm(np.median(beside, axis=2) - body, axis=2).max(axis=1).tolist()
        border = float(np.mean([min(1.0, jump / max(9.0, 3 * spread)) for jump in sides]))
        return calm, border, np.asarray(body, np.float32)


def _sample(picture: Lab, points: Lab) -> Lab:
    """The picture's values at (n, 2) points, nearest pixel, clamped at the rim."""
    h, w = picture.shape[:2]
    at = np.rint(points).astype(np.intp)
    return np.asarray(picture[at[:, 1].clip(0, h - 1), at[:, 0].clip(0, w - 1)], np.float32)


def _nearby(picture: Lab, points: Lab, reach: int) -> Lab:
    """(n, k, c) values of the picture in a small square round each of (n, 2) points."""
    span = np.arange(-reach, reach + 1)
    dx, dy = np.meshgrid(span, span)
    at = np.rint(points).astype(np.intp)
    h, w = picture.shape[:2]
    ys = (at[:, 1:2] + dy.ravel()).clip(0, h - 1)
    xs = (at[:, 0:1] + dx.ravel()).clip(0, w - 1)
    return np.asarray(picture[ys, xs], np.float32)


def _belief(filled: Lab) -> tuple[dict[int, float], float]:
    """Share of belief for each value and how well the best pattern fits (0..1)."""
    present = 1.0 / (1.0 + np.exp(-(filled.astype(np.float64) - 0.5) / 0.07))
    present = present.clip(1e-4, 1 - 1e-4)
    fit = np.where(_FILLED, present, 1 - present).prod(axis=1)
    belief = {v: float(fit[v == VALUES].sum()) for v in range(1, 7)}
    total = sum(belief.values())
    return {v: share / total for v, share in belief.items()}, float(fit.max())
