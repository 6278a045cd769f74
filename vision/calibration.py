"""A camera's lens from pictures of a flat ChArUco sheet: focal length, principal point and distortion.

Zhang (2000): each picture of a plane at a new angle constrains the lens further. Pictures from one angle do
not constrain the focal length, however many there are, and are refused. Model and signs are OpenCV's, as in
`vision.geometry`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Float32, Float64
from vision.errors import VisionError
from vision.layout import CameraModel
from vision.sightings import Picture

LEAST_VIEWS = 4
"""Least number of views: three determine the model, the fourth can contradict it."""
LEAST_CORNERS = 8
"""Least number of the sheet's corners in a picture; fewer do not determine its tilt well enough."""
LEAST_TILT_DEG = 12.0
"""Angle by which the sheet's plane must differ between at least two of the pictures."""
WORST_FOCAL_ERROR = 0.01
"""Largest accepted uncertainty of the focal length (one standard deviation, as a share of it)."""

LEAST_REACH = 0.5
"""Least reach of the corners, as a share of the way to the picture's corner: beyond the outermost corner
the distortion is fitted to noise, and errs by centimetres on a mat that fills the picture."""
GOOD_REACH = 0.7
"""Reach below which the lens is still returned, but is extrapolated towards the picture's corners."""

_SAME_PX = 1.0
"""Mean distance of the corners up to which one picture merely repeats another."""
_SQUEEZED = 0.02
"""Deviation of the pixel aspect ratio from 1 above which the pictures count as squeezed."""
_SURE = 5.0
"""Standard deviations by which the pixel aspect ratio must differ from 1 to be believed."""
_UNCLEAN_PX = 0.5
"""RMS residual at the corners above which the pictures are tested for having been squeezed."""

_OUTLYING = 5.0
"""Factor over the median residual above which a corner is an outlier: blur, glare, a finger."""
_EARNED = 3.0
"""Standard deviations by which the third radial term must differ from zero to be used."""


DICTIONARIES: tuple[str, ...] = tuple(sorted(name for name in dir(cv2.aruco) if name.startswith("DICT_")))
"""OpenCV's names of the ArUco dictionaries that a sheet may use."""


class CalibrationError(VisionError):
    """The pictures do not determine a lens; the text says why and what to do."""


def no_dictionary(name: str) -> str:
    """The message for a dictionary that OpenCV does not have, with those that it has."""
    return f"{name!r} is not a dictionary of ArUco markers; choose one of {', '.join(DICTIONARIES)}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A ChArUco sheet: its (columns, rows) of squares, edges in millimetres, OpenCV's dictionary name."""

    squares: tuple[int, int]
    square_mm: float
    marker_mm: float
    dictionary: str


@dataclass(frozen=True, slots=True)
class SheetView:
    """The sheet in one picture: its corners (n, 2) in millimetres on the sheet and in pixels."""

    name: str
    corners_mm: Float64
    corners_px: Float64
    size_px: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Calibration:
    """A measured lens.

    `rms_px` is the fit's RMS residual at the sheet's corners, `sheet_mm` the same in millimetres at the
    sheet's distance; `focal_error` is the focal length's standard deviation as a share of it; `tilt_deg` is
    the largest angle between the sheet's planes in two pictures; `reach` is how far from the picture's middle
    the corners were seen, as a share of the way to the picture's corner.
    """

    camera: CameraModel
    size_px: tuple[int, int]
    views: tuple[str, ...]
    corners: int
    rms_px: float
    sheet_mm: float
    focal_error: float
    tilt_deg: float
    reach: float

    def error_mm(self, distance_mm: float) -> float:
        """The error in millimetres on a mat straight below the camera at this distance."""
        return self.rms_px * distance_mm / (self.camera.f_px or math.inf)


