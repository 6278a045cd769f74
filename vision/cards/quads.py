"""Quadrilaterals in a photograph that may be cards: nothing is known but that a card is a rectangle.

It is between 1.2 and 1.95 times as long as wide. Levels of lightness and of difference from the ground cut
the picture into pieces; what fills its rectangle and has edges all round is told, with a score.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.outline import edge_offsets, order_corners, settle_quad, sides_of
from vision.cards.parameters import PHOTO_CARD
from vision.cards.rectangle import noise_of
from vision.geometry import Registration
from vision.sightings import Picture

Floats = NDArray[np.float64]

RATIO = (1.2, 1.95)
SHORT_SIDE_MM = (38.0, 85.0)
_WORK_PX = 900.0
_LEAST_SHARE = 0.004
_LEAST_PX2 = 800.0
"""A piece of less than both this share of the picture and so many pixels is no card."""
_RIMS = (0.05, 0.07, 0.09)


def quads_in(
    picture: Picture, registration: Registration | None = None, enough: float = 9.0, heaps: bool = False
) -> list[tuple[float, Floats]]:
    """Quadrilaterals that may be cards: (score 0..1, corners (4, 2) in pixels). Stops at score `enough`.

    With `heaps` a piece may be several cards that overlap: what corners show of each is completed.
    """
    work = min(1.0, _WORK_PX / max(picture.shape[:2]))
    small = picture
    if work < 1:
        small = np.asarray(
            cv2.resize(picture, None, fx=work, fy=work, interpolation=cv2.INTER_AREA), np.uint8
        )
    lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2Lab), np.float32)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    rims = (lab[:4], lab[-4:], lab[:, :4], lab[:, -4:]) if registration is None else (lab,)
    ground = np.median(np.concatenate([rim.reshape(-1, 3) for rim in rims]), axis=0)
    apart = np.linalg.norm((lab - ground) * [0.7, 1.3, 1.3], axis=2)
    level = max(1.5, 1.5 * noise_of(grey))
    found: list[tuple[float, Floats]] = []
    tried: list[Floats] = []
    # Tint alone is the last resort: a coloured card with a white rim on ground as light as the rim.
    tint = np.asarray(np.linalg.norm((lab - ground)[..., 1:], axis=2), np.float32)
    for channel in (lab[..., 0], apart, tint):
        if (
            channel is tint
            and (heaps or enough <= 1)
            and any(score >= PHOTO_CARD.least_score for score, _ in found)
        ):
            break
        low, high = np.percentile(channel, [2, 99.5])
        for cut in np.linspace(low, high, 22)[1:-1]:
            pieces = _candidates(channel > cut, small.shape[:2], heaps)
            if channel is tint:
                pieces += [_grown(piece, share) for piece in pieces for share in _RIMS]
            for corners in pieces:
                middle = np.append(corners.mean(axis=0), sides_of(corners))
                if any(np.abs(middle - other).max() < 2.5 for other in tried):
                    continue
                tried.append(middle)
                quad = order_corners(settle_quad(grey, corners, 4.0))
                if _card_like(quad, registration, work, small.shape[:2]):
                    found.append((_score(grey, lab, quad, level), quad))
            if any(score >= enough for score, _ in found):
                return _in_full(picture, found, work)
    return _in_full(picture, found, work)


def _grown(corners: Floats, share: float) -> Floats:
    """The quadrilateral with all sides moved outwards by a share of its short side: round a white rim."""
    points = order_corners(corners)
    short, long = sides_of(points)
    across, along = points[1] - points[0], points[3] - points[0]
    rim = share * short
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return np.asarray(
        points + rim * (signs[:, :1] * across / max(short, 1.0) + signs[:, 1:] * along / max(long, 1.0))
    )


def _in_full(picture: Picture, found: list[tuple[float, Floats]], work: float) -> list[tuple[float, Floats]]:
    """The quadrilaterals fitted again in the full picture."""
    if work == 1.0 or not found:
        return found
    full = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    return [
        (score, order_corners(settle_quad(full, (quad + 0.5) / work - 0.5, 1.5 / work)))
        for score, quad in found
    ]


def _candidates(mask: NDArray[np.bool_], shape: tuple[int, int], heaps: bool = False) -> list[Floats]:
    """Rectangles round the pieces of a mask that fill them, or completed from the corners of a heap."""
    clean = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(clean, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if area < min(_LEAST_SHARE * shape[0] * shape[1], _LEAST_PX2):
            continue
        if heaps:
            found += _from_corners(contour)
        box = cv2.minAreaRect(hull)
        w, h = box[1]
        if min(w, h) < 12 or not RATIO[0] * 0.9 < max(w, h) / min(w, h) < RATIO[1] * 1.1:
            continue
        if area < 0.8 * w * h:
            continue
        found.append(_quad_of(hull, np.asarray(cv2.boxPoints(box), np.float64)))
    return found


def _from_corners(contour: NDArray[Any]) -> list[Floats]:
    """Parallelograms of a card's shape through three corners in a row of a piece's outline.

    The top card of a heap shows three corners or more against the ground, a covered one often, too.
    """
    outline = cv2.approxPolyDP(contour, 0.012 * cv2.arcLength(contour, True), True)
    points = outline.reshape(-1, 2).astype(np.float64)
    if not 5 <= len(points) <= 24:
        return []
    found = []
    for a, b, c in zip(np.roll(points, 1, axis=0), points, np.roll(points, -1, axis=0), strict=True):
        one, two = a - b, c - b
        lengths = np.array([np.linalg.norm(one), np.linalg.norm(two)])
        if lengths.min() < 12 or not RATIO[0] < lengths.max() / lengths.min() < RATIO[1]:
            continue
        if abs(float(one @ two)) < 0.35 * float(lengths.prod()):  # a right angle, seen askew
            found.append(np.array([a, b, c, a + c - b]))
    return found


def _quad_of(hull: NDArray[Any], box: Floats) -> Floats:
    """The hull's four main corners (cards are seen in perspective), else its bounding rectangle."""
    length = cv2.arcLength(hull, True)
    for share in (0.03, 0.05, 0.08):
        corners = cv2.approxPolyDP(hull, share * length, True).reshape(-1, 2)
        if len(corners) == 4:
            return np.asarray(corners, np.float64)
    return box


