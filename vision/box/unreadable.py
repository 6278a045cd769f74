"""Unreadable dice on the floor: a patch of an enrolled paint where the empty box has none.

Such a die may lie half under another one, lean on a wall or lie in a reflection. It is reported without a
face, because a die that is not reported counts as lost.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box.background import FLOOR, Place
from vision.box.field import Field
from vision.box.foreground import EDGE_PX, FloorView
from vision.box.paint_parameters import PAINT, PAINT_SHADES
from vision.dice.colour import from_linear, in_light_of, to_linear
from vision.dice.pips import LIGHT_BY_HALF, Lab, to_lab
from vision.layout import Point
from vision.sightings import DieSeen, Guess


def unread_dice(
    view: FloorView, places: Sequence[Place], lying: Sequence[Point], missing: Collection[str]
) -> Iterator[DieSeen]:
    """Find dice of the `missing` colours in the places, away from those already `lying` (mm, floor)."""
    field, dice = view.field, view.dice
    scale = EDGE_PX / field.edge_mm
    paints = {
        colour: in_light_of(dice.bodies[colour], dice.ground.white).astype(np.float32) for colour in missing
    }
    told: set[str] = set()
    for place in places if missing else ():
        if place.surface != FLOOR:
            continue
        if any(place.holds_only(at, PAINT.own * field.edge_mm, field.edge_mm) for at in lying):
            continue  # a die that was read explains the place
        area = place.area_mm
        now, news = view.survey(place)
        for x, y in lying:
            at = (round((x - area[0]) * scale), round((area[3] - y) * scale))
            news &= (
                cv2.circle(np.ones(news.shape, np.uint8), at, round(PAINT.covered_by * EDGE_PX), 0, -1) > 0
            )
        if np.count_nonzero(news) < PAINT.lit_patch * EDGE_PX**2:
            continue  # a shadow's rim or shifted print, too small for a die
        room = _patch(news, math.inf) is not None
        for colour in set(missing) - told:
            painted = news & _is_like(now, paints[colour])
            middle = _patch(painted) if room else None
            if middle is None and np.count_nonzero(painted) >= PAINT.lit_patch * EDGE_PX**2:
                middle = _half_in_shade(painted, now, to_lab(view.empty(place)), paints[colour])
            if middle is None:
                continue
            x, y = area[0] + middle[0] / scale, area[3] - middle[1] / scale
            if field.in_box((x, y)) and not field.over_hole((x, y)):
                told.add(colour)
                yield unread_die(colour, (x, y), field)


def has_room(view: FloorView, place: Place) -> bool:
    """Whether a place shows enough for a die, besides print with its shadows and rims."""
    _, news = view.survey(place)
    half = np.ones((round(PAINT.narrowest * EDGE_PX) | 1,) * 2, np.uint8)
    return bool(cv2.erode(news.astype(np.uint8), half).any())


def shown(view: FloorView, at: Point) -> float:
    """Share of a die's top round `at` (mm) that shows more than print and shadows on it."""
    _, news = view.survey(view.around(at, view.field.edge_mm / 2))
    return float(news.mean())


def _is_like(now: Lab, paint: Lab) -> NDArray[np.bool_]:
    """Mask of where a place (h, w, 3), CIELAB, shows a paint."""
    off = (now - paint) * LIGHT_BY_HALF
    return np.asarray(np.einsum("ijk,ijk->ij", off, off) < PAINT.distance**2)


def _half_in_shade(lit: NDArray[np.bool_], now: Lab, empty: Lab, paint: Lab) -> tuple[float, float] | None:
    """Middle of a die with a hard shadow across its top; `lit` is where its paint shows in full light.

    The part in the shade may look like other print in full light, so it does not count as new by itself.
    """
    linear, whole = to_linear(paint), lit.copy()
    for share in PAINT_SHADES:
        shaded = from_linear(linear * share).astype(np.float32)
        whole |= _is_like(now, shaded) & ~_is_like(empty, shaded)
    whole &= ~_is_like(empty, paint)
    count, labels = cv2.connectedComponents(whole.astype(np.uint8), connectivity=4)
    lit_px = np.bincount(labels[lit & whole], minlength=count)
    k = int(lit_px.argmax())
    return _patch(labels == k) if lit_px[k] >= PAINT.lit_patch * EDGE_PX**2 else None


def _patch(mask: NDArray[np.bool_], most: float = 1.0) -> tuple[float, float] | None:
    """Middle of the largest piece of a mask, if it has a die's size; `most` times that is allowed."""
    if np.count_nonzero(mask) < PAINT.least_patch * EDGE_PX**2:
        return None
    # Closing rejoins a top that pips and the strokes of an X cut into pieces.
    pip = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(PAINT.pip * EDGE_PX) | 1,) * 2)
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, pip)
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(opened)
    if count < 2:
        return None
    k = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    x, y, wide, high, area = stats[k].tolist()
    if most < math.inf:
        # A piece that continues beyond the cut-out is larger than a die; a narrow one is only a rim.
        if min(x, y) == 0 or x + wide == mask.shape[1] or y + high == mask.shape[0]:
            return None
        if min(cv2.minAreaRect(np.argwhere(labels == k).astype(np.float32))[1]) < PAINT.narrowest * EDGE_PX:
            return None
    large = area > most * PAINT.most_patch * EDGE_PX**2 or max(wide, high) > most * PAINT.longest * EDGE_PX
    if large or area < PAINT.least_patch * EDGE_PX**2:
        return None
    return float(middles[k][0]), float(middles[k][1])


def unread_die(colour: str, at: Point, field: Field) -> DieSeen:
    """Report a die that cannot be read: only that it is there, and about where (mm)."""
    verdict = field.judge(at, 0.0)
    return DieSeen(
        colour=colour,
        face=None,
        center_mm=at,
        yaw_deg=0.0,
        where="field",
        touches=verdict.touches,
        counts_as=verdict.counts_as,
        margin_mm=None,
        doubt=("face", "line", "cocked"),
        candidates=tuple(Guess(f"{colour}-{face}", 0.25) for face in ("1", "2", "3", "X")),
    )
