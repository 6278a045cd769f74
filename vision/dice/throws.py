"""Throws: dice that roll, come to rest and are said once; frames and times in, `ThrowSeen` out.

Stillness is judged on a small grey copy of every frame; dice are read only when all has been still for
`REST_S`. A throw is said when a die lies where none lay before or shows another face. Dice that only
vanished were taken back; dice that all moved together moved with the camera; what a large thing from
the picture's rim lies over is a hand, and is waited for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.faces import Face
from vision.dice.reading import name_faces
from vision.dice.search import faces_px, is_weak, usual_edges
from vision.dice.views import Rect
from vision.sightings import DieSeen, Picture, ThrowSeen

REST_S = 0.12
"""How long all must be still: rests of 0.2 s count, also at 15 frames a second."""
PATIENCE_S = 3.0
"""After so long without any motion the picture is the new table, hand-shaped things included."""

_FIRST_LOOK_PX = 1000
"""Longer side of the picture in which dice of unknown size are first looked for."""
_WIDTH = 200
_JUMP = 16
"""Grey steps by which a pixel of the small copy must change to have moved."""
_MOVING = 0.0002
"""Share of the small picture that may flicker while all is still."""

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]


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

    def __call__(self, picture: Picture, part: Rect | None = None) -> list[Found]:
        """Every die of the picture, or of a part (x0, y0, x1, y1) of it; places are the picture's."""
        h, w = picture.shape[:2]
        x0, y0, x1, y1 = part or (0, 0, w, h)
        here = picture[y0:y1, x0:x1]
        bounds = self._edges or usual_edges(picture.shape)
        shrink = min(1.0, _FIRST_LOOK_PX / max(h, w))
        if self._edges is None and shrink < 1.0:
            coarse = cv2.resize(here, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            small = (max(16.0, bounds[0] * shrink), bounds[1] * shrink)
            faces = faces_px(np.asarray(coarse, np.uint8), small, twice=False)
            bounds = self._learn(faces, shrink) or bounds
        faces = [face.moved(x0, y0) for face in faces_px(np.ascontiguousarray(here), bounds)]
        self._learn(faces)
        pairs = zip(name_faces(faces), faces, strict=True)
        return [Found(die, (face.x, face.y), face.edge) for die, face in pairs]

    @property
    def reach_px(self) -> float:
        """Edge of the largest die to be expected, once dice have been seen; else 0."""
        return self._edges[1] if self._edges else 0.0

    def _learn(self, faces: list[Face], scale: float = 1.0) -> tuple[float, float] | None:
        """Bounds of a die's edge from faces seen at `scale`: from those beyond doubt, where there are any."""
        clear = [face.edge / scale for face in faces if not is_weak(face)]
        edges = clear if len(clear) >= 2 else [face.edge / scale for face in faces]
        if len(edges) >= 2:
            self._edges = (0.8 * min(edges), 1.25 * max(edges))
        return self._edges


class Throws:
    """The state between frames. Pure: the caller brings pictures and times, in order."""

    def __init__(self, read: Reader | None = None) -> None:
        self._lent = read
        self._pips = PipReader()
        self._last: Grey | None = None
        self._still_since: float | None = None
        self._frames_still = 0
        self._judged = False
        self._clean: Grey | None = None
        self._said: list[Found] = []
        self._swung = False

    def see(self, picture: Picture, t: float) -> list[ThrowSeen]:
        """Take in one frame (h, w, 3) BGR at `t` seconds; at most one throw comes back."""
        grey = _small(picture)
        before, self._last = self._last, grey
        if before is None or before.shape != grey.shape:
            self._still_since, self._frames_still = t, 0
            return []
        moved = _changed(before, grey, _JUMP)
        if moved.mean() > _MOVING:
            self._swung = self._swung or _swings(before, moved)
            self._still_since, self._frames_still, self._judged = None, 0, False
            return []
        if self._still_since is None:
            self._still_since = t
        self._frames_still += 1
        # Cameras repeat frames: one that equals the last is no proof of rest, three are.
        if self._judged or self._frames_still < 2 or t - self._still_since < REST_S:
            return []
        if self._hand_over(grey) and t - self._still_since < PATIENCE_S:
            return []
        self._judged = True
        return self._judge(picture, grey, t)

    def _judge(self, picture: Picture, grey: Grey, t: float) -> list[ThrowSeen]:
        """Read the still picture and say it when it is news."""
        before, clean, swung = self._said, self._clean, self._swung
        self._clean, self._swung = grey, False
        found = self._found(picture, None if swung else clean, grey)
        if not found:
            self._said = []
            return []
        scale = grey.shape[1] / picture.shape[1]
        news = [f for f in found if not any(_same(f, old) for old in before)]
        if clean is not None and not swung:
            # A die that a reader overlooked before lies where nothing has changed: no news.
            changed = _changed(clean, grey, _JUMP)
            news = [f for f in news if _around(changed, f, scale)]
        if swung and before and _same_together(before, found):
            news = []
        if not news:
            self._said = found
            return []
        self._said = found
        return [ThrowSeen(t, tuple(f.die for f in found), dice_crop(picture, found))]

    def _found(self, picture: Picture, clean: Grey | None, grey: Grey) -> list[Found]:
        """Every die of the picture; where nothing has changed since `clean`, what was read then."""
        if self._lent is not None:
            return self._lent(picture)
        h, w = picture.shape[:2]
        if clean is None or clean.shape != grey.shape:
            return self._pips(picture)
        ys, xs = np.nonzero(_changed(clean, grey, _JUMP))
        if not len(xs):
            return self._said
        # A die that is changed in part is read whole, and none is read by halves.
        rim = max(self._pips.reach_px, 0.04 * w)
        k = w / grey.shape[1]
        inner = (xs.min() * k - rim, ys.min() * k - rim, (xs.max() + 1) * k + rim, (ys.max() + 1) * k + rim)
        x0, y0 = max(0, int(inner[0] - rim)), max(0, int(inner[1] - rim))
        x1, y1 = min(w, int(inner[2] + rim)), min(h, int(inner[3] + rim))
        new = [found for found in self._pips(picture, (x0, y0, x1, y1)) if _within(found, inner)]
        return [old for old in self._said if not _within(old, inner)] + new

    def _hand_over(self, grey: Grey) -> bool:
        """Whether something large has come in from the rim since the table was last clean."""
        if self._clean is None or self._swung or self._clean.shape != grey.shape:
            return False
        changed = cv2.morphologyEx(
            _changed(self._clean, grey, _JUMP).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
        )
        count, _, stats, _ = cv2.connectedComponentsWithStats(changed)
        h, w = grey.shape
        for x, y, wide, high, area in stats[1:count].tolist():
            at_rim = x == 0 or y == 0 or x + wide == w or y + high == h
            if at_rim and area > 0.015 * h * w:
                return True
        return False


def _within(found: Found, rect: tuple[float, float, float, float]) -> bool:
    x, y = found.at_px
    return bool(rect[0] <= x < rect[2] and rect[1] <= y < rect[3])


def _small(picture: Picture) -> Grey:
    h, w = picture.shape[:2]
    # Halves of whole pixels are cheap, and leave less noise than leaving pixels out would.
    while picture.shape[1] >= 2 * _WIDTH and picture.shape[0] > 1:
        even = picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2]
        picture = np.asarray(cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    small = cv2.resize(picture, (_WIDTH, max(1, round(h * _WIDTH / w))), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.uint8)


def _changed(one: Grey, two: Grey, jump: int) -> Mask:
    """Pixels that changed by more than `jump` beside what all pixels changed (exposure, flicker)."""
    change = two.astype(np.int16) - one
    return np.asarray(np.abs(change - int(np.median(change))) > jump)


def _swings(before: Grey, moved: Mask) -> bool:
    """Whether the whole picture moved: most of what has contrast changed, in every corner of it."""
    edges = np.hypot(cv2.Sobel(before, cv2.CV_32F, 1, 0), cv2.Sobel(before, cv2.CV_32F, 0, 1)) > 60
    grown = cv2.dilate(moved.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    h, w = before.shape
    shares = []
    for rows in (slice(0, h // 2), slice(h // 2, h)):
        for columns in (slice(0, w // 2), slice(w // 2, w)):
            part = edges[rows, columns]
            if part.sum() > 20:
                shares.append(float(grown[rows, columns][part].mean()))
    return len(shares) >= 2 and min(shares) > 0.35


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


def _around(changed: Mask, found: Found, scale: float) -> bool:
    """Whether the picture changed where a die lies."""
    x, y, r = found.at_px[0] * scale, found.at_px[1] * scale, max(1.0, 0.5 * found.edge_px * scale)
    part = changed[max(0, int(y - r)) : int(y + r) + 2, max(0, int(x - r)) : int(x + r) + 2]
    return bool(part.mean() > 0.1) if part.size else False


def dice_crop(picture: Picture, found: list[Found]) -> Picture:
    """The part of the picture that holds all dice, with a die's edge round it."""
    rim = max(f.edge_px for f in found) * 1.2
    xs, ys = [f.at_px[0] for f in found], [f.at_px[1] for f in found]
    x0, y0 = max(0, int(min(xs) - rim)), max(0, int(min(ys) - rim))
    return picture[y0 : int(max(ys) + rim) + 1, x0 : int(max(xs) + rim) + 1].copy()
