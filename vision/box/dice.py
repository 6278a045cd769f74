"""A box of settled dice, read in millimetres: colour, face, foot, place and verdict of every die in view.

Each place where the box shows more than its print is cut out at the height of a die's top, so that a top
face is a square of the known edge and its middle lies over its own foot. For dice on the bet tiles, the
tiles' height is added. Dice in holes and beside the box appear slightly smaller; their `where` says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from vision.box.background import FLOOR, Place, flatten_area
from vision.box.beside import faces_beside
from vision.box.classification import BoxLight, DieClassifier, is_sure
from vision.box.colour_calibration import CalibrationMemory
from vision.box.colour_memory import ColourMemory
from vision.box.denoising import NOISY
from vision.box.dice_set import DiceSet
from vision.box.face_detection import Ray, SeenTop, Top, top_faces, with_shade_off
from vision.box.field import Field
from vision.box.floor_parameters import FLOOR_VIEW
from vision.box.foreground import Backdrop, FloorView, Glance
from vision.box.illumination import FloorLight, floor_seen
from vision.box.in_view import FloorArea
from vision.box.patch_atlas import Cut, FloorAt
from vision.box.print_parameters import PRINT
from vision.box.print_rejection import colour_tolerance, is_print, on_tag
from vision.box.stacked import may_stand_on, stacks_told
from vision.box.tile import TileView, is_shown
from vision.box.unreadable import has_room, shown, unread_dice
from vision.dehazing import Dehazing
from vision.dice.brightening import brightened, brightening
from vision.dice.face import Face
from vision.dice.found import FoundDie
from vision.dice.pips import EDGE_PX, Lab, to_lab
from vision.dice.reading import paper_white, tag_paper
from vision.geometry import Registration
from vision.layout import Layout, Point
from vision.rectified import RegisteredPicture
from vision.sightings import DieSeen, Picture

SURROUNDINGS_MM = 110.0
"""Distance beyond the printed field up to which dice are sought: rim, bet tiles, dice beside the box."""


def look_box(picture: Picture, fit: Registration, layout: Layout, dice: DiceSet) -> list[FoundDie]:
    """Find every die in a picture (h, w, 3) BGR of a registered box, named as in events.md#throws."""
    look = BoxLook(picture, fit, layout, dice)
    w, h = (side / 2 + SURROUNDINGS_MM for side in layout.size_mm)
    places = list(dice.ground.places(look.picture, fit, layout))
    found = look.best([*look.in_places(places), *look.beside((-w, -h, w, h))])
    return look.stacks_told([*found, *look.unread(found, places)])


@dataclass(frozen=True, slots=True)
class BoxMemory:
    """What earlier looks at one box and its dice have learnt, kept from picture to picture."""

    field: Field
    calibrations: CalibrationMemory
    colours: ColourMemory
    backdrop: Backdrop

    @classmethod
    def of(cls, layout: Layout, dice: DiceSet) -> BoxMemory:
        """Make the memory for the first look."""
        field = Field(layout)
        return cls(
            field, CalibrationMemory(dice.ground.chart), ColourMemory(dice), Backdrop(dice.ground, field)
        )

    def apart(self) -> BoxMemory:
        """Copy the memory, so that the copy learns independently; parts that only save work are shared."""
        return replace(self, calibrations=copy(self.calibrations), colours=self.colours.apart())


@dataclass(frozen=True, slots=True)
class _Sought:
    """A searched place: its cut-out (h, w, 3) BGR, the colour of the floor behind it, and its faces."""

    place: Place
    cut: Picture
    floor_at: FloorAt | None
    faces: list[Face]

    @property
    def sure(self) -> bool:
        """Whether some face is read surely."""
        return any(is_sure(face) for face in self.faces)


