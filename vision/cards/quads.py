"""Quadrilaterals in a photograph that may be cards, of which only the rectangular shape is known.

A card is 1.2 to 1.95 times as long as wide. The picture is cut into pieces at levels of lightness and of
difference from the ground; a piece that fills its rectangle and has edges all round is returned with a score.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32, Float64
from vision.cards.outline import (
    edge_offsets,
    order_corners,
    order_quads,
    settle_quads,
    side_lengths,
    sides_of,
)
from vision.cards.parameters import PHOTO_CARD
from vision.cards.quad_parameters import QUAD
from vision.cards.rectangle import edge_level
from vision.geometry import Registration
from vision.sightings import Picture

RATIO = (1.2, 1.95)
"""Limits of a card's long side over its short side: poker cards have 1.40, bridge cards 1.56."""
SHORT_SIDE_MM = (38.0, 85.0)
"""Limits of a card's short side, from a patience deck's to a tarot's."""
_WORK_PX = 900.0
_LEAST_SHARE = 0.004
_LEAST_PX2 = 800.0
"""Least area of a card: this share of the picture or this many pixels, whichever is smaller."""
_LIKE_PX = 2.5
"""Difference of middles and sides up to which two pieces count as one."""
_RIMS = (0.05, 0.07, 0.09)
"""Shares of its short side by which a tinted piece is grown: a card's white rim around its field."""


