"""The pose of the dice box: its tags sit on the rim, the dice lie on the floor below.

Tags in one plane under an almost vertical camera hardly constrain the lens' focal length, and a wrong one
puts the floor at the wrong depth. The printed zone lines lie on the floor: the right focal length is the
one that puts them on edges of the picture. Then tags and lines are fitted together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64
from vision.box.pose_parameters import POSE_FIT
from vision.geometry import ASPECT_SPREAD, BEND_SPREAD, CORNER_ERROR_PX, Registration, check_tags, register
from vision.layout import CameraModel, Layout, Point, Zone
from vision.sightings import Picture
from vision.tags import find_tags, tag_corners_mm

_ROOM_PX = 24
"""Margin round the lines in which edges are sought: the distance by which a fit may still move."""
_UNKNOWN = 9
"""Number of all camera parameters that may be fitted: see `_unknown`."""
_FOCALS = np.geomspace(0.55, 2.2, 19)
"""Focal lengths, over the picture's width, that are tried first on the floor's lines."""


def register_box(picture: Picture, layout: Layout, camera: CameraModel | None = None) -> Registration:
    """Find a dice box in a picture (h, w, 3) BGR: pose and, where `camera` leaves it open, the lens.

    Raises TagsNotFoundError as `register` does, and where no camera fits both tags and floor. Without zones
    in the layout, the tags decide alone.
    """
    lens = camera or layout.camera or CameraModel()
    lines = _zone_lines(layout.zones, layout.size_mm, POSE_FIT.step_mm)
    tags = find_tags(picture, [tag.id for tag in layout.tags])
    best = register(picture, layout, lens, tags=tags)
    if len(lines) < POSE_FIT.least_lines:
        return best
    corners = _corners(tags, layout)
    tried = [best]
    if lens.f_px is None:
        tried = [_with_focal(best, corners, float(focal)) for focal in _FOCALS]
    slope = Slopes.near(picture, np.concatenate([fit.to_px(lines[:, :2]) for fit in tried]))
    if len(tried) > 1:
        best = max(tried, key=lambda fit: _on_edges(slope, fit, lines))
    start, seen = best, (corners, slope, lines)
    best = _settled(start, seen, _unknown(lens, start))
    width = picture.shape[1]
    # Most lenses have little distortion and square pixels, so both are freed only where the fit is poor.
    if lens.f_px is None and best.rms_px > POSE_FIT.askew_share * width:
        free = min((_settled(fit, seen, _UNKNOWN) for fit in (start, best)), key=lambda fit: fit.rms_px)
        if free.rms_px * POSE_FIT.lens_times < best.rms_px:
            best = free
    check_tags(best.rms_px, max(POSE_FIT.believable_px, POSE_FIT.believable_share * width))
    return best


def _unknown(lens: CameraModel, fit: Registration) -> int:
    """How many of rotation and shift (6), log focal length, log aspect and first radial term are fitted."""
    if lens.f_px is not None:
        return 6
    return 7 if fit.aspect == 1.0 else 8


def _settled(
    fit: Registration, seen: tuple[tuple[Float64, Float64], Slopes, Float64], unknown: int
) -> Registration:
    """Fit the camera to what is `seen`: the tags' corners, the picture's edges and the floor's lines.

    `fit` is the initial guess; `unknown` is a number of parameters as in `_unknown`.
    """
    corners, slope, lines = seen
    for _ in range(POSE_FIT.rounds):
        found = _snap(slope, fit, lines)
        if len(found[0]) < POSE_FIT.least_lines:
            break
        fit = _step(fit, corners, found, unknown)
    left = fit.to_px(corners[0]) - corners[1]
    return replace(fit, rms_px=float(np.sqrt((left**2).sum(axis=1).mean())))


def _corners(tags: Mapping[int, Float64], layout: Layout) -> tuple[Float64, Float64]:
    """The corners of the layout's tags that are in view: in millimetres (n, 3) and in pixels (n, 2)."""
    seen = [tag for tag in layout.tags if tag.id in tags]
    world = np.concatenate([tag_corners_mm(tag) for tag in seen])
    return world, np.concatenate([tags[tag.id] for tag in seen])


def _step(
    fit: Registration,
    corners: tuple[Float64, Float64],
    lines: tuple[Float64, Float64, Float64],
    unknown: int,
) -> Registration:
    """Take one Levenberg-Marquardt step towards the seen corners and lines.

    `unknown` is a number of parameters as in `_unknown`. A tag's corner is known in both directions, a point
    of a line only across the line.
    """
    rest, rows = _misfit(fit, corners, lines)
    # Huber weights, so that shadows and dice pull only a little.
    weight = 1 / np.maximum(1.0, np.abs(rest) / POSE_FIT.huber)
    before = float((weight * rest**2).sum())
    rows[:, unknown:] = 0
    normal = (rows * weight[:, None]).T @ rows + np.diag(np.arange(rows.shape[1]) >= unknown)
    damping = 1e-6
    while damping < 1e4:
        move = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), (rows * weight[:, None]).T @ rest)
        moved = _moved(fit, np.asarray(move, np.float64))
        after, _ = _misfit(moved, corners, lines)
        if float((weight * after**2).sum()) < before:
            return moved
        damping *= 10
    return fit