def find_sheet(picture: Picture, sheet: Sheet, name: str = "") -> SheetView | None:
    """Find the sheet's corners in a picture (h, w, 3) BGR or (h, w) grey; None below `LEAST_CORNERS`.

    Raises CalibrationError for a sheet that OpenCV cannot represent.
    """
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    for old in (False, True):
        board = _board(sheet)
        # Sheets drawn by OpenCV before 4.6 begin with a white square where the number of rows is even.
        board.setLegacyPattern(old)
        detector = cv2.aruco.CharucoDetector(board, cv2.aruco.CharucoParameters(), settings)
        corners, ids, _, _ = detector.detectBoard(grey)
        if ids is not None and len(ids) >= LEAST_CORNERS:
            world = np.asarray(board.getChessboardCorners(), np.float64)[np.asarray(ids).ravel(), :2]
            if np.linalg.matrix_rank(world - world.mean(axis=0), tol=sheet.square_mm / 2) == 2:
                pixels = np.asarray(corners, np.float64).reshape(-1, 2)
                return SheetView(name, world, pixels, (grey.shape[1], grey.shape[0]))
    return None


def apart_px(one: SheetView, other: SheetView) -> float:
    """Mean distance in pixels between the corners that both views show; infinite where they share none."""
    here, there = _shared(one, other)
    return float(np.linalg.norm(here - there, axis=1).mean()) if len(here) else math.inf


def turned(one: SheetView, other: SheetView) -> float:
    """How differently the sheet is tilted in two views: the residual of the best similarity between them.

    As a share of the sheet's size in the picture; 0 at the same tilt, infinite where no corners are shared.
    """
    here, there = _shared(one, other)
    if not len(here):
        return math.inf
    first, second = (side[:, 0] + 1j * side[:, 1] for side in (here, there))
    first, second = first - first.mean(), second - second.mean()
    best = (first.conj() @ second) / (first.conj() @ first)
    return float(np.linalg.norm(best * first - second) / np.linalg.norm(second))


def says_nothing_new(view: SheetView, before: Iterable[SheetView]) -> bool:
    """Whether one of the earlier views shows the sheet in the same place and pose."""
    return any(view.size_px == each.size_px and apart_px(view, each) <= _SAME_PX for each in before)


def _shared(one: SheetView, other: SheetView) -> tuple[Float64, Float64]:
    """The corners that both views show, (n, 2) in pixels of each."""
    at = {tuple(mm): px for mm, px in zip(other.corners_mm.round(3).tolist(), other.corners_px, strict=True)}
    both = [
        (px, at[tuple(mm)])
        for mm, px in zip(one.corners_mm.round(3).tolist(), one.corners_px, strict=True)
        if tuple(mm) in at
    ]
    here, there = zip(*both, strict=True) if both else ((), ())
    return np.array(here, np.float64).reshape(-1, 2), np.array(there, np.float64).reshape(-1, 2)


def calibrate(views: Sequence[SheetView]) -> Calibration:
    """Fit the lens to all views; repeated views count once.

    Raises:
        CalibrationError: too few views; views of different sizes, squeezed, all from one angle, or all in the
            picture's middle.
    """
    different: list[SheetView] = []
    for view in views:
        if not says_nothing_new(view, different):
            different.append(view)
    views = different
    if len(views) < LEAST_VIEWS:
        raise CalibrationError(
            f"the sheet is seen well enough in {len(views)} pictures, at least {LEAST_VIEWS} are needed "
            "and 10 are good; take more, with the whole sheet sharp and evenly lit, each time turned "
            "and tilted differently",
            "lens.few",
            seen=len(views),
            wanted=LEAST_VIEWS,
        )
    size = _one_size(views)
    fit = _fitted(views, size)
    kept = [_without_outliers(view, left) for view, left in zip(views, fit.left, strict=True)]
    kept = [view for view in kept if len(view.corners_mm) >= LEAST_CORNERS]
    if len(kept) >= LEAST_VIEWS:
        fit = _fitted(kept, size)
    else:
        kept = list(views)
    left = np.concatenate(fit.left)
    tilt = _tilt_deg(fit.turns)
    _check(kept, fit, tilt)
    reach = _reach(kept, size)
    return Calibration(
        camera=CameraModel(
            f_px=float(fit.matrix[0, 0]),
            center_px=(float(fit.matrix[0, 2]), float(fit.matrix[1, 2])),
            distortion=tuple(float(term) for term in fit.distortion),
        ),
        size_px=size,
        views=tuple(view.name for view in kept),
        corners=len(left),
        rms_px=_rms(left),
        sheet_mm=_rms(np.concatenate([one * mm for one, mm in zip(fit.left, fit.mm_per_px, strict=True)])),
        focal_error=fit.focal_error,
        tilt_deg=tilt,
        reach=reach,
    )


