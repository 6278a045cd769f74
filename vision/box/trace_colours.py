"""Labels each place of a dice field's floor with its kind of zone, by colour, in light and in shadow.

Hue is judged before brightness: blue is 1x, red 2x, yellow 3x. A place without a bright colour is the thin
white line between zones, a grey X, a violet -1 or a black hole; which one depends on its contrast with the
blue beside it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box.field import BETTER
from vision.box.trace_floor import PX_PER_MM, TraceError, hue
from vision.box.trace_parameters import TRACE
from vision.sightings import Picture

KINDS = (*BETTER, "hole")
SMALLEST_MM2 = 60.0
"""Least area of a zone: smaller pieces are print, dirt or letters."""

_LINE = len(KINDS)
_NEAR_MM = 3.0
_LETTER_MM = 1.6
_WIDE_MM = 7.0
"""Width above which a pale area is no white line."""
_NARROW_MM = 4.0
"""Width that every grey or black zone exceeds; narrower pieces belong to the foot of the wall."""
_BLACK = 0.09
"""Share of the ground's light below which a zone is a hole."""


def label_floor(top: Picture) -> NDArray[np.int8]:
    """For each place of the floor (h, w), the index of its kind in `KINDS`.

    Raises TraceError where there is no blue floor.
    """
    smooth = np.asarray(cv2.medianBlur(top, 5), np.uint8)
    tone, full, bright = hue(smooth)
    vivid = (full > TRACE.least_full) & (bright > TRACE.least_bright)
    blue = vivid & (tone > TRACE.blue_from) & (tone < TRACE.blue_to)
    red = vivid & ((tone < TRACE.red_to) | (tone > TRACE.red_from))
    yellow = vivid & (tone > TRACE.yellow_from) & (tone < TRACE.yellow_to)
    if blue.mean() < TRACE.least_blue:
        raise TraceError("there is no blue floor between the tags; give a picture of the empty field")
    # Brightness is relative to the ground near by: a shadow dims white, grey and black like the blue beside.
    here = _nearby(bright, blue)
    pale = (full < TRACE.least_full) & (bright > TRACE.line_bright * here)
    labels = np.full(tone.shape, -1, np.int8)
    for kind, mask in (("1x", blue), ("2x", red), ("3x", yellow)):
        labels[_thick(mask, _LETTER_MM)] = KINDS.index(kind)
    dull = ~(blue | red | yellow)
    # A part that is neither coloured nor as thin as a line is a grey, violet or black zone.
    for part in _parts(_thick(dull & ~(pale & ~_thick(pale, _WIDE_MM, 0)), _NARROW_MM, 0)):
        kind = _dull_kind(smooth, (bright / here) ** 2.2, part)
        labels[part] = KINDS.index(kind)
    line = pale & (labels < 0)
    labels[line] = _LINE
    _fill(labels)
    _sharpen(labels, smooth)
    _give_lines(labels)
    return _tidied(labels)


def _deep(mask: NDArray[np.bool_], mm: float) -> NDArray[np.bool_]:
    """Erode the mask by `mm`."""
    size = 2 * round(mm * PX_PER_MM) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.erode(mask.astype(np.uint8), disc) > 0)


def _sharpen(labels: NDArray[np.int8], top: Picture) -> None:
    """Redraw the borders, in place: a place near one goes to the neighbouring zone whose colour it has.

    A neighbour's colour is taken a little away from the border, so that a blurred edge is cut in its middle,
    in light and in shadow.
    """
    lab = cv2.cvtColor(top, cv2.COLOR_BGR2LAB).astype(np.float32)
    least = np.full(labels.shape, np.inf, np.float32)
    best = labels.copy()
    for code in range(len(KINDS) + 1):
        mask = labels == code
        if not mask.any():
            continue
        if code == _LINE:
            inner = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 3)
            core = mask & (inner >= TRACE.line_core * cv2.dilate(inner, np.ones((7, 7), np.uint8)))
        else:
            core = _deep(mask, 1.0)
        # The mean of the surroundings changes slowly: a quarter of the size is enough.
        both = np.dstack([lab, np.ones_like(lab[..., 0])]) * core[..., None]
        few = cv2.resize(both, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        spread = cv2.GaussianBlur(few, (0, 0), _NEAR_MM * PX_PER_MM / 4)
        mean = cv2.resize(spread, labels.shape[::-1], interpolation=cv2.INTER_LINEAR)
        sums = mean[..., 3]
        off = np.linalg.norm(lab - mean[..., :3] / np.maximum(sums, 1e-6)[..., None], axis=2)
        far = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 3)
        off[(far > 1.0 * PX_PER_MM) | (sums < 1e-4)] = np.inf
        off[_deep(mask, 1.0)] = 0  # letters stay where they are
        closer = off < least
        least[closer], best[closer] = off[closer], code
    labels[:] = best


