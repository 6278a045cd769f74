"""The X face: a glyph of two strokes, found by its likeness in every turn, dark on light or light on dark."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_faces import Face, Search
from vision.dice_pips import EDGE_PX, Lab

X = 10
"""The value that stands for the X in `Face.belief`."""
LIKE = 0.82
"""Correlation from which a place is looked at as an X at all."""

_LEAST_INK = 25.0
"""CIELAB distance between the strokes and the die."""

_LEAST_SPREAD = 5.0
"""Standard deviation of the lightness round a glyph's middle."""

Glyph = NDArray[np.float32]

_REACH = 0.36
_TURNS_DEG = np.arange(0.0, 90.0, 6.0)


def plain_x() -> Glyph:
    """Two crossed strokes as most makers print them: (n, n) float32, ink 1, body 0, upright."""
    n = 2 * round(_REACH * EDGE_PX) + 1
    glyph = np.zeros((n, n), np.float32)
    middle, arm = n // 2, 0.25 * EDGE_PX
    for sign in (1, -1):
        a = (round(middle - arm), round(middle - sign * arm))
        b = (round(middle + arm), round(middle + sign * arm))
        cv2.line(glyph, a, b, 1.0, round(0.13 * EDGE_PX), cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(glyph, (0, 0), 1.5), np.float32)


def find_x(lab: Lab, glyph: Glyph, search: Search | None = None) -> list[Face]:
    """Faces that show the glyph, in a CIELAB picture with dice of `EDGE_PX`; `search` is that picture's."""
    n = glyph.shape[0]
    if min(lab.shape[:2]) <= 2 * n:
        return []
    # A coarse look in half size finds the places; the turn and the place are made finer afterwards.
    light = cv2.resize(lab[..., 0], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    half = np.asarray(cv2.resize(glyph, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
    likeness = np.stack([_likeness(np.asarray(light, np.float32), half, turn) for turn in _TURNS_DEG])
    best = likeness.max(axis=0)
    peak = cv2.dilate(best, np.ones((n // 4 | 1, n // 4 | 1), np.uint8))
    search = search or Search.of(lab)
    faces = []
    # Correlation knows no strength: where nothing is drawn, noise looks like anything.
    size = (half.shape[1], half.shape[0])
    drawn = cv2.blur(light * light, size) - cv2.blur(light, size) ** 2 > _LEAST_SPREAD**2
    for y, x in zip(*np.nonzero((best >= peak) & (best > LIKE - 0.15) & drawn), strict=True):
        turn = float(_TURNS_DEG[int(likeness[:, y, x].argmax())])
        face = _face(lab, search, glyph, 2.0 * x + 0.5, 2.0 * y + 0.5, turn)
        if face is not None:
            faces.append(face)
    return faces


def cut_glyph(lab: Lab, face: Face) -> Glyph:
    """The glyph of one found X face, turned upright, ink towards 1 and body towards 0."""
    n = 2 * round(_REACH * EDGE_PX) + 1
    turn = cv2.getRotationMatrix2D((face.x, face.y), face.yaw_deg, 1.0)
    turn[:, 2] += n // 2 - np.array([face.x, face.y])
    upright = cv2.warpAffine(lab, turn, (n, n))
    ink = np.subtract(face.pip, face.body)
    along = (upright - np.asarray(face.body, np.float32)) @ ink / float(ink @ ink)
    glyph = np.asarray(along, np.float32).clip(0.0, 1.0)
    # An X looks the same after each quarter turn: the mean of the four has less noise.
    return np.asarray(sum(np.rot90(glyph, k) for k in range(4)) / 4, np.float32)


def _turned(glyph: Glyph, degrees: float) -> Glyph:
    n = glyph.shape[0]
    turn = cv2.getRotationMatrix2D(((n - 1) / 2, (n - 1) / 2), -degrees, 1.0)
    return np.asarray(cv2.warpAffine(glyph, turn, (n, n)), np.float32)


def _likeness(light: NDArray[np.float32], glyph: Glyph, degrees: float) -> NDArray[np.float32]:
    """|correlation| of the turned glyph at every pixel; 0 at the rim."""
    n = glyph.shape[0]
    inner = cv2.matchTemplate(light, _turned(glyph, degrees), cv2.TM_CCOEFF_NORMED)
    out = np.zeros(light.shape, np.float32)
    out[n // 2 : n // 2 + inner.shape[0], n // 2 : n // 2 + inner.shape[1]] = np.abs(inner)
    return out


def _face(lab: Lab, search: Search, glyph: Glyph, x: float, y: float, degrees: float) -> Face | None:
    """The die's top round a likely glyph: turn made finer, body and border measured."""
    n = glyph.shape[0]
    reach = 3
    x0, y0 = int(x) - n // 2 - reach, int(y) - n // 2 - reach
    part = np.ascontiguousarray(lab[max(0, y0) : y0 + n + 2 * reach, max(0, x0) : x0 + n + 2 * reach, 0])
    if part.shape != (n + 2 * reach, n + 2 * reach):
        return None
    best = (-1.0, degrees, x, y)
    for turn in degrees + np.arange(-4.0, 5.0, 2.0):
        like = np.abs(cv2.matchTemplate(part, _turned(glyph, float(turn)), cv2.TM_CCOEFF_NORMED))
        _, value, _, (u, v) = cv2.minMaxLoc(like)
        best = max(
            best,
            (
                float(value),
                float(turn),
                x + u - reach + _bend(like[v], u),
                y + v - reach + _bend(like[:, u], v),
            ),
        )
    like_, turn_, x, y = best
    yaw = float(np.deg2rad(turn_))
    spin = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]], np.float32)
    middle = np.array([x, y], np.float32)
    filled = np.array([1, 0, 1, 0, 1, 0, 1, 0, 1], np.float32)
    calm, border, body = search.body(
        middle, spin, EDGE_PX, filled, np.full(2, 0.17 * EDGE_PX, np.float32), 60.0
    )
    ink = np.asarray(lab[round(y), round(x)], np.float32)
    if like_ < LIKE or calm < 0.8 or border < 0.75:  # printed letters stand on no square of their own
        return None
    # |Correlation| also likes a gap between two letters: an X has its ink in the middle.
    if float(np.linalg.norm(ink - body)) < _LEAST_INK:
        return None
    quality = calm * border * min(1.0, like_ / 0.9)
    share = min(1.0, max(0.0, (like_ - 0.7) / 0.15))
    return Face(
        x,
        y,
        EDGE_PX,
        turn_ % 90,
        {X: share, 1: 1 - share},
        # It explains as much ink as five pips do.
        quality * 6**0.5,
        (float(body[0]), float(body[1]), float(body[2])),
        (float(ink[0]), float(ink[1]), float(ink[2])),
        frozenset(),
        quality,
    )


def _bend(row: NDArray[np.float32], k: int) -> float:
    """Where between its neighbours a row's largest value really lies, -0.5 to 0.5."""
    if not 0 < k < len(row) - 1:
        return 0.0
    left, middle, right = float(row[k - 1]), float(row[k]), float(row[k + 1])
    dip = left - 2 * middle + right
    return 0.0 if dip >= 0 else 0.5 * (left - right) / dip