def _one_size(views: Sequence[SheetView]) -> tuple[int, int]:
    """The pictures' common size (w, h). Raises CalibrationError where sizes differ."""
    size = views[0].size_px
    other = next((view for view in views if view.size_px != size), None)
    if other is not None:
        (w, h), (ow, oh) = size, other.size_px
        raise CalibrationError(
            f"{other.name} measures {ow}×{oh} pixels, {views[0].name} {w}×{h}; measure a lens with "
            "pictures of one size, the size that you play with",
            "lens.sizes",
        )
    return size


def _reach(views: Sequence[SheetView], size: tuple[int, int]) -> float:
    """How far out corners were seen, 1 being the picture's corner. Raises CalibrationError if too little."""
    middle = (np.array(size) - 1) / 2
    seen = np.concatenate([view.corners_px for view in views]) - middle
    reach = float(np.linalg.norm(seen, axis=1).max() / np.linalg.norm(middle))
    if reach < LEAST_REACH:
        raise CalibrationError(
            f"no corner of the sheet came nearer to the picture's corners than {reach:.0%} of the way, "
            "so the lens is unknown farther out; hold the sheet there in some more pictures",
            "lens.middle",
            reach=round(100 * reach),
        )
    return reach


def _check(views: Sequence[SheetView], fit: _Fit, tilt: float) -> None:
    """Raise CalibrationError for pictures that were squeezed or do not determine the focal length."""
    uncertain = not fit.focal_error < WORST_FOCAL_ERROR
    unclean = uncertain or _rms(np.concatenate(fit.left)) > _UNCLEAN_PX
    if tilt >= LEAST_TILT_DEG and unclean and (wide := _pixel_width(views)):
        raise CalibrationError(
            f"the pictures are squeezed: a pixel is {wide:.2f} times as wide as high; take them in one "
            "of the camera's own sizes, not stretched to another shape",
            "lens.squeezed",
            wide=round(100 * wide),
        )
    if tilt < LEAST_TILT_DEG or uncertain:
        raise CalibrationError(
            f"all pictures show the sheet from nearly the same angle (it turns by {tilt:.0f} degrees between"
            f" them, the focal length stays uncertain by {min(fit.focal_error, 9.99):.1%}); tilt the sheet"
            " by 20 to 45 degrees, to a different side in each picture",
            "lens.flat",
            tilt=round(tilt),
        )


@dataclass(frozen=True, slots=True)
class _Fit:
    matrix: Float64
    distortion: Float64
    turns: list[Float64]
    left: list[Float64]
    mm_per_px: list[float]
    focal_error: float


def _fitted(views: Sequence[SheetView], size_px: tuple[int, int]) -> _Fit:
    """The least-squares fit, with the third radial term only where it is significant.

    An insignificant term would be fitted to noise and distort the picture's corners.
    """
    plain, _, _ = _solved(views, size_px, cv2.CALIB_FIX_K3)
    full, k3, k3_error = _solved(views, size_px, 0)
    return full if abs(k3) > _EARNED * k3_error else plain


