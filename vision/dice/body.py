"""The body of a die: one calm surface with an edge all round, measured for many hypotheses at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.dice.face_parameters import FACE_SEARCH
from vision.dice.pips import Lab

GRID = np.array([[u, v] for v in (-1, 0, 1) for u in (-1, 0, 1)], np.float32)
"""The nine places for pips, row by row, in steps of the pitch."""


def _sides(out: float, along: Float32) -> Float32:
    """Points (4, n, 2) beside the four sides of a face of edge 1, at distance `out` from its middle."""
    far = np.full_like(along, out)
    right, above = np.stack([far, along], axis=1), np.stack([along, far], axis=1)
    return np.stack([right, above, -right, -above])


_OUT = (0.5, 0.57, 0.64, 0.71)
"""Distances from the middle, in edges, at which the ground beside a die is read; its own side is at 0.5."""
_BESIDE = np.stack(
    [_sides(out, np.linspace(-0.33, 0.33, 7, dtype=np.float32)) for out in _OUT], axis=1
).reshape(-1, 2)
_STEPS = np.linspace(-0.42, 0.42, 11, dtype=np.float32)
_CELLS = np.stack(np.meshgrid(_STEPS, _STEPS), axis=-1).reshape(-1, 2)
_CHUNK = 2048
"""Places judged at once: more need more memory and are no faster."""

TURNS = np.deg2rad(np.arange(0, 90, 3)).astype(np.float32)
"""Turns (radians) tried for a square without a pattern."""
# Points just inside and just outside the sides of a die of edge 1, for every turn.
_RIMS = [
    np.concatenate(
        [
            _sides(out, np.linspace(-0.4, 0.4, 13, dtype=np.float32)).reshape(-1, 2)
            @ np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]], np.float32)
            for t in TURNS
        ]
    )
    for out in (0.43, 0.57)
]


def turn_matrices(yaw: Float32) -> Float32:
    """Matrices (n, 2, 2) of angles (n,) in radians: `points @ matrix` turns face points to the picture."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    return np.asarray(np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], -2), np.float32)


Bounds = tuple[NDArray[np.intp], NDArray[np.intp]]
"""First and last pixel (n, 2) of the part of a picture that each of n hypotheses may read."""


def sample(
    picture: NDArray[Any], points: NDArray[np.floating[Any]], within: Bounds | None = None
) -> NDArray[Any]:
    """Sample the picture at (..., 2) points: nearest pixel, clamped at the rim.

    `within` has the bounds of the part of the picture that each of (n, ..., 2) points may read.
    """
    h, w = picture.shape[:2]
    at = np.rint(points).astype(np.intp)
    if within is None:
        x, y = at[..., 0].clip(0, w - 1), at[..., 1].clip(0, h - 1)
    else:
        first, last = (rim.reshape(-1, *(1,) * (at.ndim - 2), 2) for rim in within)
        at = np.minimum(np.maximum(at, first), last)
        x, y = at[..., 0], at[..., 1]
    flat = y * w + x
    return np.asarray(picture.reshape(h * w, -1).take(flat.ravel(), axis=0).reshape(*flat.shape, -1))


def _part(within: Bounds | None, part: slice) -> Bounds | None:
    return None if within is None else (within[0][part], within[1][part])


def nearby(picture: Float32, points: Float32, reach: int) -> Float32:
    """Values (n, k, c) of the picture in a small square round each of (n, 2) points."""
    steps = np.arange(-reach, reach + 1)
    square = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return sample(picture, np.rint(points)[:, None] + square)


@dataclass(frozen=True, slots=True)
class PipGrids:
    """Poses of n possible faces, each a grid of nine places for pips."""

    middle: Float32
    """(n, 2) pixels."""
    turn: Float32
    """(n, 2, 2), see `turn_matrices`."""
    edge: Float32
    """(n,) length of a side in pixels."""
    filled: NDArray[np.bool_]
    """(n, 9) which places are pips."""
    pitch: Float32
    """(n, 2) pixels from place to place, along both sides."""
    height: Float32
    """(n,) contrast of pips and body in CIELAB."""

    def part(self, part: slice) -> PipGrids:
        """Return a part of the faces."""
        return PipGrids(
            self.middle[part],
            self.turn[part],
            self.edge[part],
            self.filled[part],
            self.pitch[part],
            self.height[part],
        )


