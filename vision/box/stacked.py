"""Whether a die stands on another: the lower one's paint shows beside the upper one.

A die that lies where another lay before has far more often replaced it than been put on it. Where two dice
landed on each other at once, only the upper one is read. Below its own side, towards the lens, a side of
another paint shows; beside a die on the floor only floor shows there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.box.dice_set import DiceSet
from vision.box.field import Field
from vision.box.foreground import EDGE_PX, GLANCE_PX, FloorView, Glance
from vision.box.stacked_parameters import STACKED
from vision.box.unreadable import unread_die
from vision.dice.colour import in_light_of, to_linear
from vision.dice.found import FoundDie
from vision.dice.pips import Lab, to_lab
from vision.geometry import Registration
from vision.sightings import DieSeen


def stacks_told(
    view: FloorView,
    glance: Glance | None,
    seen: Callable[[DieSeen], FoundDie],
    found: Sequence[FoundDie],
    before: Collection[FoundDie],
) -> Iterator[FoundDie]:
    """Yield the dice found in a picture, and before each that stands on another the lower one.

    `before` were examined already; `seen` gives a die its place in the picture.
    """
    fit, field = view.fit, view.field
    known = {f.die.colour for f in found}
    strange = None if glance is None else _unexplained(glance, fit, field, [f.die for f in found])
    for f in found:
        flat = f.die.where == "field" and f.die.face is not None and not f.die.cocked
        if flat and not any(f is old for old in before):
            others = [other.die for other in found if other is not f]
            more = glance is None or (strange is not None and _shows_more(strange, fit, f.die))
            colour = _lower(view, f.die, others, known) if more else None
            if colour is not None:
                known.add(colour)
                lower, upper = _stack(f.die, colour, fit, field)
                yield seen(lower)
                yield replace(f, die=upper)
                continue
        yield f


def _lower(
    view: FloorView, upper: DieSeen, others: Sequence[DieSeen], known: Collection[str | None]
) -> str | None:
    """Colour of the die below `upper`, which was read as if it lay on the floor; None where none shows.

    The sides of the `others` do not count; dice of `known` colours lie elsewhere.
    """
    fit, dice, edge = view.fit, view.dice, view.field.edge_mm
    missing = [colour for colour in dice.bodies if colour not in known]
    if upper.colour not in dice.bodies or not missing:
        return None
    (x, y), reach = upper.center_mm, STACKED.view * edge
    place = view.around((x, y), reach)
    lab, news = view.survey(place)
    side = _step(fit, upper, edge)
    grid = _Grid(x - reach, y + reach, EDGE_PX / edge, edge)
    below = grid.below(news.shape, fit, upper)
    news &= grid.free(news.shape, fit, (upper, *others))
    if np.count_nonzero(news & below) < STACKED.side * EDGE_PX**2:
        return None
    then = dice.ground.behind(fit, place.area_mm, edge, EDGE_PX / edge)
    seen, print_ = (_linear(part) for part in (lab, to_lab(then)))
    other = _near_paint(seen, dice, upper.colour)
    way = side / max(float(np.hypot(*side)), 1e-6)
    for colour in missing:
        own = _near_paint(seen, dice, colour)
        paint = (
            news
            & (own < np.minimum(STACKED.alike, other))
            & (_near_paint(print_, dice, colour) > STACKED.of_print)
        )
        count, labels, stats, middles = cv2.connectedComponentsWithStats(
            _without_specks(paint), connectivity=4
        )
        shows = 0
        for k in range(1, count):
            area, piece = stats[k, cv2.CC_STAT_AREA], labels == k
            out = (middles[k] - (news.shape[1] / 2, news.shape[0] / 2)) / EDGE_PX * (1, -1)
            if view.light is None and float(out @ way) < STACKED.towards:
                continue
            limit = min(
                STACKED.clear_blind if view.light is None else STACKED.clear,
                STACKED.twice * float(np.median(other[piece])),
            )
            near = float(np.median(own[piece])) < limit
            if near and np.count_nonzero(piece & ~below) <= STACKED.beyond * area:
                shows += int(area)
        if shows >= STACKED.side * EDGE_PX**2:
            return colour
    return None


def _without_specks(mask: Mask) -> NDArray[np.uint8]:
    """Remove from a mask (h, w) whatever is one pixel wide."""
    square = np.ones((2, 2), np.uint8)
    left = cv2.erode(mask.astype(np.uint8), square, anchor=(0, 0))
    return np.asarray(cv2.dilate(left, square, anchor=(1, 1)), np.uint8)


def _stack(upper: DieSeen, colour: str, fit: Registration, field: Field) -> tuple[DieSeen, DieSeen]:
    """The lower die of a `colour`, unread, and the upper one moved to its true place; both in doubt."""
    lens, edge = fit.camera_mm, field.edge_mm
    at = np.array(upper.center_mm)
    x, y = (at + (lens[:2] - at) * edge / (lens[2] - edge)).tolist()
    verdict = field.judge((x, y), upper.yaw_deg)
    above = replace(
        upper,
        center_mm=(x, y),
        touches=verdict.touches,
        counts_as=verdict.counts_as,
        margin_mm=round(verdict.margin_mm, 2),
    )
    return unread_die(colour, (x, y), field), leaning(above)


def leaning(die: DieSeen) -> DieSeen:
    """Mark a die as not standing on the floor: its face is read, but the players decide whether it counts."""
    return replace(die.doubted("cocked"), cocked=True)


def may_stand_on(view: FloorView, lower: DieSeen, upper: DieSeen) -> bool:
    """Whether the die `upper` may stand on `lower`, which lay there in an earlier picture.

    Either the paint of `lower` shows, or `upper` would hide it, set squarely on a die below the camera.
    """
    dice, edge = view.dice, view.field.edge_mm
    if lower.colour not in dice.bodies or upper.colour not in dice.bodies:
        return True
    x, y = lower.center_mm
    lens = view.fit.camera_mm
    side = edge * float(np.hypot(x - lens[0], y - lens[1])) / float(lens[2])
    if float(np.hypot(upper.center_mm[0] - x, upper.center_mm[1] - y)) + side < STACKED.square * edge:
        return True
    reach = STACKED.reach * edge
    grid = _Grid(x - reach, y + reach, EDGE_PX / edge, edge)
    lab, news = view.survey(view.around((x, y), reach))
    seen = _linear(lab)
    own = _near_paint(seen, dice, lower.colour)
    other = _near_paint(seen, dice, upper.colour)
    paint = (news & (own < STACKED.alike) & (own < other)).astype(np.uint8)
    cv2.fillPoly(paint, [grid.px(_square(upper, edge, STACKED.top))], (0,))
    opened = cv2.morphologyEx(paint, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return bool(np.count_nonzero(opened) > STACKED.shows * EDGE_PX**2)


def _near_paint(seen: NDArray[np.float32], dice: DiceSet, colour: str) -> NDArray[np.float32]:
    """Distance of each pixel's mixture from a paint's, over its light; infinite where too dark or bright."""
    paint = to_linear(in_light_of(dice.bodies[colour], dice.ground.white)).astype(np.float32)
    light = seen @ paint / float(paint @ paint)
    off = np.linalg.norm(seen - light[..., None] * paint, axis=2) / (np.linalg.norm(seen, axis=2) + 1e-6)
    return np.asarray(
        np.where((light > STACKED.lit_from) & (light < STACKED.lit_to), off, np.inf), np.float32
    )


def _linear(lab: Lab) -> NDArray[np.float32]:
    """Convert a CIELAB picture to linear light (h, w, 3), BGR."""
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2LBGR), np.float32).clip(0.0)


def _step(fit: Registration, die: DieSeen, edge: float) -> NDArray[np.float64]:
    """Offset (mm, at the top's height) at which a die's foot appears beside its top: towards the lens."""
    lens = fit.camera_mm
    return np.asarray(edge / lens[2] * (lens[:2] - np.array(die.center_mm)), np.float64)


def _square(die: DieSeen, edge: float, half: float) -> NDArray[np.float64]:
    """Corners (4, 2), in mm, of a square round a die's middle with its turn; `half` its side, in edges."""
    turn = np.deg2rad(die.yaw_deg + 45.0 + 90.0 * np.arange(4))
    return np.array(die.center_mm) + half * 2**0.5 * edge * np.column_stack([np.cos(turn), np.sin(turn)])


@dataclass(frozen=True, slots=True)
class _Grid:
    """Pixel grid of a cut-out at the height of the dice's tops: left and upper rim (mm), pixels per mm."""

    left: float
    upper: float
    scale: float
    edge: float

    def px(self, places: NDArray[np.float64]) -> NDArray[np.int32]:
        """Convert places (..., 2) in mm to pixels of the cut-out."""
        return np.rint((places - (self.left, self.upper)) * (self.scale, -self.scale)).astype(np.int32)

    def free(self, shape: tuple[int, ...], fit: Registration, dice: Sequence[DieSeen]) -> Mask:
        """Mask of where no die shows, standing on the floor: neither its top nor its foot nor its sides."""
        free = np.ones(shape, np.uint8)
        for die in dice:
            if die.where == "field":
                top = _square(die, self.edge, STACKED.rim if die.face else STACKED.unread_rim)
                both = np.concatenate([top, top + _step(fit, die, self.edge)])
                cv2.fillConvexPoly(free, cv2.convexHull(self.px(both)), (0,))
        return np.asarray(free > 0)

    def below(self, shape: tuple[int, ...], fit: Registration, upper: DieSeen) -> Mask:
        """Mask of where a die below `upper` would show; `upper` was read as if it lay on the floor."""
        below, step = np.zeros(shape, np.uint8), _step(fit, upper, self.edge)
        foot, lowest = (self.px(np.array(upper.center_mm) + k * step).tolist() for k in (1, 2))
        cv2.line(below, foot, lowest, (1,), round(2 * STACKED.below * self.edge * self.scale))
        return np.asarray(below > 0)


_Strange = tuple[_Grid, Mask]


def _unexplained(glance: Glance, fit: Registration, field: Field, dice: Sequence[DieSeen]) -> _Strange | None:
    """Where a glance shows more than print and known dice; None where that is negligible."""
    (left, _, _, upper), news = glance.area, glance.news
    grid = _Grid(left, upper, GLANCE_PX / field.edge_mm, field.edge_mm)
    strange = news & grid.free(news.shape, fit, dice)
    return (grid, strange) if np.count_nonzero(strange) >= STACKED.least_px else None


def _shows_more(strange: _Strange, fit: Registration, upper: DieSeen) -> bool:
    """Whether part of what is strange lies where a lower die would show."""
    grid, news = strange
    x, y = grid.px(np.array(upper.center_mm)).tolist()
    reach = round(STACKED.view * GLANCE_PX)
    part = news[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
    if np.count_nonzero(part) < STACKED.least_px:
        return False
    return bool(np.count_nonzero(news & grid.below(news.shape, fit, upper)) >= STACKED.least_px)
