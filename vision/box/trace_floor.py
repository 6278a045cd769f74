"""The floor of a dice box in a picture, before its zones are known: camera, white paper, view from above.

The tags lie on the rim, all in one plane, so they do not show how deep the floor lies below. Where the lens
was not measured, the floor's printed edge does, because the table file gives the floor's size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64
from vision.box.trace_parameters import TRACE
from vision.errors import VisionError
from vision.geometry import Registration, register
from vision.layout import CameraModel, Layout
from vision.sightings import Picture
from vision.tags import find_tags

PX_PER_MM = 4.0
"""Scale of the top view that is traced."""

_BEYOND = 1.2
"""Size of the top view over the floor's, so that it also holds a floor that seems too large."""
_FLOOR_TRUST = 0.02
"""Share by which the floor's measured size may differ from the table file's."""
_GRID_PX = 8
"""Pixels of the top view between points projected through the camera: 2 mm."""
_FIRST_FOCAL = 0.8
"""Initial focal length where the lens was not measured, over the picture's width."""
_FOCALS = (0.4, 2.8)
"""Shortest and longest credible focal length, over the picture's width."""
_SNAP_MM = 3.5
"""Distance from its stated place up to which the print's edge is sought."""


class TraceError(VisionError):
    """A picture shows no field to trace; the text says what to do."""


def on_floor(picture: Picture, layout: Layout, lens: CameraModel) -> Registration:
    """Find the camera with which the coloured floor measures what the table file says.

    Raises TraceError where there is no coloured floor, or one of another size.
    """
    known = lens.f_px is not None
    tags = find_tags(picture, [tag.id for tag in layout.tags])
    first = lens if known else replace(lens, f_px=_FIRST_FOCAL * picture.shape[1])
    fit = register(picture, layout, first, tags=tags)
    seen = whitened(picture, fit, layout)
    sides = [fit.to_px(side) for side in _floor_rim(top_view(seen, fit, layout.size_mm, _BEYOND))]
    if not known:
        # First fit by the outermost blue, then by the edge of the print itself.
        fit = _with_size(picture, layout, lens, _Guess(fit, sides, tags))
        for _ in range(2):
            top = top_view(seen, fit, layout.size_mm, _BEYOND)
            sides = [fit.to_px(side) for side in _floor_edge(top, layout.size_mm)]
            fit = _with_size(picture, layout, lens, _Guess(fit, sides, tags))
    share = _size_share(fit, sides, layout)
    if abs(share - 1) > _FLOOR_TRUST:
        raise TraceError(
            f"the blue floor measures {share:.1%} of the {layout.size_mm[0]:g} x {layout.size_mm[1]:g} mm in"
            " the table file; measure the floor, the places of the tags and the height of the rim again"
        )
    return fit


@dataclass(frozen=True, slots=True)
class _Guess:
    """A camera guessed from `tags` (corners (4, 2) by id), and the floor's four sides, all in pixels."""

    fit: Registration
    sides: Sequence[Float64]
    tags: Mapping[int, Float64]


def _with_size(
    picture: Picture,
    layout: Layout,
    lens: CameraModel,
    guess: _Guess,
) -> Registration:
    """Find the focal length at which the floor between the seen sides is as large as stated (secant method).

    With a longer lens the camera hangs higher, so the floor below the rim is hardly farther than the tags,
    and the same sides measure less.
    """
    fit, sides, tags = guess.fit, guess.sides, guess.tags
    best = (fit.matrix[0, 0], _size_share(fit, sides, layout) - 1)
    other: tuple[float, float] | None = None
    low, high = (share * picture.shape[1] for share in _FOCALS)
    for _ in range(8):
        if abs(best[1]) < 1e-5:
            break
        if other is None or abs(other[1] - best[1]) < 1e-9:
            focal = best[0] * 1.03
        else:
            focal = best[0] - best[1] * (other[0] - best[0]) / (other[1] - best[1])
        focal = min(max(focal, low, best[0] / 1.4), high, best[0] * 1.4)
        fit = register(picture, layout, replace(lens, f_px=focal), tags=tags)
        best, other = (focal, _size_share(fit, sides, layout) - 1), best
    return fit


def _size_share(fit: Registration, sides: Sequence[Float64], layout: Layout) -> float:
    """Size of the floor between its four sides in the picture, as a share of the stated size."""
    left, right, low, high = (np.median(fit.to_mm(side), axis=0) for side in sides)
    return float((right[0] - left[0] + high[1] - low[1]) / sum(layout.size_mm))


def _floor_rim(top: Picture) -> list[Float64]:
    """Points (n, 2) on the blue floor's left, right, lower and upper edge, in mm under the guessed camera."""
    tone, full, bright = hue(top)
    blue = (tone > TRACE.blue_from) & (tone < TRACE.blue_to) & (full > TRACE.floor_full)
    if blue.mean() < TRACE.least_blue:
        raise TraceError(
            "there is no blue floor between the tags; give a picture of the empty field, sharp and evenly"
            " lit, and the table file that belongs to its tags"
        )
    blue &= bright > TRACE.floor_bright * float(np.median(bright[blue]))
    blue = cv2.morphologyEx(blue.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) > 0
    h, w = blue.shape
    cut = 0.5 * (1 - 0.9 / _BEYOND)
    sides = []
    for axis, far in ((1, False), (1, True), (0, True), (0, False)):
        lines = blue if axis == 1 else blue.T
        count, reach = lines.shape
        rows = np.arange(round(count * cut), round(count * (1 - cut)), 4)
        run = lines[rows]
        rows, run = rows[run.any(axis=1)], run[run.any(axis=1)]
        last = reach - 1 - run[:, ::-1].argmax(axis=1) if far else run.argmax(axis=1)
        edge = _outermost(last.astype(float) if far else -last.astype(float))
        near = np.abs(last - abs(edge)) < 2.0 * PX_PER_MM
        along, across = rows[near].astype(float), last[near] + (0.5 if far else -0.5)
        x, y = (across, along) if axis == 1 else (along, across)
        sides.append(np.column_stack([(x + 0.5 - w / 2), (h / 2 - y - 0.5)]) / PX_PER_MM)
    return sides


