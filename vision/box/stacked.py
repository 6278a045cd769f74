"""Whether a die stands on another: paint of the lower one shows beside the upper one.

Where one lay and now another lies, the first was taken or knocked away far more often than it was built on.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box.background import FLOOR, Place
from vision.box.dice_set import DiceSet
from vision.box.field import Field
from vision.box.foreground import EDGE_PX, survey
from vision.box.illumination import FloorLight
from vision.dice.colour import in_light_of, to_linear
from vision.geometry import Registration
from vision.sightings import DieSeen, Picture

_REACH = 1.3
"""How far round where the lower one lay its paint is sought, over a die's edge."""
_TOP = 0.57
"""Half the side of what the upper one's top hides, a little blur included, over a die's edge."""
_ALIKE = 0.25
"""Share of its light by which a pixel may differ from a paint's mixture."""
_LIT = (0.08, 1.6)
"""Light over that of enrolment in which a die's sides and the rest of its top lie."""
_SHOWS = 0.05
"""Area of the paint over that of a top, from which on it shows."""
_SQUARE = 0.2
"""How far the lower one may reach out beside the upper one, over a die's edge, and yet show nothing."""


def may_stand_on(
    picture: Picture,
    fit: Registration,
    field: Field,
    dice: DiceSet,
    light: FloorLight | None,
    lower: DieSeen,
    upper: DieSeen,
) -> bool:
    """Whether the die `upper` may stand on `lower`, which lay there in an earlier picture.

    Its paint shows, or it would be hidden: set squarely on a die that is seen from straight above.
    """
    if lower.colour not in dice.bodies or upper.colour not in dice.bodies:
        return True
    (x, y), edge = lower.center_mm, field.edge_mm
    lens = fit.camera_mm
    side = edge * float(np.hypot(x - lens[0], y - lens[1])) / float(lens[2])
    if float(np.hypot(upper.center_mm[0] - x, upper.center_mm[1] - y)) + side < _SQUARE * edge:
        return True
    reach = _REACH * edge
    place = Place((x - reach, y - reach, x + reach, y + reach), edge, FLOOR)
    lab, news = survey(picture, fit, field, dice, place, light)
    seen = np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2LBGR), np.float32).clip(0.0)
    own = _near_paint(seen, dice, lower.colour)
    other = _near_paint(seen, dice, upper.colour)
    paint = (news & (own < _ALIKE) & (own < other)).astype(np.uint8)
    cv2.fillPoly(paint, [_top(upper, place, edge)], (0,))
    opened = cv2.morphologyEx(paint, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return bool(np.count_nonzero(opened) > _SHOWS * EDGE_PX**2)


def _near_paint(seen: NDArray[np.float32], dice: DiceSet, colour: str) -> NDArray[np.float32]:
    """How far each pixel's mixture is from a paint's, a share of its light; far in no light of a die's."""
    paint = to_linear(in_light_of(dice.bodies[colour], dice.ground.white)).astype(np.float32)
    light = seen @ paint / float(paint @ paint)
    off = np.linalg.norm(seen - light[..., None] * paint, axis=2) / (np.linalg.norm(seen, axis=2) + 1e-6)
    return np.asarray(np.where((light > _LIT[0]) & (light < _LIT[1]), off, np.inf), np.float32)


def _top(die: DieSeen, place: Place, edge: float) -> NDArray[np.int32]:
    """The corners (4, 2) of a die's top, with its blur, in pixels of a place's cut-out."""
    turn = np.deg2rad(die.yaw_deg + 45.0 + 90.0 * np.arange(4))
    at = np.array(die.center_mm) + _TOP * 2**0.5 * edge * np.column_stack([np.cos(turn), np.sin(turn)])
    scale = EDGE_PX / edge
    return np.rint((at - (place.area_mm[0], place.area_mm[3])) * (scale, -scale)).astype(np.int32)
