"""Dice of unknown size in a picture without a table: every size is tried, where anything stands out.

The faces of one picture are of about one size; most of a picture is calm table and is never looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_faces import CLEAR, Face, choose, find_faces
from vision.dice_pips import EDGE_PX, FAINT, Lab, from_eight
from vision.dice_second import second_look, settle
from vision.sightings import Picture

_COARSE = 0.5
"""Share of the fine picture's scale at which calm places are told from busy ones."""
_ENOUGH = 2
"""Clear dice of three pips and more that tell how large dice are in a picture."""
_MANY = 40
"""Dice of one size on one table; more is cloth."""

_APART = 0.5
"""Logarithm of how much larger or smaller than most a die may look: perspective, and makers' sizes."""
_ALIKE = 25.0
"""CIELAB distance up to which two readings of one place speak of the same body or pip."""
_COVERED = 0.62
"""Share of a picture near spots from which on its ground is cloth."""
_ON_CLOTH = 0.85
"""Quality of a face on cloth from which it may be said: weave makes faces, but no clean ones."""
_OTHER_GROUND = 9.0
"""CIELAB distance from which a body is of another stuff than the ground."""
_READ = 0.9
"""Share of belief from which a value counts as read."""
_CLEAN = 0.7
"""Quality from which a lone pip is a 1 beyond doubt."""

Rect = tuple[int, int, int, int]


def faces_px(
    picture: Picture, edges_px: tuple[float, float] | None = None, *, twice: bool = True
) -> list[Face]:
    """Faces of dice of unknown size, in the picture's pixels; `edges_px` bounds the die's edge if known.

    Without `twice` what is hard to read stays unread: enough to learn the size of the dice.
    """
    views = Views(picture)
    least, most = edges_px or usual_edges(picture.shape)
    edges = [least * 1.13]
    while edges[-1] * 1.13 < most:
        edges.append(edges[-1] * 1.28)
    found: list[Face] = []
    # From large to small: pictures grow with every step, and clear dice end the search for smaller ones.
    for edge in reversed(edges):
        if edge * 1.13 < _smallest_beside(found, _APART if twice else 0.25):
            break
        found += at_size(views, edge)
    faces = _of_one_size(choose(_without_parts(found)))
    return _looked_twice(views, faces, (least, most)) if twice else faces


def usual_edges(shape: Sequence[int]) -> tuple[float, float]:
    """Least and largest edge, in pixels, that a die may have in a picture of that shape (h, w, ...)."""
    return max(16.0, 0.016 * max(shape[:2])), 0.42 * min(shape[:2])


def _smallest_beside(faces: list[Face], apart: float) -> float:
    """Edge below which no die is looked for beside those found; 0 while nothing is clear.

    `apart` is the logarithm of how much smaller than most a die may be.
    """
    clear = [f for f in faces if f.value >= 3 and f.quality > _CLEAN and max(f.belief.values()) > _READ]
    if len(choose(clear)) < _ENOUGH:
        return 0.0
    return float(np.exp(-apart) * np.median([f.edge for f in clear]))


