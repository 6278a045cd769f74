"""The empty box, its floor and bet tiles: their known print, and where a picture shows more than that.

Pips and glyphs are spots of their own contrast. A spot that the empty box has at the same place is print.
Light and shadow are smooth, so the band-pass removes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box.colour_calibration import Chart
from vision.box.floor_parameters import FLOOR_VIEW
from vision.box.illumination import floor_seen
from vision.box.in_view import FloorArea, flatten_on, is_in_view, seen_part
from vision.dice.face_parameters import FACE_SEARCH
from vision.dice.pips import EDGE_PX, FAINT, Lab, to_lab
from vision.dice.reading import paper_white
from vision.geometry import Registration
from vision.layout import Layout, Point
from vision.sightings import Picture

FLOOR = "floor"

_COARSE = 0.5
"""Scale, as a share of the fine picture's, at which places of interest are told from print."""
_RIM_PX, _LEAST_PART_PX = 6, 16
"""In pixels of the coarse picture: ignored rim of a part; side up to which a part is negligible."""


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the floor or of a tile to be searched for dice, with tops at height `z_mm`."""

    area_mm: FloorArea
    z_mm: float
    surface: str
    """`floor`, or the bet tile's letter."""

    @property
    def middle_mm(self) -> Point:
        """Middle of the area."""
        x0, y0, x1, y1 = self.area_mm
        return (x0 + x1) / 2, (y0 + y1) / 2

    def holds_only(self, at: Point, reach: float, edge: float) -> bool:
        """Whether all its spots lie within `reach` of a point (mm), for dice of that edge."""
        x0, y0, x1, y1 = self.area_mm
        return max(at[0] - x0, x1 - at[0], at[1] - y0, y1 - at[1]) < FLOOR_VIEW.room * edge + reach

    def snug(self, edge: float) -> Place:
        """Reduce the margin where the spots outline a whole die of that edge; otherwise unchanged."""
        x0, y0, x1, y1 = self.area_mm
        spots = x1 - x0 - 2 * FLOOR_VIEW.room * edge, y1 - y0 - 2 * FLOOR_VIEW.room * edge
        if min(spots) < FLOOR_VIEW.outline_from * edge or max(spots) > FLOOR_VIEW.outline_to * edge:
            return self
        less = (FLOOR_VIEW.room - FLOOR_VIEW.snug) * edge
        return replace(self, area_mm=(x0 + less, y0 + less, x1 - less, y1 - less))