def _nearby(values: NDArray[np.float32], known: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Slightly smoothed values where known, elsewhere the value of the nearest known place."""
    weight = known.astype(np.float32)
    size = (0, 0)
    mean = cv2.GaussianBlur(values * weight, size, PX_PER_MM) / np.maximum(
        cv2.GaussianBlur(weight, size, PX_PER_MM), 1e-3
    )
    nearest = _nearest(_deep(known, 2.0))  # leaves out the blurred edge
    return np.asarray(mean.ravel()[nearest], np.float32)


def _nearest(known: NDArray[np.bool_]) -> NDArray[np.intp]:
    """For each place, the flat index of the nearest known one."""
    _, zone = cv2.distanceTransformWithLabels(
        (~known).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    places = np.zeros(int(zone.max()) + 1, np.intp)
    flat = np.flatnonzero(known)
    places[zone.ravel()[flat]] = flat
    return np.asarray(places[zone], np.intp)


def _thick(mask: NDArray[np.bool_], width_mm: float, beyond: int | None = None) -> NDArray[np.bool_]:
    """Remove from the mask whatever is thinner than a width: letters, lines, blurred seams.

    Beyond the floor's edge the mask repeats its edge, or is `beyond` if given.
    """
    size = max(3, round(width_mm * PX_PER_MM)) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    border = cv2.BORDER_REPLICATE if beyond is None else cv2.BORDER_CONSTANT
    padded = cv2.copyMakeBorder(mask.astype(np.uint8), size, size, size, size, border, value=beyond or 0)
    opened = cv2.morphologyEx(padded, cv2.MORPH_OPEN, disc)
    return np.asarray(opened[size:-size, size:-size] > 0)


def _parts(mask: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """Connected components large enough for a zone."""
    count, places, sums, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    least = SMALLEST_MM2 * PX_PER_MM**2
    return [places == i for i in range(1, count) if sums[i, cv2.CC_STAT_AREA] >= least]


def _dull_kind(top: Picture, share: NDArray[np.float32], part: NDArray[np.bool_]) -> str:
    """The kind of a zone without bright colour: a black hole, a violet -1, a grey X.

    `share` (h, w) is the light of each place, as a share of the light of the ground near by.
    """
    core = cv2.erode(part.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    core = core if core.any() else part
    b, g, r = (float(v) for v in np.median(top[core], axis=0))
    strongest = max(b, g, r, 1.0)
    violet = (
        b > TRACE.violet_blue * g
        and r > TRACE.violet_red * g
        and (strongest - g) / strongest > TRACE.violet_full
    )
    if violet and strongest > TRACE.violet_bright:
        return "-1"
    return "hole" if float(np.median(share[core])) < _BLACK else "X"


def _give_lines(labels: NDArray[np.int8]) -> None:
    """Give each white line to the better of its neighbours, in place.

    The line's width sets how far it reaches; letters within a zone have only that zone beside them.
    """
    line = labels == _LINE
    if not line.any():
        return
    deep = cv2.distanceTransform(line.astype(np.uint8), cv2.DIST_L2, 3)
    ridge = deep[(deep >= cv2.dilate(deep, np.ones((5, 5), np.uint8)) - 1e-6) & (deep > 0.5)]
    width = 2 * float(np.median(ridge)) if ridge.size else PX_PER_MM
    reach = min(max(TRACE.line_reach * width, PX_PER_MM), 4 * PX_PER_MM)
    for kind in ("3x", "2x", "1x"):
        code = KINDS.index(kind)
        far = cv2.distanceTransform((labels != code).astype(np.uint8), cv2.DIST_L2, 5)
        near = line & (far <= reach)
        labels[near] = code
        line &= ~near
    labels[line] = -1
    _fill(labels)


def _fill(labels: NDArray[np.int8]) -> None:
    """Give unlabelled places to the nearest zone, in place."""
    nearest = _nearest(labels >= 0)
    labels[:] = labels.ravel()[nearest]


def _tidied(labels: NDArray[np.int8]) -> NDArray[np.int8]:
    """Smooth ragged edges of the labels, and give specks to what surrounds them."""
    votes = np.stack(
        [
            cv2.GaussianBlur((labels == code).astype(np.float32), (0, 0), 0.5 * PX_PER_MM)
            for code in range(len(KINDS))
        ]
    )
    smooth: NDArray[np.int8] = np.asarray(votes.argmax(axis=0), np.int8)
    for code in range(len(KINDS)):
        count, places, sums, _ = cv2.connectedComponentsWithStats(
            (smooth == code).astype(np.uint8), connectivity=4
        )
        for i in range(1, count):
            if sums[i, cv2.CC_STAT_AREA] < SMALLEST_MM2 * PX_PER_MM**2:
                smooth[places == i] = -1
    _fill(smooth)
    return smooth
