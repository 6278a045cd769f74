"""A second look where pips alone found no die: highlights, marbled bodies, pips that differ only in hue.

Wherever something unexplained stands out from calm ground, every pair of spots that may be the
diagonal of a face is compared with the six patterns as a whole (`pip_patterns`); the face must also have
a border all round. A face that fits two values about equally well is a die that cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.dice.body import GRID, PipGrids, bodies, sample, turn_matrices
from vision.dice.face import Face
from vision.dice.pip_patterns import FILLED, PITCH, VALUES, fits, refine
from vision.dice.pips import EDGE_PX, Lab, spots, strength_of
from vision.dice.poses import FROM_ABOVE
from vision.dice.search_parameters import DIE_SEARCH
from vision.dice.views import Known

LEAST = {1: 0.38, 2: 0.34}
"""Least score, by value, of a face that counts as a die; others `_LEAST`. One or two spots prove little."""
_LEAST = 0.27
LEAST_ALONE = 0.25
"""The same for a face on an isolated body of a die's size, which is clearly a die."""
_WHOLE = 0.8
"""Share of a lone pip's score at which a face that explains another pip beside it is preferred."""
_SEED = 0.2
"""Share explained below which a seed is not refined: a lower one finds fainter faces and costs time."""
_FAINT = 5.0
"""CIELAB strength of a spot below which it is not tried as a pip."""
_MOST_SPOTS = 24
"""Number of spots near a place at which it counts as cloth, not as a die among a few others."""
_MOST_SEEDS = 20000
"""Most poses tried in a picture; one with more is given up, because it is full of print."""
_STANDS = 0.65
"""Share of a face that must lie on a body that differs in colour from the ground."""
_SQUARE = 0.8 * (np.stack(np.meshgrid(range(5), range(5)), axis=-1).reshape(-1, 2) / 4 - 0.5)
_KEPT = 6
"""Most seeds that are refined, in units of 60: more find fainter faces and cost time."""
_ROWS = 512
"""Spots compared with all others at once; bounds the memory."""
_ONES = np.deg2rad(np.arange(0, 90, 15))
_BLUR = 0.06
"""Share of its fit by which a value must beat another to be believed: the scale of a softmax."""
_SPREAD = 1.7
"""Spread of a face's pips over their contrast at which belief would be 0 (but for `least_alike`)."""
_BOUND = 0.3
"""Share of a border with an edge below which a face is given up before it is refined."""
_HEIGHT = 30.0
"""CIELAB contrast assumed for the pips when a body's evenness is judged and their own is still unknown."""
_GLINT = 0.12
"""Width, in edges, below which a bright spot is a glint, not a pip: pips are about 0.2 wide."""
_FAINT_FIT = 0.4
"""Fit below which the scale of the softmax no longer shrinks, because the noise does not either."""


def second_look(lab: Lab, unread: NDArray[np.uint8], alone: NDArray[np.uint8] | None = None) -> list[Face]:
    """Find faces with an edge of about `EDGE_PX` in a CIELAB picture (h, w, 3), pips only in `unread`.

    `unread` (h, w) is not 0 where something lies that no face explains. Parts that stand `alone` (None: all)
    are read twice, with and without their glints: on a polished die glints would weigh as much as its pips.
    """
    polished = unread if alone is None else np.asarray(unread & alone, np.uint8)
    found = _looked(lab, unread)
    return [*found, *_looked(without_glints(lab), polished)] if polished.any() else found


def without_glints(lab: Lab) -> Lab:
    """Remove bright lines and dots thinner than a pip from a CIELAB picture (h, w, 3), by an opening."""
    light, a, b = cv2.split(lab)
    wide = round(_GLINT * EDGE_PX) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    return np.asarray(cv2.merge([cv2.morphologyEx(light, cv2.MORPH_OPEN, disc), a, b]), np.float32)


def _looked(lab: Lab, unread: NDArray[np.uint8]) -> list[Face]:
    """Find the faces of `second_look` in one picture."""
    band = spots(lab)
    seeds = _standing(_seeds(*_peaks(band, unread)), unread)
    if not len(seeds) or len(seeds) > _MOST_SEEDS:
        return []
    calm = np.asarray(cv2.GaussianBlur(lab, (0, 0), DIE_SEARCH.second_calm * EDGE_PX), np.float32)
    fit = fits(calm, seeds)
    top = _tops(seeds, fit)
    if not top:
        return []
    poses = seeds[[i for i, _ in top]]
    patterns = np.array([k for _, k in top], np.intp)
    # A pose without an edge round it before refinement has none afterwards either: most poses end here.
    _, border, _ = _under(calm, poses, patterns)
    bound = border >= _BOUND
    poses, patterns, fit = refine(calm, poses[bound], patterns[bound])
    return _faces(calm, poses, patterns, fit)