@dataclass(frozen=True, slots=True)
class Ground:
    """The empty box: its picture, its pose, and band-passed CIELAB of each surface by name.

    `rests` is how much print may remain at each place of a surface without counting as a spot.

    `bare` is the floor at the resolution of `illumination`, `chart` its colours, `white` the CIELAB of the
    tags' paper.
    """

    bands: dict[str, Lab]
    rests: dict[str, Lab]
    empty: Picture
    fit: Registration
    bare: Picture
    chart: Chart
    white: Lab | None

    @classmethod
    def of(cls, empty: Picture, fit: Registration, layout: Layout) -> Ground:
        """Learn the surfaces from a picture (h, w, 3) BGR of the empty box."""
        scale = _COARSE * EDGE_PX / layout.edge_mm
        bands = {
            name: _band(empty, fit, area, z, _size_px(area, scale)) for name, area, z in surfaces(layout, fit)
        }
        bare = floor_seen(empty, fit, layout)
        rests = {
            name: FLOOR_VIEW.faint * FAINT
            + FLOOR_VIEW.print_left * cv2.dilate(strongest(band), np.ones((3, 3), np.uint8))
            for name, band in bands.items()
        }
        return cls(bands, rests, empty, fit, bare, Chart(bare), paper_white(empty, fit, layout))

    def floor(self, area: FloorArea, px_per_mm: float) -> Picture:
        """Flatten a part of the empty floor, (h, w, 3) BGR."""
        return flatten_area(self.empty, self.fit, area, 0.0, px_per_mm)

    def behind(
        self, fit: Registration, area: FloorArea, z_mm: float, px_per_mm: float, ground_mm: float = 0.0
    ) -> Picture:
        """The empty floor, or tile at `ground_mm`, as a camera sees it through an area at height `z_mm`.

        (h, w, 3) BGR; black where the picture of the empty box does not show it.
        """
        x0, y0, x1, y1 = area
        corners = fit.to_px([[x0, y1], [x1, y1], [x1, y0], [x0, y0]], z_mm)
        size = (max(1, round((x1 - x0) * px_per_mm)), max(1, round((y1 - y0) * px_per_mm)))
        return self.fit.flatten(self.empty, fit.to_mm(corners, ground_mm), size, ground_mm)

    def places(
        self,
        picture: Picture,
        fit: Registration,
        layout: Layout,
        within: Callable[[float], Sequence[FloorArea]] | None = None,
    ) -> Iterator[Place]:
        """Yield the places where the picture shows spots that the empty box does not have.

        `within` gives the areas to search on a surface at a height (mm); None: all.
        """
        edge = layout.edge_mm
        for name, whole, z in surfaces(layout, fit):
            scale = _COARSE * EDGE_PX / edge
            parts = list(_on_grid([whole] if within is None else within(z), whole, scale))
            if not parts:
                continue
            for rim in _clusters(self._spots(picture, fit, (name, whole, z), parts, scale)):
                yield Place(_in_mm(rim, whole, edge), z + edge, name)

    def _spots(
        self,
        picture: Picture,
        fit: Registration,
        surface: tuple[str, FloorArea, float],
        parts: Sequence[tuple[int, int, int, int]],
        scale: float,
    ) -> NDArray[np.uint8]:
        """Mask (h, w) of a surface's spots that are not its print, in parts (x0, y0, x1, y1) of it.

        It has `scale` pixels per mm.
        """
        name, whole, z = surface
        w, h = _size_px(whole, scale)
        across, down = (whole[2] - whole[0]) / w, (whole[3] - whole[1]) / h
        spots = np.zeros((h, w), np.uint8)
        for x0, y0, x1, y1 in parts:
            left, right = (whole[0] + x * across for x in (x0, x1))
            top, bottom = (whole[3] - y * down for y in (y0, y1))
            band = _band(picture, fit, (left, bottom, right, top), z, (x1 - x0, y1 - y0))
            # Near the rim of a part the blur lacks pixels that the blur of the whole empty box had.
            rows = slice(y0 + _RIM_PX * (y0 > 0), y1 - _RIM_PX * (y1 < h))
            columns = slice(x0 + _RIM_PX * (x0 > 0), x1 - _RIM_PX * (x1 < w))
            own = rows, columns
            band = band[rows.start - y0 : rows.stop - y0, columns.start - x0 : columns.stop - x0]
            if name in self.bands:
                spots[own] |= strongest(band - self.bands[name][own]) > self.rests[name][own]
            else:
                spots[own] |= strongest(band) > FLOOR_VIEW.faint * FAINT
        if name != FLOOR:  # tiles stand at the corners, where the picture may end
            spots[~seen_part(fit, whole, z, (w, h))] = 0
        return spots


def surfaces(layout: Layout, fit: Registration) -> Iterator[tuple[str, FloorArea, float]]:
    """Yield name, area and height of the floor and of each bet tile that is at least partly in view."""
    w, h = layout.size_mm
    yield FLOOR, (-w / 2, -h / 2, w / 2, h / 2), 0.0
    for bet in layout.bets:
        x, y, z = bet.center_mm
        half = bet.size_mm / 2
        area = (x - half, y - half, x + half, y + half)
        if is_in_view(fit, area, z):
            yield bet.kind, area, z


def flatten_area(
    picture: Picture, fit: Registration, area: FloorArea, z_mm: float, px_per_mm: float
) -> Picture:
    """Flatten an area of the plane at height `z_mm` to a view from straight above, (h, w, 3) BGR."""
    x0, y0, x1, y1 = area
    size = (max(1, round((x1 - x0) * px_per_mm)), max(1, round((y1 - y0) * px_per_mm)))
    return fit.flatten(picture, [[x0, y1], [x1, y1], [x1, y0], [x0, y0]], size, z_mm)


