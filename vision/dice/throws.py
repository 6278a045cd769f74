"""Throws: dice that roll, come to rest and are said once; frames and times in, `ThrowSeen` out.

Stillness is judged on a small grey copy of every frame; dice are read only when all has been still for
`REST_S`, and only where the picture differs from the last one that was read. The first picture is read, too,
before anything happens: what lies there from the start is then known. A throw is said when a die lies where
none lay before or shows another face. Dice that only vanished were taken back; dice that all moved together
moved with the camera; what a large thing from the picture's rim lies over is a hand, and is waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.dice.change import (
    Changed,
    Grey,
    changed_grey,
    lit_as,
    repainted,
    small_grey,
    steadied,
    swings,
    tint_of,
)
from vision.dice.face import Face
from vision.dice.reading import name_faces
from vision.dice.search import faces_px, is_weak, usual_edges
from vision.dice.views import Rect
from vision.sightings import DieSeen, Picture, ThrowSeen

REST_S = 0.12
"""How long all must be still: rests of 0.2 s count, also at 15 frames a second."""
SLOW_S = 0.09
"""Time between two pictures from which on they are a rest by themselves: a camera of 10 frames a second."""
PATIENCE_S = 3.0
"""After so long without any motion the picture is the new table, hand-shaped things included."""

_JUMP = 16
"""Grey steps by which a pixel of the small copy must change to have moved."""
_MOVING = 0.0002
"""Share of the small picture that may flicker while all is still."""
_SWAYING = 0.02
"""Share of it that changes at most when a camera in a resting hand sways."""
_RIM = 2
"""Pixels at the small picture's rim into which a sway brings what was beyond it."""


@dataclass(frozen=True, slots=True)
class Found:
    """One die as a reader found it, with its middle and edge in pixels of the picture."""

    die: DieSeen
    at_px: tuple[float, float]
    edge_px: float


Reader = Callable[[Picture], list[Found]]


class PipReader:
    """Reads plain pip dice in pixels; remembers how large dice are here, to be quick the next time."""

    def __init__(self) -> None:
        self._edges: tuple[float, float] | None = None

    def __call__(self, picture: Picture, where: Grey | None = None, *, learn: bool = True) -> list[Found]:
        """Every die of the picture, or those of its parts where a mask over all of it is not 0.

        Where it may not `learn`, the size of what is found says nothing of the next picture's dice.
        """
        x0, y0 = 0, 0
        bounds = self._edges or usual_edges(picture.shape)
        here = picture
        if where is not None:
            (x0, y0, x1, y1), where = _around_all(where, picture.shape)
            here = np.ascontiguousarray(picture[y0:y1, x0:x1])
        faces = [face.moved(x0, y0) for face in faces_px(here, bounds, where)]
        if learn:
            self._learn(faces)
        pairs = zip(name_faces(faces), faces, strict=True)
        return [Found(die, (face.x, face.y), face.edge) for die, face in pairs]

    @property
    def reach_px(self) -> float:
        """Edge of the largest die to be expected, once dice have been seen; else 0."""
        return self._edges[1] if self._edges else 0.0

    def _learn(self, faces: list[Face]) -> None:
        """Bounds of a die's edge: from faces beyond doubt, where there are any."""
        clear = [face.edge for face in faces if not is_weak(face)]
        edges = clear if len(clear) >= 2 else [face.edge for face in faces]
        if len(edges) >= 2:
            self._edges = (0.8 * min(edges), 1.25 * max(edges))