def settle(faces: list[Face], known: Known, carries: Callable[[Face], bool | None]) -> list[Face]:
    """Keep one face per place from rivals of all sizes; its belief reflects how close other values come.

    `carries` returns whether an isolated body of a die's size may have that face on top; None where there
    is no such body.
    """
    faces = [face for face in faces if carries(face) is not False]
    faces = [face for face in faces if face.value > 1 or not _is_part(face, faces)]
    kept: list[Face] = []
    for face in sorted(faces, key=lambda f: -f.score):
        least = LEAST.get(face.value, _LEAST)
        if face.score < min(least, LEAST_ALONE) or (face.score < least and not carries(face)):
            continue
        here = [*known, *((k.x, k.y, k.edge) for k in kept)]
        if any(
            np.hypot(face.x - x, face.y - y) < DIE_SEARCH.own_room * max(edge, face.edge)
            for x, y, edge in here
        ):
            continue
        rivals = dict.fromkeys(range(1, 7), 0.0)
        for other in faces:
            if np.hypot(face.x - other.x, face.y - other.y) < 0.5 * face.edge:
                rivals[other.value] = max(rivals[other.value], other.score)
        blur = _BLUR * max(face.score, _FAINT_FIT)
        odds = {v: float(np.exp((score - face.score) / blur)) for v, score in rivals.items()}
        total = sum(odds.values())
        kept.append(replace(face, belief={v: o / total for v, o in odds.items()}))
    return kept


def _is_part(one: Face, faces: list[Face]) -> bool:
    """Whether a lone pip belongs to a larger face that is about as good and explains more."""
    for face in faces:
        if (
            face.value > 1
            and face.score >= _WHOLE * one.score
            and DIE_SEARCH.part_smaller < face.edge / one.edge < DIE_SEARCH.part_larger
        ):
            out = np.hypot(face.x - one.x, face.y - one.y) / face.edge
            if abs(out - 2**0.5 * PITCH) < DIE_SEARCH.part_off:
                return True
    return False


def _peaks(band: Lab, unread: NDArray[np.uint8]) -> tuple[Float32, Float32]:
    """Places (n, 2) and contrasts (n, 3) of the spots in `unread` that are not cloth."""
    strength = strength_of(band)
    reach = int(DIE_SEARCH.second_peak * EDGE_PX) | 1
    peak = (strength >= cv2.dilate(strength, np.ones((reach, reach)))) & (strength > _FAINT)
    ys, xs = np.nonzero(peak & (unread > 0))
    at = np.stack([xs, ys], axis=1).astype(np.float32)
    if len(at):
        # Counting in squares of one edge is cheap, and enough to tell cloth from dice.
        cell = (at / EDGE_PX).astype(np.intp)
        count = np.zeros(cell.max(axis=0) + 1, np.float32)
        np.add.at(count, (cell[:, 0], cell[:, 1]), 1)
        crowd = cv2.blur(count, (3, 3), borderType=cv2.BORDER_REFLECT)
        at = at[crowd[cell[:, 0], cell[:, 1]] < _MOST_SPOTS / 3]
    ys, xs = at[:, 1].astype(np.intp), at[:, 0].astype(np.intp)
    return at, np.asarray(band[ys, xs], np.float32)


def _seeds(at: Float32, contrast: Float32) -> Float32:
    """Poses (n, 5) worth trying: diagonals between similar spots, and each spot as a 1 at six turns."""
    n = len(at)
    if not n:
        return np.zeros((0, 5), np.float32)
    height = np.linalg.norm(contrast, axis=1)
    out = []
    for k in range(0, n, _ROWS):
        own = np.arange(k, min(k + _ROWS, n))
        gap = at[None] - at[own, None]
        far = np.hypot(gap[..., 0], gap[..., 1])
        near = (
            (far > DIE_SEARCH.least_diagonal * EDGE_PX)
            & (far < DIE_SEARCH.most_diagonal * EDGE_PX)
            & (np.arange(n) > own[:, None])
        )
        i, j = np.nonzero(near)
        a, b = height[own[i]], height[j]
        like = (
            ((contrast[own[i]] * contrast[j]).sum(axis=1) > DIE_SEARCH.like_colour * a * b)
            & (b > DIE_SEARCH.like_height * a)
            & (b < DIE_SEARCH.unlike_height * a)
        )
        i, j = i[like], j[like]
        step, reach = gap[i, j], far[i, j] / 2
        for slant in FROM_ABOVE:
            yaw = np.arctan2(step[:, 1], step[:, 0]) - slant
            middle = at[own[i]] + step / 2
            out.append(np.column_stack([middle, yaw, reach * np.cos(slant), reach * np.sin(slant)]))
    ones = np.zeros((n, len(_ONES), 5))
    ones[..., :2], ones[..., 2], ones[..., 3:] = at[:, None], _ONES, PITCH * EDGE_PX
    return np.concatenate([*out, ones.reshape(-1, 5)]).astype(np.float32)


