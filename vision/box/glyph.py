"""The X face: a glyph of two strokes, found by correlation at every turn, dark on light or light on dark."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box.background import strongest
from vision.box.glyph_parameters import GLYPH
from vision.box.patch_atlas import FloorAt, PatchAtlas
from vision.dice.body import PipGrids, bodies
from vision.dice.face import Face
from vision.dice.pips import EDGE_PX, LIGHT_BY_HALF, Lab

X = 10
"""The value that stands for the X in `Face.belief`."""
_WAYS = [(float(np.cos(turn)), float(np.sin(turn))) for turn in np.arange(8) * np.pi / 4]

_STRIDE = 2
"""Pixels of the half-size picture between the places examined first."""
_AROUND = tuple(v.ravel() for v in np.mgrid[-1:2, -1:2])
"""Offsets (rows, columns) of a place and its neighbours."""

Glyph = NDArray[np.float32]
_REACH = 0.36
"""Half the side of the cut-out that holds the strokes, in edges of the die."""
_CROSS = np.array([1, 0, 1, 0, 1, 0, 1, 0, 1], bool)
"""Places of the 3 x 3 grid that an X covers."""
_TURNS_DEG = np.arange(0.0, 90.0, 6.0)


def plain_x() -> Glyph:
    """Draw two crossed strokes as most makers print them: (n, n) float32, ink 1, body 0, upright."""
    n = 2 * round(_REACH * EDGE_PX) + 1
    glyph = np.zeros((n, n), np.float32)
    middle, arm = n // 2, 0.25 * EDGE_PX
    for sign in (1, -1):
        a = (round(middle - arm), round(middle - sign * arm))
        b = (round(middle + arm), round(middle + sign * arm))
        cv2.line(glyph, a, b, 1.0, round(0.13 * EDGE_PX), cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(glyph, (0, 0), 1.5), np.float32)


def find_x(sheet: PatchAtlas, glyph: Glyph) -> list[Face]:
    """Find the faces on a sheet that show the glyph, in its pixels; a die's edge is `EDGE_PX`.

    Where the floor behind is known, a die on print of its own colour is found, too, though its sides hardly
    show.
    """
    n = glyph.shape[0]
    # A coarse search at half size finds the places; turn and place are refined afterwards.
    light = _halved(sheet.lab)
    templates = _templates(glyph.tobytes(), n)
    side = round(templates.shape[1] ** 0.5)
    # Limit the places to those at which the glyph lies within one cut-out; small cut-outs hold none.
    last = (sheet.last + 1) // 2 - side
    last = np.where((sheet.last - sheet.first < 2 * n).any(axis=1, keepdims=True), -1, last)
    off, stride = 2 * (side // 2), 2 * _STRIDE
    inked = strongest(np.ascontiguousarray(sheet.band[off::stride, off::stride]))
    ys, xs = (_STRIDE * v for v in np.nonzero(inked > GLYPH.crossing * GLYPH.least_ink))
    cut = sheet.cut_of(2.0 * ys)
    free = (ys <= last[cut, 1]) & (xs <= last[cut, 0])
    ys, xs = ys[free], xs[free]
    best = np.zeros(light.shape, np.float32)
    best[ys, xs] = _likeness(light, templates, ys, xs).max(axis=1, initial=0.0)
    peak = cv2.dilate(best, np.ones((n // 4 | 1, n // 4 | 1), np.uint8))
    ys, xs = np.nonzero((best >= peak) & (best > GLYPH.least_like - GLYPH.coarse_loss))
    cut = sheet.cut_of(2.0 * ys)
    ys, xs = (v[:, None] + step for v, step in zip((ys, xs), _AROUND, strict=True))
    low, high = sheet.first[cut] // 2, last[cut]
    ys, xs = ys.clip(low[:, 1:], high[:, 1:]).ravel(), xs.clip(low[:, :1], high[:, :1]).ravel()
    likeness = _likeness(light, templates, ys, xs).reshape(-1, len(_AROUND[0]) * len(templates))
    faces = []
    for k in np.nonzero(likeness.max(axis=1, initial=0.0) > GLYPH.least_like - GLYPH.near_loss)[0]:
        step, turn = divmod(int(likeness[k].argmax()), len(templates))
        at = k * len(_AROUND[0]) + step
        x, y = 2.0 * (int(xs[at]) + side // 2) + 0.5, 2.0 * (int(ys[at]) + side // 2) + 0.5
        face = _face(sheet, int(cut[k]), glyph, (x, y, float(_TURNS_DEG[turn])))
        if face is not None:
            faces.append(face)
    return faces


def own_paint(body: Lab, floor: Lab | None) -> bool:
    """Whether a die's body (CIELAB) has the colour of the floor behind it, so that hardly an edge shows."""
    return floor is not None and float(np.linalg.norm((body - floor) * LIGHT_BY_HALF)) < GLYPH.own_paint


