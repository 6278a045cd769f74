"""Where a card lies, by its print: seams of white on white mislead an outline but not the print."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.arrays import Float64
from vision.cards.outline import box_corners, order_corners
from vision.cards.reading import Reading
from vision.cards.recognition import FACE_PX, REACH_PX, Faces
from vision.cards.rectangle import Box
from vision.geometry import flatten_px
from vision.rectified import Plan
from vision.sightings import Picture


def seek_print(picture: Picture, plan: Plan, box: Box, faces: Faces) -> Box | None:
    """The rectangle (plan pixels) moved to where a face's print lies; None if it is already in place."""
    wide = (box.size[0] * (1 + 2 * REACH_PX / FACE_PX[0]), box.size[1] * (1 + 2 * REACH_PX / FACE_PX[1]))
    outer = box_corners(box.middle, wide, box.angle)
    corners_px = order_corners(plan.registration.to_px(plan.to_mm(outer)))
    size = (FACE_PX[0] + 2 * REACH_PX, FACE_PX[1] + 2 * REACH_PX)
    shift = faces.seek(flatten_px(picture, corners_px, size))
    if shift == (0.0, 0.0):
        return None
    return _shifted(plan, box, corners_px, size, shift)


def follow_print(plan: Plan, box: Box, reading: Reading) -> Box:
    """The rectangle (plan pixels) moved and turned to where the print of its reading was found."""
    corners_px = order_corners(plan.registration.to_px(plan.to_mm(box.corners)))
    moved = _shifted(plan, box, corners_px, FACE_PX, reading.shift_px)
    return replace(moved, angle=box.angle + reading.turn_rad)


def _shifted(
    plan: Plan, box: Box, corners_px: Float64, size: tuple[int, int], shift: tuple[float, float]
) -> Box:
    """The rectangle moved by `shift` pixels of the cut-out made at `corners_px` (4, 2) in that size."""
    # The cut-out's axes as they lie in the plan.
    flat = plan.to_px(plan.registration.to_mm(corners_px))
    right, down = (flat[1] - flat[0]) / size[0], (flat[3] - flat[0]) / size[1]
    middle = np.array(box.middle) + right * shift[0] + down * shift[1]
    return replace(box, middle=(float(middle[0]), float(middle[1])))
