"""The outlines of a face's pips, traced in the picture's own pixels to measure how round they really are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Float32
from vision.dice.body import GRID, turn_matrices
from vision.dice.face import Face
from vision.dice.pip_patterns import FILLED, PITCH, VALUES
from vision.dice.pips import EDGE_PX
from vision.dice.views import Views

UNMEASURED = 9.0
"""Deviation from a disc given to a spot without an outline: larger than any outline's."""
_SCALE = 2.0 * EDGE_PX
_RAYS = 24
_STEPS = 25
_FAR = 0.24
"""Distance from a pip's middle, in edges, up to which its outline is sought."""
_BRIDGED = 3
"""Most rays that may lack an outline, as where a highlight joins pip and rim; they get the others' mean."""
_CORE = 0.06
_RING = 0.14
_LIT_FLOOR, _DISC = 0.25, 0.05
"""Height, over that of a pip's dark part, above which its lit floor stays; and the largest deviation from a
disc at that height: a suit's is as large as at half height, .1 and more."""
_FAINT = 0.2
"""Contrast, over that of the face's pips, below which a spot is not a pip."""

_ANGLES = np.linspace(0, 2 * np.pi, _RAYS, endpoint=False)
_OUT = np.linspace(0, _FAR, _STEPS, dtype=np.float32)
_AROUND = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1).astype(np.float32)
_CIRCLES = np.linspace(0, 0.2, 11, dtype=np.float32)[:, None, None] * _AROUND
_MIDDLE = slice(2)
"""Points on circles round a spot's middle, in edges (`_CIRCLES`); the circles that count as its middle."""
_NEAR = np.linspace(-0.1, 0.1, 7, dtype=np.float32)
_SQUARE = np.stack(np.meshgrid(_NEAR, _NEAR), axis=-1).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class Outlines:
    """The outlines of n spots: `off` (n,) from an ellipse over their radius, `oblong` (n,), `radius` (n,).

    Lengths are in edges of the face; `middle` (n, 2) is relative to the face's middle, along the picture.
    """

    middle: Float32
    off: Float32
    oblong: Float32
    radius: Float32


def outlines_of_pips(views: Views, face: Face) -> Outlines:
    """Trace the outlines of a face's pips, in the turn of its pattern that fits the picture better."""
    turns = [(GRID[places] * np.float32(PITCH)) @ turn_of(face) for places in FILLED[face.value == VALUES]]
    return outlines(views, face, max(turns, key=lambda at: float(_along(views, face, at[:, None]).mean())))


def turn_of(face: Face) -> Float32:
    """Rotation (2, 2): `points @ turn` turns points of the face into the picture."""
    return np.asarray(turn_matrices(np.asarray([np.deg2rad(face.yaw_deg)], np.float32))[0])


def outlines(views: Views, face: Face, places: Float32) -> Outlines:
    """Trace the outlines of the spots near `places` (n, 2), in edges from the face's middle."""
    for _ in range(2):
        near = _along(views, face, places[:, None] + _SQUARE)
        low = np.sort(near, axis=1)[:, int(0.3 * len(_SQUARE))]
        weight = np.maximum(near - low[:, None], 0) + np.float32(1e-6)
        places = places + (weight @ _SQUARE) / weight.sum(axis=1, keepdims=True)
    points = places[:, None, None] + _OUT[:, None] * _AROUND[:, None]
    rays = _along(views, face, points)
    core, base = _level(rays[:, :, _OUT < _CORE], 0.5), _level(rays[:, :, _OUT > _RING], 0.4)
    scaled = (rays - base[:, None, None]) / np.maximum(core - base, _FAINT)[:, None, None]
    # A point nearer to another pip belongs to that pip: the pips of a 6 run together.
    gap = points[:, :, :, None] - places
    far = (gap * gap).sum(axis=-1).min(axis=-1)
    scaled[far < _OUT * _OUT - 1e-4] = 0.0
    # Pips are hollow and shiny: along a ray, the first crossing may be a glint, the last a scratch beside the
    # pip. Where a pip's floor is lit and only its wall is dark, the outline is at the floor's level.
    lit = _measured(scaled, level=_LIT_FLOOR)
    lit[(lit[:, 0] > _DISC) | (len(lit) > 1), 0] = UNMEASURED  # used for a lone pip only
    ways = np.stack([_measured(scaled, inmost=True), _measured(scaled), lit])
    best = np.take_along_axis(ways, ways[:, :, :1].argmin(axis=0)[None], axis=0)[0].T
    best[0, core - base < _FAINT] = UNMEASURED
    return Outlines(np.asarray(places, np.float32), *(np.asarray(row, np.float32) for row in best))


def hollowness(views: Views, face: Face, at: Float32) -> float:
    """Share of a spot's contrast that its middle lacks: 0 for a disc, 1 for a ring; `at` is in edges."""
    height = _along(views, face, at + _CIRCLES).mean(axis=1)
    most = float(height.max())
    return (most - float(height[_MIDDLE].mean())) / max(most, _FAINT)


def filling(views: Views, face: Face, places: Float32) -> Float32:
    """Share (n,) of the pips' contrast in the middles of the spots at `places` (n, 2), in edges.

    It is about 1 for pips on the face's own body; the hole in a ring has the body's colour itself.
    """
    return np.asarray(
        [_along(views, face, at + _CIRCLES[_MIDDLE]).mean() for at in places[:, None, None]], np.float32
    )


def _measured(rays: Float32, *, inmost: bool = False, level: float = 0.5) -> Float32:
    """Outlines (n, 3) at a `level` of (n, rays, steps), first or last crossing: off, oblong, radius."""
    above = rays >= level
    last = above.shape[2] - above[:, :, ::-1].argmax(axis=2)
    first = (~above).argmax(axis=2) if inmost else np.where(above.any(axis=2), last, 0)
    closed = (first > 0) & (first < above.shape[2])
    at = first.clip(1, above.shape[2] - 1)[..., None]
    one, two = (np.take_along_axis(rays, at - k, axis=2)[..., 0] for k in (1, 0))
    radius = at[..., 0] - 1 + (one - level) / np.maximum(one - two, 1e-6)
    count = closed.sum(axis=1)
    enough = count >= _RAYS - _BRIDGED
    usual = np.where(closed, radius, 0).sum(axis=1) / np.maximum(count, 1)
    radius = np.where(closed, radius, usual[:, None])
    wave = np.abs(np.fft.rfft(radius, axis=1))
    mean = np.maximum(wave[:, 0], 1e-6)
    # The second harmonic is the ellipse of a pip seen at a slant.
    off = np.where(enough, 2 * np.sqrt((wave[:, 3:8] ** 2).sum(axis=1)) / mean, UNMEASURED)
    return np.stack([off, 2 * wave[:, 2] / mean, mean / _RAYS * _OUT[1]], axis=1).astype(np.float32)


def _level(rays: Float32, share: float) -> Float32:
    """The quantile (n,), at a share, of each spot's values (n, rays, steps)."""
    values = np.sort(rays.reshape(len(rays), -1), axis=1)
    return np.asarray(values[:, int(share * values.shape[1])], np.float32)


def _along(views: Views, face: Face, points: Float32) -> Float32:
    """Project the picture at points (..., 2) on the line from body colour (0) to pip colour (1)."""
    body = np.asarray(face.body, np.float32)
    contrast = np.asarray(face.pip, np.float32) - body
    at = points * np.float32(face.edge) + np.array([face.x, face.y], np.float32)
    seen = views.colours(at, _SCALE / face.edge) - body
    return np.asarray(seen @ (contrast / np.float32(contrast @ contrast + 1e-6)), np.float32)
