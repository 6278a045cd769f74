"""Registration of a known table from few tags, assuming that it was pushed and still lies flat.

One tag determines the camera's tilt poorly: a blur of two pixels moves the camera by half a metre. It
determines well how the table was shifted and turned in its own plane.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from vision.arrays import Float64
from vision.errors import TagsNotFoundError
from vision.geometry import Registration, register
from vision.layout import CameraModel, Layout
from vision.sightings import Picture
from vision.tags import find_tags, tag_corners_mm

_PUSHED_PX = 2.5
"""Largest RMS residual of a push at the corners of one tag; above it the camera was moved, too."""
_LEAP_MM = 150.0
"""Largest movement of the camera that two tags alone make credible."""
_TWO_PX, _TWO_TIMES = 1.2, 1.5
"""Largest RMS residual of two tags, and factor over the previous fit's: blurred tags left 2.6 for .4."""


def register_again(
    picture: Picture,
    layout: Layout,
    camera: CameraModel | None,
    previous: Registration,
    tags: Mapping[int, Float64] | None = None,
) -> Registration:
    """Find a known table in a picture (h, w, 3) BGR; `tags` are the result of `find_tags`, if known.

    Raises TagsNotFoundError where the visible tags do not determine the pose.
    """
    found = find_tags(picture, [tag.id for tag in layout.tags]) if tags is None else tags
    seen = {tag.id: (tag_corners_mm(tag), found[tag.id]) for tag in layout.tags if tag.id in found}
    if len(seen) == 1:
        fit = pushed(previous, seen)
        if fit.rms_px > _PUSHED_PX:
            raise TagsNotFoundError("only one tag is in the picture, and no push explains its place")
        return fit
    fit = register(picture, layout, camera, previous, found)
    leapt = float(np.linalg.norm(fit.camera_mm - previous.camera_mm)) > _LEAP_MM
    askew = fit.rms_px > max(_TWO_PX, _TWO_TIMES * previous.rms_px)
    if len(seen) == 2 and (leapt or askew):
        raise TagsNotFoundError("the two tags in the picture do not tell where the camera is")
    return fit


def pushed(previous: Registration, tags: Mapping[int, tuple[Float64, Float64]]) -> Registration:
    """Shift and turn the table of the `previous` registration in its plane so that `tags` fit best.

    Each of `tags` has its corners on the table (4, 3) in millimetres and in the picture (4, 2) in pixels.
    `rms_px` of the result is the fit's RMS residual.
    """
    world = np.concatenate([mm for mm, _ in tags.values()])
    pixels = np.concatenate([px for _, px in tags.values()])
    seen_mm = np.concatenate([previous.to_mm(px, float(mm[0, 2])) for mm, px in tags.values()])
    middle, seen_middle = world[:, :2].mean(axis=0), seen_mm.mean(axis=0)
    u, _, vt = np.linalg.svd((world[:, :2] - middle).T @ (seen_mm - seen_middle))
    turn = np.eye(3)
    turn[:2, :2] = vt.T @ np.diag([1.0, np.linalg.det(vt.T @ u.T)]) @ u.T
    shift = np.append(seen_middle - turn[:2, :2] @ middle, 0.0)
    rotation = previous.rotation @ turn
    vector, _ = cv2.Rodrigues(rotation)
    moved = replace(
        previous,
        rotation=rotation,
        rotation_vector=np.asarray(vector, np.float64).ravel(),
        shift_mm=previous.rotation @ shift + previous.shift_mm,
        tags=tuple(sorted(tags)),
    )
    left = moved.to_px(world) - pixels
    return replace(moved, rms_px=float(np.sqrt((left**2).sum(axis=1).mean())))
