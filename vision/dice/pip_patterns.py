"""How well each of the six pip patterns explains the colours of a face, whatever colour pips and body have.

For each pose, every pattern is regressed on the colours of the face's cells. R squared, the share of the
pattern's variance that some mix of lightness, a and b explains, is 1 for clean pips, whether they differ in
hue or in lightness. A highlight, a marbled body or a shadow is unrelated to the pattern and lowers it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.dice.body import GRID
from vision.dice.face_parameters import FACE_SEARCH
from vision.dice.pips import EDGE_PX, Lab

PITCH = 0.25
"""Distance between neighbouring grid places over the die's edge; makers use 0.21 to 0.29."""
PATTERNS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (1, (4,)),
    (2, (0, 8)),
    (2, (2, 6)),
    (3, (0, 4, 8)),
    (3, (2, 4, 6)),
    (4, (0, 2, 6, 8)),
    (5, (0, 2, 4, 6, 8)),
    (6, (0, 2, 3, 5, 6, 8)),
    (6, (0, 1, 2, 6, 7, 8)),
)
"""Which of the nine places (row by row) a value fills; 2, 3 and 6 are listed in two turns."""
VALUES = np.array([value for value, _ in PATTERNS])

FILLED = np.array([[k in places for k in range(9)] for _, places in PATTERNS])
"""(9 patterns, 9 places) whether a pip is there."""
_CELLS = 13
_MOST = 128
"""Poses measured at once: few enough to fit into a cache and to keep BLAS from starting threads."""
_REACH = 0.44
_RADIUS = 0.1
_HOPE = 0.6
"""Share of the best fit at a place below which other poses there are given up."""
_NOISE = 3.0
"""Camera noise in CIELAB, added to the variance of a face, so that fainter contrast explains little."""

_steps = np.linspace(-_REACH, _REACH, _CELLS, dtype=np.float32)
_U, _V = (axis.ravel() for axis in np.meshgrid(_steps, _steps))


def _templates() -> Float32:
    """Templates (9 patterns, cells): soft discs at the grid's places, mean removed, scaled to length 1."""
    gap = np.hypot(_U[None] - PITCH * GRID[:, :1], _V[None] - PITCH * GRID[:, 1:])
    discs = np.clip((_RADIUS - gap) / 0.06 + 0.5, 0.0, 1.0)
    drawn = np.stack([discs[list(places)].sum(axis=0) for _, places in PATTERNS])
    drawn -= drawn.mean(axis=1, keepdims=True)
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)


_DRAWN = _templates()
_SLANT = np.stack(
    [np.ones_like(_U) / len(_U) ** 0.5, *(axis / np.sqrt((_U * _U).sum()) for axis in (_U, _V))]
)


# Each pattern without its linear gradient: a gradient of the light is removed from the face with its mean.
_FREE = np.asarray(_DRAWN - (_DRAWN @ _SLANT.T) @ _SLANT, np.float32)
_PLANE = np.asarray(np.stack([np.ones_like(_U), _U / PITCH, _V / PITCH]), np.float32)
_ALONG = np.ascontiguousarray(np.concatenate([_SLANT, _FREE]).T, np.float32)