def _looked_twice(views: Views, faces: list[Face], bounds: tuple[float, float]) -> list[Face]:
    """The faces, the weak among them read again as a whole, and what lies beside them of about their size."""
    sure = [face for face in faces if not is_weak(face)]
    edges = sorted(face.edge for face in sure)
    # On cloth a pattern is soon found: there only clean pips count.
    if not edges or is_cloth(views, edges[len(edges) // 2]):
        return faces
    least, most = max(bounds[0], 0.75 * edges[0]), min(bounds[1], 1.25 * edges[-1])
    known = [(face.x, face.y, face.edge) for face in sure]
    rivals: list[Face] = []
    edge = least * 1.16
    while True:
        scale = EDGE_PX / edge
        for x0, y0, x1, y1 in _busy(views, edge, known):
            here = []
            for x, y, size in known:
                here.append(((x + 0.5 - x0) * scale - 0.5, (y + 0.5 - y0) * scale - 0.5, size * scale))
            for face in second_look(views.cut((x0, y0, x1, y1), scale), here):
                rivals.append(_scaled(face, 1 / scale).moved(x0, y0))
        if edge * 1.16 >= most:
            break
        edge *= 1.35
    again = [face for face in settle(rivals, known) if _off_ground(views, face)]
    # What the second look does not see better stays as it was.
    kept = [
        face
        for face in faces
        if not is_weak(face)
        or all(np.hypot(face.x - new.x, face.y - new.y) > 0.75 * max(face.edge, new.edge) for new in again)
    ]
    return kept + again


def is_weak(face: Face) -> bool:
    """Whether a face may well be another one: two values near each other, or a 1 without a clean body."""
    return max(face.belief.values()) < _READ or (face.value == 1 and face.quality < _CLEAN)


def _without_parts(faces: list[Face]) -> list[Face]:
    """Drop a 4 made of two rows of a 6, a 1 that is one pip of a 3: what a larger face explains with more."""
    return [
        face
        for face in faces
        if not any(
            whole.value > face.value
            and max(whole.belief.values()) > _READ
            and whole.quality > 0.9 * face.quality
            and 1.1 < whole.edge / face.edge < 2.0
            and np.hypot(whole.x - face.x, whole.y - face.y) < 0.35 * whole.edge
            and np.linalg.norm(np.subtract(whole.pip, face.pip)) < _ALIKE
            and np.linalg.norm(np.subtract(whole.body, face.body)) < _ALIKE
            for whole in faces
        )
    ]


def _of_one_size(faces: list[Face]) -> list[Face]:
    """Drop what is far from the size of most: dice on one table are one to two, not one to five."""
    faces = _without_weave(faces)
    if not faces:
        return []
    sizes = np.log([face.edge for face in faces])
    # Grain and weave are many and small, and look like a 1 if like anything: what counts is the size
    # of a face, and a 1 or a 2 proves little.
    proof = {1: 0.05, 2: 0.3}
    weight = np.array([f.quality * f.score * f.edge * proof.get(f.value, 1.0) for f in faces])
    near = np.abs(sizes[:, None] - sizes[None]) < 0.3
    main = float(sizes[int(np.argmax(near @ weight))])
    return [face for face, size in zip(faces, sizes, strict=True) if abs(size - main) < _APART]


def _without_weave(faces: list[Face]) -> list[Face]:
    """Drop sizes at which the picture shows more faces than anybody throws: that is a pattern."""
    if len(faces) <= _MANY:
        return faces
    sizes = np.log([face.edge for face in faces])
    alike = (np.abs(sizes[:, None] - sizes[None]) < 0.3).sum(axis=1)
    woven = sizes[alike > _MANY]
    kept = [f for f, size in zip(faces, sizes, strict=True) if not (np.abs(woven - size) < 0.3).any()]
    return _without_weave(kept) if len(kept) < len(faces) else faces


class Views:
    """One picture at the scales that the search asks for; what was made once is kept."""

    def __init__(self, picture: Picture) -> None:
        self.shape = picture.shape[:2]
        self._halves = [np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)]
        self._spotted: dict[float, tuple[NDArray[np.uint8], float]] = {}

    def cut(self, rect: Rect, scale: float) -> Lab:
        """A rectangle (x0, y0, x1, y1) of the picture in CIELAB, `scale` times as large."""
        x0, y0, x1, y1 = rect
        size = (max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale)))
        eight, k = self._half(scale)
        part = eight[y0 // k : -(-y1 // k), x0 // k : -(-x1 // k)]
        way = cv2.INTER_AREA if scale * k < 1 else cv2.INTER_CUBIC
        return from_eight(np.asarray(cv2.resize(part, size, interpolation=way), np.uint8))

    def spotted(self, edge: float) -> tuple[NDArray[np.uint8], float]:
        """Where a shrunk copy of the picture (its scale comes second) has spots like pips: 1, else 0."""
        if edge not in self._spotted:
            h, w = self.shape
            k = _COARSE * EDGE_PX / edge
            size = (max(1, round(w * k)), max(1, round(h * k)))
            small = cv2.resize(self._half(k)[0], size, interpolation=cv2.INTER_AREA)
            sigma = 0.055 * EDGE_PX * _COARSE
            wide = cv2.GaussianBlur(small, (0, 0), 2.2 * sigma)
            band = cv2.absdiff(cv2.GaussianBlur(small, (0, 0), sigma), wide)
            spot = cv2.max(cv2.max(band[..., 0], band[..., 1]), band[..., 2]) > 0.3 * FAINT
            self._spotted[edge] = spot.astype(np.uint8), k
        return self._spotted[edge]

    def step(self, scale: float) -> int:
        """How many pixels of the picture make one of the copy that is shrunk or enlarged to `scale`."""
        step = 1
        while scale * step * 4 <= 1:
            step *= 2
        return step

    def _half(self, scale: float) -> tuple[Picture, int]:
        """The smallest halved copy with at least twice the pixels that `scale` asks for, and its step."""
        step = self.step(scale)
        while len(self._halves) < step.bit_length():
            last = self._halves[-1]
            size = ((last.shape[1] + 1) // 2, (last.shape[0] + 1) // 2)
            self._halves.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._halves[step.bit_length() - 1], step


def at_size(views: Views, edge: float) -> list[Face]:
    """Faces with an edge of about `edge` pixels, looked for in the busy parts of the picture only."""
    scale = EDGE_PX / edge
    found = []
    cloth = is_cloth(views, edge)
    least = _ON_CLOTH if cloth else CLEAR
    for rect in _busy(views, edge):
        for face in find_faces(views.cut(rect, scale), 0.13):
            if face.quality >= least:
                found.append(_scaled(face, 1 / scale).moved(rect[0], rect[1]))
    return [face for face in found if _off_ground(views, face)] if cloth else found


def _off_ground(views: Views, face: Face) -> bool:
    """Whether a die's body has another colour than what lies round it: grain and weave draw pips, too."""
    reach, scale = 1.1 * face.edge, _COARSE * EDGE_PX / face.edge
    h, w = views.shape
    x0, y0, x1, y1 = (
        int(max(0, v)) for v in (face.x - reach, face.y - reach, face.x + reach, face.y + reach)
    )
    around = views.cut((x0, y0, min(w, x1), min(h, y1)), scale)
    ys, xs = np.mgrid[: around.shape[0], : around.shape[1]]
    far = np.hypot(xs - (face.x - x0) * scale, ys - (face.y - y0) * scale)
    ring = around[far > 0.8 * _COARSE * EDGE_PX]
    return not len(ring) or bool(np.linalg.norm(np.median(ring, axis=0) - face.body) > _OTHER_GROUND)


def busy(picture: Picture, edge: float) -> list[Rect]:
    """Rectangles (x0, y0, x1, y1) of the picture that may hold spots of the size of a die's pips."""
    return _busy(Views(picture), edge)


def _busy(views: Views, edge: float, known: Sequence[tuple[float, float, float]] = ()) -> list[Rect]:
    """Rectangles that may hold spots which no known face (x, y, edge) explains."""
    h, w = views.shape
    spot, k = views.spotted(edge)
    if known:
        spot = spot.copy()
        for x, y, size in known:
            cv2.circle(spot, (round(x * k), round(y * k)), round(0.6 * size * k), (0,), -1)
    area = _grown(spot)
    step = views.step(EDGE_PX / edge)
    count, _, stats, _ = cv2.connectedComponentsWithStats(area)
    rects = []
    for x, y, wide, high, _ in stats[1:count].tolist():
        # Corners on whole pixels of the halved copy.
        x0, y0 = max(0, int(x / k) - 2) // step * step, max(0, int(y / k) - 2) // step * step
        rects.append((x0, y0, min(w, int((x + wide) / k) + 2), min(h, int((y + high) / k) + 2)))
    return rects


def is_cloth(views: Views, edge: float) -> bool:
    """Whether spots of the size of a die's pips stand nearly everywhere: carpet, weave, gravel."""
    return bool(_grown(views.spotted(edge)[0]).mean() > _COVERED)


def _grown(spot: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What lies within a die's reach of a spot, in the coarse copy: 1, else 0."""
    reach = round(EDGE_PX * _COARSE * 1.1) | 1
    return np.asarray(cv2.dilate(spot, np.ones((reach, reach), np.uint8)), np.uint8)


def _scaled(face: Face, k: float) -> Face:
    """The face in the pixels of a picture `k` times as large; its pips lose their numbers."""
    return replace(
        face, x=(face.x + 0.5) * k - 0.5, y=(face.y + 0.5) * k - 0.5, edge=face.edge * k, pips=frozenset()
    )