def _misfit(
    fit: Registration, corners: tuple[Float64, Float64], lines: tuple[Float64, Float64, Float64]
) -> tuple[Float64, Float64]:
    """Residuals in units of their errors, and their Jacobian (n, 9) by rotation, shift and lens.

    The lens is its log focal length, log aspect and first radial term; the last two have priors at 0.
    """
    world = np.concatenate([corners[0], lines[0]])
    at, jacobian = cv2.projectPoints(world, fit.rotation_vector, fit.shift_mm, fit.matrix, fit.distortion)
    pixels = np.asarray(at, np.float64).reshape(-1, 2)
    slopes = np.asarray(jacobian, np.float64).reshape(len(world), 2, -1)
    form = fit.matrix[1, 1] * slopes[..., 7:8]
    focal = fit.matrix[0, 0] * slopes[..., 6:7] + form
    slopes = np.concatenate([slopes[..., :6], focal, form, slopes[..., 10:11]], axis=-1)
    held = np.array([np.log(fit.aspect) / ASPECT_SPREAD, fit.distortion[0] / BEND_SPREAD])
    n, across = len(corners[0]), lines[2]
    rest = [
        ((corners[1] - pixels[:n]) / CORNER_ERROR_PX).ravel(),
        ((lines[1] - pixels[n:]) * across).sum(axis=1) / POSE_FIT.line_px,
        -held,
    ]
    rows = [
        slopes[:n].reshape(2 * n, _UNKNOWN) / CORNER_ERROR_PX,
        (slopes[n:] * across[..., None]).sum(axis=1) / POSE_FIT.line_px,
        np.eye(_UNKNOWN)[7:] / ((ASPECT_SPREAD,), (BEND_SPREAD,)),
    ]
    return np.concatenate(rest), np.concatenate(rows)


def _moved(fit: Registration, move: Float64) -> Registration:
    """Apply a step in rotation, shift, log focal length, log aspect and first radial term."""
    matrix, distortion = fit.matrix.copy(), fit.distortion.copy()
    zoom, form = np.exp(np.clip(move[6:8], -POSE_FIT.most_zoom, POSE_FIT.most_zoom))
    matrix[0, 0] *= zoom
    matrix[1, 1] *= zoom * form
    distortion[0] += move[8]
    turn = fit.rotation_vector + move[:3]
    rotation, _ = cv2.Rodrigues(turn)
    return replace(
        fit,
        matrix=matrix,
        distortion=distortion,
        rotation=np.asarray(rotation, np.float64),
        rotation_vector=turn,
        shift_mm=fit.shift_mm + move[3:6],
    )


def _with_focal(fit: Registration, corners: tuple[Float64, Float64], focal: float) -> Registration:
    """Solve the pose from the tags for a lens without distortion, `focal` in picture widths."""
    world, pixels = corners
    matrix, straight = fit.matrix.copy(), np.zeros(5)
    matrix[0, 0] = focal * fit.size_px[0]
    matrix[1, 1] = fit.aspect * matrix[0, 0]
    # The planar solver needs its plane at z = 0: lift it there and back.
    lift = np.array([0.0, 0.0, world[:, 2].mean()])
    _, turn, shift = cv2.solvePnP(world - lift, pixels, matrix, straight, flags=cv2.SOLVEPNP_IPPE)
    turn, shift = cv2.solvePnPRefineLM(world - lift, pixels, matrix, straight, turn, shift)
    rotation, _ = cv2.Rodrigues(turn)
    return replace(
        fit,
        matrix=matrix,
        distortion=straight,
        rotation=np.asarray(rotation, np.float64),
        rotation_vector=np.asarray(turn, np.float64).ravel(),
        shift_mm=np.asarray(shift, np.float64).ravel() - rotation @ lift,
    )


