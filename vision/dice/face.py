"""The top face of a die, and which of several faces may be in one picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from vision.dice.parameters import DIE
from vision.dice.pips import EDGE_PX


@dataclass(frozen=True, slots=True)
class Face:
    """The top face of a die, in pixels of the searched picture.

    `belief` maps each value to its share 0..1; `score` orders rivals for one place; `yaw_deg` is modulo
    90, from +x towards +y of the picture; `body` and `pip` are CIELAB colours.
    """

    x: float
    y: float
    edge: float
    yaw_deg: float
    belief: dict[int, float]
    score: float
    body: tuple[float, float, float]
    pip: tuple[float, float, float]
    pips: frozenset[int]
    """Indices, within one search, of the pips that the face explains."""
    quality: float
    """0..1: calm surface, border all round, strong and equal pips."""

    @property
    def value(self) -> int:
        """The value with the largest share of belief."""
        return max(self.belief, key=lambda v: self.belief[v])

    def scaled(self, k: float) -> Face:
        """Convert the face to a picture `k` times as large; its pips lose their indices."""
        x, y = (self.x + 0.5) * k - 0.5, (self.y + 0.5) * k - 0.5
        return replace(self, x=x, y=y, edge=self.edge * k, pips=frozenset())

    def doubted(self) -> Face:
        """The same face with its belief pulled towards equal shares, so that no value is sure."""
        return replace(self, belief={v: (share + 1 / 6) / 2 for v, share in self.belief.items()})

    def moved(self, dx: float, dy: float) -> Face:
        """Convert the face of a cut-out to pixels of the whole picture; its pips lose their indices."""
        return replace(self, x=self.x + dx, y=self.y + dy, pips=frozenset())


def tops(faces: Iterable[Face], nadir: tuple[float, float]) -> list[Face]:
    """Drop the sides of dice: two tops are at least an edge, `EDGE_PX`, apart.

    Where two faces are nearer and share no pip, the one towards `nadir` is a side of the other's die, unless
    it is seen more clearly. `nadir` is the point below the camera (x, y in the faces' pixels).
    """
    every = list(faces)
    return [face for face in every if not any(_is_side(face, other, nadir) for other in every)]


def _is_side(face: Face, top: Face, nadir: tuple[float, float]) -> bool:
    apart = face.x - top.x, face.y - top.y
    down = nadir[0] - top.x, nadir[1] - top.y
    # The limit is below one edge: edges are measured to within a tenth, and dice may lie flush.
    near = np.hypot(*apart) < DIE.side_within * EDGE_PX
    if not near or face.quality > top.quality or face.pips & top.pips:
        return False
    return bool(np.dot(apart, down) > DIE.side_below * EDGE_PX * np.hypot(*down))


def choose(faces: Iterable[Face]) -> list[Face]:
    """Keep the best face at each place: two top faces never overlap and share no pip."""
    kept: list[Face] = []
    for face in sorted(faces, key=lambda f: -f.score):
        clear = (np.hypot(face.x - k.x, face.y - k.y) > DIE.same_die * min(face.edge, k.edge) for k in kept)
        if all(clear) and not any(face.pips & k.pips for k in kept):
            kept.append(face)
    return kept
