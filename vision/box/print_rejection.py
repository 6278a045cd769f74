"""Whether a face that was found is print: letters, rings and tags look a little like dice."""

from __future__ import annotations

import cv2
import numpy as np

from vision.box.face_detection import Ray
from vision.dice.face import Face
from vision.dice.pips import EDGE_PX, Lab
from vision.layout import Layout

_SAME_PRINT = 0.75
"""Correlation with the empty floor from which a face is the field's own drawing."""
OTHER_COLOUR = 12.0
"""Distance in a and b of CIELAB between a face's middle and the empty floor: beyond, it is no drawing."""
_SAME_INK, _INK_OFF = 0.6, 14.0
"""Share of a face's ink, and of its body, that the empty floor has, too, and CIELAB distance up to which."""
_INNER = 0.42
"""Reach of a face's ink round its middle, over the edge."""


def is_print(seen: Lab, now: Lab, then: Lab, face: Face) -> bool:
    """Whether the floor behind a face looks as in the empty box, whatever the light.

    All are the floor round the face's middle, (n, n, 3) CIELAB with `EDGE_PX` for a die's edge: as it is
    seen, as the light of enrolment would show it, and as it was in the empty box.
    """
    # A die that stands on strong lines leaves them in view: its own colour must be the floor's too.
    quarter = now.shape[0] // 4
    middle = (now - then)[quarter:-quarter, quarter:-quarter, 1:]
    if float(np.linalg.norm(np.median(middle, axis=(0, 1)))) > OTHER_COLOUR:
        return False
    return _same_ink(seen, now, then, face) or _same_drawing(now, then)


def on_tag(layout: Layout, ray: Ray) -> bool:
    """Whether what is seen along a ray is a tag's print."""
    for tag in layout.tags:
        x, y = ray.at(tag.center_mm[2])
        if max(abs(x - tag.center_mm[0]), abs(y - tag.center_mm[1])) < 0.7 * tag.size_mm:
            return True
    return False


def _same_drawing(now: Lab, then: Lab) -> bool:
    now, then = now - now.mean(axis=(0, 1)), then - then.mean(axis=(0, 1))
    both = float(np.sqrt((now**2).sum() * (then**2).sum())) + 1e-6
    return bool((now * then).sum() > _SAME_PRINT * both)


def _same_ink(seen: Lab, now: Lab, then: Lab, face: Face) -> bool:
    """Whether what was taken for pips stands in the empty box, too, whatever lies beside or over a part."""
    body, way = np.asarray(face.body, np.float32), np.subtract(face.pip, face.body).astype(np.float32)
    gone = seen - body
    along = gone @ way / float(way @ way)
    beside = np.linalg.norm(gone - along[..., None] * way, axis=2)
    steps = np.arange(now.shape[0]) - (now.shape[0] - 1) / 2
    near = np.hypot(steps[:, None], steps[None]) < _INNER * EDGE_PX
    near &= beside < 0.4 * float(np.linalg.norm(way))
    ink, bare = near & (along > 0.5) & (along < 1.3), near & (np.abs(along) < 0.3)
    # The box may have been found a pixel beside.
    low, high = cv2.erode(then, np.ones((3, 3), np.uint8)), cv2.dilate(then, np.ones((3, 3), np.uint8))
    same = np.linalg.norm(now - np.clip(now, low, high), axis=2) < _INK_OFF
    # A white die's black pips are as black as the hole that it fell into: its body is not.
    return all(bool(part.any()) and float(same[part].mean()) > _SAME_INK for part in (ink, bare))