def rim_on_own_paint(body: Lab, floor_at: FloorAt, x: float, y: float) -> float:
    """Share of a top's rim, round a place (pixels), behind which the floor has the die's colour (CIELAB).

    A black die may stand half before a hole, a red one half on red print: only two of four sides show then.
    """
    around = EDGE_PX * GLYPH.rim
    own = [own_paint(body, floor_at(x + around * u, y + around * v)) for u, v in _WAYS]
    return sum(own) / len(own)


def cut_glyph(lab: Lab, face: Face) -> Glyph:
    """Cut out the glyph of one X face, turned upright and scaled to ink 1, body 0."""
    n = 2 * round(_REACH * EDGE_PX) + 1
    turn = cv2.getRotationMatrix2D((face.x, face.y), face.yaw_deg, 1.0)
    turn[:, 2] += n // 2 - np.array([face.x, face.y])
    upright = cv2.warpAffine(lab, turn, (n, n))
    ink = np.subtract(face.pip, face.body)
    along = (upright - np.asarray(face.body, np.float32)) @ ink / float(ink @ ink)
    glyph = np.asarray(along, np.float32).clip(0.0, 1.0)
    # An X looks the same after each quarter turn, so the mean of the four has less noise.
    return np.asarray(sum(np.rot90(glyph, k) for k in range(4)) / 4, np.float32)


def _turned(glyph: Glyph, degrees: float) -> Glyph:
    n = glyph.shape[0]
    turn = cv2.getRotationMatrix2D(((n - 1) / 2, (n - 1) / 2), -degrees, 1.0)
    return np.asarray(cv2.warpAffine(glyph, turn, (n, n)), np.float32)


@lru_cache(maxsize=256)
def _kept(glyph: bytes, n: int, degrees: float) -> Glyph:
    """As `_turned`, for the bytes of a glyph (n, n), cached."""
    return _turned(np.frombuffer(glyph, np.float32).reshape(n, n), degrees)


def _likeness(
    light: NDArray[np.float32], templates: NDArray[np.float32], ys: NDArray[np.intp], xs: NDArray[np.intp]
) -> NDArray[np.float32]:
    """|correlation| of each template with the patch right of and below each place: (places, templates)."""
    side = round(templates.shape[1] ** 0.5)
    if not len(ys):
        return np.zeros((0, len(templates)), np.float32)
    patches = np.lib.stride_tricks.sliding_window_view(light, (side, side))[ys, xs].reshape(len(ys), -1)
    # The templates' mean is 0, so the patches' mean drops out of the product.
    power = np.einsum("ij,ij->i", patches, patches) - patches.mean(axis=1) ** 2 * side**2
    spread = np.sqrt(np.maximum(power, 0.0))
    # OpenCV's product, because NumPy's would start threads for this little work.
    alike = cv2.gemm(patches, templates, 1.0, np.zeros((0, 0), np.float32), 0.0, flags=cv2.GEMM_2_T)
    # Correlation ignores contrast, so on a nearly blank patch noise would look like anything.
    return np.asarray(np.abs(alike) / np.maximum(spread, GLYPH.least_spread * side)[:, None], np.float32)


