"""Reads a box again and again: finds it anew after it was turned, and looks only where something changed.

Between two rests most of a box stays as it was. While the tags stay in place, lens and pose are kept, and so
is every die whose surroundings are unchanged. A die that cannot be read again, though its place still shows
more than print, is taken to lie there unread: it keeps its name and is in doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from vision.arrays import Float64, Mask
from vision.box.background import FLOOR, Place
from vision.box.dice import SURROUNDINGS_MM, BoxLook, BoxMemory
from vision.box.dice_set import DiceSet
from vision.box.focus import Focus
from vision.box.frame_diff import crept_px
from vision.box.hand_parameters import BOX_HANDS
from vision.box.in_view import FloorArea
from vision.box.occlusion import hiding_places
from vision.box.pose_tracker import PoseTracker
from vision.box.stacked import leaning
from vision.box.tile import reaches_out
from vision.dice.found import FoundDie
from vision.errors import TagsNotFoundError
from vision.geometry import Registration
from vision.imgproc.small_change import share_apart
from vision.layout import Layout, Point
from vision.sightings import DieSeen, Picture


class BoxReader:
    """The dice of one box, picture by picture."""

    def __init__(self, layout: Layout, dice: DiceSet) -> None:
        self._layout, self._dice = layout, dice
        self._known = BoxMemory.of(layout, dice)
        self._field = self._known.field
        self.pose, self._focus = PoseTracker(layout), Focus(layout)
        self.hiding: tuple[FloorArea, ...] = ()
        """Rectangles of the floor (mm) in which a die may lie unseen."""
        self.hiding_bets: tuple[str, ...] = ()
        """Letters of the bet tiles on which a die may lie outside the picture."""
        self.noisy = False
        """Whether the last picture read had to be brightened a lot."""
        self._found: list[FoundDie] = []
        self._last: Picture | None = None
        self._fit: Registration | None = None

    @property
    def registration(self) -> Registration | None:
        """Pose of the box in the last picture read."""
        return self._fit

    def read(self, picture: Picture, changed: Mask | None = None) -> list[FoundDie]:
        """Read every die in view in a picture (h, w, 3) BGR in which all is still.

        `changed` (a small mask of the same view) marks where it differs from the last picture read; None:
        unknown. Raises TagsNotFoundError while the box cannot be found, and BlurredError while the picture
        is much softer than usual.
        """
        first, pose = not self.pose.known, self.pose.apart()
        fit, turned = pose.read(picture)
        self._focus.check(picture, fit)
        self.pose = pose
        self._fit = fit
        look = BoxLook(picture, fit, self._layout, self._dice, self._known)
        self.noisy = look.noisy
        if turned:  # dice on the floor turned with the box
            self._found = [look.seen(f.die) for f in self._found if f.die.where == "field"]
        kept: list[FoundDie] = []
        within: Callable[[float], list[FloorArea]] | None = None
        if changed is not None and not turned:
            kept = [f for f in self._found if _is_told(f.die) and self._lies_as_before(f, picture)]
            pieces = self._pieces(changed, picture, fit)
            # A die that does not look exactly as before is read again, whatever else has changed.
            around = [self._around(f) for f in self._found if f not in kept]
            within = partial(self._within, pieces, around, fit)
        places = list(self._dice.ground.places(look.picture, fit, self._layout, within))
        places = [place for place in places if not any(_explains(old, place, look.edge) for old in kept)]
        tops = list(look.in_places(places))
        if first:
            w, h = (side / 2 + SURROUNDINGS_MM for side in self._layout.size_mm)
            tops += look.beside((-w, -h, w, h))
        if changed is not None and within is not None:
            rest = self._unexplained(changed, look.in_px(tops), picture, fit)
            # The change may be at any height between the floor and above the tiles.
            for area in self._areas(self._pieces(rest, picture, fit), fit, 0.0, 4 * look.edge):
                if self._outside(area):
                    tops += look.beside(area, rest)
        news = look.best(tops, kept)
        under = [] if turned else self._under(kept, news, look)
        found = [
            *kept,
            *(replace(f, die=leaning(f.die)) if any(f.is_where(u) for u in under) else f for f in news),
        ]
        found += [replace(old, die=old.die.doubted("face")) for old in under]
        found += self._unread(found, places, look)
        found += look.unread(found, places)
        found = look.stacks_told(found, kept)
        self._found = found
        self.hiding = tuple(hiding_places(look.glance, fit, self._field, found))
        self.hiding_bets = tuple(bet.kind for bet in self._layout.bets if reaches_out(fit, bet, look.edge))
        self._last = picture
        return self._found

    def finds(self, picture: Picture) -> bool:
        """Whether a picture is sharp and the box can be found in it; nothing is read or learnt."""
        try:
            fit, _ = self.pose.apart().read(picture)
        except TagsNotFoundError:
            return False
        return self._focus.is_sharp(picture, fit)

    def apart(self) -> BoxReader:
        """Copy the reader, with all it knows, for a reading that may come too early and be dropped."""
        other = copy(self)
        other._known, other.pose = self._known.apart(), self.pose.apart()
        other._focus = self._focus.apart()
        return other

    def tried(self, picture: Picture, changed: Mask | None = None) -> list[FoundDie]:
        """Return what `read` would find; nothing is learnt from the picture except its sharpness.

        Raises what `read` raises.
        """
        other = self.apart()
        other._focus = self._focus  # so that a lens that stays softer is accepted in the end
        return other.read(picture, changed)

    def confirmed(self, picture: Picture) -> list[FoundDie] | None:
        """The dice of the last reading, moved to their places in a later picture.

        They have moved by a small part of a pixel; None where one has moved more, so all must be read again.
        """
        last, fit = self._last, self._fit
        if last is None or fit is None or not all(self._lies_as_before(f, picture) for f in self._found):
            return None
        crept = [crept_px(last[place], picture[place]) for place in map(_place, self._found)]
        if any(float(np.hypot(x, y)) > BOX_HANDS.crept_px for x, y in crept):
            return None
        z = self._layout.edge_mm
        self._found = [_moved(f, step, fit, z) for f, step in zip(self._found, crept, strict=True)]
        self._last = picture
        return self._found

    def _lies_as_before(self, found: FoundDie, picture: Picture) -> bool:
        """Whether a die's place looks the same as when the die was read, to a part of a pixel."""
        if self._last is None or self._last.shape != picture.shape:
            return False
        part = _place(found)
        return share_apart(self._last[part], picture[part]) < BOX_HANDS.stirred

    def _pieces(self, changed: Mask, picture: Picture, fit: Registration) -> Float64:
        """Corners (n, 4, 2), in mm on the floor, of the rectangles round all pieces that have changed."""
        scale = changed.shape[1] / picture.shape[1]
        count, _, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8))
        if count < 2:
            return np.zeros((0, 4, 2))
        x, y, wide, high = stats[1:count, :4].T
        corners = np.array([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)])
        return fit.to_mm(corners.transpose(2, 0, 1).reshape(-1, 2) / scale).reshape(-1, 4, 2)

    def _areas(self, pieces: Float64, fit: Registration, low: float, high: float) -> list[FloorArea]:
        """Rectangles that hold each piece at any height from `low` to `high` (mm), with room for dice."""
        edge = self._layout.edge_mm
        x, y, height = fit.camera_mm
        at = np.concatenate([pieces + ((x, y) - pieces) * (z / height) for z in (low, high)], axis=1)
        rims = np.concatenate([at.min(axis=1) - edge, at.max(axis=1) + edge], axis=1)
        return [(x0, y0, x1, y1) for x0, y0, x1, y1 in rims.tolist()]

    def _within(
        self, pieces: Float64, around: Sequence[FloorArea], fit: Registration, z_mm: float
    ) -> list[FloorArea]:
        """Areas where dice may lie on a surface at `z_mm`, if these pieces are all that changed."""
        edge = self._layout.edge_mm
        areas = self._areas(pieces, fit, z_mm, z_mm + edge)
        return areas + [a for a in around if not any(_holds(area, a) for area in areas)]

    def _around(self, found: FoundDie) -> FloorArea:
        """The area round a die's place, with room for what it hides."""
        room = BOX_HANDS.room * self._layout.edge_mm
        x, y = found.die.center_mm
        return x - room, y - room, x + room, y + room

    def _unexplained(self, changed: Mask, seen: Sequence[Point], picture: Picture, fit: Registration) -> Mask:
        """Remove from what has changed the dice seen at these pixels and thin rims round them."""
        scale = changed.shape[1] / picture.shape[1]
        edge = self._layout.edge_mm
        rest = changed.astype(np.uint8)
        for x, y in seen:
            radius = BOX_HANDS.around_die * edge * fit.px_per_mm() * scale
            cv2.circle(rest, (round(x * scale), round(y * scale)), round(radius), 0, -1)
        return np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0)

    def _outside(self, area: FloorArea) -> bool:
        """Whether an area may hold a die that landed beside the box: not in the field, not a whole arm."""
        w, h = (side / 2 for side in self._layout.size_mm)
        edge = self._layout.edge_mm
        x0, y0, x1, y1 = area
        inside = x0 + edge > -w and x1 - edge < w and y0 + edge > -h and y1 - edge < h
        return not inside and max(x1 - x0, y1 - y0) < BOX_HANDS.largest * edge

    def _under(self, kept: list[FoundDie], news: list[FoundDie], look: BoxLook) -> list[FoundDie]:
        """Dice seen nowhere else that lay where another one lies now, if that may stand on them."""
        seen = {f.die.colour for f in (*kept, *news)} | {None}
        return [
            old
            for old in self._found
            if old.die.where == "field"
            and old.die.colour not in seen
            # A die without a name may be the same die, pushed a little.
            and any(
                f.die.where == "field"
                and f.die.colour
                and old.is_where(f)
                and look.may_stand_on(old.die, f.die)
                for f in news
            )
        ]

    def _unread(self, found: list[FoundDie], places: list[Place], look: BoxLook) -> Iterator[FoundDie]:
        """Dice that lay in the box before, are not found now, and whose place still shows more than print."""
        edge = self._layout.edge_mm
        colours = {f.die.colour for f in found}
        for old in self._found:
            die = old.die
            # A die without a name is dropped once it is gone: it was glare, or another die.
            if die.where != "field" or die.colour in {*colours, None} or any(old.is_where(f) for f in found):
                continue
            x, y = die.center_mm
            for place in places:
                x0, y0, x1, y1 = place.area_mm
                near = x0 + edge / 2 < x < x1 - edge / 2 and y0 + edge / 2 < y < y1 - edge / 2
                if near and max(x1 - x0, y1 - y0) < 4 * edge and look.shows(die):
                    yield replace(old, die=die.doubted("face"))
                    break


