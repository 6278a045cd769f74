"""A picture of an empty dice field between its tags, traced into zones by colour.

Blue is 1x, red 2x, yellow 3x; a white line belongs to the better zone beside it (X-16); what is grey is X,
dark violet -1, black a hole. Colours are judged after the white of the tags' paper, and by hue before
brightness, so that a shadow over the floor changes nothing. What comes out is a proposal to look at
(`draw_zones`) and to mend by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.field import BETTER
from vision.geometry import Registration, register
from vision.layout import CameraModel, Layout, Zone
from vision.polygons import Floats, inset, joined
from vision.sightings import Picture

PX_PER_MM = 4.0
"""Scale of the top view that is traced."""
KINDS = (*BETTER, "hole")
SMALLEST_MM2 = 60.0
"""What is smaller is print, dirt or a letter, no zone."""
SIMPLE_MM = 0.45
"""An outline may be drawn with so much less detail."""

_LINE = len(KINDS)
_NEAR_MM = 3.0
_BEYOND = 1.2
_FLOOR_TRUST = 0.02
_FIRST_FOCAL = 0.8
_FOCALS = (0.4, 2.8)
_SNAP_MM = 3.5
_LETTER_MM = 1.6
_WIDE_MM = 7.0
"""No white line is so wide."""
_NARROW_MM = 4.0
"""No grey or black zone is so narrow; what is, is the wall's foot."""
_BLACK = 0.09
"""A hole gives less light than this share of the ground's."""
_RIM_MM = 2.0


class TraceError(VisionError):
    """A picture that shows no field to trace; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A field's layout with its zones, the camera that saw it, and the share of the floor each kind has."""

    layout: Layout
    registration: Registration
    shares: dict[str, float]


def trace(picture: Picture, layout: Layout, camera: CameraModel | None = None) -> Traced:
    """Zones of the empty field in a picture (h, w, 3) BGR; `layout` gives the floor's size and the tags.

    Without a measured lens the focal length is the one under which the blue floor is as large as stated.

    Raises:
        TagsNotFoundError: too few tags.
        TraceError: no coloured floor where the tags say, or one of another size.
    """
    bare = replace(layout, zones=())
    fit = _on_floor(picture, bare, camera or layout.camera or CameraModel())
    seen = _whitened(picture, fit, bare)
    top = _top_view(seen, fit, layout.size_mm, 1.0)
    labels = _labels(top)
    zones: list[Zone] = []
    for code, kind in enumerate(KINDS):
        zones += _zones(kind, labels == code, layout.size_mm)
    shares = {kind: float((labels == code).mean()) for code, kind in enumerate(KINDS)}
    return Traced(replace(layout, zones=tuple(zones)), fit, shares)


def draw_zones(picture: Picture, traced: Traced) -> Picture:
    """A copy of the picture with every zone's outline and name drawn over it, for checking."""
    out = picture.copy()
    inks = {"1x": (255, 190, 90), "2x": (90, 90, 255), "3x": (0, 230, 255), "X": (230, 230, 230)}
    for zone in traced.layout.zones:
        ink = inks.get(zone.kind, (255, 90, 220))
        line = np.round(traced.registration.to_px(zone.polygon_mm) * 16).astype(np.int32)
        cv2.polylines(out, [line], True, (0, 0, 0), 3, cv2.LINE_AA, 4)
        cv2.polylines(out, [line], True, ink, 1, cv2.LINE_AA, 4)
        x, y = traced.registration.to_px([_inner_point(zone)])[0]
        for width, colour in ((4, (0, 0, 0)), (1, ink)):
            cv2.putText(
                out,
                zone.kind,
                (int(x) - 12, int(y) + 6),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.5,
                colour,
                width,
                cv2.LINE_AA,
            )
    return out


def _on_floor(picture: Picture, layout: Layout, lens: CameraModel) -> Registration:
    """The camera under which the coloured floor measures what the table file says."""
    known = lens.f_px is not None
    fit = register(picture, layout, lens if known else replace(lens, f_px=_FIRST_FOCAL * picture.shape[1]))
    seen = _whitened(picture, fit, layout)
    sides = [fit.to_px(side) for side in _floor_rim(_top_view(seen, fit, layout.size_mm, _BEYOND))]
    if not known:
        # First by the blue that reaches farthest, then by the edge of the print itself.
        fit = _with_size(picture, layout, lens, fit, sides)
        for _ in range(2):
            top = _top_view(seen, fit, layout.size_mm, _BEYOND)
            sides = [fit.to_px(side) for side in _floor_edge(top, layout.size_mm)]
            fit = _with_size(picture, layout, lens, fit, sides)
    share = _size_share(fit, sides, layout)
    if abs(share - 1) > _FLOOR_TRUST:
        raise TraceError(
            f"the blue floor measures {share:.1%} of the {layout.size_mm[0]:g} x {layout.size_mm[1]:g} mm in"
            " the table file; measure the floor, the places of the tags and the height of the rim again"
        )
    return fit


