"""Where in a box a die may lie unseen: the floor does not show its print, and no die that was found is why.

A burnt-out reflection, an arm that lies there, a die whose paint nobody knows again. What is missing may lie
there: it is not surely lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.box.dice_set import DiceSet
from vision.box.field import Field
from vision.box.ground import FLOOR, Area, Place
from vision.box.light import Light
from vision.box.unread import survey
from vision.dice.throws import Found
from vision.geometry import Registration
from vision.sightings import Picture

_EDGE_PX = 10.0
"""Edge of a die, in pixels, in the pictures looked at here."""
_HIDES = 0.7
"""Across what hides a die, over the die's edge: less is a rim, a shadow's edge, a side that shows."""
_OF_DIE, _OF_FALLEN = 0.9, 1.4
"""Reach of a die's own change round its middle, over its edge: on the floor; in a hole."""


def hiding_places(
    picture: Picture,
    fit: Registration,
    field: Field,
    dice: DiceSet,
    found: Sequence[Found],
    light: Light | None,
) -> Iterator[Area]:
    """Rectangles of the floor (mm) that hold what may hide a die; `picture` (h, w, 3) BGR.

    `light` is that over enrolment; without it the box shows no print that is known, and nothing can be said.
    """
    if light is None:
        return
    edge, scale = field.edge_mm, _EDGE_PX / field.edge_mm
    w, h = (side / 2 for side in field.size_mm)
    corner = np.array([-w, h], np.float64)
    place = Place((-w, -h, w, h), edge, FLOOR)
    strange = survey(picture, fit, field, dice, place, light, _EDGE_PX)[1].astype(np.uint8)

    def px(places: ArrayLike) -> NDArray[np.int32]:
        """Where places (n, 2) of the floor, seen at the height of a die's top, are in that picture."""
        off = np.asarray(places, np.float64) - (corner)
        return np.rint(off * (scale, -scale)).astype(np.int32)

    for hole in field.holes:
        cv2.fillPoly(strange, [px(fit.to_mm(fit.to_px(hole.polygon_mm, 0.0), edge))], 0)
    for die in (f.die for f in found if f.die.where in ("field", "hole")):
        (at,) = fit.to_mm(fit.to_px([die.center_mm], 0.0), edge)
        top, foot = px([die.center_mm, at]).tolist()
        reach = 2 * (_OF_DIE if die.where == "field" else _OF_FALLEN) * _EDGE_PX
        cv2.line(strange, top, foot, 0, round(reach))
    across = (round(_HIDES * _EDGE_PX) | 1,) * 2
    body = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, across)
    count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(strange, cv2.MORPH_OPEN, body))
    for x0, y0, wide, high, _ in stats[1:count].tolist():
        yield x0 / scale - w, h - (y0 + high) / scale, (x0 + wide) / scale - w, h - y0 / scale
