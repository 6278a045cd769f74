"""Whether a die stands on another: paint of the lower one shows beside the upper one.

Where one lay and now another lies, the first was taken or knocked away far more often than it was built on.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box.dice_set import DiceSet
from vision.box.field import Field
from vision.box.ground import FLOOR, Place
from vision.box.light import Light
from vision.box.survey import EDGE_PX, survey
from vision.dice.colour import in_light_of, to_linear
from vision.dice.found import Found
from vision.geometry import Registration
from vision.sightings import DieSeen, Guess, Picture

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
_CORNER = 0.05
"""The same of a corner that is lit as a top is, in a paint that surely is that one's."""
_ITSELF = 0.2
"""Area of the paint over that of a top from which on a die may lie there by itself."""
_SURELY = 0.5
"""Share of the usual distance from a paint up to which it tells of a die that nobody has seen lie there."""
_TOP_LIT = (0.3, 1.6)
"""Light over that of enrolment on a top: a dark side may look like another paint."""
_SQUARE = 0.2
"""How far the lower one may reach out beside the upper one, over a die's edge, and yet show nothing."""


def may_stand_on(
    picture: Picture,
    fit: Registration,
    field: Field,
    dice: DiceSet,
    light: Light | None,
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
    paint = _beside(picture, fit, field, dice, light, lower.colour, upper, place)
    return bool(np.count_nonzero(paint) > _SHOWS * EDGE_PX**2)


def stands_on_missing(
    picture: Picture,
    fit: Registration,
    field: Field,
    dice: DiceSet,
    light: Light | None,
    upper: DieSeen,
    missing: Collection[str],
) -> bool:
    """Whether paint of a die that is nowhere else shows beside `upper`, too little to lie by itself."""
    if upper.colour not in dice.bodies:
        return False
    (x, y), reach = upper.center_mm, _REACH * field.edge_mm
    place = Place((x - reach, y - reach, x + reach, y + reach), field.edge_mm, FLOOR)
    for colour in missing:
        paint = _beside(picture, fit, field, dice, light, colour, upper, place, _SURELY)
        count, _, stats, _ = cv2.connectedComponentsWithStats(paint)
        for left, top, wide, high, area in stats[1:count].tolist():
            whole = left > 0 and top > 0 and left + wide < paint.shape[1] and top + high < paint.shape[0]
            if whole and _CORNER * EDGE_PX**2 < area < _ITSELF * EDGE_PX**2:
                return True
    return False


def leaning(found: Found) -> Found:
    """A die that does not stand on the floor: its face is read, whether it counts the players say."""
    doubt = tuple(dict.fromkeys((*found.die.doubt, "cocked")))
    guess = (Guess(f"{found.die.colour}-{found.die.face}", 0.5),)
    die = replace(found.die, cocked=True, doubt=doubt, candidates=found.die.candidates or guess)
    return replace(found, die=die)


def _beside(
    picture: Picture,
    fit: Registration,
    field: Field,
    dice: DiceSet,
    light: Light | None,
    lower: str,
    upper: DieSeen,
    place: Place,
    sure: float = 1.0,
) -> NDArray[np.uint8]:
    """Where a place shows paint of the colour `lower` beside the top of `upper`: (h, w), 1 or 0.

    `sure`: the share of the usual distances from paints that is asked for.
    """
    lab, news = survey(picture, fit, field, dice, place, light)
    seen = np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2LBGR), np.float32).clip(0.0)
    lit = _TOP_LIT if sure < 1.0 else _LIT
    own = _near_paint(seen, dice, lower, lit)
    other = _near_paint(seen, dice, str(upper.colour), _LIT)
    paint = (news & (own < sure * _ALIKE) & (own < sure * other)).astype(np.uint8)
    cv2.fillPoly(paint, [_top(upper, place, field.edge_mm)], (0,))
    return np.asarray(cv2.morphologyEx(paint, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _near_paint(
    seen: NDArray[np.float32], dice: DiceSet, colour: str, lit: tuple[float, float]
) -> NDArray[np.float32]:
    """How far each pixel's mixture is from a paint's, a share of its light; far in no light of a die's."""
    paint = to_linear(in_light_of(dice.bodies[colour], dice.ground.white)).astype(np.float32)
    light = seen @ paint / float(paint @ paint)
    off = np.linalg.norm(seen - light[..., None] * paint, axis=2) / (np.linalg.norm(seen, axis=2) + 1e-6)
    return np.asarray(np.where((light > lit[0]) & (light < lit[1]), off, np.inf), np.float32)


def _top(die: DieSeen, place: Place, edge: float) -> NDArray[np.int32]:
    """The corners (4, 2) of a die's top, with its blur, in pixels of a place's cut-out."""
    turn = np.deg2rad(die.yaw_deg + 45.0 + 90.0 * np.arange(4))
    at = np.array(die.center_mm) + _TOP * 2**0.5 * edge * np.column_stack([np.cos(turn), np.sin(turn)])
    scale = EDGE_PX / edge
    return np.rint((at - (place.area_mm[0], place.area_mm[3])) * (scale, -scale)).astype(np.int32)