def _is_told(die: DieSeen) -> bool:
    """Whether a die has a name and a sure face; one that could not be read is examined again each time."""
    return die.colour is not None and "face" not in die.doubt


def _moved(found: FoundDie, step_px: Float64, fit: Registration, z_mm: float) -> FoundDie:
    """Shift a die by a step (x, y) in pixels; `z_mm` is about the height of its top."""
    seen = np.array([found.at_px, found.at_px]) + np.outer((0.0, 1.0), step_px)
    before, now = fit.to_mm(seen, z_mm)
    x, y = (np.asarray(found.die.center_mm) + now - before).tolist()
    return replace(
        found, die=replace(found.die, center_mm=(x, y)), at_px=(float(seen[1, 0]), float(seen[1, 1]))
    )


def _place(found: FoundDie) -> tuple[slice, slice]:
    """Rows and columns of the picture that show a die with most of its sides."""
    (x, y), r = found.at_px, BOX_HANDS.whole_die * found.edge_px
    return slice(max(0, int(y - r)), int(y + r) + 1), slice(max(0, int(x - r)), int(x + r) + 1)


def _holds(area: FloorArea, part: FloorArea) -> bool:
    """Whether a part of the box lies completely within an area."""
    return part[0] >= area[0] and part[1] >= area[1] and part[2] <= area[2] and part[3] <= area[3]


def _explains(found: FoundDie, place: Place, edge: float) -> bool:
    """Whether a known die explains all that a place of the floor shows."""
    if place.surface != FLOOR or found.die.where != "field":
        return False
    return place.holds_only(found.die.center_mm, BOX_HANDS.explained * edge, edge)