def quads_in(
    picture: Picture, registration: Registration | None = None, enough: float = 9.0, heaps: bool = False
) -> list[tuple[float, Float64]]:
    """Quadrilaterals that may be cards: (score 0..1, corners (4, 2) in pixels). Stops at score `enough`.

    With `heaps`, a piece may be several overlapping cards: each is completed from the corners that it shows.
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
    apart = _length(
        (lab - ground) * np.array([QUAD.lightness_weight, QUAD.tint_weight, QUAD.tint_weight], np.float32)
    )
    level = edge_level(grey)
    found: list[tuple[float, Float64]] = []
    tried = np.zeros((0, 4))
    # Tint alone is the last resort, for a coloured card with a white rim on ground as light as the rim.
    tint = _length((lab - ground)[..., 1:])
    for channel in (np.ascontiguousarray(lab[..., 0]), apart, tint):
        if (
            channel is tint
            and (heaps or enough <= 1)
            and any(score >= PHOTO_CARD.least_score for score, _ in found)
        ):
            break
        low, high = np.percentile(channel, [QUAD.darkest_percent, QUAD.brightest_percent])
        cuts = np.linspace(low, high, 22)[1:-1]
        # All cuts at once take a third of the time; one by one if the first good piece ends the search.
        for some in [cuts] if enough > 1 else cuts[:, None]:
            pieces = [
                piece for cut in some.tolist() for piece in _candidates(channel > cut, small.shape[:2], heaps)
            ]
            if channel is tint:
                pieces += [_grown(piece, share) for piece in pieces for share in _RIMS]
            new, tried = _untried(pieces, tried)
            quads = order_quads(settle_quads(grey, new, 4.0))
            quads = quads[_card_like(quads, registration, work, small.shape[:2])]
            found += zip(_scores(grey, lab, quads, level), quads, strict=True)
            if any(score >= enough for score, _ in found):
                return _in_full(picture, found, work)
    return _in_full(picture, found, work)


def _untried(pieces: list[Float64], tried: Float64) -> tuple[Float64, Float64]:
    """The pieces (n, 4, 2) unlike all before them, and middles and sides (m, 4) of all tried so far."""
    corners = np.reshape(pieces, (-1, 4, 2))
    looks = np.hstack([corners.mean(axis=1), sides_of(corners)])
    new = []
    for number, look in enumerate(looks):
        if not (np.abs(look - tried).max(axis=1) < _LIKE_PX).any():
            tried = np.vstack([tried, look])
            new.append(number)
    return corners[new], tried


def _length(vectors: Float32) -> Float32:
    """Lengths (h, w) of the vectors (h, w, n)."""
    return np.asarray(np.sqrt(np.einsum("ijk,ijk->ij", vectors, vectors)), np.float32)


def _grown(corners: Float64, share: float) -> Float64:
    """The quadrilateral with each side moved outwards by a share of its short side, round a white rim."""
    points = order_corners(corners)
    short, long = sides_of(points)
    across, along = points[1] - points[0], points[3] - points[0]
    rim = share * short
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return np.asarray(
        points + rim * (signs[:, :1] * across / max(short, 1.0) + signs[:, 1:] * along / max(long, 1.0))
    )


def _in_full(
    picture: Picture, found: list[tuple[float, Float64]], work: float
) -> list[tuple[float, Float64]]:
    """The quadrilaterals, fitted again in the full picture."""
    if work == 1.0 or not found:
        return found
    full = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    rough = (np.array([quad for _, quad in found]) + 0.5) / work - 0.5
    settled = order_quads(settle_quads(full, rough, 1.5 / work))
    return [(score, quad) for (score, _), quad in zip(found, settled, strict=True)]


def _candidates(mask: NDArray[np.bool_], shape: tuple[int, int], heaps: bool = False) -> list[Float64]:
    """Rectangles round the pieces of a mask that fill them, and others completed from a heap's corners."""
    clean = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(clean, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    least = min(_LEAST_SHARE * shape[0] * shape[1], _LEAST_PX2)
    for contour in contours:
        _, _, wide, high = cv2.boundingRect(contour)
        if wide * high < least:  # grain: most of a carpet's pieces end here
            continue
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if area < least:
            continue
        if heaps:
            found += _from_corners(contour)
        box = cv2.minAreaRect(hull)
        w, h = box[1]
        if min(w, h) < QUAD.least_side_px or not (
            RATIO[0] * QUAD.squarer < max(w, h) / min(w, h) < RATIO[1] * QUAD.longer
        ):
            continue
        if area < QUAD.least_filled * w * h:
            continue
        found.append(_quad_of(hull, np.asarray(cv2.boxPoints(box), np.float64)))
    return found


def _from_corners(contour: NDArray[Any]) -> list[Float64]:
    """Parallelograms of a card's shape through three consecutive corners of a piece's outline.

    The top card of a heap shows three or more corners against the ground, and a covered one often does.
    """
    outline = cv2.approxPolyDP(contour, QUAD.corner_tolerance * cv2.arcLength(contour, True), True)
    points = outline.reshape(-1, 2).astype(np.float64)
    if not QUAD.least_corners <= len(points) <= QUAD.most_corners:
        return []
    before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
    one, two = before - points, after - points
    lengths = np.sqrt([(one * one).sum(axis=1), (two * two).sum(axis=1)])
    short, long = lengths.min(axis=0), lengths.max(axis=0)
    shaped = (short >= QUAD.least_side_px) & (RATIO[0] * short < long) & (long < RATIO[1] * short)
    shaped &= np.abs((one * two).sum(axis=1)) < QUAD.off_square * short * long  # a right angle, seen askew
    return list(np.stack([before, points, after, before + after - points], axis=1)[shaped])


def _quad_of(hull: NDArray[Any], box: Float64) -> Float64:
    """The hull's four main corners (cards are seen in perspective), else its bounding rectangle."""
    length = cv2.arcLength(hull, True)
    for share in (0.03, 0.05, 0.08):
        corners = cv2.approxPolyDP(hull, share * length, True).reshape(-1, 2)
        if len(corners) == 4:
            return np.asarray(corners, np.float64)
    return box


def _card_like(
    quads: Float64, registration: Registration | None, work: float, shape: tuple[int, int]
) -> NDArray[np.bool_]:
    """Which quadrilaterals (n, 4, 2) may be cards; `shape` is the picture's, `work` its scale."""
    like = np.asarray(np.isfinite(quads).all(axis=(1, 2)))
    quads = np.where(like[:, None, None], quads, 0)
    like &= np.array([cv2.isContourConvex(quad[:, None]) for quad in quads.astype(np.float32)], np.bool_)
    x, y = quads[..., 0], quads[..., 1]
    like &= (quads.min(axis=(1, 2)) >= -3) & (x.max(axis=1) <= shape[1] + 3) & (y.max(axis=1) <= shape[0] + 3)
    sides = np.maximum(side_lengths(quads), 1e-9)
    opposite = np.abs(np.log(sides[:, :2] / sides[:, 2:])).max(axis=1)
    size = sides_of(quads)
    if registration is not None and len(quads):
        flat = registration.to_mm(((quads + 0.5) / work - 0.5).reshape(-1, 2)) * [1, -1]
        size = sides_of(flat.reshape(-1, 4, 2))
        like &= (SHORT_SIDE_MM[0] < size[:, 0]) & (size[:, 0] < SHORT_SIDE_MM[1])
    ratio = size[:, 1] / np.maximum(size[:, 0], 1e-9)
    return np.asarray(
        like & (opposite <= np.log(QUAD.opposite_sides)) & (RATIO[0] < ratio) & (ratio < RATIO[1])
    )


def _scores(grey: Float32, lab: Float32, quads: Float64, level: float) -> list[float]:
    """Scores: share of each outline on edges, for a body unlike its surroundings; large ones preferred."""
    if not len(quads):
        return []
    offsets, strength, _ = edge_offsets(grey, quads, QUAD.edge_reach_px)
    power = np.abs(strength)
    on_edge = ((np.abs(offsets) < QUAD.on_edge_px) * power / (power + 2 * level)).mean(axis=2)
    # A printed frame has the ground on both sides of its line; a card does not.
    middle = quads.mean(axis=1, keepdims=True)
    outer, inner = (
        _ring_colours(lab, middle + (quads - middle) * size) for size in (QUAD.outer_ring, QUAD.inner_ring)
    )
    body = np.linalg.norm(outer - inner, axis=1)
    area = np.array([cv2.contourArea(quad) for quad in quads.astype(np.float32)]) / grey.size
    edges = on_edge.mean(axis=1) * (1 - QUAD.worst_side) + on_edge.min(axis=1) * QUAD.worst_side
    sized = 1 - QUAD.small_penalty + QUAD.small_penalty * np.minimum(1.0, area / QUAD.large_share)
    scores: list[float] = (edges * body / (body + QUAD.half_body) * sized).tolist()
    return scores


def _ring_colours(lab: Float32, rings: Float64) -> Float64:
    """The median colour (n, 3) along each of the quadrilaterals (n, 4, 2)."""
    shares = np.linspace(0, 1, 40, endpoint=False)[:, None]
    ahead = np.roll(rings, -1, axis=1) - rings
    along = (rings[:, :, None] + ahead[:, :, None] * shares).reshape(len(rings), -1, 2).astype(np.float32)
    xs, ys = np.ascontiguousarray(along[..., 0]), np.ascontiguousarray(along[..., 1])
    values = cv2.remap(lab, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.median(values, axis=1), np.float64)
