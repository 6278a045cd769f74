"""A box of settled dice, read in millimetres: colour, face, foot, place and verdict of every die in view.

Each place where the box shows more than its print is cut out at the height of a die's top, so that a top
face is a square of the known edge and its middle stands over its own foot. Dice on the bet tiles are cut
out at the tiles' height; those in holes and beside the box seem a little smaller, at places that say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.box.beside import faces_beside
from vision.box.dice_set import DiceSet
from vision.box.field import Field
from vision.box.glyph import X
from vision.box.ground import FLOOR, Area, Place, flatten_area
from vision.box.light import Light, floor_seen
from vision.box.palette import Memory
from vision.box.printed import is_print, on_tag
from vision.box.sheet import Cut
from vision.box.tops import Top, half_in_shade, top_faces
from vision.box.unread import has_room, shown, unread_dice
from vision.box.worn import Worn
from vision.dice.face import Face
from vision.dice.pips import EDGE_PX, Lab, to_lab
from vision.dice.reading import USUAL_EDGE_MM, paper_white
from vision.dice.throws import Found
from vision.geometry import Registration
from vision.layout import Layout, Point
from vision.sightings import DieSeen, Guess, Picture

SURROUNDINGS_MM = 110.0
"""How far beyond the printed field dice are looked for: rim, bet tiles, what fell out beside the box."""
SURE_FACE = 0.9
_NAMES = {X: "X"} | {k: str(k) for k in range(1, 7)}
_SMALL = 6.0
"""Longer side of a place, over a die's edge, up to which shadows are taken off: larger is a whole field."""
_UPRIGHT = 0.72
"""Quality of a top face that is seen from above: one that leans or is half covered has less."""
_INKED, _BLURRED = 0.7, 0.45
"""Strength of pips over that of enrolment: surely a die's; a die's where the floor's print is known."""
_FOOT_MM, _TOP_PX = 0.15, 0.35
"""Error of a foot for its die's own sake (rounded edges, pips printed off the middle) and of seeing a top."""
_HEIGHT = 0.03
"""Error of the camera's height, a share of it, where the field's lines give the focal length."""
_PIPS_SHOW = 0.05
"""Share of a top that its pips take at least: a die on print of its own colour shows no more."""
_FLOOR_SCALE = 0.5
"""Share of the fine picture's scale that tells of what colour the floor behind a top is."""
_FAR_CLEAR = 0.7
"""Quality that a face needs beside the field, where nobody knows what the table looks like."""


def look_box(picture: Picture, fit: Registration, layout: Layout, dice: DiceSet) -> list[Found]:
    """Every die in a picture (h, w, 3) BGR of a registered box, in the words of a `throw` (CONTRACTS 4)."""
    look = BoxLook(picture, fit, layout, dice)
    w, h = (side / 2 + SURROUNDINGS_MM for side in layout.size_mm)
    places = list(dice.ground.places(look.picture, fit, layout))
    found = look.best([*look.in_places(places), *look.beside((-w, -h, w, h))])
    return [*found, *look.unread(found, places)]