def _with_size(
    picture: Picture, layout: Layout, lens: CameraModel, fit: Registration, sides: Sequence[Floats]
) -> Registration:
    """The focal length under which the floor between the seen sides is as large as stated (secant method).

    Under a longer lens the camera hangs higher, the floor below the rim is hardly farther than the tags,
    and the same sides count as smaller.
    """
    best = (fit.matrix[0, 0], _size_share(fit, sides, layout) - 1)
    other: tuple[float, float] | None = None
    low, high = (share * picture.shape[1] for share in _FOCALS)
    for _ in range(8):
        if abs(best[1]) < 1e-5:
            break
        if other is None or abs(other[1] - best[1]) < 1e-9:
            focal = best[0] * 1.03
        else:
            focal = best[0] - best[1] * (other[0] - best[0]) / (other[1] - best[1])
        focal = min(max(focal, low, best[0] / 1.4), high, best[0] * 1.4)
        fit = register(picture, layout, replace(lens, f_px=focal))
        best, other = (focal, _size_share(fit, sides, layout) - 1), best
    return fit


def _size_share(fit: Registration, sides: Sequence[Floats], layout: Layout) -> float:
    """How large the floor is that lies between four sides seen in the picture, as a share of the stated."""
    left, right, low, high = (np.median(fit.to_mm(side), axis=0) for side in sides)
    return float((right[0] - left[0] + high[1] - low[1]) / sum(layout.size_mm))


def _floor_rim(top: Picture) -> list[Floats]:
    """Points (n, 2) of the blue floor's left, right, lower and upper edge in millimetres of the guess."""
    hue, full, bright = _hue(top)
    blue = (hue > 195) & (hue < 255) & (full > 0.45)
    if blue.mean() < 0.05:
        raise TraceError(
            "there is no blue floor between the tags; give a picture of the empty field, sharp and evenly"
            " lit, and the table file that belongs to its tags"
        )
    blue &= bright > 0.35 * float(np.median(bright[blue]))
    blue = cv2.morphologyEx(blue.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) > 0
    h, w = blue.shape
    cut = 0.5 * (1 - 0.9 / _BEYOND)
    sides = []
    for axis, far in ((1, False), (1, True), (0, True), (0, False)):
        lines = blue if axis == 1 else blue.T
        count, reach = lines.shape
        rows = np.arange(round(count * cut), round(count * (1 - cut)), 4)
        run = lines[rows]
        rows, run = rows[run.any(axis=1)], run[run.any(axis=1)]
        last = reach - 1 - run[:, ::-1].argmax(axis=1) if far else run.argmax(axis=1)
        edge = _outermost(last.astype(float) if far else -last.astype(float))
        near = np.abs(last - abs(edge)) < 2.0 * PX_PER_MM
        along, across = rows[near].astype(float), last[near] + (0.5 if far else -0.5)
        x, y = (across, along) if axis == 1 else (along, across)
        sides.append(np.column_stack([(x + 0.5 - w / 2), (h / 2 - y - 0.5)]) / PX_PER_MM)
    return sides


