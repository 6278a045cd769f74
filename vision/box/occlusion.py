"""Places in a box where a die may lie unseen: neither the floor's print nor a known die shows there.

The cause may be an overexposed reflection, a resting arm, or a die whose paint is not recognised. A missing
die may lie there, so it is not surely lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.box.field import Field
from vision.box.floor_parameters import FLOOR_VIEW
from vision.box.foreground import GLANCE_PX, Glance
from vision.box.in_view import FloorArea
from vision.dice.found import FoundDie
from vision.geometry import Registration


def hiding_places(
    glance: Glance | None, fit: Registration, field: Field, found: Sequence[FoundDie]
) -> Iterator[FloorArea]:
    """Yield rectangles of the floor (mm) that hold something that may hide a die.

    Without a glance no print is known to compare with, and nothing is reported.
    """
    if glance is None:
        return
    edge, scale = field.edge_mm, GLANCE_PX / field.edge_mm
    w, h = (side / 2 for side in field.size_mm)
    corner = np.array([-w, h], np.float64)
    strange = glance.news.astype(np.uint8)

    x, y, height = fit.camera_mm
    share = edge / height

    def px(places: ArrayLike, share: float = 0.0) -> NDArray[np.int32]:
        """Pixels of the glance for places (n, 2) at a top's height; with `share`, for places on the floor."""
        at = np.asarray(places, np.float64)
        off = at + ((x, y) - at) * share - corner
        return np.asarray(np.rint(off * (scale, -scale)), np.int32)

    for hole in field.holes:
        cv2.fillPoly(strange, [px(hole.polygon_mm, share)], 0)
    dice = [f.die for f in found if f.die.where in ("field", "hole")]
    at = np.array([die.center_mm for die in dice]).reshape(-1, 2)
    for die, top, foot in zip(dice, px(at).tolist(), px(at, share).tolist(), strict=True):
        reach = 2 * (FLOOR_VIEW.of_die if die.where == "field" else FLOOR_VIEW.of_fallen) * GLANCE_PX
        cv2.line(strange, top, foot, 0, round(reach))
    across = (round(FLOOR_VIEW.hides * GLANCE_PX) | 1,) * 2
    body = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, across)
    count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(strange, cv2.MORPH_OPEN, body))
    for x0, y0, wide, high, _ in stats[1:count].tolist():
        yield x0 / scale - w, h - (y0 + high) / scale, (x0 + wide) / scale - w, h - y0 / scale