def bodies(calm: Lab, grids: PipGrids, within: Bounds | None = None) -> tuple[Float32, Float32, Lab]:
    """Shares (n,) of each face in its body's colour and of its border with an edge; body colours (n, 3).

    `calm` is the lightly smoothed CIELAB picture, `within` the part of it that each face belongs to.
    """
    count = len(grids.middle)
    if not count:
        return np.zeros(0, np.float32), np.zeros(0, np.float32), np.zeros((0, 3), np.float32)
    parts = []
    for k in range(0, count, _CHUNK):
        part = slice(k, k + _CHUNK)
        parts.append(_bodies(calm, grids.part(part), _part(within, part)))
    shares, borders, colours = (np.concatenate(each) for each in zip(*parts, strict=True))
    return shares, borders, colours


def _bodies(calm: Lab, grids: PipGrids, within: Bounds | None) -> tuple[Float32, Float32, Lab]:
    middle, turn, edge, filled = grids.middle, grids.turn, grids.edge, grids.filled
    cells = _CELLS * edge[:, None, None]
    places = grids.pitch[:, None] * GRID
    free = np.ones(cells.shape[:2], bool)
    for k in range(9):
        gap = cells - places[:, k : k + 1]
        free &= ~filled[:, k : k + 1] | (
            (gap * gap).sum(axis=2) > (FACE_SEARCH.pip_free * edge[:, None]) ** 2
        )
    inner = sample(calm, middle[:, None] + cells @ turn, within)
    count = free.sum(axis=1)
    body = _median(np.where(free[..., None], inner, np.inf), count)
    off = inner - body[:, None]
    off = np.where(free, np.sqrt((off * off).sum(axis=2)), np.float32(np.inf))
    limit = np.maximum(FACE_SEARCH.body_apart, FACE_SEARCH.body_share * grids.height)
    share = (off < limit[:, None]).sum(axis=1) / np.maximum(count, 1)
    # Medians along lines beside each side keep a border, which is one long edge, and average out a weave.
    spread = _median(off[..., None], count)[:, 0]
    around = sample(calm, middle[:, None] + (edge[:, None, None] * _BESIDE) @ turn, within)
    beside = np.sort(around.reshape(len(middle), 4, len(_OUT), 7, 3), axis=3)[:, :, :, 3]
    sides = np.linalg.norm(beside - body[:, None, None], axis=3).max(axis=2)
    border = np.minimum(1.0, sides / np.maximum(FACE_SEARCH.rim_step, 3 * spread)[:, None]).mean(axis=1)
    return np.asarray(share, np.float32), np.asarray(border, np.float32), np.asarray(body, np.float32)


def _median(values: Float32, count: NDArray[np.intp]) -> Float32:
    """Medians (n, c) of the `count` smallest values in each row of (n, k, c); the rest is infinite."""
    ordered = np.sort(values, axis=1)
    rows = np.arange(len(values))
    last = np.maximum(count, 1)
    return np.asarray((ordered[rows, (last - 1) // 2] + ordered[rows, last // 2]) / 2, np.float32)


def best_turns(calm: Lab, middle: Float32, edge: float, within: Bounds | None = None) -> Float32:
    """Turns (n,), in radians, at which squares round `middle` (n, 2) fit the edges of the picture best.

    `within`: the part of the picture that each square is in.
    """
    yaw = np.zeros(len(middle), np.float32)
    for k in range(0, len(middle), 256):
        spots, own = middle[k : k + 256, None], _part(within, slice(k, k + 256))
        inside, outside = (sample(calm, spots + rim * np.float32(edge), own) for rim in _RIMS)
        jump = outside - inside
        clear = np.minimum(np.sqrt((jump * jump).sum(axis=2)), FACE_SEARCH.most_step)
        best = clear.reshape(len(spots), len(TURNS), -1).mean(axis=2).argmax(axis=1)
        yaw[k : k + 256] = TURNS[best]
    return yaw