@lru_cache(maxsize=8)
def _templates(glyph: bytes, n: int) -> NDArray[np.float32]:
    """Templates of the glyph (n, n) at half size in all turns, each a row of mean 0 and length 1."""
    upright = np.frombuffer(glyph, np.float32).reshape(n, n)
    half = np.asarray(cv2.resize(upright, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
    rows = np.stack([_turned(half, float(turn)).ravel() for turn in _TURNS_DEG])
    rows -= rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def _halved(lab: Lab) -> NDArray[np.float32]:
    """Lightness of a sheet (h, w, 3) at half size, by area means; an odd last column is left out."""
    light = lab[:, : lab.shape[1] // 2 * 2, 0]
    return np.asarray(cv2.resize(light, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def _face(sheet: PatchAtlas, cut: int, glyph: Glyph, pose: tuple[float, float, float]) -> Face | None:
    """Measure the die's top round a likely glyph (x, y, degrees): turn, body and border; None for no top."""
    x, y, _ = pose
    n, lab = glyph.shape[0], sheet.lab
    reach = 3
    x0, y0 = int(x) - n // 2 - reach, int(y) - n // 2 - reach
    ends = (x0, y0), (x0 + n + 2 * reach - 1, y0 + n + 2 * reach - 1)
    if (ends[0] < sheet.first[cut]).any() or (ends[1] > sheet.last[cut]).any():
        return None
    part = np.ascontiguousarray(lab[y0 : ends[1][1] + 1, x0 : ends[1][0] + 1, 0])
    like_, turn_, x, y = _likest(part, glyph, pose, reach)
    if like_ < GLYPH.least_like:
        return None
    yaw = float(np.deg2rad(turn_))
    spin = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]], np.float32)
    middle = np.array([x, y], np.float32)
    grid = PipGrids(
        middle[None],
        spin[None],
        np.array([EDGE_PX], np.float32),
        _CROSS[None],
        np.full((1, 2), GLYPH.pitch * EDGE_PX, np.float32),
        np.array([GLYPH.contrast], np.float32),
    )
    (plain,), (border,), (body,) = bodies(sheet.calm, grid, sheet.within(np.array([cut])))
    ink = np.asarray(lab[round(y), round(x)], np.float32)
    if plain < GLYPH.least_plain:
        return None
    # |Correlation| is also high at a gap between two letters, but an X has ink in its middle.
    if float(np.linalg.norm(ink - body)) < GLYPH.least_ink:
        return None
    floor_at = sheet.cuts[cut].floor_at
    place = x - float(sheet.first[cut, 0]), y - float(sheet.first[cut, 1])
    if border < GLYPH.upright and floor_at is not None:
        own = own_paint(body, floor_at(*place))
        border = 1.0 if own else min(1.0, border + rim_on_own_paint(body, floor_at, *place))
    if border < GLYPH.border:
        return None
    quality = float(plain * border) * min(1.0, like_ / GLYPH.full_like)
    share = min(1.0, max(0.0, (like_ - GLYPH.doubt_like) / GLYPH.like_span))
    return Face(
        x=x,
        y=y,
        edge=EDGE_PX,
        yaw_deg=turn_ % 90,
        belief={X: share, 1: 1 - share},
        # An X explains as much ink as five pips do.
        score=quality * 6**0.5,
        body=(float(body[0]), float(body[1]), float(body[2])),
        pip=(float(ink[0]), float(ink[1]), float(ink[2])),
        pips=frozenset(),
        quality=quality,
    )


def _likest(
    part: NDArray[np.float32], glyph: Glyph, pose: tuple[float, float, float], reach: int
) -> tuple[float, float, float, float]:
    """Refine the pose within `reach` pixels and a few degrees: likeness, turn and middle (x, y)."""
    x, y, degrees = pose
    best = (-1.0, degrees, x, y)
    known, n = glyph.tobytes(), glyph.shape[0]
    for turn in degrees + np.arange(-4.0, 5.0, 2.0):
        like = np.abs(cv2.matchTemplate(part, _kept(known, n, float(turn)), cv2.TM_CCOEFF_NORMED))
        _, value, _, (u, v) = cv2.minMaxLoc(like)
        at = x + u - reach + _bend(like[v], u), y + v - reach + _bend(like[:, u], v)
        best = max(best, (float(value), float(turn), *at))
    return best


def _bend(row: NDArray[np.float32], k: int) -> float:
    """Subpixel offset, -0.5 to 0.5, of a row's maximum at `k`, from a parabola through its neighbours."""
    if not 0 < k < len(row) - 1:
        return 0.0
    left, middle, right = float(row[k - 1]), float(row[k]), float(row[k + 1])
    dip = left - 2 * middle + right
    return 0.0 if dip >= 0 else 0.5 * (left - right) / dip
