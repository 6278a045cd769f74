"""Top faces of dice in a cut-out: pips, the X, and dice that a hard shadow cuts in two."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.box.dice_set import DiceSet
from vision.box.face_yaw import turned_by_sides
from vision.box.glyph import X, find_x, own_paint, rim_on_own_paint
from vision.box.parameters import BOX_DIE
from vision.box.patch_atlas import Cut, FloorAt, SheetSearch
from vision.box.shadow_removal import relit
from vision.dice.face import Face, choose
from vision.dice.found import FoundDie
from vision.dice.parameters import DIE
from vision.dice.pips import EDGE_PX, Lab, to_lab
from vision.dice.poses import FROM_ABOVE
from vision.layout import Point
from vision.sightings import Picture

_RELIT_CLEAR = 0.8
"""Least quality of a face where a shadow was removed, which leaves pieces of print that look like pips."""
_ON_TOP = 0.45
"""Distance, in edges, from a top's middle within which a spot is on the top at any turn."""
_ANOTHER_PIP = 0.2
"""Distance, in edges, above which two pips are not the same one."""
_SIDES_SHOW, _CLEAR_RIM = 0.4, 0.9
"""Share of the rim with an edge: least for a die on print of its own colour, and enough for any die."""


@dataclass(frozen=True, slots=True)
class Top:
    """A top face in a cut-out: its middle in millimetres at the height `z_mm` of the cut-out.

    `surface` is `floor`, a bet tile's letter, or None beside the box.
    """

    face: Face
    at_mm: Point
    z_mm: float
    surface: str | None


@dataclass(frozen=True, slots=True)
class Ray:
    """Line of sight of a pixel: where it meets the floor (mm), and the place of the lens (mm)."""

    floor: Point
    lens_mm: tuple[float, float, float]

    def at(self, z_mm: float) -> Point:
        """Point (x, y) of the ray at that height."""
        (x, y), (ex, ey, ez) = self.floor, self.lens_mm
        return x + (ex - x) * z_mm / ez, y + (ey - y) * z_mm / ez


@dataclass(frozen=True, slots=True)
class SeenTop:
    """A top face and its place in the picture: its middle, its edge in pixels, the ray to it."""

    top: Top
    at_px: Point
    size_px: float
    ray: Ray

    def too_near(self, found: FoundDie) -> bool:
        """Whether it belongs to a die already found, or is print beside it: two dice cannot lie so near."""
        return math.dist(self.at_px, found.at_px) < BOX_DIE.least_apart * min(self.size_px, found.edge_px)


class TopSearch(SheetSearch):
    """Face search where a die's edge and the floor behind a cut-out are known.

    Print beside a lone pip's die does not count as part of it, and a die on print of its own colour need not
    show all its edges.
    """

    slants = FROM_ABOVE

    def shared(
        self, middle: Float32, edge: float, alike: NDArray[np.bool_], body: Lab, *, reach: float = _ON_TOP
    ) -> bool:
        """Whether a pip like the one in the `middle` lies on the same top."""
        far = np.linalg.norm(self.at - middle, axis=1)
        return super().shared(middle, edge, alike & (far < _ON_TOP * edge), body, reach=reach)

    def edged(self, middle: Float32, body: Lab, border: Float32) -> Float32:
        """As `FaceSearch.edged`, but a rim on floor of the die's colour counts as an edge, faint as it is."""
        known = border.copy()
        for k in np.nonzero((border > _SIDES_SHOW) & (border < _CLEAR_RIM))[0]:
            cut = int(self.sheet.cut_of(middle[k : k + 1, 1])[0])
            floor_at = self.sheet.cuts[cut].floor_at
            place = middle[k] - self.sheet.first[cut]
            if floor_at is None:
                continue
            x, y = place.tolist()
            own = own_paint(body[k], floor_at(x, y))
            known[k] = 1.0 if own else min(1.0, border[k] + rim_on_own_paint(body[k], floor_at, x, y))
        return known


def top_faces(cuts: Sequence[Cut], dice: DiceSet) -> list[list[Face]]:
    """Find pip faces and X faces in each cut-out; a die of this game shows at most three pips (X-02)."""
    if not cuts:
        return []
    search = TopSearch.over(cuts)
    sheet = search.sheet
    found: list[list[Face]] = [[] for _ in cuts]
    pips = choose(search.faces())
    for faces in (pips, find_x(sheet, dice.glyph)):
        own = sheet.cut_of(np.array([face.y for face in faces]))
        for face, cut in zip(faces, own.tolist(), strict=True):
            found[cut].append(face.moved(*(-sheet.first[cut]).tolist()))
    return [
        [
            turned_by_sides(sheet.calm[part], face)
            for face in faces
            if face.value in (1, 2, 3, X) and face.quality >= DIE.clear_quality
        ]
        for part, faces in zip(sheet.parts(), found, strict=True)
    ]


def with_shade_off(
    cut: Picture, faces: Sequence[Face], dice: DiceSet, white: Lab | None, floor_at: FloorAt | None = None
) -> list[Face]:
    """Add to the faces of a cut-out (h, w, 3) BGR those of dice with a hard shadow across.

    `white` is the paper's CIELAB. A lone pip is in doubt if another one lies beside it in the shade.
    """
    lit = list(_half_in_shade(cut, dice, white, floor_at))
    told = [*faces, *(face for face in lit if face.quality >= _RELIT_CLEAR)]
    return [_in_doubt(face, [*faces, *lit]) for face in told]


def _half_in_shade(
    cut: Picture, dice: DiceSet, white: Lab | None, floor_at: FloorAt | None
) -> Iterator[Face]:
    for colour, lit in relit(cut, white, dice.bodies):
        for face in top_faces([Cut(to_lab(lit), floor_at)], dice)[0]:
            named, sure = dice.name(np.asarray(face.body), white)
            if sure and named[0].name == colour:
                yield face


def _in_doubt(face: Face, others: Sequence[Face]) -> Face:
    """Doubt a lone pip's face where `others` show the pip as one of several; else return it unchanged.

    Two lone pips that are nearer to each other than two dice can lie belong to one die.
    """
    for other in others if face.value == 1 else ():
        apart = math.hypot(other.x - face.x, other.y - face.y) / EDGE_PX
        beside = other.value == 1 and _ANOTHER_PIP < apart < BOX_DIE.least_apart
        if beside or (other.value in (2, 3) and apart < _ON_TOP):
            return replace(face, belief={1: 0.5, max(2, other.value): 0.5})
    return face
