"""Lookalikes of dice: round things, dominoes (one body that looks like two dice), a die that leans.

The holes of a button lie like the pips of a 4, but its body ends on a circle. The halves of a domino
are two faces on one body. A die that leans on something shows the camera two sides, nearer to each other
than two dice can lie.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Float32, Float64
from vision.dice.face import Face
from vision.dice.face_parameters import FACE_SEARCH
from vision.dice.outline import turn_of
from vision.dice.parameters import DIE
from vision.dice.pips import EDGE_PX, LIGHT_BY_HALF, Lab
from vision.dice.selection import ALIKE, FLUSH, KIN_SIZE
from vision.dice.views import Views

_ANGLES = np.linspace(0, 2 * np.pi, 72, endpoint=False)
"""Directions (radians) in which the end of the body is sought."""
_AROUND = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1).astype(np.float32)
_OUT = np.arange(0.2, 1.3, 0.02, dtype=np.float32)
"""Distances from the face's middle, in edges, at which the end of the body is sought."""
_PIPS_END = 0.5
"""Distance, in edges, within which anything of the pips' colour is a pip."""
_PIP = 0.2
"""Share of the pips' contrast above which a colour lies between the body's and theirs."""
_CLOSED = 0.6
"""Share of the directions in which the body must end; with fewer, its shape is unknown."""
_FITS = 3
"""Fits of an ellipse, each without the worst points of the one before: a highlight, or things beside it."""
_NOTHING = 1e-6
"""Added to a length, so that nothing is divided by zero."""
_BEST = 0.9
"""Share of the points kept from one fit to the next."""


def _lines(beside: Sequence[float], across: Float32) -> Float32:
    """Points (n, k, 2) at n distances from the middle between two faces, spread `across` (k,) their axis."""
    return np.stack(np.broadcast_arrays(np.array(beside, np.float32)[:, None], across), axis=-1).astype(
        np.float32
    )


_HALF = np.linspace(-0.44, 0.44, 23, dtype=np.float32)
_LINE, _BESIDE = _lines((-0.025, 0, 0.025), _HALF), _lines((-0.1, -0.075, 0.075, 0.1), _HALF)
_GROUND = _lines((0,), np.array([-0.75, -0.7, -0.65, 0.65, 0.7, 0.75], np.float32))
"""Points in edges from the middle between the halves: on a domino's line, beside it, and off its two ends."""


def is_round(views: Views, face: Face) -> bool:
    """Whether a face's body ends on a circle (at a slant, an ellipse): a button, a coin, a shaker's lid."""
    points = _OUT[None, :, None] * _AROUND[:, None]
    at = (points @ turn_of(face)) * np.float32(face.edge) + np.array([face.x, face.y], np.float32)
    off = views.colours(at, EDGE_PX / face.edge) - np.asarray(face.body, np.float32)
    contrast = np.subtract(face.pip, face.body, dtype=np.float32)
    height = max(float(np.linalg.norm(contrast)), FACE_SEARCH.rim_step)
    along = off @ (contrast / np.float32(height**2))
    limit = max(FACE_SEARCH.rim_step, FACE_SEARCH.body_share * height)
    beside = np.linalg.norm(off - along[..., None] * contrast, axis=-1)
    pip = (along > _PIP) & (beside < limit) & (_OUT < _PIPS_END)
    ended = (np.linalg.norm(off, axis=-1) > limit) & ~pip
    # Require two steps in a row, because one alone may be grain.
    ended = ended[:, :-1] & ended[:, 1:]
    closed = ended.any(axis=1)
    rim = (_OUT[ended.argmax(axis=1)][:, None] * _AROUND)[closed]
    return bool(closed.mean() > _CLOSED) and _off_ellipse(rim.astype(np.float64)) < DIE.disc_off


def _off_ellipse(rim: Float64) -> float:
    """RMS distance of points (n, 2) from their best-fitting ellipse, over its radius; inf for a pip."""
    rows = np.column_stack([2 * rim, np.ones(len(rim))])
    rim = rim - np.linalg.lstsq(rows, (rim * rim).sum(axis=1), rcond=None)[0][:2]  # the middle of a circle
    off = radius = 0.0
    for _ in range(_FITS):
        turn, far = np.arctan2(rim[:, 1], rim[:, 0]), np.hypot(rim[:, 0], rim[:, 1])
        waves = [np.ones(len(rim)), *(wave(k * turn) for k in (1, 2) for wave in (np.cos, np.sin))]
        fit = np.linalg.lstsq(np.column_stack(waves), far, rcond=None)[0]
        gap = np.abs(far - np.column_stack(waves) @ fit)
        off, radius = float(np.sqrt((gap * gap).mean())), float(fit[0])
        rim = rim[gap <= np.quantile(gap, _BEST)] - fit[1:3]
    return off / radius if radius > _PIPS_END / 2 else np.inf