class BoxLook:
    """One look at one picture of a registered box."""

    def __init__(
        self,
        picture: Picture,
        fit: Registration,
        layout: Layout,
        dice: DiceSet,
        known: BoxMemory | None = None,
    ) -> None:
        self.fit, self.layout, self.dice = fit, layout, dice
        self.edge = layout.edge_mm
        self.scale = EDGE_PX / self.edge
        self._known = known or BoxMemory.of(layout, dice)
        self.field, ground = self._known.field, dice.ground
        dehazing = Dehazing()
        dehazing.measure(picture, fit, layout)
        picture = dehazing.cleared_picture(picture)
        paper = tag_paper(picture, fit, layout)
        gains = np.ones(3) if paper is None else brightening(*paper, ground.white)
        self.noisy = bool(gains.max() > NOISY)
        picture = brightened(picture, gains)
        floor = floor_seen(picture, fit, layout)
        calibration = self._known.calibrations.calibration(floor)
        self.picture = picture if calibration is None else calibration.put_right(picture)
        floor = floor if calibration is None else calibration.put_right(floor)
        as_seen = calibration is None and gains.max() <= 1.0
        self.white = paper.white if paper and as_seen else paper_white(self.picture, fit, layout)
        self.light = FloorLight.over(floor, ground.bare, ground.white, layout)
        self.classifier = DieClassifier(
            fit, dice, self.field, self._known.colours, BoxLight(self.white, self.light)
        )
        self._tolerance = colour_tolerance(self.light, gains)
        self._tiles: dict[str, TileView | None] = {}
        self._floor = FloorView(self.picture, fit, self.field, dice, self.light)

    @cached_property
    def glance(self) -> Glance | None:
        """View of the whole floor; None where the light over it is unknown."""
        light, backdrop = self.light, self._known.backdrop
        return None if light is None else Glance(self.picture, self.fit, light, backdrop)

    def tile(self, kind: str) -> TileView | None:
        """The bet tile of that letter, if it is in view and its print is known; examined only once."""
        if kind not in self._tiles:
            shown = [bet for bet in self.layout.bets if bet.kind == kind and is_shown(self.fit, bet)]
            known = self.picture, self.fit, self.dice.ground
            self._tiles[kind] = TileView.of(*known, shown[-1], self.edge) if shown else None
        return self._tiles[kind]

    def in_places(self, places: Iterable[Place]) -> Iterator[Top]:
        """Find top faces in the places where the box shows more than its print."""
        places = list(places)
        snug = [place.snug(self.edge) for place in places]
        sought = self._faces(snug)
        # Where no die is read beyond doubt, look again with more of the surroundings.
        again = [k for k, known in enumerate(sought) if snug[k] is not places[k] and not known.sure]
        for k, known in zip(again, self._faces([places[k] for k in again]), strict=True):
            sought[k] = known
        for full, known in zip(places, sought, strict=True):
            faces, small = known.faces, max(known.cut.shape) < FLOOR_VIEW.small_surface * EDGE_PX
            # In a shade, or on print of its die's colour, a lone pip may be all that shows of a 2 or 3.
            told = known.sure and any(face.value != 1 for face in faces)
            if small and not told and (known.sure or has_room(self._floor, full)):
                white = self.classifier.white_at(known.place.middle_mm)
                faces = with_shade_off(known.cut, faces, self.dice, white, known.floor_at)
            area_mm, z_mm, surface = known.place.area_mm, known.place.z_mm, known.place.surface
            yield from (Top(face, self._at(face, area_mm), z_mm, surface) for face in faces)

    def _faces(self, places: Sequence[Place]) -> list[_Sought]:
        """Cut out the places at the height of their dice's tops, and find the faces in each."""
        cuts = [flatten_area(self.picture, self.fit, p.area_mm, p.z_mm, self.scale) for p in places]
        behind = [partial(self._floor_behind, p) for p in places]
        sheet = [Cut(to_lab(cut), floor_at) for cut, floor_at in zip(cuts, behind, strict=True)]
        found = top_faces(sheet, self.dice)
        return [_Sought(*known) for known in zip(places, cuts, behind, found, strict=True)]

    def _floor_behind(self, place: Place, x: float, y: float) -> Lab | None:
        """Colour of the empty floor or tile behind a top in a place's cut-out (pixels), in the light now."""
        at = place.area_mm[0] + (x + 0.5) / self.scale, place.area_mm[3] - (y + 0.5) / self.scale
        if place.surface != FLOOR:
            tile = self.tile(place.surface)
            return None if tile is None else tile.behind(at)
        if self.light is None or self.glance is None:
            return None
        return self.light.put_on(self.glance.behind(at), at)

    def beside(self, area: FloorArea, changed: NDArray[np.bool_] | None = None) -> Iterator[Top]:
        """Find top faces on the table round the box within an area, floor and tiles left out.

        `changed` (a small mask of the same view) limits the search, with a margin for a die's face.
        """
        table = RegisteredPicture(self.picture, self.fit, self.layout)
        for face in faces_beside(table, self.dice, area, changed):
            yield Top(face, self._at(face, area), self.edge + (self.layout.outside_z_mm or 0.0), None)

    def in_px(self, tops: Sequence[Top]) -> list[Point]:
        """Project the middles of top faces to pixels of the picture."""
        at = np.array([(*top.at_mm, top.z_mm) for top in tops]).reshape(-1, 3)
        return [(x, y) for x, y in self.fit.to_px(at).tolist()] if tops else []

    def best(self, tops: Iterable[Top], kept: Sequence[FoundDie] = ()) -> list[FoundDie]:
        """Choose the dice among the faces: one for each place, no print, none that is already `kept`."""
        found: list[FoundDie] = []
        faces: list[SeenTop] = []
        for seen in self._seen(sorted(tops, key=lambda t: -t.face.score)):
            told = any(seen.too_near(f) for f in (*kept, *found))
            if told or on_tag(self.layout, seen.ray) or self._is_print(seen):
                continue
            die = self.classifier.die(seen)
            if die is None:
                continue
            # Print in a shadow has no enrolled colour. Some dice have none either, but they hide the print.
            if die.colour is None and die.where == "field" and self.light and not self.shows(die):
                continue
            faces.append(seen)
            found.append(FoundDie(die, seen.at_px, seen.size_px))
        found = self._named(found, faces, {f.die.colour for f in kept if f.die.colour})
        for die, seen in zip((f.die for f in found), faces, strict=True):
            if die.where == "field" and die.face and die.colour:
                white = self.classifier.white_at(die.center_mm)
                self._known.colours.learn(die.colour, np.asarray(seen.top.face.body), white)
        return found

    def _seen(self, tops: Sequence[Top]) -> list[SeenTop]:
        """Add to the tops their places in the picture, all projected at once."""
        if not tops:
            return []
        at = np.array([(*top.at_mm, top.z_mm) for top in tops])
        steps = np.array([(0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (0.0, 10.0, 0.0)])
        px = self.fit.to_px((at[:, None] + steps).reshape(-1, 3)).reshape(-1, 3, 2)
        (ux, uy), (vx, vy) = (px[:, 1] - px[:, 0]).T, (px[:, 2] - px[:, 0]).T
        sizes = np.sqrt(np.abs(ux * vy - uy * vx)) / 10 * self.edge
        (ex, ey, ez) = self.fit.camera_mm.tolist()
        return [
            SeenTop(top, (x, y), size, Ray((fx, fy), (ex, ey, ez)))
            for top, (x, y), size, (fx, fy) in zip(
                tops, px[:, 0].tolist(), sizes.tolist(), self.fit.to_mm(px[:, 0]).tolist(), strict=True
            )
        ]

    def _named(
        self, found: list[FoundDie], tops: Sequence[SeenTop], lying: Collection[str]
    ) -> list[FoundDie]:
        """Name dice in doubt between two colours, if the other colour's die is known to lie elsewhere."""
        others = {f.die.colour for f in found if f.die.colour} | set(lying)
        again = [
            f.die if f.die.colour else self.classifier.die(seen, others) or f.die
            for f, seen in zip(found, tops, strict=True)
        ]
        count = Counter(die.colour for die in again)
        # If two dice may be the missing one, name neither.
        return [
            f if count[die.colour] > 1 else replace(f, die=die) for f, die in zip(found, again, strict=True)
        ]

    def unread(self, found: Sequence[FoundDie], places: Sequence[Place]) -> Iterator[FoundDie]:
        """Find dice of missing colours that lie in one of the places and cannot be read."""
        seen = {f.die.colour for f in found}
        lying = [self.fit.to_mm([f.at_px], self.edge)[0].tolist() for f in found]
        missing = [colour for colour in self.dice.bodies if colour not in seen]
        for die in unread_dice(self._floor, places, lying, missing):
            yield self.seen(die)
        for bet in self.layout.bets:
            if any(place.surface == bet.kind for place in places) and (tile := self.tile(bet.kind)):
                there = [f.at_px for f in found if f.die.where == f"bet:{bet.kind}"]
                for die in tile.unread(self.dice, there, missing):
                    yield self.seen(die, tile.bet.center_mm[2])

    def seen(self, die: DieSeen, stands_mm: float = 0.0) -> FoundDie:
        """Project to this picture a die that stands on the floor, or on something `stands_mm` high."""
        z = stands_mm + self.edge
        x, y = self.fit.to_px([die.center_mm], z)[0].tolist()
        return FoundDie(die, (x, y), self.fit.px_per_mm(die.center_mm, z) * self.edge)

    def may_stand_on(self, lower: DieSeen, upper: DieSeen) -> bool:
        """Whether `upper` may stand on `lower`, which lay there before."""
        return may_stand_on(self._floor, lower, upper)

    def stacks_told(self, found: Sequence[FoundDie], before: Collection[FoundDie] = ()) -> list[FoundDie]:
        """Add the lower die to each found die that stands on another; `before` were already examined."""
        return list(stacks_told(self._floor, self.glance, self.seen, found, before))

    def shows(self, die: DieSeen) -> bool:
        """Whether a die's place on the floor shows more than print in a shadow: at least pips."""
        return shown(self._floor, die.center_mm) > PRINT.pips_show

    def _at(self, face: Face, area: FloorArea) -> Point:
        return area[0] + (face.x + 0.5) / self.scale, area[3] - (face.y + 0.5) / self.scale

    def _is_print(self, seen: SeenTop) -> bool:
        """Whether a face is print of the floor or of a tile."""
        other, glance = self._tolerance, self.glance
        if seen.top.surface != FLOOR:
            tile = self.tile(seen.top.surface or "")
            if tile is None:
                return False
            return is_print(*tile.round(seen.ray.at(tile.bet.center_mm[2]), self.scale), seen.top.face, other)
        # Most dice differ clearly in colour from the floor behind them: this test is cheap.
        if glance and glance.other_colour(seen.ray.at(self.edge)) > PRINT.clearly_other * other:
            return False
        reach = PRINT.round_die * self.edge
        x, y = seen.ray.floor
        area = (x - reach, y - reach, x + reach, y + reach)
        cut = flatten_area(self.picture, self.fit, area, 0.0, self.scale)
        lab, then = to_lab(cut), self.dice.ground.floor(area, self.scale)
        if self.light is None:
            return is_print(lab, lab, to_lab(then), seen.top.face, PRINT.other_colour)
        now, then = self.light.taken_off(cut, area), self.light.at_most(then, area)
        return is_print(lab, to_lab(now), to_lab(then), seen.top.face, other)
