"""Background subtraction in a box: where its floor shows more than its print, in the light of enrolment.

While box and camera stay, every pixel shows the same place of the empty floor. So the view of the whole empty
floor is kept, and each picture that is read is compared with it once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.box.background import FLOOR, Ground, Place, flatten_area
from vision.box.dice_set import DiceSet
from vision.box.field import Field
from vision.box.floor_parameters import FLOOR_VIEW
from vision.box.illumination import FloorLight, linear
from vision.box.in_view import FloorArea
from vision.dice.pips import Lab, to_lab
from vision.geometry import Registration
from vision.layout import Point
from vision.sightings import Picture

EDGE_PX = 22.0
"""Edge of a die, in pixels, in the cut-out of one place."""
GLANCE_PX = 10.0
"""Edge of a die, in pixels, in the cut-out of the whole floor."""
_ADDED = np.ones((1, 3), np.float32)


@dataclass(frozen=True, slots=True)
class Print:
    """The empty floor: CIELAB and linear light (h, w, 3), and the squared norm of the light (h, w)."""

    lab: Lab
    light: Float32
    power: NDArray[np.float32]

    @classmethod
    def of(cls, empty: Picture) -> Print:
        """Prepare the print from a picture (h, w, 3) BGR uint8."""
        light = linear(empty)
        return cls(to_lab(empty), light, _sums(cv2.multiply(light, light)))

    def news(self, now: Picture, lab: Lab) -> NDArray[np.bool_]:
        """Mask of where a picture (h, w, 3) BGR differs by more than a shadow that came or went.

        `lab` is the same picture in CIELAB.
        """
        change, seen = lab - self.lab, linear(now)
        light = _sums(cv2.multiply(seen, self.light)) / (self.power + np.float32(1e-6))
        apart = seen - light[..., None] * self.light
        other = _sums(apart * apart) > FLOOR_VIEW.other_mix**2 * _sums(cv2.multiply(seen, seen))
        other |= (light < FLOOR_VIEW.shade) | (light > FLOOR_VIEW.lamp)
        return np.asarray(other & (_sums(change * change) > FLOOR_VIEW.news**2))


class Backdrop:
    """The whole empty floor behind the plane of the dice's tops, kept while box and camera stay."""

    def __init__(self, ground: Ground, field: Field) -> None:
        self._ground, self._edge = ground, field.edge_mm
        w, h = field.size_mm
        self.area: FloorArea = (-w / 2, -h / 2, w / 2, h / 2)
        self.scale = GLANCE_PX / field.edge_mm
        self._kept: tuple[Registration, Picture, Print] | None = None

    def behind(self, fit: Registration, light: FloorLight) -> Print:
        """The empty floor as `fit`'s camera sees it, no brighter than the sensor can show in `light`."""
        if self._kept is None or self._kept[0] is not fit:
            empty = self._ground.behind(fit, self.area, self._edge, self.scale)
            self._kept = fit, empty, Print.of(empty)
        _, empty, known = self._kept
        return Print.of(light.at_most(empty, self.area)) if light.brighter else known


class Glance:
    """The whole floor of one picture at the height of the dice's tops, `GLANCE_PX` pixels per edge."""

    def __init__(self, picture: Picture, fit: Registration, light: FloorLight, backdrop: Backdrop) -> None:
        self.area, self._scale, self._edge_mm = backdrop.area, backdrop.scale, GLANCE_PX / backdrop.scale
        self._print = backdrop.behind(fit, light)
        cut = flatten_area(picture, fit, self.area, self._edge_mm, self._scale)
        self._now = light.taken_off(cut, self.area)

    @cached_property
    def _lab(self) -> Lab:
        return to_lab(self._now)

    @cached_property
    def news(self) -> NDArray[np.bool_]:
        """Mask (n, m) of where it shows more than print, rows from +y down."""
        return self._print.news(self._now, self._lab)

    def behind(self, place: Point) -> Lab:
        """Colour of the empty floor (CIELAB, light of enrolment) behind a top at a place (mm)."""
        return _middle(self._print.lab[self._round(place, FLOOR_VIEW.behind)])

    def other_colour(self, place: Point) -> float:
        """Distance in a and b of CIELAB between a top at a place (mm) and the empty floor behind it."""
        part = self._round(place, FLOOR_VIEW.inner)
        return float(np.linalg.norm(_middle((self._lab[part] - self._print.lab[part])[..., 1:])))

    def _round(self, place: Point, reach: float) -> tuple[slice, slice]:
        x, y = (place[0] - self.area[0]) * self._scale, (self.area[3] - place[1]) * self._scale
        half = reach * GLANCE_PX
        h, w = self._now.shape[:2]
        rows, columns = (
            slice(min(max(round(v - half), 0), size - 1), max(round(v + half), 1))
            for v, size in ((y, h), (x, w))
        )
        return rows, columns


@dataclass(frozen=True, slots=True)
class FloorView:
    """One picture of a registered box, with what is known of its floor."""

    picture: Picture
    fit: Registration
    field: Field
    dice: DiceSet
    light: FloorLight | None = None
    """Light of the picture over that at enrolment; None where the floor does not show it."""

    def survey(self, place: Place) -> tuple[Lab, NDArray[np.bool_]]:
        """A place from above, (h, w, 3) CIELAB in the light of enrolment; mask of what is more than print.

        A die's edge is `EDGE_PX` pixels.
        """
        edge = self.field.edge_mm
        area, scale = place.area_mm, EDGE_PX / edge
        cut = flatten_area(self.picture, self.fit, area, place.z_mm, scale)
        if self.light is not None:
            cut = self.light.taken_off(cut, area)
        lab = to_lab(cut)
        news = Print.of(self.empty(place)).news(cut, lab)
        if place.surface == FLOOR:  # the walls are left out: their shadows change when the box turns
            xs = area[0] + (np.arange(news.shape[1]) + 0.5) / scale
            ys = area[3] - (np.arange(news.shape[0]) + 0.5) / scale
            w, h = self.field.size_mm
            news &= (np.abs(xs) < w / 2) & (np.abs(ys) < h / 2)[:, None]
        return lab, news

    def empty(self, place: Place) -> Picture:
        """The place as `survey` would see it if it were empty, (h, w, 3) BGR.

        Print appears shifted, because the cut-out is at the height of a top.
        """
        area, edge = place.area_mm, self.field.edge_mm
        then = self.dice.ground.behind(self.fit, area, place.z_mm, EDGE_PX / edge, place.z_mm - edge)
        return then if self.light is None else self.light.at_most(then, area)

    def around(self, at: Point, reach_mm: float) -> Place:
        """The square round a point (mm) of the floor, at the height of a die's top."""
        x, y = at
        area = (x - reach_mm, y - reach_mm, x + reach_mm, y + reach_mm)
        return Place(area, self.field.edge_mm, FLOOR)


def _middle(colours: Float32) -> Float32:
    """Median of each channel of a part (h, w, c) of a picture."""
    ordered = np.sort(colours.reshape(-1, colours.shape[-1]), axis=0)
    n = len(ordered)
    return np.asarray((ordered[(n - 1) // 2] + ordered[n // 2]) / 2, np.float32)


def _sums(values: NDArray[np.float32] | cv2.typing.MatLike) -> NDArray[np.float32]:
    """Sum (h, w) of the three channels at each pixel."""
    return np.asarray(cv2.transform(values, _ADDED), np.float32)
