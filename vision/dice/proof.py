"""Tests that tell a die from print: round pips on a body that ends with an edge on all four sides.

Any spot of a pip's size looks round in a small picture; seen sharply, suits, letters and the
squares of a tag are not discs. A row of dots that continues over one flat surface is printed on it, and so
is a spot whose paper continues. A face that is weak in one test must be the better in the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Float32, Mask
from vision.dice.body import sample
from vision.dice.face import Face
from vision.dice.face_parameters import FACE_SEARCH
from vision.dice.outline import Outlines, filling, hollowness, outlines, outlines_of_pips, turn_of
from vision.dice.parameters import DIE
from vision.dice.pips import EDGE_PX, Lab, spots
from vision.dice.search_parameters import DIE_SEARCH
from vision.dice.selection import KIN_SIZE, is_weak
from vision.dice.views import Views

_ROUND_DOT = 0.14
"""Largest `Outlines.off` at which a dot beside a face counts as round as the face's pips."""
_LIKE = (0.7, 1.4)
"""Range of a dot's size, over that of a face's pips, in which both may belong to one row."""
_OBLONG = 0.15
"""Largest oblongness of a dot in that row: pips on a die's side, seen at a slant, are more oblong."""
_MORE_OBLONG = 0.05
"""How much more oblong a dot may be than the face's own pips where the whole face is seen at a slant."""
_NEXT = 0.62
"""Largest distance, in edges, between two neighbouring dots of one row."""
_BEYOND = (0.42, 1.0)
"""Distance from the face's middle, in edges, at which dots of a continued row are sought."""
_SURFACE = 6.0
"""CIELAB distance, due to noise, up to which everything between two dots is one surface."""
_SURFACE_SHARE = 0.3
"""The same as a share of the pips' contrast; the larger limit applies."""
_BETWEEN = np.linspace(0.2, 0.8, 9, dtype=np.float32)

_SURE = 0.95
"""Quality above which the sides are not checked again."""
_HALF_STEP = 2
"""Steps of `_OUT` to either side of a rim at which the CIELAB step across it is measured."""
_OUT = np.arange(0.31, 0.78, 0.025, dtype=np.float32)
_ALONG = np.linspace(-0.34, 0.34, 13, dtype=np.float32)
_TILTS = np.array([-0.12, -0.06, 0.0, 0.06, 0.12], np.float32)
QUARTERS: Float32 = np.array(
    [[[1, 0], [0, 1]], [[0, 1], [-1, 0]], [[-1, 0], [0, -1]], [[0, -1], [1, 0]]], np.float32
)
"""(4, 2, 2) quarter turns: multiplying points beside a face's right side moves them beside another side."""
_ROW = 3
"""Most pips in one row."""
_FEW = 0.25
"""Share of a side that may lack an edge, hidden by pips, highlights or neighbours."""

_WIDE = np.linspace(-1.1, 1.1, 81, dtype=np.float32)
_OUTSIDE = 0.8
"""Distance from the face's middle, in edges, beyond which its body should have ended."""
_PIECE = 0.05
"""Share of a face above which a flat piece inside it is part of its body."""
_OPEN = 0.3
"""Share of the surroundings on one side up to which the face's body may extend over them."""


def is_die(views: Views, face: Face, *, alone: bool = False) -> bool:
    """Whether no test rules out that a face is the top of a die.

    A face `alone` on a body of a die's size is one, unless its pips are clearly not discs.
    """
    pips = outlines_of_pips(views, face)
    if alone:
        return _third(pips) <= DIE.alone_round_off
    if not _are_round(face, pips):
        return False
    if face.quality < _SURE and side_steps(views, face)[0] < DIE.faintest_side * (1 - face.quality) * _height(
        face
    ):
        return False
    # A surely bounded face ends at its border, whatever the die's own sides show below it.
    if face.quality < DIE.bounded_quality and _goes_on(views, face, pips):
        return False
    # A lone spot proves little, so a one needs a higher quality to pass without a check of its body's end.
    least = DIE.open_quality_one if face.value == 1 else DIE.open_quality
    return face.quality >= least or not _is_open(views, face)


def are_glints(views: Views, face: Face) -> bool:
    """Whether a face's two spots are not discs, but glints of a lamp."""
    return face.value == 2 and not _are_round(face, outlines_of_pips(views, face))