def belief_in(filled: Float32) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Belief (n, 6) in each value, and how well the best pattern fits (n,), 0..1, for `filled` (n, 9)."""
    present = 1.0 / (1.0 + np.exp(-(filled.astype(np.float64) - 0.5).clip(-20, 20) / FACE_SEARCH.pip_doubt))
    present = present.clip(1e-4, 1 - 1e-4)
    fit = np.where(FILLED, present[:, None], 1 - present[:, None]).prod(axis=2)
    belief = np.stack([fit[:, v == VALUES].sum(axis=1) for v in range(1, 7)], axis=1)
    return belief / belief.sum(axis=1, keepdims=True), fit.max(axis=1)


def fits(calm: Lab, poses: Float32) -> Float32:
    """Share 0..1 of each pattern explained (n, 9), for poses (n, 5): x, y, yaw (radians), pitch u, pitch v.

    `calm` is the lightly smoothed CIELAB picture; lengths are in its pixels.
    """
    parts = [_fits(calm, poses[k : k + _MOST]) for k in range(0, len(poses), _MOST)]
    return np.concatenate(parts) if parts else np.zeros((0, len(PATTERNS)), np.float32)


def _fits(calm: Lab, poses: Float32) -> Float32:
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    x, y, u, v = poses[:, 0], poses[:, 1], poses[:, 3], poses[:, 4]
    xs = np.stack([x, u * cos, -v * sin], axis=1) @ _PLANE
    ys = np.stack([y, u * sin, v * cos], axis=1) @ _PLANE
    colours = cv2.remap(calm, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    # One plane per channel, so that everything below is a matrix product.
    planes = cv2.split(colours)
    both = [np.asarray(plane @ _ALONG, np.float32) for plane in planes]
    slant = [part[:, : len(_SLANT)] for part in both]
    along = [part[:, len(_SLANT) :] for part in both]
    spread = {
        (i, j): np.einsum("nk,nk->n", planes[i], planes[j]) - np.einsum("nk,nk->n", slant[i], slant[j])
        for i in range(3)
        for j in range(i, 3)
    }
    return _explained(spread, along)


def _explained(spread: dict[tuple[int, int], Float32], along: list[Float32]) -> Float32:
    """R squared (n, 9): along' S^-1 along, by cofactors; `spread` holds S, symmetric 3 x 3, without noise."""
    noise = np.float32(_NOISE**2 * len(_U))
    a, d, f = (spread[i, i] + noise for i in range(3))
    b, c, e = spread[0, 1], spread[0, 2], spread[1, 2]
    ca, cb, cc = d * f - e * e, c * e - b * f, b * e - c * d
    scale = 1 / (a * ca + b * cb + c * cc)
    cd, ce, cf = a * f - c * c, b * c - a * e, a * d - b * b
    one, two, three = along
    weights = [(scale * k)[:, None] for k in (ca, cb, cc, cd, ce, cf)]
    out = (weights[0] * one + 2 * weights[1] * two + 2 * weights[2] * three) * one
    out += (weights[3] * two + 2 * weights[4] * three) * two
    out += weights[5] * three * three
    return np.asarray(out, np.float32)


_NUDGES = np.array(
    [[0.0] * 5] + [[sign * (axis == k) for k in range(5)] for axis in range(5) for sign in (-1.0, 1.0)],
    np.float32,
)
_NUDGE = np.array([1.5, 1.5, 0.09, 0.7, 0.7], np.float32)


def refine(
    calm: Lab, poses: Float32, patterns: NDArray[np.intp]
) -> tuple[Float32, NDArray[np.intp], Float32]:
    """Move poses (n, 5) to where each explains its own pattern best; return poses, patterns and fits (n,).

    A pose that fits much worse than another one at its place is dropped after each step.
    """
    middle = PITCH * EDGE_PX
    poses = poses.copy()
    poses[:, 3:] = poses[:, 3:].clip(
        (1 - FACE_SEARCH.start_slack) * middle, (1 + FACE_SEARCH.start_slack) * middle
    )
    best = np.zeros(len(poses), np.float32)
    for step in (1.0, 1.0, 0.7, 0.4):
        own = np.arange(len(poses))
        tried = poses[:, None] + step * _NUDGE * _NUDGES
        oblong = tried[..., 3] / tried[..., 4]
        far = (np.abs(tried[..., 3:] / middle - 1) > FACE_SEARCH.pitch_slack).any(axis=2) | (
            np.abs(np.log(oblong)) > FACE_SEARCH.most_oblong
        )
        fit = fits(calm, tried.reshape(-1, 5)).reshape(len(poses), len(_NUDGES), 9)[
            own[:, None], np.arange(len(_NUDGES))[None], patterns[:, None]
        ]
        fit[far] = 0.0
        pick = fit.argmax(axis=1)
        poses, best = tried[own, pick], fit[own, pick]
        good = _hopeful(poses, best)
        poses, patterns, best = poses[good], patterns[good], best[good]
    return poses, patterns, best


def _hopeful(poses: Float32, best: Float32) -> NDArray[np.bool_]:
    """Which poses (n, 5) are not far worse than the best one within `one_place` of them."""
    gap = np.abs(poses[:, None, :2] - poses[None, :, :2]).max(axis=2)
    rival = np.where(gap < FACE_SEARCH.one_place * EDGE_PX, best[None], 0.0).max(axis=1, initial=0.0)
    return np.asarray(best > _HOPE * rival)