@lru_cache(maxsize=8)
def _zone_lines(zones: tuple[Zone, ...], size_mm: Point, step_mm: float) -> Float64:
    """Points every `step_mm` along the zones' borders on the floor, with normals: rows x, y, nx, ny.

    The field's outer rim is left out, because the box's walls stand there. Seams without a printed line are
    harmless: they find no edge.
    """
    rows = []
    sides = [
        (a, b)
        for zone in zones
        for a, b in zip(
            np.asarray(zone.polygon_mm), np.roll(np.asarray(zone.polygon_mm), -1, axis=0), strict=True
        )
    ]
    for a, b in sides:
        length = float(np.hypot(*(b - a)))
        outer = any(np.isclose(abs(a[k]), size_mm[k] / 2) and np.isclose(a[k], b[k]) for k in (0, 1))
        if outer or length < 1e-6:
            continue
        along = (b - a) / length
        count = max(1, int(length / step_mm))
        steps = (np.arange(count) + 0.5) / count
        for s in steps:
            x, y = a + s * (b - a)
            rows.append((x, y, -along[1], along[0]))
    lines = np.array(rows, np.float64).reshape(-1, 4)
    lines.setflags(write=False)
    return lines


@dataclass(frozen=True, slots=True)
class Slopes:
    """Gradient of a part of the picture along x and y, each (h, w, 3) CIELAB; its first pixel (x, y)."""

    along_x: NDArray[np.float32]
    along_y: NDArray[np.float32]
    first: tuple[int, int]

    @classmethod
    def near(cls, picture: Picture, places: Float64) -> Slopes:
        """Gradient of the lightly smoothed picture, in the rectangle round all `places` (n, 2) in pixels."""
        h, w = picture.shape[:2]
        x0, y0 = np.clip(np.floor(places.min(axis=0)) - _ROOM_PX, 0, (w - 2, h - 2)).astype(int).tolist()
        x1, y1 = (
            np.clip(np.ceil(places.max(axis=0)) + _ROOM_PX, (x0 + 2, y0 + 2), (w, h)).astype(int).tolist()
        )
        eight = cv2.cvtColor(picture[y0:y1, x0:x1], cv2.COLOR_BGR2LAB)
        lab = cv2.GaussianBlur(eight.astype(np.float32), (0, 0), POSE_FIT.smooth_px)
        x, y = (cv2.Scharr(lab, cv2.CV_32F, dx, 1 - dx, scale=1 / 32) for dx in (1, 0))
        return cls(np.asarray(x, np.float32), np.asarray(y, np.float32), (x0, y0))

    def across(self, places: Float64, normals: Float64) -> Float64:
        """Edge strength (n, k) along the `normals` (n, 2) at each of the `places` (n, k, 2)."""
        h, w = self.along_x.shape[:2]
        x = np.rint(places[..., 0] - self.first[0]).astype(np.intp).clip(0, w - 1)
        y = np.rint(places[..., 1] - self.first[1]).astype(np.intp).clip(0, h - 1)
        at = (y * w + x).ravel()
        both = (
            slope.reshape(-1, 3).take(at, axis=0).reshape(*x.shape, 3)
            for slope in (self.along_x, self.along_y)
        )
        right, down = (values * normals[:, k, None, None] for k, values in enumerate(both))
        far = right + down
        return np.asarray(np.sqrt(np.einsum("nkc,nkc->nk", far, far)), np.float64)


def _profiles(
    slope: Slopes, fit: Registration, lines: Float64, reach: int
) -> tuple[Float64, Float64, Float64]:
    """Edge strength across each line (n, 2 reach + 1), the lines' pixels, and their normals in pixels."""
    at = fit.to_px(lines[:, :2])
    normal = fit.to_px(lines[:, :2] + lines[:, 2:]) - at
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    offsets = np.arange(-reach, reach + 1)
    return slope.across(at[:, None] + offsets[None, :, None] * normal[:, None], normal), at, normal


def _on_edges(slope: Slopes, fit: Registration, lines: Float64) -> float:
    """How well the floor's lines fall on edges: mean edge strength, each capped at `POSE_FIT.strong`."""
    across, _, _ = _profiles(slope, fit, lines, 1)
    return float(np.minimum(across.max(axis=1), POSE_FIT.strong).mean())


def _snap(slope: Slopes, fit: Registration, lines: Float64) -> tuple[Float64, Float64, Float64]:
    """Snap lines to the picture's edges: floor points (n, 3), pixels of their edges and normals (n, 2)."""
    reach = POSE_FIT.reach_px
    across, at, normal = _profiles(slope, fit, lines, reach)
    best = across.argmax(axis=1)
    rows = np.arange(len(across))
    strong = (across[rows, best] > POSE_FIT.least_edge) & (best > 0) & (best < 2 * reach)
    left, middle, right = (across[rows, (best + d).clip(0, 2 * reach)] for d in (-1, 0, 1))
    dip = left - 2 * middle + right
    fine = np.where(dip < 0, 0.5 * (left - right) / np.where(dip < 0, dip, -1.0), 0.0).clip(-0.5, 0.5)
    shift = best - reach + fine
    world = np.column_stack([lines[strong, :2], np.zeros(int(strong.sum()))])
    return world, at[strong] + shift[strong, None] * normal[strong], normal[strong]