class BoxLook:
    """One look at one picture of a registered box."""

    def __init__(
        self,
        picture: Picture,
        fit: Registration,
        layout: Layout,
        dice: DiceSet,
        field: Field | None = None,
        palettes: Memory | None = None,
        worn: Worn | None = None,
    ) -> None:
        self.fit, self.layout, self.dice = fit, layout, dice
        self.edge = layout.die_edge_mm or USUAL_EDGE_MM
        self.scale = EDGE_PX / self.edge
        self.field, self.worn = field or Field(layout), worn or Worn(dice)
        floor, ground = floor_seen(picture, fit, layout), dice.ground
        palette = (palettes or Memory(ground.chart)).palette(floor)
        self.picture = picture if palette is None else palette.put_right(picture)
        floor = floor if palette is None else palette.put_right(floor)
        self.white = paper_white(self.picture, fit, layout)
        self.light = Light.over(floor, ground.bare, ground.white, layout)

    def in_places(self, places: Iterable[Place]) -> Iterator[Top]:
        """Top faces where the box shows more than its print."""
        places = list(places)
        cuts = [flatten_area(self.picture, self.fit, p.area_mm, p.z_mm, self.scale) for p in places]
        behind = [partial(self._floor_behind, p) if p.surface == FLOOR else None for p in places]
        sought = [Cut(to_lab(cut), floor_at) for cut, floor_at in zip(cuts, behind, strict=True)]
        found = top_faces(sought, self.dice)
        for place, cut, floor_at, faces in zip(places, cuts, behind, found, strict=True):
            known = self.picture, self.fit, self.field, self.dice, place, self.light
            small = max(cut.shape) < _SMALL * EDGE_PX
            if small and not any(_is_sure(face) for face in faces) and has_room(*known):
                faces += half_in_shade(cut, self.dice, self._white_at(_middle(place.area_mm)), floor_at)
            for face in faces:
                yield Top(face, self._at(face, place.area_mm), place.z_mm, place.surface)

    def _floor_behind(self, place: Place, x: float, y: float) -> Lab | None:
        """The empty floor's colour behind a top in a place's cut-out (pixels), in this picture's light."""
        if self.light is None:
            return None
        at = place.area_mm[0] + (x + 0.5) / self.scale, place.area_mm[3] - (y + 0.5) / self.scale
        reach = 0.4 * self.edge
        area = (at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach)
        floor = to_lab(self.dice.ground.behind(self.fit, area, place.z_mm, _FLOOR_SCALE * self.scale))
        return self.light.put_on(np.median(floor.reshape(-1, 3), axis=0), at)

    def beside(self, area: Area, changed: NDArray[np.bool_] | None = None) -> Iterator[Top]:
        """Top faces on the table round the box within an area, floor and tiles left out.

        `changed` (a small picture of the same view) limits where it looks, with room for a die's face.
        """
        for face in faces_beside(self.picture, self.fit, self.layout, self.dice, area, changed):
            yield Top(face, self._at(face, area), self.edge + (self.layout.outside_z_mm or 0.0), None)

    def error_mm(self, place: Point) -> float:
        """How far a foot on the floor may lie from where it is seen, three standard deviations."""
        scale = self.fit.px_per_mm(place, self.edge)
        x, y, height = self.fit.camera_mm.tolist()
        # The top is seen, the foot is meant: along the ray, as sure as the camera's height is known.
        slope = float(np.hypot(place[0] - x, place[1] - y)) / max(height - self.edge, self.edge)
        parts = (
            _FOOT_MM,
            _TOP_PX / scale,
            self.fit.rms_px / scale / len(self.fit.tags) ** 0.5,
            _HEIGHT * slope * self.edge,
        )
        return 3 * float(np.linalg.norm(parts))

    def at_px(self, top: Top) -> Point:
        """Where a top face's middle is in the picture."""
        x, y = self.fit.to_px([top.at_mm], top.z_mm)[0].tolist()
        return x, y

    def best(self, tops: Iterable[Top], lying: Collection[str] = ()) -> list[Found]:
        """The dice among the faces: one for each place, none that is print; `lying` colours are known."""
        found: list[Found] = []
        kept: list[Top] = []
        for top in sorted(tops, key=lambda t: -t.face.score):
            x, y = self.at_px(top)
            size = self.fit.px_per_mm(top.at_mm, top.z_mm) * self.edge
            rival = any(np.hypot(x - f.at_px[0], y - f.at_px[1]) < 0.75 * min(size, f.edge_px) for f in found)
            if (
                rival
                or on_tag(self.layout, self.fit, (x, y))
                or (top.surface == FLOOR and self._is_print(top.face, (x, y)))
            ):
                continue
            die = self._die(top, (x, y))
            if die is None:
                continue
            # Print in a shadow has no enrolled colour; nor have some dice, but they hide the print.
            if die.colour is None and die.where == "field" and self.light and not self.shows(die):
                continue
            kept.append(top)
            found.append(Found(die, (x, y), size))
        found = self._named(found, kept, lying)
        for die, top in zip((f.die for f in found), kept, strict=True):
            if die.where == "field" and die.face and die.colour:
                self.worn.learn(die.colour, np.asarray(top.face.body), self._white_at(die.center_mm))
        return found

    def _named(self, found: list[Found], tops: Sequence[Top], lying: Collection[str]) -> list[Found]:
        """The dice with names for those that were in doubt between their own colour and another die's."""
        others = {f.die.colour for f in found if f.die.colour} | set(lying)
        again = [
            f.die if f.die.colour else self._die(top, f.at_px, others) or f.die
            for f, top in zip(found, tops, strict=True)
        ]
        count = Counter(die.colour for die in again)
        # Two that would be the one that is missing: neither is.
        return [
            f if count[die.colour] > 1 else replace(f, die=die) for f, die in zip(found, again, strict=True)
        ]

    def unread(self, found: Sequence[Found], places: Sequence[Place]) -> Iterator[Found]:
        """Dice of colours not found that lie in one of the places and cannot be read."""
        seen = {f.die.colour for f in found}
        lying = [self.fit.to_mm([f.at_px], self.edge)[0].tolist() for f in found]
        missing = [colour for colour in self.dice.bodies if colour not in seen]
        for die in unread_dice(
            self.picture, self.fit, self.field, self.dice, places, lying, missing, self.light
        ):
            yield self.seen(die)

    def seen(self, die: DieSeen) -> Found:
        """A die on the floor with its place in this picture."""
        x, y = self.fit.to_px([die.center_mm], self.edge)[0].tolist()
        return Found(die, (x, y), self.fit.px_per_mm(die.center_mm, self.edge) * self.edge)

    def shows(self, die: DieSeen) -> bool:
        """Whether its place on the floor shows more than print in a shadow: pips at least."""
        known = self.picture, self.fit, self.field, self.dice
        return shown(*known, die.center_mm, self.light) > _PIPS_SHOW

    def _at(self, face: Face, area: Area) -> Point:
        return area[0] + (face.x + 0.5) / self.scale, area[3] - (face.y + 0.5) / self.scale

    def _die(self, top: Top, at_px: Point, others: Collection[str] = ()) -> DieSeen | None:
        """The face as a die: named, placed, judged; None where no die of this set can be meant."""
        face = top.face
        where, place, cocked = self._where(top, at_px)
        body, ink = np.asarray(face.body), np.asarray(face.pip)
        white = self._white_at(place) if where == "field" else self.white
        colours, colour_sure = self.dice.name(body, white, others)
        if where == "hole":
            colours, colour_sure = self.dice.name_dim(body, ink, white)
        elif not colour_sure and (again := self.worn.name(body, white)):
            colours, colour_sure = sorted(colours, key=lambda c: c.name != again), True
        if where != "hole" and colour_sure and not self._inked(colours[0].name, ink, white):
            return None
        faces = sorted((Guess(_NAMES[v], b) for v, b in face.belief.items()), key=lambda g: -g.confidence)
        clear = faces[0].confidence >= SURE_FACE
        yaw = (90.0 - face.yaw_deg) % 90.0
        # An unknown drawing or a thing on the table may look a little like a die: then it must look very.
        strange = where != "field" or not clear
        if strange and (face.quality < _FAR_CLEAR or not colour_sure):
            return None
        if where != "field" and not clear:
            return None
        face_sure = _is_sure(face)
        verdict = self.field.judge(place, yaw) if where == "field" else None
        on_line = verdict is not None and verdict.on_the_line(self.error_mm(place))
        doubts = (("colour", not colour_sure), ("face", not face_sure), ("line", on_line), ("cocked", cocked))
        doubt = tuple(word for word, is_so in doubts if is_so)
        candidates = [
            Guess(f"{c.name}-{f.name}", c.confidence * f.confidence) for c in colours[:2] for f in faces[:2]
        ]
        return DieSeen(
            colour=colours[0].name if colour_sure else None,
            face=faces[0].name if face_sure else None,
            center_mm=place,
            yaw_deg=yaw,
            where=where,
            touches=verdict.touches if verdict else (),
            counts_as=verdict.counts_as if verdict else None,
            margin_mm=round(verdict.margin_mm, 2) if verdict else None,
            cocked=cocked,
            doubt=doubt,
            candidates=tuple(sorted(candidates, key=lambda g: -g.confidence)[:3]) if doubt else (),
        )

    def _white_at(self, place: Point) -> Lab | None:
        """What paper looks like at a place of the floor."""
        return self.white if self.light is None else self.light.white_at(place)

    def _inked(self, colour: str, ink: NDArray[np.float32], white: Lab | None) -> bool:
        """Whether pips are as strong as those of that die; weaker ones pass where the print is known."""
        share = self.dice.inked(colour, ink, white)
        return share > (_INKED if self.light is None else _BLURRED)

    def _where(self, top: Top, at_px: Point) -> tuple[str, Point, bool]:
        """`field`, `hole`, `bet:A` … or `outside`; the foot at that place's height; whether it leans."""
        if top.surface is not None and top.surface != FLOOR:
            kind = self.field.bet_under(top.at_mm)
            return ("outside" if kind is None else f"bet:{kind}"), top.at_mm, False
        x, y = self.fit.to_mm([at_px], self.edge)[0].tolist()
        if not self.field.in_box((x, y)):
            return "outside", top.at_mm, False
        if not self.field.over_hole((x, y)):
            return "field", (x, y), False
        fallen = self.field.within_hole(self.fit.to_mm(self._outline(top), 0.0))
        # Nothing stands over a hole by itself: it leans on its edge or on a die in it.
        return ("hole" if fallen else "field"), (x, y), not fallen

    def _outline(self, top: Top) -> NDArray[np.float64]:
        """The corners (4, 2) of a top face in pixels, as far as they are not rounded off."""
        turn = np.deg2rad(-top.face.yaw_deg + 45.0 + 90.0 * np.arange(4))
        reach = 0.9 * self.edge * 0.5**0.5
        corners = np.array(top.at_mm) + reach * np.column_stack([np.cos(turn), np.sin(turn)])
        return self.fit.to_px(corners, top.z_mm)

    def _is_print(self, face: Face, at_px: Point) -> bool:
        """Whether a face is the field's own drawing."""
        reach = 0.6 * self.edge
        x, y = self.fit.to_mm([at_px])[0].tolist()
        area = (x - reach, y - reach, x + reach, y + reach)
        cut = flatten_area(self.picture, self.fit, area, 0.0, self.scale)
        seen = to_lab(cut)
        now = seen if self.light is None else to_lab(self.light.taken_off(cut, area))
        return is_print(seen, now, self.dice.ground.floor(area, self.scale), face)


def _is_sure(face: Face) -> bool:
    """Whether a face is told from all others and seen from above."""
    return face.belief[face.value] >= SURE_FACE and face.quality > _UPRIGHT


def _middle(area: Area) -> Point:
    return (area[0] + area[2]) / 2, (area[1] + area[3]) / 2
