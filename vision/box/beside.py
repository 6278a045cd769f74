"""Dice that landed on the table round the box: faces as seen from above, floor and tiles left out."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box.background import flatten_area, surfaces
from vision.box.dice_set import DiceSet
from vision.box.face_detection import top_faces
from vision.box.in_view import FloorArea
from vision.box.patch_atlas import Cut
from vision.dice.face import Face
from vision.dice.pips import EDGE_PX, to_lab
from vision.dice.views import Views, tiles
from vision.geometry import flatten_px
from vision.rectified import RegisteredPicture


def faces_beside(
    table: RegisteredPicture, dice: DiceSet, area: FloorArea, changed: NDArray[np.bool_] | None = None
) -> Iterator[Face]:
    """Find top faces within an area (mm) of the table, in pixels of its cut-out, `EDGE_PX` per edge.

    `changed` (a small mask of the same view) limits the search, with a margin for a die's face.
    """
    picture, fit, layout = table.picture, table.registration, table.layout
    edge = layout.edge_mm
    z, scale = edge + (layout.outside_z_mm or 0.0), EDGE_PX / edge
    top = flatten_area(picture, fit, area, z, scale)
    for _, (x0, y0, x1, y1), height in surfaces(layout, fit):
        seen = fit.to_px([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], height)
        at = (fit.to_mm(seen, z) - (area[0], area[3])) * (scale, -scale)
        cv2.fillConvexPoly(top, np.rint(at).astype(np.int32), (0, 0, 0))
    if changed is not None:
        top[_from_above(changed, table, area, z, top.shape) == 0] = 0
    views = Views(top)
    for tile in tiles(views, EDGE_PX, views.near(EDGE_PX)):  # one rectangle round the box would be all of it
        x0, y0, x1, y1 = tile.rect
        if min(x1 - x0, y1 - y0) < EDGE_PX:  # a sliver of something that its neighbour holds whole
            continue
        (faces,) = top_faces([Cut(to_lab(np.ascontiguousarray(top[y0:y1, x0:x1])))], dice)
        moved = (face.moved(x0, y0) for face in faces)
        yield from (face for face in moved if tile.owns(face.x, face.y))


def _from_above(
    mask: NDArray[np.bool_], table: RegisteredPicture, area: FloorArea, z: float, shape: tuple[int, ...]
) -> NDArray[np.uint8]:
    """Warp a small mask of the picture to the area's cut-out, grown by half a die."""
    x0, y0, x1, y1 = area
    corners = table.registration.to_px([[x0, y1], [x1, y1], [x1, y0], [x0, y0]], z)
    corners = (corners + 0.5) * (
        mask.shape[1] / table.picture.shape[1],
        mask.shape[0] / table.picture.shape[0],
    ) - 0.5
    flat = flatten_px(mask.astype(np.uint8), corners, (shape[1], shape[0]))
    return np.asarray(cv2.dilate(flat, np.ones((round(EDGE_PX) | 1,) * 2, np.uint8)), np.uint8)