def is_no_one(views: Views, face: Face) -> bool:
    """Whether a face's lone spot is not a disc, but a numeral, a star or a ring."""
    if face.value > 1:
        return False
    pip = outlines_of_pips(views, face)
    off, oblong = DIE.lone_round_off, DIE.lone_oblong
    if face.quality >= DIE.bounded_quality:
        off, oblong = DIE.clear_lone_off, DIE.clear_lone_oblong
    if pip.off[0] > off or pip.oblong[0] > oblong:
        return True
    return hollowness(views, face, pip.middle[0]) > DIE.lone_hollow


def are_no_pips(views: Views, face: Face) -> bool:
    """Whether a face's spots are not the pips of one die: letters among dots, or the hole in a ring.

    Pips have one size and lie on the face's own body; a highlight may spoil the outline of one. Because a
    row of two or three proves little, most of its spots must be discs.
    """
    pips = outlines_of_pips(views, face)
    if face.value <= _ROW and float(np.sort(pips.off)[len(pips.off) // 2]) > DIE.most_round_off:
        return True
    if pips.radius.max() > DIE.pip_sizes * pips.radius.min():
        return True
    return bool(filling(views, face, pips.middle).min() < DIE.pip_filling)


def is_of_two(views: Views, face: Face, told: Sequence[Face]) -> bool:
    """Whether a face may span two touching dice: no side of it is a die's, or dots continue on both sides.

    A 2 across two ones has its sides on calm ground, and a 4 across two fours has their other pips beside it.
    Dots on `told` neighbours that are sure and as large do not count, because in a row of three dice the
    middle one is a die.
    """
    if side_steps(views, face)[-1] < DIE.firm_side * _height(face):
        return True
    at = _dots_beyond(views, face, outlines_of_pips(views, face))
    places = np.array([face.x, face.y], np.float32) + at * np.float32(face.edge)
    theirs = [_lie_on(other, places) for other in told if other is not face and _owns(other, face)]
    at = at[~np.any(theirs, axis=0)] @ turn_of(face).T if theirs else at @ turn_of(face).T
    on_both = (at > _BEYOND[0]).any(axis=0) & (at < -_BEYOND[0]).any(axis=0)
    return bool(on_both.any())


def _owns(other: Face, face: Face) -> bool:
    """Whether another face surely owns its pips: a weak or smaller one beside `face` may be spurious, too."""
    return not is_weak(other) and abs(float(np.log(other.edge / face.edge))) < KIN_SIZE


def _lie_on(face: Face, places: Float32) -> Mask:
    """Which of the picture's points `places` (n, 2) lie on a face."""
    off = (places - np.array([face.x, face.y], np.float32)) @ turn_of(face).T
    return np.asarray(np.abs(off).max(axis=1) < face.edge / 2)


def _are_round(face: Face, pips: Outlines) -> bool:
    """Whether a face's pips are discs."""
    if face.edge >= DIE.sharp_edge_px:
        return _third(pips) <= DIE.round_off
    limit = DIE.small_round_off + DIE.clear_round_off * min(1.0, face.quality)
    return _third(pips) <= limit


def _third(pips: Outlines) -> float:
    """Deviation from a disc that a third of a face's pips keep within: a highlight easily spoils one."""
    return float(np.sort(pips.off)[(len(pips.off) - 1) // 3])


def _goes_on(views: Views, face: Face, own: Outlines) -> bool:
    """Whether dots like the face's pips lie beside it with nothing but the face's own body between."""
    return len(_dots_beyond(views, face, own)) > 0


def _dots_beyond(views: Views, face: Face, own: Outlines) -> Float32:
    """Places (n, 2) of the dots that `_goes_on` means, in edges from the face's middle, along the picture."""
    reach, scale = DIE_SEARCH.proof_reach * face.edge, EDGE_PX / face.edge
    h, w = views.shape
    x0, y0 = max(0, int(face.x - reach)), max(0, int(face.y - reach))
    x1, y1 = min(w, int(face.x + reach) + 1), min(h, int(face.y + reach) + 1)
    lab = views.cut((x0, y0, x1, y1), scale)
    middle = (np.array([face.x - x0, face.y - y0], np.float32) + 0.5) * np.float32(scale) - 0.5
    contrast = np.subtract(face.pip, face.body, dtype=np.float32)
    band = spots(lab) @ (contrast / np.float32(_height(face)))
    strong = sample(band[..., None], middle + own.middle * np.float32(EDGE_PX)).max()
    peak = (band >= cv2.dilate(band, np.ones((5, 5), np.uint8))) & (band > DIE_SEARCH.next_dot * strong)
    ys, xs = np.nonzero(peak)
    at = ((np.stack([xs, ys], axis=1) - middle) / EDGE_PX).astype(np.float32)
    out = np.abs(at @ turn_of(face).T).max(axis=1)
    at = at[(out > _BEYOND[0]) & (out < _BEYOND[1])]
    if not len(at):
        return np.zeros((0, 2), np.float32)
    # Sample what lies between every such spot and every pip.
    gap = own.middle[None] - at[:, None]
    far = np.linalg.norm(gap, axis=-1)
    way = at[:, None, None] + gap[:, :, None] * _BETWEEN[:, None]
    calm = np.asarray(cv2.GaussianBlur(lab, (0, 0), FACE_SEARCH.calm_sigma * EDGE_PX), np.float32)
    off = _off_body(face, sample(calm, middle + way * np.float32(EDGE_PX)))
    between = np.minimum(_BETWEEN, 1 - _BETWEEN) * far[..., None] > DIE_SEARCH.beyond_pip * float(
        np.median(own.radius)
    )
    flat = (off < max(_SURFACE, _SURFACE_SHARE * _height(face))) | ~between
    at = at[(flat.all(axis=2) & between.any(axis=2) & (far < _NEXT)).any(axis=1)]
    if not len(at):
        return np.zeros((0, 2), np.float32)
    dots = outlines(views, face, at)
    size = dots.radius / np.median(own.radius)
    oblong = max(_OBLONG, float(np.median(own.oblong)) + _MORE_OBLONG)
    like = (dots.off <= _ROUND_DOT) & (dots.oblong <= oblong) & (size > _LIKE[0]) & (size < _LIKE[1])
    return np.asarray(at[like], np.float32)


def side_steps(views: Views, face: Face) -> list[float]:
    """CIELAB steps at a face's four sides, each reached along most of its side; least first."""
    out = _OUT[None, :, None] + _TILTS[:, None, None] * _ALONG
    right = np.stack([out, np.broadcast_to(_ALONG, out.shape)], axis=-1)
    steps = []
    for quarter in QUARTERS:
        lab = seen(views, face, right @ quarter, EDGE_PX)
        step = np.linalg.norm(lab[:, 2 * _HALF_STEP :] - lab[:, : -2 * _HALF_STEP], axis=-1)
        steps.append(float(np.quantile(step, _FEW, axis=2).max()))
    return sorted(steps)


def _is_open(views: Views, face: Face) -> bool:
    """Whether the face's body continues past one of its sides without an edge."""
    u, v = np.meshgrid(_WIDE, _WIDE)
    lab = seen(views, face, np.stack([u, v], axis=-1), (len(_WIDE) - 1) / float(_WIDE[-1] - _WIDE[0]))
    off = _off_body(face, np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.8), np.float32))
    inside = np.maximum(np.abs(u), np.abs(v)) < DIE_SEARCH.face_inside
    limit = float(np.clip(3 * np.quantile(off[inside], 0.4), 5.0, max(5.0, 0.4 * _height(face))))
    own = (off < limit).astype(np.uint8)
    _, labels = cv2.connectedComponents(own, connectivity=4)
    names, counts = np.unique(labels[inside & (own > 0)], return_counts=True)
    flat = np.isin(labels, names[counts > _PIECE * inside.sum()])
    out, along = _WIDE > _OUTSIDE, np.abs(_WIDE) < 0.5
    sides = [side[:, ::k][np.ix_(along, out)] for side in (flat, flat.T) for k in (1, -1)]
    return max(float(side.mean()) for side in sides) > _OPEN


def seen(views: Views, face: Face, points: Float32, fine: float) -> Lab:
    """Sample the picture at points (..., 2) of a face, in edges, as sharp as `fine` pixels per edge need."""
    at = (points @ turn_of(face)) * np.float32(face.edge) + np.array([face.x, face.y], np.float32)
    return views.colours(at, fine / face.edge)


def _off_body(face: Face, lab: Lab) -> Float32:
    """CIELAB distance of colours (..., 3) from a face's body colour."""
    return np.asarray(np.linalg.norm(lab - np.asarray(face.body, np.float32), axis=-1), np.float32)


def _height(face: Face) -> float:
    """CIELAB contrast of a face's pips."""
    return max(1e-3, float(np.linalg.norm(np.subtract(face.pip, face.body))))
