"""Non-maximum suppression of faces: which ones in a picture exclude each other, and which are one throw."""

from __future__ import annotations

import cv2
import numpy as np

from vision.dice.face import Face
from vision.dice.search_parameters import DIE_SEARCH

_MANY = 40
"""Most dice of one size on one table; more are the pattern of a cloth."""

APART = 0.5
"""Logarithm of the ratio by which a die's size may differ from most: perspective, and makers' sizes."""
ALIKE = 25.0
"""CIELAB distance up to which two readings of one place show the same body or pip."""
KIN_SIZE = 0.15
"""Logarithm of the ratio up to which the sizes of dice of one kind may differ."""
READ = 0.9
"""Share of belief above which a value counts as read."""
FLUSH = 0.86
"""Least distance between two dice's middles, over the edge estimated from the pips: they lie flush."""
CLEAN = 0.7
"""Quality at which a lone pip is a 1 beyond doubt."""


def is_side(face: Face, sure: list[Face]) -> bool:
    """Whether a lone pip is on the side of a surely read die: same material, nearer than dice can lie."""
    reach = 1.0 if is_weak(face) else FLUSH
    return face.value == 1 and any(
        0 < np.hypot(top.x - face.x, top.y - face.y) < reach * top.edge
        and np.linalg.norm(np.subtract(top.pip, face.pip)) < ALIKE
        and np.linalg.norm(np.subtract(top.body, face.body)) < ALIKE
        for top in sure
    )


def is_weak(face: Face) -> bool:
    """Whether a reading may well be wrong: two values of similar belief, or a 1 without a clean body."""
    return max(face.belief.values()) < READ or (face.value == 1 and face.quality < CLEAN)


def without_parts(faces: list[Face]) -> list[Face]:
    """Drop a 4 made of two rows of a 6, or a 1 that is one pip of a 3: a larger face explains more."""
    return [
        face
        for face in faces
        if not any(
            whole.value > face.value
            and max(whole.belief.values()) > READ
            and whole.quality > DIE_SEARCH.whole_quality * face.quality
            and DIE_SEARCH.whole_larger < whole.edge / face.edge < 2.0
            and np.hypot(whole.x - face.x, whole.y - face.y) < DIE_SEARCH.whole_reach * whole.edge
            and np.linalg.norm(np.subtract(whole.pip, face.pip)) < ALIKE
            and np.linalg.norm(np.subtract(whole.body, face.body)) < ALIKE
            for whole in faces
        )
    ]


def without_overlaps(faces: list[Face]) -> list[Face]:
    """Drop a 2 made of the pips of two touching dice: tops never overlap, so the better faces are kept."""
    kept: list[Face] = []
    for face in sorted(faces, key=lambda f: -f.score):
        if sum(_common_px2(face, other) for other in kept) < DIE_SEARCH.most_overlap * face.edge**2:
            kept.append(face)
    return kept


def _common_px2(one: Face, two: Face) -> float:
    """Area, in square pixels, in which the tops of two dice overlap."""
    first, second = (((f.x, f.y), (f.edge, f.edge), f.yaw_deg) for f in (one, two))
    corners = cv2.rotatedRectangleIntersection(first, second)[1]
    return 0.0 if corners is None else float(cv2.contourArea(cv2.convexHull(corners)))


def of_one_size(faces: list[Face]) -> list[Face]:
    """Drop faces far from the main size: dice on one table differ by a factor of two, not of five."""
    faces = _without_weave(faces)
    if not faces:
        return []
    sizes = np.log([face.edge for face in faces])
    # False faces in grain and weave are many and small, and mostly 1s. So faces are weighted by their size,
    # and a 1 or a 2 counts little.
    proof = {1: 0.05, 2: 0.3}
    weight = np.array([f.quality * f.score * f.edge * proof.get(f.value, 1.0) for f in faces])
    near = np.abs(sizes[:, None] - sizes[None]) < DIE_SEARCH.one_size
    main = float(sizes[int(np.argmax(near @ weight))])
    return [face for face, size in zip(faces, sizes, strict=True) if abs(size - main) < APART]


def _without_weave(faces: list[Face]) -> list[Face]:
    """Drop sizes at which the picture shows more faces than anybody throws: they are a pattern."""
    if len(faces) <= _MANY:
        return faces
    sizes = np.log([face.edge for face in faces])
    alike = (np.abs(sizes[:, None] - sizes[None]) < DIE_SEARCH.one_size).sum(axis=1)
    woven = sizes[alike > _MANY]
    kept = [
        f
        for f, size in zip(faces, sizes, strict=True)
        if not (np.abs(woven - size) < DIE_SEARCH.one_size).any()
    ]
    return _without_weave(kept) if len(kept) < len(faces) else faces


def is_kin(face: Face, others: list[Face]) -> bool:
    """Whether a face resembles a clear die in size, body colour and pip colour."""
    return not is_weak(face) and any(
        other.value >= 3  # a 1 or a 2 proves little
        and not is_weak(other)
        and abs(np.log(face.edge / other.edge)) < KIN_SIZE
        and np.linalg.norm(np.subtract(face.body, other.body)) < ALIKE
        and np.linalg.norm(np.subtract(face.pip, other.pip)) < ALIKE
        for other in others
    )