def of_one_thing(views: Views, faces: Sequence[Face]) -> list[Face]:
    """Find the faces that are two sides of one die, or the two halves of a domino."""
    near = [
        (one, two, float(np.hypot(one.x - two.x, one.y - two.y) / _edge(one, two)))
        for k, one in enumerate(faces)
        for two in faces[k + 1 :]
    ]
    alike = [(one, two, far) for one, two, far in near if far < DIE.half_far and _are_alike(one, two)]
    sides = [pair for *pair, far in alike if _are_sides(pair[0], pair[1], far)]
    halves = [pair for *pair, far in alike if far > FLUSH and _are_halves(views, pair[0], pair[1])]
    # A domino has two halves, so three faces in a row are dice.
    beside = [id(face) for pair in halves for face in pair]
    halves = [pair for pair in halves if all(beside.count(id(face)) == 1 for face in pair)]
    return [face for pair in sides + halves for face in pair]


def _are_alike(one: Face, two: Face) -> bool:
    """Whether two faces are of one material, even if the light on them differs."""
    bodies, pips = np.subtract(one.body, two.body), np.subtract(one.pip, two.pip)
    return all(float(np.linalg.norm(LIGHT_BY_HALF * off)) < ALIKE for off in (bodies, pips))


def _are_sides(one: Face, two: Face, far: float) -> bool:
    """Whether two faces are too near each other for two dice, or near and unequally lit, unlike two tops."""
    return far < FLUSH or (far < DIE.side_within and abs(one.body[0] - two.body[0]) > DIE.side_light)


def _are_halves(views: Views, one: Face, two: Face) -> bool:
    """Whether two faces are aligned on one body, with a thin line but no gap between them."""
    turned_deg = abs((one.yaw_deg - two.yaw_deg + 45) % 90 - 45)
    way = np.array([two.x - one.x, two.y - one.y], np.float32) / np.float32(_edge(one, two))
    across = min(float(np.abs(turn_of(face) @ way).min()) for face in (one, two))
    sizes = abs(float(np.log(one.edge / two.edge)))
    if turned_deg > DIE.half_turned_deg or across > DIE.half_aside or sizes > KIN_SIZE:
        return False
    way = way / np.linalg.norm(way)
    height = max(float(np.linalg.norm(np.subtract(one.pip, one.body))), FACE_SEARCH.rim_step)
    line, beside = (_off_body(views, (one, two), way, places) / height for places in (_LINE, _BESIDE))
    off = line[np.linalg.norm(line, axis=1).argmax()]
    if np.linalg.norm(off) < DIE.half_line or np.linalg.norm(beside, axis=1).max() > DIE.half_gap:
        return False
    # A domino's line has the paint of its pips; between dice that touch, the ground shows.
    ground, pip = _off_body(views, (one, two), way, _GROUND)[0], np.subtract(one.pip, one.body)
    return _cosine(off, pip) > _cosine(off, ground)


def _cosine(one: Lab, two: Lab) -> float:
    """Cosine between two colour differences, -1 to 1: how alike they are apart from their strength."""
    return float(one @ two) / (float(np.linalg.norm(one) * np.linalg.norm(two)) + _NOTHING)


def _off_body(views: Views, pair: tuple[Face, Face], way: Float32, places: Float32) -> Lab:
    """CIELAB difference (n, 3) between the median along each of n lines between two faces and their body.

    `places` (n, k, 2) are in edges from the middle: along the unit vector `way` (2,) from face to face, and
    across it.
    """
    one, two = pair
    edge, middle = _edge(one, two), np.array([one.x + two.x, one.y + two.y], np.float32) / 2
    aside = np.array([-way[1], way[0]], np.float32)
    points = middle + np.float32(edge) * (places[..., :1] * way + places[..., 1:] * aside)
    body = np.add(one.body, two.body, dtype=np.float32) / 2
    return np.asarray(np.median(views.colours(points, EDGE_PX / edge) - body, axis=1), np.float32)


def _edge(one: Face, two: Face) -> float:
    return (one.edge + two.edge) / 2
