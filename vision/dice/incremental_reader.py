"""Incremental reading of plain pip dice, in pixels: in a film, only what changed is read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.dice.brightening import brightened, exposure
from vision.dice.face import Face
from vision.dice.found import FoundDie, around, overlap
from vision.dice.pieces import Begun, Pieces
from vision.dice.reading import name_faces
from vision.dice.search import searched, usual_edges
from vision.dice.selection import APART, is_weak
from vision.dice.views import Rect
from vision.imgproc.colourless import is_colourless
from vision.imgproc.registration import Affine
from vision.imgproc.small_change import Grey, Small, repainted, small_grey, tint_of
from vision.sightings import Picture

_COPIES = 200_000
"""Work of comparing two pictures, in pixels, as `pieces` measures it."""


@dataclass(frozen=True, slots=True)
class PipReading:
    """Result of a reading: the picture's small copies, all its dice, and the faces that were newly read."""

    small: Small
    found: list[FoundDie]
    faces: list[Face]


class PipReader:
    """Reads plain pip dice; remembers their size, so that the next reading is faster."""

    def __init__(self) -> None:
        self._edges: tuple[float, float] | None = None

    def read(self, picture: Picture, last: PipReading | None = None) -> PipReading:
        """Read a picture in one go, as `begin` does in pieces."""
        return Begun(self.begin(picture, last)).finish()

    def begin(self, picture: Picture, last: PipReading | None = None) -> Pieces[PipReading]:
        """Read every die in a picture (h, w, 3) BGR; where it is unchanged, reuse the `last` reading."""
        small = Small(small_grey(picture), tint_of(picture))
        picture = brightened(picture, exposure(small.tint))
        if last is None:
            faces = yield from self._looked_for(picture, None)
            return PipReading(small, _named(faces, picture), faces)
        changed, onto = repainted(last.small, small)
        yield _COPIES
        k = changed.shape[1] / picture.shape[1]
        known = [_carried(one, onto, k) for one in last.found]
        if not changed.any():
            return PipReading(small, known, [])
        # Grow the changed area by a die, so that a partly changed die is read whole.
        largest = self._edges[1] if self._edges else 0.0
        rim = 2 * round(k * max(largest, 0.04 * picture.shape[1])) + 1
        where = np.asarray(cv2.dilate(changed, np.ones((rim, rim), np.uint8)), np.uint8)
        faces = yield from self._looked_for(picture, where)
        kept = [old for old in known if not around(changed > 0, old, k, 0.0) and _may_lie_beside(old, faces)]
        new = [one for one in _named(faces, picture) if not any(overlap(one, old) for old in kept)]
        return PipReading(small, kept + new, faces)

    def learn(self, reading: PipReading) -> None:
        """Learn bounds of the edge from faces beyond doubt if there are two, else from all faces."""
        clear = [face.edge for face in reading.faces if not is_weak(face)]
        edges = clear if len(clear) >= 2 else [face.edge for face in reading.faces]
        if len(edges) >= 2:
            self._edges = (0.8 * min(edges), 1.25 * max(edges))

    def _looked_for(self, picture: Picture, where: Grey | None) -> Pieces[list[Face]]:
        """Find faces in the picture, or only where the mask `where`, stretched over it, is not 0."""
        x0, y0 = 0, 0
        bounds = self._edges or usual_edges(picture.shape)
        if where is not None:
            (x0, y0, x1, y1), where = _around_all(where, picture.shape)
            picture = np.ascontiguousarray(picture[y0:y1, x0:x1])
        faces = yield from searched(picture, bounds, where)
        return [face.moved(x0, y0) for face in faces]


def _may_lie_beside(old: FoundDie, faces: list[Face]) -> bool:
    """Whether a die's size is near that of the clear faces, if there are two: a tag read as a die is not."""
    clear = sorted(face.edge for face in faces if not is_weak(face))
    return len(clear) < 2 or abs(float(np.log(old.edge_px / clear[len(clear) // 2]))) < APART


def _named(faces: list[Face], picture: Picture) -> list[FoundDie]:
    """Name the dice that have these top faces in a picture."""
    pairs = zip(name_faces(faces, is_colourless(picture)), faces, strict=True)
    return [FoundDie(die, (face.x, face.y), face.edge) for die, face in pairs]


def _carried(one: FoundDie, onto: Affine | None, k: float) -> FoundDie:
    """Move a die along with the camera's motion: `onto` (2, 3) is affine in a copy shrunk to `k`."""
    if onto is None:
        return one
    x, y = onto @ (one.at_px[0] * k, one.at_px[1] * k, 1.0) / k
    at = float(x), float(y)
    return replace(one, die=replace(one.die, center_mm=at), at_px=at)


def _around_all(where: Grey, shape: Sequence[int]) -> tuple[Rect, Grey]:
    """Bounding rectangle (x0, y0, x1, y1) of a mask, in pixels of a picture (h, w, ...); the mask in it."""
    (h, w), (rows, columns) = shape[:2], where.shape
    x, y, wide, high = cv2.boundingRect(where)
    rect = (x * w // columns, y * h // rows, -(-(x + wide) * w // columns), -(-(y + high) * h // rows))
    return rect, where[y : y + high, x : x + wide]
