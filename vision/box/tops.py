"""Top faces of dice in a cut-out: pips, the X, and what a hard shadow cuts in two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.box.dice_set import DiceSet
from vision.box.glyph import FloorAt, X, find_x
from vision.box.relight import relit
from vision.box.square import turned_by_sides
from vision.dice.faces import CLEAR, Face, Search, choose
from vision.dice.pips import Lab, to_lab
from vision.layout import Point
from vision.sightings import Picture

_RELIT_CLEAR = 0.8
"""Quality that a face needs where a shadow was taken off: that leaves pieces of print that look like pips."""
_ON_TOP = 0.45
"""Distance, in edges, from a top's middle within which a spot is on it however it is turned."""


@dataclass(frozen=True, slots=True)
class Top:
    """A top face in a cut-out: its middle in millimetres at the height `z_mm` at which it was sought.

    `surface` is the floor, a bet tile's letter, or None beside the box.
    """

    face: Face
    at_mm: Point
    z_mm: float
    surface: str | None


class TopSearch(Search):
    """The search where a die's edge is known: print that peeps out beside a lone pip's die is none of it."""

    def shared(self, middle: Lab, edge: float, alike: NDArray[np.bool_], body: Lab) -> bool:
        """Whether a pip like the one in the `middle` stands on the same top."""
        far = np.linalg.norm(self.at - middle, axis=1)
        return super().shared(middle, edge, alike & (far < _ON_TOP * edge), body)


def top_faces(lab: Lab, dice: DiceSet, floor_at: FloorAt | None = None) -> Iterator[Face]:
    """Pip faces and X faces of a cut-out; a die of this game shows no more than three pips (X-02)."""
    search = TopSearch.of(lab)
    pips = choose([*search.from_pairs(), *search.from_single()])
    for face in (*pips, *find_x(lab, dice.glyph, search, floor_at)):
        if face.value in (1, 2, 3, X) and face.quality >= CLEAR:
            yield turned_by_sides(lab, face)


def half_in_shade(
    cut: Picture, dice: DiceSet, white: Lab | None, floor_at: FloorAt | None = None
) -> Iterator[Face]:
    """Faces of dice with a hard shadow across, in a cut-out (h, w, 3) BGR; `white` is the paper's CIELAB."""
    for colour, lit in relit(cut, white, dice.bodies):
        for face in top_faces(to_lab(lit), dice, floor_at):
            named, sure = dice.name(np.asarray(face.body), white)
            if sure and named[0].name == colour and face.quality >= _RELIT_CLEAR:
                yield face