def _card_like(quad: Floats, registration: Registration | None, work: float, shape: tuple[int, int]) -> bool:
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.float32).reshape(-1, 1, 2)):
        return False
    if quad.min() < -3 or quad[:, 0].max() > shape[1] + 3 or quad[:, 1].max() > shape[0] + 3:
        return False
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    if max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1]) > 1.35:
        return False
    size = sides_of(quad)
    if registration is not None:
        size = sides_of(registration.to_mm((quad + 0.5) / work - 0.5) * [1, -1])
        if not SHORT_SIDE_MM[0] < size[0] < SHORT_SIDE_MM[1]:
            return False
    return bool(RATIO[0] < size[1] / size[0] < RATIO[1])


def _score(grey: NDArray[np.float32], lab: NDArray[np.float32], quad: Floats, level: float) -> float:
    """Share of the outline on an edge, for a body unlike its surroundings; large ones preferred."""
    offsets, strength, _ = edge_offsets(grey, quad, 2.5)
    power = np.abs(strength)
    on_edge = ((np.abs(offsets) < 1.5) * power / (power + 2 * level)).mean(axis=1)
    # A printed frame has the ground on both sides of its line; a card does not.
    grown = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 1.06
    shrunk = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 0.93
    outer, inner = (_ring_colour(lab, ring) for ring in (grown, shrunk))
    body = float(np.linalg.norm(outer - inner))
    area = float(cv2.contourArea(quad.astype(np.float32))) / grey.size
    edges = float(on_edge.mean() * 0.6 + on_edge.min() * 0.4)
    return edges * body / (body + 8.0) * (0.8 + 0.2 * min(1.0, area * 8))


def _ring_colour(lab: NDArray[np.float32], ring: Floats) -> NDArray[np.float64]:
    shares = np.linspace(0, 1, 40, endpoint=False)[:, None]
    sides = zip(ring, np.roll(ring, -1, axis=0), strict=True)
    xs, ys = np.concatenate([a + (b - a) * shares for a, b in sides]).astype(np.float32).T
    values = cv2.remap(lab, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.median(values.reshape(-1, 3), axis=0), np.float64)