def _standing(seeds: Float32, unread: NDArray[np.uint8]) -> Float32:
    """Poses (n, 5) whose faces lie mostly on unread things: a rim, a fold or a shadow holds no face."""
    if not len(seeds):
        return seeds
    square = EDGE_PX * _SQUARE @ turn_matrices(seeds[:, 2])
    there = sample(unread[..., None], seeds[:, None, :2] + square)[..., 0] > 0
    return np.asarray(seeds[there.mean(axis=1) >= _STANDS], np.float32)


def _tops(seeds: Float32, fit: Float32) -> list[tuple[int, int]]:
    """Pairs (seed, pattern) worth refining: at each place, the best two of each value."""
    flat = np.argsort(-fit, axis=None)
    flat = flat[: int((fit > _SEED).sum())][:4000]
    seed, pattern = np.unravel_index(flat, fit.shape)
    value, at = VALUES[pattern], seeds[seed, :2]
    top: list[int] = []
    taken = np.zeros((len(flat), 3), np.float32)
    for k in range(len(flat)):
        held = taken[: len(top)]
        near = np.abs(held[:, 0] - at[k, 0]) + np.abs(held[:, 1] - at[k, 1]) < DIE_SEARCH.one_seed * EDGE_PX
        if np.count_nonzero(near & (held[:, 2] == value[k])) < 2:
            taken[len(top)] = (*at[k], value[k])
            top.append(k)
        if len(top) >= 60 * _KEPT:
            break
    return list(zip(seed[top].tolist(), pattern[top].tolist(), strict=True))


def _alike(off: Float32, contrast: Float32) -> float:
    """Share 0..1 of belief left to pips that are `off` (n, 3) their median colour, `contrast` off the body.

    A highlight may bleach a pip, but a spot as far from the others as from the body is not a pip.
    """
    spread = float(np.linalg.norm(off, axis=1).max() / max(1e-6, np.linalg.norm(contrast)))
    return float(np.clip(_SPREAD - spread, DIE_SEARCH.least_alike, 1.0))


def _under(calm: Lab, poses: Float32, patterns: NDArray[np.intp]) -> tuple[Float32, Float32, Lab]:
    """Shares (n,) of poses (n, 5) in body colour and of their border with an edge; body colours (n, 3)."""
    turn, edge = turn_matrices(poses[:, 2]), poses[:, 3:].mean(axis=1) / np.float32(PITCH)
    height = np.full(len(poses), _HEIGHT, np.float32)
    return bodies(calm, PipGrids(poses[:, :2], turn, edge, FILLED[patterns], poses[:, 3:], height))


def _faces(calm: Lab, poses: Float32, patterns: NDArray[np.intp], shares: Float32) -> list[Face]:
    """The faces at refined poses (n, 5), without those whose score is far below the least."""
    even, border, body = _under(calm, poses, patterns)
    turn, edge = turn_matrices(poses[:, 2]), poses[:, 3:].mean(axis=1) / np.float32(PITCH)
    scores = shares * border * (0.5 + 0.5 * even)
    found = []
    for k in np.nonzero(scores >= DIE_SEARCH.near_least * _LEAST)[0].tolist():
        places = poses[k, :2] + (GRID[FILLED[patterns[k]]] * poses[k, 3:]) @ turn[k]
        pips = sample(calm, places)
        pip = np.median(pips, axis=0)
        x, y, yaw = poses[k, :3].tolist()
        score = float(scores[k] * _alike(pips - pip, pip - body[k]))
        found.append(
            Face(
                x=x,
                y=y,
                edge=float(edge[k]),
                yaw_deg=float(np.rad2deg(yaw) % 90),
                belief={int(VALUES[patterns[k]]): 1.0},
                score=score,
                body=(float(body[k, 0]), float(body[k, 1]), float(body[k, 2])),
                pip=(float(pip[0]), float(pip[1]), float(pip[2])),
                pips=frozenset(),
                quality=score,
            )
        )
    return found
