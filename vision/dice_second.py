"""A second look at what the pips alone did not tell: highlights, marbled bodies, pips of hue, no lightness.

Wherever something stands out of calm ground that no face explains, every pair of spots that may be the
diagonal of a face is held against the six patterns as a whole (`dice_pattern`); a border all round must
agree. What fits two values about as well is a die that cannot be read.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_faces import Face, Search
from vision.dice_pattern import PATTERNS, PITCH, VALUES, Floats, fits, refine
from vision.dice_pips import EDGE_PX, Lab, spots

LEAST = {1: 0.38, 2: 0.34}
"""Fit and border together from which something is a die at all: one or two spots prove little."""
_LEAST = 0.27
_SEED = 0.2
_FAINT = 5.0
_MOST_SPOTS = 24
"""Spots about a place from which on it is cloth, not a die among a few others."""
_MOST_SEEDS = 20000
_KEPT = 6
_BLUR = 0.2
"""How much the fits of two values must differ before one of them is believed: a softmax's scale."""


def second_look(lab: Lab, known: Sequence[tuple[float, float, float]]) -> list[Face]:
    """Faces with an edge of about `EDGE_PX` in a CIELAB picture, away from `known` (x, y, edge)."""
    band = spots(lab)
    seeds = _seeds(*_peaks(band, known))
    if not len(seeds) or len(seeds) > _MOST_SEEDS:
        return []
    calm = np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.04 * EDGE_PX), np.float32)
    fit = fits(calm, seeds)
    top = _tops(seeds, fit)
    if not top:
        return []
    poses = seeds[[i for i, _ in top]]
    patterns = np.array([k for _, k in top], np.intp)
    poses, fit = refine(calm, poses, patterns)
    search = Search(band, calm, [], 0.13)
    return [
        face
        for pose, pattern, share in zip(poses, patterns.tolist(), fit.tolist(), strict=True)
        if (face := _face(search, pose, pattern, share)) is not None
    ]


def settle(faces: list[Face], known: Sequence[tuple[float, float, float]]) -> list[Face]:
    """One face a place out of the rivals of all sizes; how close the best other value comes is its belief."""
    kept: list[Face] = []
    for face in sorted(faces, key=lambda f: -f.score):
        if face.score < LEAST.get(face.value, _LEAST):
            continue
        here = [*known, *((k.x, k.y, k.edge) for k in kept)]
        if any(np.hypot(face.x - x, face.y - y) < 0.85 * max(edge, face.edge) for x, y, edge in here):
            continue
        rivals = dict.fromkeys(range(1, 7), 0.0)
        for other in faces:
            if np.hypot(face.x - other.x, face.y - other.y) < 0.5 * face.edge:
                rivals[other.value] = max(rivals[other.value], other.score)
        odds = {v: float(np.exp((score / face.score - 1) / (_BLUR * 0.3))) for v, score in rivals.items()}
        total = sum(odds.values())
        kept.append(
            Face(
                face.x,
                face.y,
                face.edge,
                face.yaw_deg,
                {v: o / total for v, o in odds.items()},
                face.score,
                face.body,
                face.pip,
                frozenset(),
                face.quality,
            )
        )
    return kept


def _peaks(band: Lab, known: Sequence[tuple[float, float, float]]) -> tuple[Floats, Floats]:
    """Places (n, 2) and contrasts (n, 3) of spots that no known face explains and that are no cloth."""
    strength = np.sqrt((band * band).sum(axis=2))
    reach = int(0.1 * EDGE_PX) | 1
    ys, xs = np.nonzero((strength >= cv2.dilate(strength, np.ones((reach, reach)))) & (strength > _FAINT))
    at = np.stack([xs, ys], axis=1).astype(np.float32)
    free = np.ones(len(at), bool)
    for x, y, edge in known:
        free &= np.hypot(at[:, 0] - x, at[:, 1] - y) > 0.6 * edge
    at = at[free]
    if len(at):
        # Counting in squares of an edge: cheap, and enough to tell cloth from dice.
        cell = (at / EDGE_PX).astype(np.intp)
        count = np.zeros(cell.max(axis=0) + 1, np.float32)
        np.add.at(count, (cell[:, 0], cell[:, 1]), 1)
        crowd = cv2.blur(count, (3, 3), borderType=cv2.BORDER_REFLECT)
        at = at[crowd[cell[:, 0], cell[:, 1]] < _MOST_SPOTS / 3]
    ys, xs = at[:, 1].astype(np.intp), at[:, 0].astype(np.intp)
    return at, np.asarray(band[ys, xs], np.float32)