def _solved(views: Sequence[SheetView], size_px: tuple[int, int], flags: int) -> tuple[_Fit, float, float]:
    """A fit, its third radial term and that term's standard deviation."""
    world, pixels = _points(views)
    width, height = size_px
    # Cameras have square pixels, so there is one focal length, as in the table file.
    start = np.array([[width, 0, (width - 1) / 2], [0, width, (height - 1) / 2], [0, 0, 1]], np.float64)
    flags |= cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO
    try:
        _, matrix, bend, turns, shifts, spread, _, _ = cv2.calibrateCameraExtended(
            world, pixels, size_px, start, np.zeros(5), flags=flags
        )
    except cv2.error:
        raise CalibrationError(
            "the pictures of the sheet contradict each other and fit no lens; print the sheet at 100 %, "
            "glue it onto something flat, and do not touch zoom and focus between the pictures",
            "lens.contradictory",
        ) from None
    lens: Float64 = np.asarray(matrix, np.float64)
    bend = np.asarray(bend, np.float64).ravel()[:5]
    spread = np.asarray(spread, np.float64).ravel()
    left, scale = [], []
    for points, seen, turn, shift in zip(world, pixels, turns, shifts, strict=True):
        again, _ = cv2.projectPoints(points, turn, shift, lens, bend)
        left.append(np.asarray(again, np.float64).reshape(-1, 2) - seen.reshape(-1, 2))
        scale.append(abs(float(np.asarray(shift).ravel()[2])) / lens[0, 0])
    # With a fixed aspect ratio, OpenCV reports the deviation of the one focal length as that of fy.
    focal_error = float(max(spread[0], spread[1]) / lens[0, 0])
    if not math.isfinite(focal_error):
        focal_error = math.inf
    fit = _Fit(lens, bend, [np.asarray(t, np.float64).ravel() for t in turns], left, scale, focal_error)
    return fit, float(bend[4]), float(spread[8])


def _pixel_width(views: Sequence[SheetView]) -> float | None:
    """Width of a pixel over its height if the pictures were squeezed, else None."""
    width, height = views[0].size_px
    start = np.array([[width, 0, (width - 1) / 2], [0, width, (height - 1) / 2], [0, 0, 1]], np.float64)
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_K3
    try:
        _, lens, _, _, _, spread, _, _ = cv2.calibrateCameraExtended(
            *_points(views), views[0].size_px, start, np.zeros(5), flags=flags
        )
    except cv2.error:
        return None
    across, down = float(lens[0, 0]), float(lens[1, 1])
    error = math.hypot(*np.asarray(spread, np.float64).ravel()[:2]) / across
    share = across / down  # a shorter focal length across means wider pixels
    return 1 / share if abs(share - 1) > max(_SQUEEZED, _SURE * error) else None


def _points(views: Sequence[SheetView]) -> tuple[list[Float32], list[Float32]]:
    """Each view's corners as OpenCV expects them: on the sheet, and in the picture."""
    world = [np.column_stack([v.corners_mm, np.zeros(len(v.corners_mm))]).astype(np.float32) for v in views]
    return world, [view.corners_px.astype(np.float32).reshape(-1, 1, 2) for view in views]


def _without_outliers(view: SheetView, left: Float64) -> SheetView:
    """The view without the corners whose residual is far above its median."""
    off = np.linalg.norm(left, axis=1)
    good = off <= _OUTLYING * max(float(np.median(off)), 0.05)
    return SheetView(view.name, view.corners_mm[good], view.corners_px[good], view.size_px)


def _tilt_deg(turns: Iterable[Float64]) -> float:
    """The largest angle between the sheet's normals in two views."""
    normals = np.array([np.asarray(cv2.Rodrigues(turn)[0])[:, 2] for turn in turns])
    return math.degrees(math.acos(float(np.clip(normals @ normals.T, -1, 1).min())))


def _rms(left: Float64) -> float:
    return float(np.sqrt((left**2).sum(axis=1).mean()))


def _board(sheet: Sheet) -> cv2.aruco.CharucoBoard:
    if sheet.dictionary not in DICTIONARIES:
        raise CalibrationError(no_dictionary(sheet.dictionary))
    columns, rows = sheet.squares
    if columns < 3 or rows < 3 or not 0 < sheet.marker_mm < sheet.square_mm:
        raise CalibrationError(
            f"a sheet of {columns}×{rows} squares of {sheet.square_mm:g} mm with markers of"
            f" {sheet.marker_mm:g} mm is not possible; it has at least 3×3 squares, and a marker is"
            " smaller than its square"
        )
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, sheet.dictionary))
    if columns * rows // 2 > len(words.bytesList):
        raise CalibrationError(
            f"{sheet.dictionary} has too few markers for {columns}×{rows} squares; name the sheet's own"
            " dictionary"
        )
    return cv2.aruco.CharucoBoard(sheet.squares, sheet.square_mm, sheet.marker_mm, words)