def strongest(change: NDArray[np.float32]) -> NDArray[np.float32]:
    """Largest absolute value of the three channels at each pixel of (h, w, 3): (h, w)."""
    one, two, three = (np.abs(channel) for channel in cv2.split(change))
    return np.maximum(np.maximum(one, two), three)


def _band(picture: Picture, fit: Registration, area: FloorArea, z_mm: float, size: tuple[int, int]) -> Lab:
    """Flatten a part of a surface to `size` (width, height) coarse pixels, band-passed at a pip's size."""
    lab = to_lab(flatten_on(picture, fit, area, z_mm, size))
    sigma = FACE_SEARCH.pip_sigma * EDGE_PX * _COARSE
    # Kernels reach three standard deviations to either side.
    narrow, wide = (
        cv2.GaussianBlur(lab, (7, 7), sigma),
        cv2.GaussianBlur(lab, (17, 17), FACE_SEARCH.ring_sigmas * sigma),
    )
    return np.asarray(cv2.subtract(narrow, wide), np.float32)


def _size_px(area: FloorArea, scale: float) -> tuple[int, int]:
    return max(1, round((area[2] - area[0]) * scale)), max(1, round((area[3] - area[1]) * scale))


def _on_grid(
    parts: Sequence[FloorArea], whole: FloorArea, scale: float
) -> Iterator[tuple[int, int, int, int]]:
    """Convert parts (x0, y0, x1, y1) of a surface to its pixels, without negligible ones.

    A surface no larger than a few dice is one part.
    """
    w, h = _size_px(whole, scale)
    for x0, y0, x1, y1 in parts:
        left, right = ((x - whole[0]) * scale for x in (x0, x1))
        up, down = ((whole[3] - y) * scale for y in (y1, y0))
        rim = (
            max(0, math.floor(left)),
            max(0, math.floor(up)),
            min(w, math.ceil(right)),
            min(h, math.ceil(down)),
        )
        if min(rim[2] - rim[0], rim[3] - rim[1]) <= _LEAST_PART_PX:
            continue
        if max(w, h) < FLOOR_VIEW.small_surface * EDGE_PX * _COARSE:
            yield 0, 0, w, h
            return
        yield rim


def _clusters(spots: NDArray[np.uint8]) -> list[tuple[int, int, int, int]]:
    """Rectangles (x0, y0, x1, y1) round connected spots (h, w)."""
    if not cv2.countNonZero(spots):
        return []
    xs, ys = np.asarray(cv2.findNonZero(spots), np.intp).reshape(-1, 2).T
    reach = round(FLOOR_VIEW.spots_apart * EDGE_PX * _COARSE) | 1
    count, labels = cv2.connectedComponents(cv2.dilate(spots, np.ones((reach, reach), np.uint8)))
    own = np.asarray(labels[ys, xs], np.intp)
    low, high = np.full((count, 2), max(spots.shape), np.intp), np.full((count, 2), -1, np.intp)
    for k, across in enumerate((xs, ys)):
        np.minimum.at(low[:, k], own, across)
        np.maximum.at(high[:, k], own, across)
    good = (high - low + 1).min(axis=1) >= FLOOR_VIEW.least_spot_px
    rims = np.concatenate([low, high + 1], axis=1)[good]
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in rims.tolist()]


def _in_mm(spots: tuple[int, int, int, int], area: FloorArea, edge: float) -> FloorArea:
    """Convert a rectangle of the coarse picture to millimetres, with room for the whole die."""
    scale = _COARSE * EDGE_PX / edge
    x0, y0, x1, y1 = (v / scale for v in spots)
    room = FLOOR_VIEW.room * edge
    return area[0] + x0 - room, area[3] - y1 - room, area[0] + x1 + room, area[3] - y0 + room