def _seeds(at: Floats, contrast: Floats) -> Floats:
    """Poses (n, 5) worth a try: diagonals between like spots, and each spot as a 1 at six turns."""
    out: list[NDArray[np.float32]] = []
    pitch = PITCH * EDGE_PX
    ones = np.deg2rad(np.arange(0, 90, 15)).astype(np.float32)
    height = np.linalg.norm(contrast, axis=1)
    for i in range(len(at)):
        gap = at - at[i]
        far = np.hypot(gap[:, 0], gap[:, 1])
        like = contrast @ contrast[i] > 0.4 * height * height[i]
        like &= (height > 0.33 * height[i]) & (height < 3 * height[i])
        like[: i + 1] = False
        near = np.nonzero(like & (far > 0.52 * EDGE_PX) & (far < 0.92 * EDGE_PX))[0]
        for slant in (np.pi / 4, np.pi / 4 - 0.14, np.pi / 4 + 0.14):
            yaw = np.arctan2(gap[near, 1], gap[near, 0]) - slant
            u, v = far[near] / 2 * np.cos(slant), far[near] / 2 * np.sin(slant)
            out.append(np.column_stack([at[i] + gap[near] / 2, yaw, u, v]).astype(np.float32))
        single = np.tile(np.array([*at[i], 0, pitch, pitch], np.float32), (len(ones), 1))
        single[:, 2] = ones
        out.append(single)
    return np.concatenate(out) if out else np.zeros((0, 5), np.float32)


def _tops(seeds: Floats, fit: Floats) -> list[tuple[int, int]]:
    """(seed, pattern) worth refining: about each place the best few of each value."""
    flat = np.argsort(-fit, axis=None)
    flat = flat[: int((fit > _SEED).sum())][:4000]
    taken: list[tuple[float, float, int]] = []
    top = []
    for seed, pattern in zip(*np.unravel_index(flat, fit.shape), strict=True):
        x, y, value = float(seeds[seed, 0]), float(seeds[seed, 1]), int(VALUES[pattern])
        same = sum(1 for tx, ty, tv in taken if tv == value and abs(tx - x) + abs(ty - y) < 0.25 * EDGE_PX)
        if same < 2:
            taken.append((x, y, value))
            top.append((int(seed), int(pattern)))
        if len(top) >= 60 * _KEPT:
            break
    return top


def _face(search: Search, pose: Floats, pattern: int, share: float) -> Face | None:
    """The face of one refined pose; None when nothing bounds it."""
    value, places = PATTERNS[pattern]
    turn = np.array([[np.cos(pose[2]), np.sin(pose[2])], [-np.sin(pose[2]), np.cos(pose[2])]], np.float32)
    filled = np.zeros(9, np.float32)
    filled[list(places)] = 1.0
    edge = float(pose[3:].mean()) / PITCH
    calm, border, body = search.body(pose[:2], turn, edge, filled, pose[3:], 30.0)
    score = share * border * (0.5 + 0.5 * calm)
    if score < 0.6 * _LEAST:
        return None
    grid = np.array([[u, v] for v in (-1, 0, 1) for u in (-1, 0, 1)], np.float32)[list(places)]
    at = np.rint(pose[:2] + (grid * pose[3:]) @ turn).astype(np.intp)
    h, w = search.calm.shape[:2]
    pip = np.median(search.calm[at[:, 1].clip(0, h - 1), at[:, 0].clip(0, w - 1)], axis=0)
    return Face(
        float(pose[0]),
        float(pose[1]),
        edge,
        float(np.rad2deg(pose[2]) % 90),
        {value: 1.0},
        score,
        (float(body[0]), float(body[1]), float(body[2])),
        (float(pip[0]), float(pip[1]), float(pip[2])),
        frozenset(),
        score,
    )
