"""Traces a picture of an empty dice field between its tags into zones, by colour.

Blue is 1x, red 2x, yellow 3x; a white line belongs to the better zone beside it (X-16); grey is X,
dark violet -1, black a hole. Colours are judged relative to the white of the tags' paper, and by hue before
brightness, so that a shadow over the floor changes nothing. The result is a proposal, to be checked
(`draw_zones`) and corrected by hand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64
from vision.box.trace_colours import KINDS, SMALLEST_MM2, label_floor
from vision.box.trace_floor import PX_PER_MM, TraceError, on_floor, paper, top_view, whitened
from vision.box.trace_parameters import TRACE
from vision.geometry import Registration
from vision.imgproc.polygons import inset, joined
from vision.layout import CameraModel, Layout, Zone
from vision.sightings import Picture

__all__ = ["DIM", "KINDS", "TraceError", "Traced", "draw_zones", "trace"]

SIMPLE_MM = 0.45
"""Tolerance by which an outline may be simplified."""
DIM = 110.0
"""Paper level below which a picture was taken with too little light."""
_RIM_MM = 2.0
"""Distance from the floor's rim up to which a zone's corner is moved onto it."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A field's layout with its zones, the registration, and each kind's share of the floor.

    `paper` is how bright the tags' paper is in the picture, 0..255: below `DIM`, colours drown in noise.
    """

    layout: Layout
    registration: Registration
    shares: dict[str, float]
    paper: float


def trace(picture: Picture, layout: Layout, camera: CameraModel | None = None) -> Traced:
    """Trace the zones of the empty field in a picture (h, w, 3) BGR; `layout` gives floor size and tags.

    Without a measured lens, the focal length is the one at which the blue floor is as large as stated.

    Raises:
        TagsNotFoundError: too few tags.
        TraceError: no coloured floor where the tags say, or one of another size.
    """
    bare = replace(layout, zones=())
    fit = on_floor(picture, bare, camera or layout.camera or CameraModel())
    seen = whitened(picture, fit, bare)
    top = top_view(seen, fit, layout.size_mm, 1.0)
    labels = label_floor(top)
    zones: list[Zone] = []
    for code, kind in enumerate(KINDS):
        zones += _zones(kind, labels == code, layout.size_mm)
    shares = {kind: float((labels == code).mean()) for code, kind in enumerate(KINDS)}
    return Traced(replace(layout, zones=tuple(zones)), fit, shares, float(paper(picture, fit, bare).max()))


def draw_zones(picture: Picture, traced: Traced) -> Picture:
    """Draw every zone's outline and name on a copy of the picture, for checking."""
    out = picture.copy()
    inks = {"1x": (255, 190, 90), "2x": (90, 90, 255), "3x": (0, 230, 255), "X": (230, 230, 230)}
    for zone in traced.layout.zones:
        ink = inks.get(zone.kind, (255, 90, 220))
        line = np.round(traced.registration.to_px(zone.polygon_mm) * 16).astype(int).tolist()
        sides = {(tuple(a), tuple(b)) for a, b in zip(line, line[1:] + line[:1], strict=True)}
        # A slit runs there and back; it is not a border.
        borders = [(a, b) for a, b in sides if (b, a) not in sides]
        for width, colour in ((3, (0, 0, 0)), (1, ink)):
            for a, b in borders:
                cv2.line(out, a, b, colour, width, cv2.LINE_AA, 4)
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


def _zones(kind: str, mask: NDArray[np.bool_], size_mm: tuple[float, float]) -> list[Zone]:
    """Convert the pieces of one kind to polygons, with holes joined to the outline by slits."""
    h, w = mask.shape
    # An empty rim closes the outlines along the floor's edge.
    padded = np.pad(mask.astype(np.uint8), 1)
    contours, tree = cv2.findContours(padded, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return []
    pixel = 1 / PX_PER_MM

    def outline(contour: NDArray[Any], hole: bool) -> Float64 | None:
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
        if links[3] >= 0 or (outer := outline(np.asarray(contour), False)) is None:
            continue
        inner = [outline(np.asarray(contours[j]), True) for j in range(len(contours)) if tree[0][j][3] == i]
        line = joined(outer, [ring for ring in inner if ring is not None])
        zones.append(Zone(kind, tuple((round(float(x), 2), round(float(y), 2)) for x, y in line)))
    return zones


def _round(line: Float64) -> Float64:
    """Replace the outline of a drilled hole by a circle, where it is nearly one."""
    (x, y), _ = cv2.minEnclosingCircle(line.astype(np.float32))
    radii = np.linalg.norm(line - (x, y), axis=1)
    if radii.std() > TRACE.hole_roundness * radii.mean():
        return line
    flat = np.round((line - line.min(axis=0)) * 100).astype(np.int32)
    sums = cv2.moments(flat)
    if sums["m00"] <= 0:
        return line
    middle = np.array([sums["m10"], sums["m01"]]) / sums["m00"] / 100 + line.min(axis=0)
    turns = np.arange(32) * 2 * np.pi / 32
    # The polygon of 32 corners gets the area of the outline.
    radius = np.sqrt(sums["m00"] / 1e4 / (16 * np.sin(2 * np.pi / 32)))
    return np.asarray(middle + radius * np.column_stack([np.cos(turns), np.sin(turns)]), np.float64)


def _inner_point(zone: Zone) -> tuple[float, float]:
    """Find a place well inside the zone, for its name."""
    line = np.array(zone.polygon_mm)
    low = line.min(axis=0)
    flat = np.round((line - low + 1) * 2).astype(np.int32)
    canvas = np.zeros(tuple(int(v) + 3 for v in flat.max(axis=0)[::-1]), np.uint8)
    cv2.fillPoly(canvas, [flat], 1)
    deep = cv2.distanceTransform(canvas, cv2.DIST_L2, 3)
    y, x = np.unravel_index(int(deep.argmax()), deep.shape)
    return (float(x) / 2 - 1 + float(low[0]), float(y) / 2 - 1 + float(low[1]))