def _floor_edge(top: Picture, size_mm: tuple[float, float]) -> list[Float64]:
    """As `_floor_rim`, but from the strongest edge near where the floor should end, to subpixel accuracy."""
    lab = cv2.GaussianBlur(cv2.cvtColor(top, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 0.3 * PX_PER_MM)
    h, w = top.shape[:2]
    window = round(_SNAP_MM * PX_PER_MM)
    sides = []
    for axis, sign in ((1, -1), (1, 1), (0, 1), (0, -1)):
        slope = np.linalg.norm(np.gradient(lab, axis=axis), axis=2)
        lines, half = (slope, size_mm[0] / 2) if axis == 1 else (slope.T, size_mm[1] / 2)
        count, reach = lines.shape
        rows = np.arange(round(count * TRACE.corner_share), round(count * (1 - TRACE.corner_share)), 2)
        first = round(reach / 2 + sign * half * PX_PER_MM) - window
        strip = lines[rows, first : first + 2 * window + 1]
        peak = strip.argmax(axis=1).clip(1, 2 * window - 1)
        left, middle, right = (strip[np.arange(len(rows)), peak + d] for d in (-1, 0, 1))
        bend = np.minimum(left - 2 * middle + right, -1e-6)
        across = first + peak + (0.5 * (left - right) / bend).clip(-0.5, 0.5)
        good = middle > 0.5 * np.median(middle)
        good &= np.abs(across - np.median(across[good])) < PX_PER_MM
        along, across = rows[good].astype(float), across[good]
        x, y = (across, along) if axis == 1 else (along, across)
        sides.append(np.column_stack([x + 0.5 - w / 2, h / 2 - y - 0.5]) / PX_PER_MM)
    return sides


def _outermost(places: Float64) -> float:
    """The farthest place near which `TRACE.edge_share` of all lie: the floor's edge, not a speck beyond."""
    order = np.sort(places)[::-1]
    for place in order:
        near = np.abs(places - place) < TRACE.edge_spread_mm * PX_PER_MM
        if near.mean() >= TRACE.edge_share:
            return float(np.median(places[near]))
    return float(np.median(places))


def paper(picture: Picture, fit: Registration, layout: Layout) -> Float64:
    """Colour of the white rim of the tags' paper: BGR (3,), 0..255."""
    samples = []
    for tag in layout.tags:
        if tag.id not in fit.tags:
            continue
        x, y, z = tag.center_mm
        off = tag.size_mm * 7 / 12  # the middle of the white rim, one cell wide
        ring = [(x + i * off / 4, y + j * off) for i in range(-4, 5) for j in (-1, 1)]
        ring += [(x + i * off, y + j * off / 4) for i in (-1, 1) for j in range(-4, 5)]
        at = np.round(fit.to_px(ring, z)).astype(int)
        inside = (at >= 0).all(axis=1) & (at < picture.shape[1::-1]).all(axis=1)
        samples.append(picture[at[inside, 1], at[inside, 0]])
    return np.asarray(np.median(np.concatenate(samples).astype(np.float64), axis=0), np.float64)


def whitened(picture: Picture, fit: Registration, layout: Layout) -> Picture:
    """Scale the picture so that the tags' paper is white, which removes the lamp's colour."""
    gain = TRACE.paper_level / np.maximum(paper(picture, fit, layout), TRACE.least_paper)
    return np.asarray(np.clip(picture * gain, 0, 255), np.uint8)


def top_view(picture: Picture, fit: Registration, size_mm: tuple[float, float], reach: float) -> Picture:
    """Flatten the floor to a view from straight above, `reach` times its size, lens distortion removed."""
    w, h = (round(s * reach * PX_PER_MM) for s in size_mm)
    # Project a 2 mm grid and interpolate between its points: no lens distorts noticeably within that.
    across, along = _between(w), _between(h)
    x_mm = (np.arange(across.shape[1]) * _GRID_PX + 0.5 - w / 2) / PX_PER_MM
    y_mm = (h / 2 - np.arange(along.shape[1]) * _GRID_PX - 0.5) / PX_PER_MM
    xs, ys = np.meshgrid(x_mm, y_mm)
    at = fit.to_px(np.column_stack([xs.ravel(), ys.ravel()])).reshape(*xs.shape, 2)
    x, y = (np.asarray(along @ at[..., i] @ across.T, np.float32) for i in (0, 1))
    top = cv2.remap(picture, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(top, np.uint8)


def _between(count: int) -> Float64:
    """Weights (count, n) that interpolate a line of n grid points to `count` pixels."""
    places = np.arange(count) / _GRID_PX
    low = places.astype(int)
    weights = np.zeros((count, int(low[-1]) + 2))
    weights[np.arange(count), low] = 1 - (places - low)
    weights[np.arange(count), low + 1] = places - low
    return weights


def hue(picture: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Hue in degrees, saturation 0..1, brightness 0..1 (h, w)."""
    hsv = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2HSV)
    parts = np.asarray(hsv, np.float32)
    return parts[..., 0], parts[..., 1], parts[..., 2]
