"""Where the table lies in the picture: printed tags to a camera pose, pixels to millimetres and back.

A mat's tags all lie at z = 0 and determine its plane (a homography) exactly, whatever the focal length.
An unmeasured focal length matters only for things that have height (a die's top, a box's rim); it is
fitted together with the pose, with a loose prior at the usual focal length of table cameras. Model: pinhole
with OpenCV's distortion terms (Zhang 2000; Brown 1966).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Float64
from vision.errors import LensError, TagsNotFoundError
from vision.layout import CameraModel, Layout, Tag
from vision.sightings import Picture
from vision.tags import find_tags, tag_corners_mm

USUAL_FOCAL = 0.95
"""Focal length of a usual table camera in picture widths (about 56 degrees across)."""
FOCAL_SPREAD = 0.25
"""Standard deviation of an unmeasured focal length, in natural logarithms."""
BEND_SPREAD = 0.12
"""Standard deviation about zero of the first radial distortion term of an unmeasured lens."""
ASPECT_SPREAD = 0.1
"""Standard deviation of the pixels' aspect ratio about 1, in natural logarithms."""
CORNER_ERROR_PX = 0.4
"""Typical error of a tag's corner in the sub-pixel corner search."""

_OFF_MIDDLE = 0.1
"""Largest distance of the principal point from the middle of the picture, in half widths."""
_SIZES = (1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 4 / 3, 3 / 2, 2.0, 3.0, 4.0)
"""Ratios of a camera's picture sizes of one aspect ratio: 1280, 1920, 2560, 3840 pixels across."""

_ASKEW = 0.0008
"""Residual of the tags, in picture widths, above which non-square pixels are tried."""
_SQUARE_TIMES = 2.0
"""Factor by which non-square pixels must lower the residual to be believed."""
_FAR_FOCAL, _MOST_OBLONG = 1.5, 0.7
"""Largest distance, in natural logarithms, of a fit from the usual focal length and from square pixels."""
_LEAST_OBLONG = 0.012
"""Least logarithm of a non-square aspect ratio; nearer to 1, badly measured tags would explain as much."""
_ASPECTS = (1.0, 3 / 4, 4 / 3)
"""Start values of the pixels' aspect ratio in a fit: square, 4:3 shown as 16:9, 16:9 as 4:3."""
_BELIEVABLE_PX = 4.0
"""Largest RMS residual of tags that lie where the table file says (or 0.6 % of the width, if larger)."""


@dataclass(frozen=True, slots=True)
class Registration:
    """One fitted camera over one table: lens and pose.

    `matrix` (3, 3) pixels, `distortion` (5,) OpenCV's k1 k2 p1 p2 k3, `rotation` (3, 3) and `shift_mm`
    (3,) take table millimetres into the camera's frame. `rms_px` is the fit's RMS residual at the tags'
    corners, `tags` the ids that were seen, `focal_known` whether the focal length was measured.
    """

    matrix: Float64
    distortion: Float64
    rotation: Float64
    shift_mm: Float64
    rms_px: float
    tags: tuple[int, ...]
    focal_known: bool
    size_px: tuple[int, int]
    rotation_vector: Float64 = field(repr=False)

    @property
    def camera_mm(self) -> Float64:
        """Position of the camera's centre in table millimetres, shape (3,)."""
        return np.asarray(-self.rotation.T @ self.shift_mm, dtype=np.float64)

    @property
    def aspect(self) -> float:
        """Width of a pixel over its height."""
        return float(self.matrix[1, 1] / self.matrix[0, 0])

    def to_px(self, points_mm: ArrayLike, z_mm: float = 0.0) -> Float64:
        """Pixels (n, 2) of table points (n, 2) at height `z_mm`, or of (n, 3) with their own heights."""
        points = np.asarray(points_mm, dtype=np.float64)
        points = points.reshape(-1, points.shape[-1])
        if points.shape[1] == 2:
            points = np.column_stack([points, np.full(len(points), float(z_mm))])
        pixels, _ = cv2.projectPoints(
            points, self.rotation_vector, self.shift_mm, self.matrix, self.distortion
        )
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def to_mm(self, points_px: ArrayLike, z_mm: float = 0.0) -> Float64:
        """Table millimetres (n, 2) where the camera rays of pixels (n, 2) meet the plane at `z_mm`."""
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        flat = np.asarray(cv2.undistortPoints(points, self.matrix, self.distortion)).reshape(-1, 2)
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self.rotation  # rows: rotation.T @ ray
        eye = self.camera_mm
        steps = (z_mm - eye[2]) / rays[:, 2]
        return np.asarray(eye[:2] + rays[:, :2] * steps[:, None], dtype=np.float64)

    def px_per_mm(self, place_mm: ArrayLike = (0.0, 0.0), z_mm: float = 0.0) -> float:
        """Scale of the picture at a table point, in pixels per millimetre."""
        x, y = np.asarray(place_mm, dtype=np.float64)[:2]
        a, b, c = self.to_px([[x, y], [x + 10, y], [x, y + 10]], z_mm)
        (ux, uy), (vx, vy) = b - a, c - a
        return math.sqrt(abs(ux * vy - uy * vx)) / 10

    def flatten(
        self, picture: Picture, corners_mm: ArrayLike, size_px: tuple[int, int], z_mm: float = 0.0
    ) -> Picture:
        """The quadrilateral `corners_mm` (4, 2) rectified, as (height, width, 3) BGR.

        `size_px` is (width, height); the first corner goes to the upper left, the others follow clockwise.
        """
        return flatten_px(picture, self.to_px(corners_mm, z_mm), size_px)


