"""Classification of a top face: which die it is, where it lies, what it counts as, and what is in doubt."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.box.background import FLOOR
from vision.box.colour_memory import ColourMemory
from vision.box.dice_set import DiceSet
from vision.box.face_detection import SeenTop, Top
from vision.box.field import Field
from vision.box.glyph import X
from vision.box.illumination import FloorLight
from vision.box.parameters import BOX_DIE
from vision.dice.face import Face
from vision.dice.pips import Lab
from vision.geometry import Registration
from vision.layout import Point
from vision.sightings import DieSeen, Guess

_NAMES = {X: "X"} | {k: str(k) for k in range(1, 7)}


class BoxLight(NamedTuple):
    """The light of one picture: CIELAB colour of its paper, and the light over its floor."""

    white: Lab | None
    floor: FloorLight | None


class DieClassifier:
    """Names the dice of one picture from their faces."""

    def __init__(
        self, fit: Registration, dice: DiceSet, field: Field, colours: ColourMemory, light: BoxLight
    ) -> None:
        self._fit, self._dice, self._field, self._colours = fit, dice, field, colours
        self._white, self._light, self._edge = light.white, light.floor, field.edge_mm
        self._lens_mm = fit.camera_mm.tolist()
        self._whites: dict[Point, Lab | None] = {}

    def error_mm(self, place: Point, scale: float) -> float:
        """Error of the place of a foot on the floor (mm), three standard deviations.

        `scale`: pixels of the picture per millimetre there.
        """
        x, y, height = self._lens_mm
        # The top is seen, the foot is wanted: its error along the ray is that of the camera's height.
        slope = math.hypot(place[0] - x, place[1] - y) / max(height - self._edge, self._edge)
        parts = (
            BOX_DIE.foot_error_mm,
            BOX_DIE.top_error_px / scale,
            self._fit.rms_px / scale / len(self._fit.tags) ** 0.5,
            BOX_DIE.height_error * slope * self._edge,
        )
        return 3 * math.hypot(*parts)

    def die(self, seen: SeenTop, others: Collection[str] = ()) -> DieSeen | None:
        """Name, place and judge a face as a die; None where it cannot be a die of this set.

        `others`: colours of dice that surely lie elsewhere.
        """
        face = seen.top.face
        where, place, cocked = self._where(seen)
        body, ink = np.asarray(face.body), np.asarray(face.pip)
        white = self.white_at(place) if where == "field" else self._white
        colours, colour_sure = self._dice.name(body, white, others)
        if where == "hole":
            colours, colour_sure = self._dice.name_dim(body, ink, white)
        elif not colour_sure and (again := self._colours.name(body, white)):
            colours, colour_sure = sorted(colours, key=lambda c: c.name != again), True
        if where != "hole" and colour_sure and not self._inked(colours[0].name, ink, white):
            return None
        faces = sorted((Guess(_NAMES[v], b) for v, b in face.belief.items()), key=lambda g: -g.confidence)
        clear = faces[0].confidence >= BOX_DIE.sure_face
        yaw = (90.0 - face.yaw_deg) % 90.0
        # An unknown drawing or a thing on the table may look somewhat like a die, so be stricter there.
        strange = where != "field" or not clear
        if strange and (face.quality < BOX_DIE.beside_quality or not colour_sure):
            return None
        if where != "field" and not clear:
            return None
        face_sure = is_sure(face)
        verdict = self._field.judge(place, yaw) if where == "field" else None
        on_line = verdict is not None and verdict.on_the_line(self.error_mm(place, seen.size_px / self._edge))
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

    def white_at(self, place: Point) -> Lab | None:
        """CIELAB colour of paper at a place of the floor (mm); None where unknown."""
        if self._light is None:
            return self._white
        if place not in self._whites:
            self._whites[place] = self._light.white_at(place)
        return self._whites[place]

    def _inked(self, colour: str, ink: NDArray[np.float32], white: Lab | None) -> bool:
        """Whether pips are as strong as those of the colour's die; weaker ones pass where print is known."""
        share = self._dice.inked(colour, ink, white)
        return share > (BOX_DIE.inked if self._light is None else BOX_DIE.blurred_ink)

    def _where(self, seen: SeenTop) -> tuple[str, Point, bool]:
        """`field`, `hole`, `bet:A` … or `outside`; the foot's place at that height; whether it leans."""
        top = seen.top
        if top.surface is not None and top.surface != FLOOR:
            kind = self._field.bet_under(top.at_mm)
            return ("outside" if kind is None else f"bet:{kind}"), top.at_mm, False
        foot = seen.ray.at(self._edge)
        if not self._field.in_box(foot):
            return "outside", top.at_mm, False
        if not self._field.over_hole(foot):
            return "field", foot, False
        fallen = self._field.within_hole(self._fit.to_mm(self._outline(top), 0.0))
        # A die over a hole that has not fallen in leans on the hole's edge or on a die in it.
        return ("hole" if fallen else "field"), foot, not fallen

    def _outline(self, top: Top) -> NDArray[np.float64]:
        """Corners (4, 2) of a top face in pixels, moved in by a tenth, because real ones are rounded."""
        turn = np.deg2rad(-top.face.yaw_deg + 45.0 + 90.0 * np.arange(4))
        reach = 0.9 * self._edge * 0.5**0.5
        corners = np.array(top.at_mm) + reach * np.column_stack([np.cos(turn), np.sin(turn)])
        return self._fit.to_px(corners, top.z_mm)


def is_sure(face: Face) -> bool:
    """Whether a face's value is sure and the face is seen from above."""
    return face.belief[face.value] >= BOX_DIE.sure_face and face.quality > BOX_DIE.upright_quality