def _floor_edge(top: Picture, size_mm: tuple[float, float]) -> list[Floats]:
    """The same four sides by the strongest edge near where the floor should end, to a fraction of a pixel."""
    lab = cv2.GaussianBlur(cv2.cvtColor(top, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 0.3 * PX_PER_MM)
    h, w = top.shape[:2]
    window = round(_SNAP_MM * PX_PER_MM)
    sides = []
    for axis, sign in ((1, -1), (1, 1), (0, 1), (0, -1)):
        slope = np.linalg.norm(np.gradient(lab, axis=axis), axis=2)
        lines, half = (slope, size_mm[0] / 2) if axis == 1 else (slope.T, size_mm[1] / 2)
        count, reach = lines.shape
        rows = np.arange(round(count * 0.14), round(count * 0.86), 2)
        first = round(reach / 2 + sign * half * PX_PER_MM) - window
        strip = lines[rows, first : first + 2 * window + 1]
        peak = strip.argmax(axis=1).clip(1, 2 * window - 1)
        left, middle, right = (strip[np.arange(len(rows)), peak + d] for d in (-1, 0, 1))
        bend = np.minimum(left - 2 * middle + right, -1e-6)
        across = first + peak + (0.5 * (left - right) / bend).clip(-0.5, 0.5)
        good = middle > 0.5 * np.median(middle)
        good &= np.abs(across - np.median(across[good])) < PX_PER_MM
        along, across = rows[good].astype(float), across[good]
        x, y = (across, along) if axis == 1 else (along, across)
        sides.append(np.column_stack([x + 0.5 - w / 2, h / 2 - y - 0.5]) / PX_PER_MM)
    return sides


def _outermost(places: Floats) -> float:
    """The farthest place round which at least a sixth of all lie: the floor's edge, not a speck beyond it."""
    order = np.sort(places)[::-1]
    for place in order:
        if (np.abs(places - place) < 1.5 * PX_PER_MM).mean() >= 1 / 6:
            return float(np.median(places[np.abs(places - place) < 1.5 * PX_PER_MM]))
    return float(np.median(places))


def _whitened(picture: Picture, fit: Registration, layout: Layout) -> Picture:
    """The picture with the tags' paper made white: what is left of a lamp's colour is taken out."""
    samples = []
    for tag in layout.tags:
        if tag.id not in fit.tags:
            continue
        x, y, z = tag.center_mm
        off = tag.size_mm * 7 / 12  # the middle of the white rim, one cell wide
        ring = [(x + i * off / 4, y + j * off) for i in range(-4, 5) for j in (-1, 1)]
        ring += [(x + i * off, y + j * off / 4) for i in (-1, 1) for j in range(-4, 5)]
        at = np.round(fit.to_px(ring, z)).astype(int)
        inside = (at >= 0).all(axis=1) & (at < picture.shape[1::-1]).all(axis=1)
        samples.append(picture[at[inside, 1], at[inside, 0]])
    paper = np.median(np.concatenate(samples).astype(np.float64), axis=0)
    gain = 235.0 / np.maximum(paper, 20.0)
    return np.asarray(np.clip(picture * gain, 0, 255), np.uint8)


def _top_view(picture: Picture, fit: Registration, size_mm: tuple[float, float], reach: float) -> Picture:
    """The floor from straight above, `reach` times its size, lens and all."""
    w, h = (round(s * reach * PX_PER_MM) for s in size_mm)
    xs, ys = np.meshgrid((np.arange(w) + 0.5 - w / 2) / PX_PER_MM, (h / 2 - np.arange(h) - 0.5) / PX_PER_MM)
    at = fit.to_px(np.column_stack([xs.ravel(), ys.ravel()])).astype(np.float32).reshape(h, w, 2)
    return np.asarray(
        cv2.remap(picture, at, None, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _hue(picture: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Hue in degrees, fullness of colour 0..1, brightness 0..1 (h, w)."""
    hsv = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2HSV)
    return hsv[..., 0], hsv[..., 1], hsv[..., 2]


def _labels(top: Picture) -> NDArray[np.int8]:
    """For each place of the floor (h, w) the index of its kind in `KINDS`."""
    smooth = np.asarray(cv2.medianBlur(top, 5), np.uint8)
    hue, full, bright = _hue(smooth)
    vivid = (full > 0.42) & (bright > 0.12)
    blue = vivid & (hue > 195) & (hue < 255)
    red = vivid & ((hue < 24) | (hue > 335))
    yellow = vivid & (hue > 33) & (hue < 75)
    if blue.mean() < 0.05:
        raise TraceError("there is no blue floor between the tags; give a picture of the empty field")
    # How bright the ground is here: a shadow dims white, grey and black as it dims the blue beside them.
    here = _nearby(bright, blue)
    pale = (full < 0.42) & (bright > 0.85 * here)
    labels = np.full(hue.shape, -1, np.int8)
    for kind, mask in (("1x", blue), ("2x", red), ("3x", yellow)):
        labels[_thick(mask, _LETTER_MM)] = KINDS.index(kind)
    dull = ~(blue | red | yellow)
    # What is neither coloured nor as thin as a line is a grey, violet or black zone.
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
    """The mask without a border of this width."""
    size = 2 * round(mm * PX_PER_MM) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.erode(mask.astype(np.uint8), disc) > 0)


def _sharpen(labels: NDArray[np.int8], top: Picture) -> None:
    """Draw the borders anew, in place: each place near one goes to the neighbour whose colour it has.

    The colour of a neighbour is what it is a little away from the border, so that a blurred edge is cut in
    its middle, in light and in shadow.
    """
    lab = cv2.cvtColor(top, cv2.COLOR_BGR2LAB).astype(np.float32)
    least = np.full(labels.shape, np.inf, np.float32)
    best = labels.copy()
    size = (0, 0)
    for code in range(len(KINDS) + 1):
        mask = labels == code
        if not mask.any():
            continue
        if code == _LINE:
            inner = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 3)
            core = mask & (inner >= 0.8 * cv2.dilate(inner, np.ones((7, 7), np.uint8)))
        else:
            core = _deep(mask, 1.0)
        weight = core.astype(np.float32)
        sums = cv2.GaussianBlur(weight, size, _NEAR_MM * PX_PER_MM)
        mean = cv2.GaussianBlur(lab * weight[..., None], size, _NEAR_MM * PX_PER_MM)
        mean /= np.maximum(sums, 1e-6)[..., None]
        off = np.linalg.norm(lab - mean, axis=2)
        far = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 3)
        off[(far > 1.0 * PX_PER_MM) | (sums < 1e-4)] = np.inf
        off[_deep(mask, 1.0)] = 0  # letters stay where they are
        closer = off < least
        least[closer], best[closer] = off[closer], code
    labels[:] = best


def _nearby(values: NDArray[np.float32], known: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The values where they are known, elsewhere that of the nearest known place, all a little smoothed."""
    weight = known.astype(np.float32)
    size = (0, 0)
    mean = cv2.GaussianBlur(values * weight, size, PX_PER_MM) / np.maximum(
        cv2.GaussianBlur(weight, size, PX_PER_MM), 1e-3
    )
    nearest = _nearest(_deep(known, 2.0))  # not where the edge is blurred
    return np.asarray(mean.ravel()[nearest], np.float32)


def _nearest(known: NDArray[np.bool_]) -> NDArray[np.intp]:
    """For each place the flat index of the nearest known one."""
    _, zone = cv2.distanceTransformWithLabels(
        (~known).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    places = np.zeros(int(zone.max()) + 1, np.intp)
    flat = np.flatnonzero(known)
    places[zone.ravel()[flat]] = flat
    return np.asarray(places[zone], np.intp)


def _thick(mask: NDArray[np.bool_], width_mm: float, beyond: int | None = None) -> NDArray[np.bool_]:
    """The mask without what is thinner than a width: letters, lines, blurred seams.

    Beyond the floor's edge it goes on as it is there, or is all `beyond`.
    """
    size = max(3, round(width_mm * PX_PER_MM)) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    border = cv2.BORDER_REPLICATE if beyond is None else cv2.BORDER_CONSTANT
    padded = cv2.copyMakeBorder(mask.astype(np.uint8), size, size, size, size, border, value=beyond or 0)
    opened = cv2.morphologyEx(padded, cv2.MORPH_OPEN, disc)
    return np.asarray(opened[size:-size, size:-size] > 0)


def _parts(mask: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """Connected pieces that are large enough for a zone."""
    count, places, sums, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    least = SMALLEST_MM2 * PX_PER_MM**2
    return [places == i for i in range(1, count) if sums[i, cv2.CC_STAT_AREA] >= least]


def _dull_kind(top: Picture, share: NDArray[np.float32], part: NDArray[np.bool_]) -> str:
    """What a zone without bright colour is: a black hole, a violet -1, a grey X.

    `share` (h, w) is the light that comes from there, as a share of what the ground beside it gives.
    """
    core = cv2.erode(part.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    core = core if core.any() else part
    b, g, r = (float(v) for v in np.median(top[core], axis=0))
    strongest = max(b, g, r, 1.0)
    violet = b > 1.25 * g and r > 1.08 * g and (strongest - g) / strongest > 0.25
    if violet and strongest > 24:
        return "-1"
    return "hole" if float(np.median(share[core])) < _BLACK else "X"


def _give_lines(labels: NDArray[np.int8]) -> None:
    """Give each white line to the better of its neighbours, in place.

    A line is as wide as the gap it leaves; letters within a zone have only that zone beside them.
    """
    line = labels == _LINE
    if not line.any():
        return
    deep = cv2.distanceTransform(line.astype(np.uint8), cv2.DIST_L2, 3)
    ridge = deep[(deep >= cv2.dilate(deep, np.ones((5, 5), np.uint8)) - 1e-6) & (deep > 0.5)]
    width = 2 * float(np.median(ridge)) if ridge.size else PX_PER_MM
    reach = min(max(1.3 * width, PX_PER_MM), 4 * PX_PER_MM)
    for kind in ("3x", "2x", "1x"):
        code = KINDS.index(kind)
        far = cv2.distanceTransform((labels != code).astype(np.uint8), cv2.DIST_L2, 5)
        near = line & (far <= reach)
        labels[near] = code
        line &= ~near
    labels[line] = -1
    _fill(labels)


def _fill(labels: NDArray[np.int8]) -> None:
    """Give what is still open to the nearest zone, in place."""
    nearest = _nearest(labels >= 0)
    labels[:] = labels.ravel()[nearest]


def _tidied(labels: NDArray[np.int8]) -> NDArray[np.int8]:
    """The labels with ragged edges smoothed and specks given to what surrounds them."""
    votes = np.stack(
        [
            cv2.GaussianBlur((labels == code).astype(np.float32), (0, 0), 0.5 * PX_PER_MM)
            for code in range(len(KINDS))
        ]
    )
    smooth = votes.argmax(axis=0).astype(np.int8)
    for code in range(len(KINDS)):
        count, places, sums, _ = cv2.connectedComponentsWithStats(
            (smooth == code).astype(np.uint8), connectivity=4
        )
        for i in range(1, count):
            if sums[i, cv2.CC_STAT_AREA] < SMALLEST_MM2 * PX_PER_MM**2:
                smooth[places == i] = -1
    _fill(smooth)
    return smooth


def _zones(kind: str, mask: NDArray[np.bool_], size_mm: tuple[float, float]) -> list[Zone]:
    """The pieces of one kind as polygons, holes cut out by slits."""
    h, w = mask.shape
    # A rim of nothing round it, so that outlines along the floor's edge are closed there.
    padded = np.pad(mask.astype(np.uint8), 1)
    contours, tree = cv2.findContours(padded, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return []
    pixel = 1 / PX_PER_MM

    def outline(contour: NDArray[np.int32], hole: bool) -> Floats | None:
        line = cv2.approxPolyDP(contour, SIMPLE_MM * PX_PER_MM, True).reshape(-1, 2).astype(np.float64)
        if len(line) < 3 or cv2.contourArea(contour) < SMALLEST_MM2 * PX_PER_MM**2:
            return None
        flat = np.column_stack([line[:, 0] - 0.5 - w / 2, h / 2 - line[:, 1] + 0.5]) * pixel
        # Contours run through the middles of the outermost pixels; a zone ends at their edges.
        flat = inset(flat, 0.5 * pixel if hole else -0.5 * pixel)
        half = np.array(size_mm) / 2
        on_rim = np.abs(np.abs(flat) - half) < (_RIM_MM if not hole else 0.0)
        flat = np.where(on_rim, np.copysign(half, flat), flat)
        return _round(np.clip(flat, -half, half)) if kind == "hole" else np.clip(flat, -half, half)

    zones = []
    for i, (contour, links) in enumerate(zip(contours, tree[0], strict=True)):
        if links[3] >= 0 or (outer := outline(contour, False)) is None:
            continue
        inner = [outline(contours[j], True) for j in range(len(contours)) if tree[0][j][3] == i]
        line = joined(outer, [ring for ring in inner if ring is not None])
        zones.append(Zone(kind, tuple((round(float(x), 2), round(float(y), 2)) for x, y in line)))
    return zones


def _round(line: Floats) -> Floats:
    """The outline of a drilled hole as the circle it is, where it is one."""
    (x, y), _ = cv2.minEnclosingCircle(line.astype(np.float32))
    radii = np.linalg.norm(line - (x, y), axis=1)
    if radii.std() > 0.08 * radii.mean():
        return line
    flat = np.round((line - line.min(axis=0)) * 100).astype(np.int32)
    sums = cv2.moments(flat)
    if sums["m00"] <= 0:
        return line
    middle = np.array([sums["m10"], sums["m01"]]) / sums["m00"] / 100 + line.min(axis=0)
    turns = np.arange(32) * 2 * np.pi / 32
    # Of the same area as what was seen, as a polygon.
    radius = np.sqrt(sums["m00"] / 1e4 / (16 * np.sin(2 * np.pi / 32)))
    return np.asarray(middle + radius * np.column_stack([np.cos(turns), np.sin(turns)]), np.float64)


def _inner_point(zone: Zone) -> tuple[float, float]:
    """A place well inside the zone, for its name."""
    line = np.array(zone.polygon_mm)
    low = line.min(axis=0)
    flat = np.round((line - low + 1) * 2).astype(np.int32)
    canvas = np.zeros(tuple(int(v) + 3 for v in flat.max(axis=0)[::-1]), np.uint8)
    cv2.fillPoly(canvas, [flat], 1)
    deep = cv2.distanceTransform(canvas, cv2.DIST_L2, 3)
    y, x = np.unravel_index(int(deep.argmax()), deep.shape)
    return (float(x) / 2 - 1 + float(low[0]), float(y) / 2 - 1 + float(low[1]))
