"""Dice larger than the table file says: what looks like a whole face may be part of a larger one.

Pips of a large 5 may look like a smaller 2 or 3, with the large die's own body round them. Where the face of
a larger die explains a place with more pips, it replaces what was read there; the die is reported once, in
doubt.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice.face import Face, choose
from vision.dice.face_detection import find_faces
from vision.dice.outline import turn_of
from vision.dice.parameters import DIE
from vision.dice.pips import EDGE_PX, Lab
from vision.dice.selection import ALIKE, READ


def without_larger(lab: Lab, faces: Sequence[Face], nadir: tuple[float, float]) -> list[Face]:
    """Replace parts of larger dice by the whole face, in doubt; keep the faces with an edge of `EDGE_PX`.

    `lab` and `nadir` are those with which the faces were found.
    """
    wholes = choose(whole for face in faces for whole in _around(lab, face, nadir) if _explains(whole, face))
    kept = [face for face in faces if not any(_covers(whole, face) for whole in wholes)]
    return kept + [whole.doubted() for whole in wholes]


def _around(lab: Lab, face: Face, nadir: tuple[float, float]) -> list[Face]:
    """Find faces of larger dice near a face, in the same pixels."""
    reach = DIE.larger_reach * EDGE_PX
    x0, y0 = (max(0, int(middle - reach)) for middle in (face.x, face.y))
    part = lab[y0 : int(face.y + reach) + 1, x0 : int(face.x + reach) + 1]
    h, w = part.shape[:2]
    found: list[Face] = []
    size = DIE.larger_step
    while size < DIE.larger_most:
        small = cv2.resize(part, (round(w / size), round(h / size)), interpolation=cv2.INTER_AREA)
        foot = ((nadir[0] - x0 + 0.5) / size - 0.5, (nadir[1] - y0 + 0.5) / size - 0.5)
        faces = find_faces(np.asarray(small, np.float32), DIE.larger_slack, foot)
        found += [each.scaled(size).moved(x0, y0) for each in faces]
        size *= DIE.larger_step
    return found


def _explains(whole: Face, part: Face) -> bool:
    """Whether `part`, read as a face, is made of pips of the larger face `whole`."""
    return (
        whole.value > part.value
        and max(whole.belief.values()) > READ
        # The whole face ends on all sides; a part of it ends on few, and a pattern across two dice does not.
        and whole.quality > DIE.larger_quality
        and (whole.value > 2 or whole.quality > DIE.larger_clearer * part.quality)  # two ones make a 2
        and whole.edge > DIE.larger_told * EDGE_PX
        and _covers(whole, part)
        and float(np.linalg.norm(np.subtract(whole.body, part.body))) < ALIKE
    )


def _covers(whole: Face, part: Face) -> bool:
    """Whether the middle of a face lies on the body of a larger one."""
    off = turn_of(whole) @ np.array([part.x - whole.x, part.y - whole.y], np.float32)
    return bool(np.abs(off).max() < whole.edge / 2)
