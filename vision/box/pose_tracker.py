"""Tracks the pose of a dice box: it is found anew only after the box was turned or pushed.

While every tag in view stays in place, lens and pose are kept, and so is every die that lies still.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64
from vision.box.frame_diff import GREEN
from vision.box.pose_fit import register_box
from vision.box.pose_parameters import POSE_FIT
from vision.errors import TagsNotFoundError
from vision.geometry import Registration, register
from vision.imgproc.small_change import share_apart
from vision.layout import CameraModel, Layout, Tag
from vision.sightings import Picture
from vision.tags import find_tags, tag_corners_mm


@dataclass(frozen=True, slots=True)
class _TagSeen:
    """Result of the last search for a tag: the green channel there, its corners, its corners at first."""

    looks: Picture
    at: Float64 | None
    first: Float64 | None

    @property
    def shift(self) -> Float64 | None:
        """Shift of each corner (4, 2) from where it was first seen, in pixels; None while unseen."""
        return None if self.at is None or self.first is None else self.at - self.first


class PoseTracker:
    """The box of one evening: its lens and pose from picture to picture."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._tags: dict[int, _TagSeen] = {}
        self._parts: tuple[Registration, list[tuple[slice, slice]]] | None = None
        self._fit: Registration | None = None
        self._read_fit: Registration | None = None
        self.turned = False
        """Whether the box lay elsewhere in the last picture read than in the one before."""

    def apart(self) -> PoseTracker:
        """Copy the tracker, to track the same box independently."""
        other = copy(self)
        other._tags = dict(self._tags)
        return other

    @property
    def known(self) -> bool:
        """Whether the box was ever found in a picture that was read."""
        return self._read_fit is not None

    def read(self, picture: Picture) -> tuple[Registration, bool]:
        """Find the box in a picture (h, w, 3) BGR to be read; return also whether it was turned or pushed.

        Raises TagsNotFoundError while it cannot be found.
        """
        fit = self._find(picture)
        self.turned = self.known and fit is not self._read_fit
        self._read_fit = fit
        return fit, self.turned

    def footprints(self, picture: Picture) -> list[Float64]:
        """Outlines (4, 2) in pixels of the box with its tiles and their shadows, before and after a turn.

        Empty while the box has not moved since it was last read, or cannot be found.
        """
        if self._read_fit is None:
            return []
        try:
            fit = self._find(picture)
        except TagsNotFoundError:
            return []
        if fit is self._read_fit:
            return []
        w, h = (side / 2 + POSE_FIT.tiles_mm for side in self._layout.size_mm)
        corners = [[-w, -h], [w, -h], [w, h], [-w, h]]
        return [fit.to_px(corners) for fit in (self._read_fit, fit)]

    def covers(self, shape: tuple[int, int]) -> NDArray[np.bool_]:
        """Mask of the box and its walls in a small copy (h, w) of the last picture read; all if unknown."""
        fit = self._read_fit
        if fit is None:
            return np.ones(shape, bool)
        w, h = (side / 2 for side in self._layout.size_mm)
        rim_mm = max((tag.center_mm[2] for tag in self._layout.tags), default=0.0)
        corners = [[-w, -h], [w, -h], [w, h], [-w, h]]
        at = np.concatenate([fit.to_px(corners, z) for z in (0.0, rim_mm)]) * (shape[1] / fit.size_px[0])
        box = np.zeros(shape, np.uint8)
        cv2.fillConvexPoly(box, cv2.convexHull(np.rint(at).astype(np.int32)), (1,))
        return np.asarray(cv2.dilate(box, np.ones((5, 5), np.uint8)) > 0)

    def aside_mm(self, picture: Picture) -> float | None:
        """Distance (mm) by which the camera seems to have moved over the box since its last reading.

        Hands that turn a box leave the camera about where it was over it, and they push it little at a time.
        None where the box is not surely in the picture: one torn from two frames shows tags that fit no box.
        """
        before = self._read_fit
        tags = {} if before is None else find_tags(picture, [tag.id for tag in self._layout.tags])
        seen = [tag for tag in self._layout.tags if tag.id in tags]
        if before is None or len(seen) < 2:
            return None
        try:
            fit = register(picture, self._layout, _lens(before), tags=tags)
        except TagsNotFoundError:
            return None
        corners = [(tags[tag.id], tag_corners_mm(tag)) for tag in seen]
        if max(np.linalg.norm(px - fit.to_px(mm), axis=1).mean() for px, mm in corners) > POSE_FIT.askew_px:
            return None
        (x, y, z), (a, b, c) = fit.camera_mm.tolist(), before.camera_mm.tolist()
        return hypot(hypot(x, y) - hypot(a, b), z - c)

    def lies_so(self, picture: Picture) -> bool:
        """Whether the box lies in another picture as it does in the last one read."""
        fit = self._read_fit
        tags = {} if fit is None else find_tags(picture, [tag.id for tag in self._layout.tags])
        seen = [(tags[tag.id], tag_corners_mm(tag)) for tag in self._layout.tags if tag.id in tags]
        return fit is not None and any(
            float(np.linalg.norm(px - fit.to_px(mm), axis=1).mean()) < POSE_FIT.askew_px for px, mm in seen
        )

    def _find(self, picture: Picture) -> Registration:
        """Find the box: the pose is unchanged while every visible tag is where it was."""
        fit = self._fit
        if fit is None or fit.size_px != (picture.shape[1], picture.shape[0]):
            return self._register(picture, None)
        seen = [self._note_tag(picture, tag, place) for tag, place in self._places(fit)]
        shifts = [shift for tag in seen if tag is not None and (shift := tag.shift) is not None]
        moved = max((float(np.linalg.norm(shift, axis=1).mean()) for shift in shifts), default=0.0)
        nudge = float(np.linalg.norm(np.mean(shifts, axis=(0, 1)))) if shifts else 0.0
        if len(shifts) >= 2 and moved < POSE_FIT.moved_px and nudge < POSE_FIT.nudged_px:
            return fit
        lens = _lens(fit)
        same = self._read_fit is fit
        try:
            now = self._register(picture, lens)
        except TagsNotFoundError:
            if shifts and moved < POSE_FIT.moved_px:  # a tag in view is where it was: the box was not turned
                return fit
            raise
        if len(shifts) >= 2 and moved < POSE_FIT.moved_px and same:
            self._read_fit = now  # the camera gave way slightly; the box has not moved
        return now

    def _register(self, picture: Picture, lens: CameraModel | None) -> Registration:
        """Find the box anew, and note where each tag is really seen, near the place that the fit predicts."""
        self._fit, self._tags = register_box(picture, self._layout, lens), {}
        for tag, place in self._places(self._fit):
            self._note_tag(picture, tag, place)
        return self._fit

    def _places(self, fit: Registration) -> Iterator[tuple[Tag, tuple[slice, slice]]]:
        """Each tag, and the rows and columns of the picture in which the fit puts it."""
        if self._parts is None or self._parts[0] is not fit:
            self._parts = fit, [_place(fit, tag) for tag in self._layout.tags]
        return zip(self._layout.tags, self._parts[1], strict=True)

    def _note_tag(self, picture: Picture, tag: Tag, place: tuple[slice, slice]) -> _TagSeen | None:
        """Look at a tag, searching again only where its place has changed; None beyond the picture.

        Tags whose places were measured badly lie off where the fit predicts them, but always by the same.
        """
        part, origin = picture[place], np.array([place[1].start, place[0].start])
        if min(part.shape[:2], default=0) < POSE_FIT.least_tag_px:
            return None
        known, grey = self._tags.get(tag.id), np.ascontiguousarray(part[..., GREEN])
        if (
            known is not None
            and known.looks.shape == grey.shape
            and share_apart(known.looks, grey) < POSE_FIT.calm
        ):
            return known
        found = find_tags(part, [tag.id]).get(tag.id)
        at = None if found is None else found + origin
        first = at if known is None or known.first is None else known.first
        self._tags[tag.id] = seen = _TagSeen(grey, at, first)
        return seen


def _lens(fit: Registration) -> CameraModel:
    """Extract the lens of a registration, so that it can be kept."""
    middle = float(fit.matrix[0, 2]), float(fit.matrix[1, 2])
    return CameraModel(
        float(fit.matrix[0, 0]), middle, tuple(fit.distortion.tolist()), pixel_aspect=fit.aspect
    )


def _place(fit: Registration, tag: Tag) -> tuple[slice, slice]:
    """Rows and columns of the picture in which a tag lies, with a margin round it."""
    corners = fit.to_px(tag_corners_mm(tag))
    reach = float(np.ptp(corners, axis=0).max()) * POSE_FIT.tag_room
    x0, y0 = np.maximum(np.floor(corners.min(axis=0) - reach), 0).astype(int).tolist()
    x1, y1 = np.ceil(corners.max(axis=0) + reach).astype(int).tolist()
    return slice(y0, max(y0, y1)), slice(x0, max(x0, x1))