def flatten_px(picture: Picture, corners_px: ArrayLike, size_px: tuple[int, int]) -> Picture:
    """As `Registration.flatten`, from corners (4, 2) in pixels: for pictures without a table."""
    width, height = size_px
    goal = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(np.asarray(corners_px, dtype=np.float32), goal)
    return np.asarray(cv2.warpPerspective(picture, warp, size_px, flags=cv2.INTER_LINEAR), dtype=np.uint8)


def register(
    picture: Picture,
    layout: Layout,
    camera: CameraModel | None = None,
    previous: Registration | None = None,
    tags: Mapping[int, Float64] | None = None,
) -> Registration:
    """Find the table in a picture (h, w, 3) BGR.

    `camera` (or the layout's own) fixes what is known of the lens. With `previous`, its lens is kept
    (where few tags are seen, call `pushed.register_again`). `tags` are the result of `find_tags` for this
    picture, for callers that have it. Where a mat's tags cannot be seen, the corners that a person has marked
    are used (`CameraModel.corners`).
    Raises TagsNotFoundError, LensError.
    """
    known = {tag.id: tag for tag in layout.tags}
    found = find_tags(picture, known) if tags is None else tags
    seen = [known[id_] for id_ in sorted(found) if id_ in known]
    height, width = picture.shape[:2]
    said = camera or layout.camera or CameraModel()
    by_corners = len(seen) < 2 and bool(said.corners) and layout.kind == "mat" and not previous
    if by_corners:
        seen = []
    elif len(seen) < 2:
        raise _too_few(picture, known, found)
    if by_corners:
        world = np.column_stack([corners_mm(layout), np.zeros(4)])
        pixels = np.asarray(said.corners, np.float64) * (width, height)
    else:
        world = np.concatenate([tag_corners_mm(tag) for tag in seen])
        pixels = np.concatenate([found[tag.id] for tag in seen])
    lens = lens_for(said, (width, height))
    if previous is not None:
        matrix, distortion, free = previous.matrix, previous.distortion, (False, False)
    else:
        matrix, distortion, free = first_lens(lens, width, height)
    fitted = _refine(world, pixels, (matrix, distortion), free)
    if free[0] and fitted[3] > _ASKEW * width and len(seen) > 2:
        other = _with_oblong_pixels(world, pixels, (matrix, distortion), free)
        oblong = abs(math.log(other[0][1, 1] / other[0][0, 0])) > _LEAST_OBLONG
        fitted = other if oblong and _SQUARE_TIMES * other[3] < fitted[3] else fitted
    matrix, distortion, pose, rms = fitted
    check_tags(rms, max(_BELIEVABLE_PX, 0.006 * width))
    rotation, _ = cv2.Rodrigues(pose[:3])
    return Registration(
        matrix=matrix,
        distortion=distortion,
        rotation=np.asarray(rotation, dtype=np.float64),
        shift_mm=pose[3:].copy(),
        rms_px=rms,
        tags=tuple(tag.id for tag in seen),
        focal_known=lens.f_px is not None or bool(previous and previous.focal_known),
        size_px=(width, height),
        rotation_vector=pose[:3].copy(),
    )


