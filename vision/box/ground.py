"""What is printed is no die: the empty box's floor and bet tiles, and where a picture shows more than them.

Pips and glyphs are spots of their own contrast. A spot that the empty box has at the same place is print;
light and shadow are smooth and fall out of the band-pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box.light import floor_seen
from vision.box.palette import Chart
from vision.dice.pips import EDGE_PX, FAINT, Lab, to_lab
from vision.dice.reading import USUAL_EDGE_MM, paper_white
from vision.geometry import Registration
from vision.layout import Layout
from vision.sightings import Picture

Area = tuple[float, float, float, float]
"""x0, y0, x1, y1 in millimetres of the box."""

FLOOR = "floor"

_COARSE = 0.5
"""Share of the fine picture's scale at which places of interest are told from print."""
_PRINT = 0.6
"""Share of a printed spot's own strength that may be left over when the box was found a little beside."""
_LEAST_PX = 3
"""Least side, in pixels of the coarse picture, of what is no noise: a lone pip is half as large again."""
_REACH = 0.6
"""Spots nearer than this share of a die's edge to one another are looked at together."""
ROOM = 0.9
"""Room round the spots of a place, over a die's edge: the whole die must be in the cut-out."""

_DIE, _SNUG = (1.0, 2.0), 0.4
"""Sides over a die's edge of spots that outline one; room over the edge that is enough round those."""


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the floor or of a tile to be searched for dice, whose tops stand at `z_mm`."""

    area_mm: Area
    z_mm: float
    surface: str
    """`floor`, or the bet tile's letter."""

    def snug(self, edge: float) -> Place:
        """The place with less room where its spots outline a whole die of that edge; else as it is."""
        x0, y0, x1, y1 = self.area_mm
        spots = x1 - x0 - 2 * ROOM * edge, y1 - y0 - 2 * ROOM * edge
        if min(spots) < _DIE[0] * edge or max(spots) > _DIE[1] * edge:
            return self
        less = (ROOM - _SNUG) * edge
        return replace(self, area_mm=(x0 + less, y0 + less, x1 - less, y1 - less))


@dataclass(frozen=True, slots=True)
class Ground:
    """Band-passed CIELAB of each surface of the empty box, by its name; the empty box itself.

    `rests` is how much of its print may be left over at each place: that is no spot.

    `bare` is its floor as `light` measures it, `chart` that floor's colours, `white` the CIELAB of its tags'
    paper.
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
        bands = {name: _band(empty, fit, layout, area, z) for name, area, z in surfaces(layout, fit)}
        bare = floor_seen(empty, fit, layout)
        rests = {
            name: 0.4 * FAINT + _PRINT * cv2.dilate(strongest(band), np.ones((3, 3), np.uint8))
            for name, band in bands.items()
        }
        return cls(bands, rests, empty, fit, bare, Chart(bare), paper_white(empty, fit, layout))

    def floor(self, area: Area, px_per_mm: float) -> Lab:
        """A part of the empty floor, CIELAB."""
        return to_lab(flatten_area(self.empty, self.fit, area, 0.0, px_per_mm))

    def behind(
        self, fit: Registration, area: Area, z_mm: float, px_per_mm: float, ground_mm: float = 0.0
    ) -> Picture:
        """What of the empty floor, or a tile at `ground_mm`, a camera sees through an area at `z_mm`.

        (h, w, 3) BGR; black where the empty box was not seen.
        """
        x0, y0, x1, y1 = area
        corners = fit.to_px([[x0, y1], [x1, y1], [x1, y0], [x0, y0]], z_mm)
        size = (max(1, round((x1 - x0) * px_per_mm)), max(1, round((y1 - y0) * px_per_mm)))
        return self.fit.flatten(self.empty, fit.to_mm(corners, ground_mm), size, ground_mm)

    def places(
        self, picture: Picture, fit: Registration, layout: Layout, within: Sequence[Area] | None = None
    ) -> Iterator[Place]:
        """Where the picture shows spots that the empty box has not; `within` limits where it looks."""
        edge = layout.die_edge_mm or USUAL_EDGE_MM
        scale = _COARSE * EDGE_PX / edge
        for name, whole, z in surfaces(layout, fit):
            parts = [whole] if within is None else [p for a in within if (p := _common(a, whole, scale))]
            for area in parts:
                band = _band(picture, fit, layout, area, z)
                for spots in _clusters(band, self._print(name, whole, area, scale, band.shape[:2])):
                    yield Place(_in_mm(spots, area, edge), z + edge, name)

    def _print(
        self, name: str, whole: Area, area: Area, scale: float, shape: tuple[int, ...]
    ) -> tuple[Lab, Lab] | None:
        """The empty surface's band where `area` cuts it, and its `rests`; None where it was never seen."""
        if name not in self.bands:
            return None
        x, y = round((area[0] - whole[0]) * scale), round((whole[3] - area[3]) * scale)
        part = slice(y, y + shape[0]), slice(x, x + shape[1])
        return self.bands[name][part], self.rests[name][part]


