"""Rejects faces that are print: letters, rings and tags look somewhat like dice."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.arrays import Float32
from vision.box.face_detection import Ray
from vision.box.illumination import FloorLight
from vision.box.print_parameters import PRINT
from vision.dice.colour import Vector
from vision.dice.face import Face
from vision.dice.pips import EDGE_PX, Lab
from vision.layout import Layout


def colour_tolerance(light: FloorLight | None, gains: Vector) -> float:
    """Distance, in a and b of CIELAB, above which a top's colour differs from the empty floor's.

    Under a coloured lamp, little of a paint is left in the other channels, and the sensor soon clips in the
    lamp's own, so the correction is coarse. `gains` (3,) BGR: the factors that brightened the picture.
    """
    tint = 0.0 if light is None else light.tint(gains)
    return PRINT.other_colour * max(1.0, math.exp(tint) / PRINT.usual_tint)


def is_print(seen: Lab, now: Lab, then: Lab, face: Face, other: float) -> bool:
    """Whether the floor at a face looks as in the empty box, in any light.

    `seen`, `now` and `then` are the floor round the face's middle, (n, n, 3) CIELAB with `EDGE_PX` for a
    die's edge: as seen, as the light of enrolment would show it, and as in the empty box. `other` is the
    tolerance from `colour_tolerance`.
    """
    # Strong lines stay in view round a die that stands on them, so the middle must have the floor's colour.
    quarter = now.shape[0] // 4
    middle = (now - then)[quarter:-quarter, quarter:-quarter, 1:]
    if float(np.linalg.norm(np.median(middle, axis=(0, 1)))) > other:
        return False
    # The coarser the correction, the less a and b count.
    trust = np.array([1.0, *[PRINT.other_colour / other] * 2], np.float32)
    return _same_ink(seen, now, then, face, trust) or _same_drawing(trust * now, trust * then)


def on_tag(layout: Layout, ray: Ray) -> bool:
    """Whether a ray meets a tag."""
    for tag in layout.tags:
        x, y = ray.at(tag.center_mm[2])
        if max(abs(x - tag.center_mm[0]), abs(y - tag.center_mm[1])) < PRINT.tag_reach * tag.size_mm:
            return True
    return False


def _same_drawing(now: Lab, then: Lab) -> bool:
    now, then = now - now.mean(axis=(0, 1)), then - then.mean(axis=(0, 1))
    both = float(np.sqrt((now**2).sum() * (then**2).sum())) + 1e-6
    return bool((now * then).sum() > PRINT.same_drawing * both)


def _same_ink(seen: Lab, now: Lab, then: Lab, face: Face, trust: Float32) -> bool:
    """Whether the spots taken for pips are in the empty box, too, even if something covers a part."""
    body, way = np.asarray(face.body, np.float32), np.subtract(face.pip, face.body).astype(np.float32)
    gone = seen - body
    along = gone @ way / float(way @ way)
    beside = np.linalg.norm(gone - along[..., None] * way, axis=2)
    steps = np.arange(now.shape[0]) - (now.shape[0] - 1) / 2
    near = np.hypot(steps[:, None], steps[None]) < PRINT.inner * EDGE_PX
    near &= beside < PRINT.beside * float(np.linalg.norm(way))
    ink = near & (along > PRINT.ink_from) & (along < PRINT.ink_to)
    bare = near & (np.abs(along) < PRINT.bare_to)
    # The pose of the box may be a pixel off.
    low, high = cv2.erode(then, np.ones((3, 3), np.uint8)), cv2.dilate(then, np.ones((3, 3), np.uint8))
    same = np.linalg.norm(trust * (now - np.clip(now, low, high)), axis=2) < PRINT.ink_off
    # A white die's black pips are as black as the hole that it fell into, but its body is not.
    return all(bool(part.any()) and float(same[part].mean()) > PRINT.same_ink for part in (ink, bare))