def _too_few(picture: Picture, known: Mapping[int, Tag], found: Mapping[int, Float64]) -> TagsNotFoundError:
    """The error for a table with too few visible tags; it says whether the picture is mirrored."""
    if not found and len(find_tags(np.ascontiguousarray(picture[:, ::-1]), known)) > 1:
        return _mirrored()
    wanted = ", ".join(str(id_) for id_ in sorted(known)) or "none"
    have = ", ".join(str(id_) for id_ in sorted(found)) or "none"
    seen = ", ".join(str(id_) for id_ in sorted(found) if id_ in known)
    return TagsNotFoundError(
        f"too few of the table's tags are in the picture: the table file names {wanted}, seen: {have};"
        " uncover the tags, add light, or use the table file that belongs to this mat",
        "tags.few" if seen else "tags.none",
        wanted=wanted,
        seen=seen,
    )


def check_tags(rms_px: float, most_px: float) -> None:
    """Raise TagsNotFoundError where the tags' RMS residual `rms_px` exceeds `most_px`."""
    if rms_px > most_px:
        raise TagsNotFoundError(
            f"the tags are not where the table file says ({rms_px:.1f} pixels off on average);"
            " use the table file that belongs to this mat, or measure the tags again",
            "tags.elsewhere",
        )


def corners_mm(layout: Layout) -> Float64:
    """The table's corners (4, 2) in millimetres: upper left as the camera sees it, then clockwise."""
    x, y = (side / 2 for side in layout.size_mm)
    return np.array([[-x, y], [x, y], [x, -y], [-x, -y]])


def lens_for(lens: CameraModel, size_px: tuple[int, int]) -> CameraModel:
    """Scale the lens to pictures of `size_px` (width, height) if it was measured in larger or smaller ones.

    The principal point lies near the middle of the pictures in which the lens was measured, and so implies
    their size; a lens without one is returned unchanged. Raises LensError for another aspect ratio.
    """
    if lens.center_px is None:
        return lens
    across, down = (size / (2 * middle + 1) for size, middle in zip(size_px, lens.center_px, strict=True))
    if max(abs(1 / across - 1), abs(1 / down - 1)) < _OFF_MIDDLE:
        return lens
    scale = min(_SIZES, key=lambda size: abs(size / across - 1) + abs(size / down - 1))
    if max(abs(scale / across - 1), abs(scale / down - 1)) > _OFF_MIDDLE / 2:
        was = " x ".join(f"{2 * middle + 1:.0f}" for middle in lens.center_px)
        raise LensError(
            f"[camera] in the table file was measured in pictures of about {was} pixels, but these have"
            f" {size_px[0]} x {size_px[1]}: set the camera to that size, or calibrate it again in this one",
            "lens.size",
            was=was,
            now=f"{size_px[0]} x {size_px[1]}",
        )
    x, y = (scale * (middle + 0.5) - 0.5 for middle in lens.center_px)
    return replace(lens, f_px=lens.f_px and scale * lens.f_px, center_px=(x, y))


def first_lens(lens: CameraModel, width: int, height: int) -> tuple[Float64, Float64, tuple[bool, bool]]:
    """Start values of matrix and distortion, and whether (focal length, radial term) are free to fit."""
    focal = lens.f_px or USUAL_FOCAL * width
    # OpenCV's coordinates refer to pixel centres, so the picture's middle is half a pixel below width / 2.
    x, y = lens.center_px or ((width - 1) / 2, (height - 1) / 2)
    matrix = np.array([[focal, 0, x], [0, focal * lens.pixel_aspect, y], [0, 0, 1]], dtype=np.float64)
    distortion = np.zeros(max(5, len(lens.distortion)))
    distortion[: len(lens.distortion)] = lens.distortion
    return matrix, distortion, (lens.f_px is None, lens.f_px is None and not lens.distortion)


def _first_pose(world: Float64, pixels: Float64, matrix: Float64, distortion: Float64) -> Float64:
    """A rough pose (6,): of the two that a planar target allows, the one that looks down on the table."""
    best, best_error = np.zeros(6), math.inf
    flat = np.ptp(world[:, 2]) < 1e-6
    # The planar solver needs its plane at z = 0: shift it there, and the pose back.
    lift = np.array([0, 0, world[0, 2]]) if flat else np.zeros(3)
    method = cv2.SOLVEPNP_IPPE if flat else cv2.SOLVEPNP_SQPNP
    _, turns, shifts, _ = cv2.solvePnPGeneric(
        world - lift, pixels.reshape(-1, 1, 2), matrix, distortion, flags=method
    )
    for turn, shift in zip(turns, shifts, strict=True):
        rotation, _ = cv2.Rodrigues(np.asarray(turn))
        shift = np.asarray(shift).ravel() - rotation @ lift
        if (-rotation.T @ shift)[2] <= 0:
            continue
        pose = np.concatenate([np.asarray(turn).ravel(), shift])
        error = float(((project(world, matrix, distortion, pose) - pixels) ** 2).sum())
        if error < best_error:
            best, best_error = pose, error
    if not math.isfinite(best_error):
        raise _mirrored()
    return best