class Throws:
    """The state between frames. Pure: the caller brings pictures and times, in order."""

    def __init__(self, read: Reader | None = None) -> None:
        self._lent = read
        self._pips = PipReader()
        self._last: Grey | None = None
        self._first: Grey | None = None
        self._still_since = 0.0
        self._frames_still = 0
        self._judged = False
        self._clean: Grey | None = None
        self._read: tuple[Picture, list[Found]] | None = None
        self._said: list[Found] = []
        self._swung = False

    def see(self, picture: Picture, t: float) -> list[ThrowSeen]:
        """Take in one frame (h, w, 3) BGR at `t` seconds; at most one throw comes back."""
        grey = small_grey(picture)
        before, self._last = self._last, grey
        if before is None or before.shape != grey.shape:
            self._first, self._still_since, self._frames_still = grey, t, 0
            # What lies there from the start is read before anything happens: at rest that is not waited for.
            self._read = None
            if self._lent is None:
                self._found(picture, learn=False)
            return []
        moved = changed_grey(before, grey, _JUMP)
        if moved.mean() > _MOVING and not (moved.mean() < _SWAYING and self._sways(grey)):
            self._swung = self._swung or swings(before, moved)
            self._first, self._still_since, self._frames_still, self._judged = grey, t, 0, False
            return []
        self._frames_still += 1
        apart = t - self._still_since
        # Cameras repeat frames: one that equals the last is no proof of rest, three are. Two that differ in
        # their noise alone, and lie a slow camera's step apart, are proof as well.
        slow = self._frames_still == 1 and apart >= SLOW_S and bool((before != grey).any())
        if self._judged or not (slow or (self._frames_still >= 2 and apart >= REST_S)):
            return []
        if self._hand_over(grey) and t - self._still_since < PATIENCE_S:
            return []
        self._judged = True
        return self._judge(picture, grey, t)

    def _judge(self, picture: Picture, grey: Grey, t: float) -> list[ThrowSeen]:
        """Read the still picture and say it when it is news."""
        before, clean, swung = self._said, self._clean, self._swung
        self._clean, self._swung = grey, False
        if swung:
            self._read = None
        found = self._found(picture)
        if not found:
            self._said = []
            return []
        scale = grey.shape[1] / picture.shape[1]
        news = [f for f in found if not any(_same(f, old) for old in before)]
        if clean is not None and not swung:
            # A die that a reader overlooked before lies where nothing has changed: no news.
            changed = changed_grey(lit_as(clean, grey), grey, _JUMP)
            news = [f for f in news if _around(changed, f, scale)]
        if swung and before and _same_together(before, found):
            news = []
        if not news:
            self._said = found
            return []
        self._said = found
        return [ThrowSeen(t, tuple(f.die for f in found), dice_crop(picture, found))]

    def _found(self, picture: Picture, *, learn: bool = True) -> list[Found]:
        """Every die of the picture; where nothing has changed since the last reading, what was read then."""
        if self._lent is not None:
            return self._lent(picture)
        tint, last = tint_of(picture), self._read
        found = self._pips(picture, learn=learn) if last is None else self._updated(picture, tint, *last)
        self._read = tint, found
        return found

    def _updated(self, picture: Picture, tint: Picture, before: Picture, known: list[Found]) -> list[Found]:
        """The dice `known` of the picture `before`, those read again where this one differs."""
        changed = repainted(before, tint)
        if not changed.any():
            return known
        w = picture.shape[1]
        k = changed.shape[1] / w
        # A die that is changed in part is read whole, and none is read by halves.
        rim = 2 * round(k * max(self._pips.reach_px, 0.04 * w)) + 1
        where = cv2.dilate(changed, np.ones((rim, rim), np.uint8))
        new = self._pips(picture, np.asarray(where, np.uint8))
        kept = [old for old in known if not _around(changed > 0, old, k, 0.0)]
        return kept + [one for one in new if not any(_beside(one, old) for old in kept)]

    def _sways(self, grey: Grey) -> bool:
        """Whether all lies as when it came to rest, but for the tremor of a hand that holds the camera."""
        steady = None if self._first is None else steadied(self._first, grey)
        if steady is None:
            return False
        inside = (slice(_RIM, -_RIM), slice(_RIM, -_RIM))
        return bool(changed_grey(steady[inside], grey[inside], _JUMP).mean() <= _MOVING)

    def _hand_over(self, grey: Grey) -> bool:
        """Whether something large has come in from the rim since the table was last clean."""
        if self._clean is None or self._swung or self._clean.shape != grey.shape:
            return False
        other = changed_grey(lit_as(self._clean, grey), grey, _JUMP).astype(np.uint8)
        changed = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(changed)
        h, w = grey.shape
        for x, y, wide, high, area in stats[1:count].tolist():
            at_rim = x == 0 or y == 0 or x + wide == w or y + high == h
            if at_rim and area > 0.015 * h * w:
                return True
        return False


def _around_all(where: Grey, shape: Sequence[int]) -> tuple[Rect, Grey]:
    """The rectangle (x0, y0, x1, y1), in pixels of a picture (h, w, ...), round all of a mask; its part."""
    (h, w), (rows, columns) = shape[:2], where.shape
    x, y, wide, high = cv2.boundingRect(where)
    rect = (x * w // columns, y * h // rows, -(-(x + wide) * w // columns), -(-(y + high) * h // rows))
    return rect, where[y : y + high, x : x + wide]


def _beside(one: Found, two: Found) -> bool:
    """Whether two readings speak of one die."""
    far = np.hypot(one.at_px[0] - two.at_px[0], one.at_px[1] - two.at_px[1])
    return bool(far < 0.5 * max(one.edge_px, two.edge_px))


def _same(one: Found, two: Found) -> bool:
    """Whether a die lies as it lay: same place within a third of its edge, same face (or unread)."""
    far = np.hypot(one.at_px[0] - two.at_px[0], one.at_px[1] - two.at_px[1])
    faces = one.die.face, two.die.face
    return bool(far < 0.33 * max(one.edge_px, two.edge_px)) and (None in faces or faces[0] == faces[1])


def _same_together(before: list[Found], now: list[Found]) -> bool:
    """Whether the dice of one picture are those of the other, all shifted and turned as one."""
    for anchor in before:
        for other in now:
            if anchor.die.face != other.die.face:
                continue
            shift = np.subtract(other.at_px, anchor.at_px)
            moved = [
                Found(f.die, (f.at_px[0] + shift[0], f.at_px[1] + shift[1]), 2 * f.edge_px) for f in before
            ]
            if all(any(_same(f, old) for old in moved) for f in now):
                return True
    return False


def _around(changed: Changed, found: Found, scale: float, share: float = 0.1) -> bool:
    """Whether more than a share of the picture changed where a die lies."""
    x, y, r = found.at_px[0] * scale, found.at_px[1] * scale, max(1.0, 0.5 * found.edge_px * scale)
    part = changed[max(0, int(y - r)) : int(y + r) + 2, max(0, int(x - r)) : int(x + r) + 2]
    return bool(part.mean() > share) if part.size else False


def dice_crop(picture: Picture, found: list[Found]) -> Picture:
    """The part of the picture that holds all dice, with a die's edge round it."""
    rim = max(f.edge_px for f in found) * 1.2
    xs, ys = [f.at_px[0] for f in found], [f.at_px[1] for f in found]
    x0, y0 = max(0, int(min(xs) - rim)), max(0, int(min(ys) - rim))
    return picture[y0 : int(max(ys) + rim) + 1, x0 : int(max(xs) + rim) + 1].copy()