def surfaces(layout: Layout, fit: Registration) -> Iterator[tuple[str, Area, float]]:
    """The floor and those bet tiles that the camera sees in part: name, area and height."""
    w, h = layout.size_mm
    yield FLOOR, (-w / 2, -h / 2, w / 2, h / 2), 0.0
    for bet in layout.bets:
        x, y, z = bet.center_mm
        half = bet.size_mm / 2
        at = fit.to_px([[x, y]], z)[0]
        if (at > 0).all() and at[0] < fit.size_px[0] and at[1] < fit.size_px[1]:
            yield bet.kind, (x - half, y - half, x + half, y + half), z


def flatten_area(picture: Picture, fit: Registration, area: Area, z_mm: float, px_per_mm: float) -> Picture:
    """An area of the plane at height `z_mm` seen straight from above, (h, w, 3) BGR."""
    x0, y0, x1, y1 = area
    size = (max(1, round((x1 - x0) * px_per_mm)), max(1, round((y1 - y0) * px_per_mm)))
    return fit.flatten(picture, [[x0, y1], [x1, y1], [x1, y0], [x0, y0]], size, z_mm)


def strongest(change: NDArray[np.float32]) -> NDArray[np.float32]:
    """The strongest of the three channels at each pixel of (h, w, 3), whatever its sign: (h, w)."""
    one, two, three = (np.abs(channel) for channel in cv2.split(change))
    return np.maximum(np.maximum(one, two), three)


def _band(picture: Picture, fit: Registration, layout: Layout, area: Area, z_mm: float) -> Lab:
    """The surface band-passed at the size of a pip, in half scale."""
    scale = _COARSE * EDGE_PX / (layout.die_edge_mm or USUAL_EDGE_MM)
    lab = to_lab(flatten_area(picture, fit, area, z_mm, scale))
    sigma = 0.055 * EDGE_PX * _COARSE
    # Kernels as wide as three standard deviations.
    narrow, wide = cv2.GaussianBlur(lab, (7, 7), sigma), cv2.GaussianBlur(lab, (17, 17), 2.2 * sigma)
    return np.asarray(cv2.subtract(narrow, wide), np.float32)


def _common(one: Area, whole: Area, scale: float) -> Area | None:
    """What two areas share, on whole pixels of the second; None where that is next to nothing."""
    x0 = whole[0] + np.floor(max(0.0, one[0] - whole[0]) * scale) / scale
    y1 = whole[3] - np.floor(max(0.0, whole[3] - one[3]) * scale) / scale
    x1, y0 = min(one[2], whole[2]), max(one[1], whole[1])
    return (float(x0), float(y0), float(x1), float(y1)) if min(x1 - x0, y1 - y0) * scale > 8 else None


def _clusters(band: Lab, print_: tuple[Lab, Lab] | None) -> list[tuple[int, int, int, int]]:
    """Rectangles (x0, y0, x1, y1) round spots that hang together and are no print.

    `print_` is the empty surface's band and what of it may be left over, None where it was never seen.
    """
    if print_ is None or print_[0].shape != band.shape:
        spot = (strongest(band) > 0.4 * FAINT).astype(np.uint8)
    else:
        spot = (strongest(band - print_[0]) > print_[1]).astype(np.uint8)
    reach = round(_REACH * EDGE_PX * _COARSE) | 1
    _, labels, stats, _ = cv2.connectedComponentsWithStats(
        cv2.dilate(spot, np.ones((reach, reach), np.uint8))
    )
    found = []
    for k in range(1, len(stats)):
        x, y, w, h, _ = stats[k].tolist()
        ys, xs = np.nonzero(spot[y : y + h, x : x + w] & (labels[y : y + h, x : x + w] == k))
        wide, high = (int(np.ptp(v)) + 1 if len(v) else 0 for v in (xs, ys))
        if min(wide, high) >= _LEAST_PX:
            left, top = x + int(xs.min()), y + int(ys.min())
            found.append((left, top, left + wide, top + high))
    return found


def _in_mm(spots: tuple[int, int, int, int], area: Area, edge: float) -> Area:
    """A rectangle of the coarse picture in millimetres, with room for the whole die."""
    scale = _COARSE * EDGE_PX / edge
    x0, y0, x1, y1 = (v / scale for v in spots)
    room = ROOM * edge
    return area[0] + x0 - room, area[3] - y1 - room, area[0] + x1 + room, area[3] - y0 + room