def _mirrored() -> TagsNotFoundError:
    text = "the tags are seen mirrored or from below; turn mirroring off in the camera's settings"
    return TagsNotFoundError(text, "tags.mirrored")


def project(world: Float64, matrix: Float64, distortion: Float64, pose: Float64) -> Float64:
    """Pixels (n, 2) of points (n, 3) in millimetres; `pose` (6,) is rotation vector and translation."""
    pixels, _ = cv2.projectPoints(world, pose[:3], pose[3:], matrix, distortion)
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


def _with_oblong_pixels(
    world: Float64,
    pixels: Float64,
    first: tuple[Float64, Float64],
    free: tuple[bool, bool],
) -> tuple[Float64, Float64, Float64, float]:
    """As `_refine`, for a camera whose driver squeezed or stretched the picture; `first` has square pixels.

    A squeezed picture of a plane resembles one taken from afar at a slant, so several start values are tried.
    """
    fits = []
    for aspect in _ASPECTS:
        matrix = first[0].copy()
        matrix[1, 1] = aspect * matrix[0, 0]
        fits.append(_refine(world, pixels, (matrix, first[1]), (*free, True)))
    return min(fits, key=lambda fit: fit[3])


def _refine(
    world: Float64,
    pixels: Float64,
    first: tuple[Float64, Float64],
    free: tuple[bool, ...],
) -> tuple[Float64, Float64, Float64, float]:
    """Levenberg-Marquardt over pose and, where free, log focal length, first radial term, pixel aspect.

    Returns matrix, distortion, pose (6,) and the corners' RMS residual in pixels.
    """
    matrix, distortion = first
    focal0, aspect0 = matrix[0, 0], matrix[1, 1] / matrix[0, 0]
    oblong = len(free) > 2 and free[2]

    def lens(p: Float64) -> tuple[Float64, Float64]:
        m, d = matrix.copy(), distortion.copy()
        if free[0]:
            m[0, 0] = focal0 * math.exp(np.clip(p[6], -_FAR_FOCAL, _FAR_FOCAL))
        m[1, 1] = m[0, 0] * (math.exp(np.clip(p[8], -_MOST_OBLONG, _MOST_OBLONG)) if oblong else aspect0)
        if free[1]:
            d[0] = p[7]
        return m, d

    def misfit(p: Float64) -> Float64:
        m, d = lens(p)
        rest = (project(world, m, d, p[:6]) - pixels).ravel() / CORNER_ERROR_PX
        return np.concatenate([rest, [p[6] / FOCAL_SPREAD, p[7] / BEND_SPREAD, p[8] / ASPECT_SPREAD]])

    steps = np.array([1e-5, 1e-5, 1e-5, 1e-3, 1e-3, 1e-3, 1e-5, 1e-5, 1e-5])
    start = math.log(aspect0) if oblong else 0.0
    p = np.concatenate([_first_pose(world, pixels, matrix, distortion), [0.0, 0.0, start]])
    p = descend(misfit, p, steps)
    m, d = lens(p)
    left = project(world, m, d, p[:6]) - pixels
    return m, d, p[:6], float(np.sqrt((left**2).sum(axis=1).mean()))


def descend(misfit: Callable[[Float64], Float64], start: Float64, steps: Float64) -> Float64:
    """Levenberg-Marquardt: the parameters near `start` that minimise the sum of squares of `misfit`.

    `steps` are the parameters' steps for the numerical derivative.
    """
    p, rest, damping = start, misfit(start), 1e-3
    each = np.diag(steps)
    for _ in range(60):
        slope = np.column_stack([(misfit(p + each[i]) - rest) / h for i, h in enumerate(steps)])
        normal = slope.T @ slope
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -slope.T @ rest)
        after = misfit(p + step)
        gain = float(rest @ rest - after @ after)
        if gain > 0:
            p, rest, damping = p + step, after, max(damping / 5, 1e-9)
            if gain < 1e-8 * float(rest @ rest + 1e-12):
                break
        else:
            damping *= 8
            if damping > 1e8:
                break
    return p
