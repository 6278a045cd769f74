"""Background subtraction: what moves or has changed in a coarse top view since the last settled one.

Light is compared as a ratio: a shadow, a dimmer or an exposure step scales all three channels alike and
varies smoothly; paper, ink and skin do not. One coarse pixel ("cell") is `COARSE_MM` wide.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.imgproc.parameters import CHANGE

Coarse = NDArray[np.float32]
PixelRect = tuple[int, int, int, int]
Gains = tuple[float, float, float]
NO_GAINS: Gains = (1.0, 1.0, 1.0)
"""Blue, green and red gains of unchanged light."""

COARSE_MM = 4.0
SHRINK = 4
"""Factor by which frames are shrunk for change detection."""

LIFT, _LEAST_LIFT = 20.0, 5.0
"""Grey levels added before the logarithm, usual and least: far below them a ratio is mostly noise."""
_INK_CELLS = 7
"""Width in cells up to which a dark region is ink, not shadow."""
BEAM_CELLS, _BEAM_LONG, _BEAM_RIM = 60, 36, 2
"""Least area of a beam, least length of it (longer than any card), and width of its rim; all in cells."""
_BEYOND = -1
_EVERY, _FEWEST = 19, 50
"""Stride of the cells whose median is taken; number of cells below which the median is not used."""
_TELLING, _MOST_GAIN, _STEPS = 4.0, 20.0, 100
"""Grey levels below which a cell is too dark to measure a gain; a gain that no dimmer and no exposure
reaches; quantisation steps of the gains' logarithm, so that steady light needs only one lookup table."""


def shrink(picture: NDArray[Any]) -> NDArray[np.uint8]:
    """Shrink a picture to a quarter of its width and height, each pixel the mean of sixteen."""
    height, width = picture.shape[:2]
    # Halving twice gives the same mean in a third of the time: OpenCV has a fast path for 2 x 2.
    half = cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    small = cv2.resize(half, (width // SHRINK, height // SHRINK), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def lift_for(coarse: NDArray[np.uint8], where: Mask) -> float:
    """Offset in grey levels before the logarithm, for the median light of `coarse` (h, w, 3) in `where`."""
    level = float(np.median(coarse[where].mean(axis=1))) if where.any() else CHANGE.common_level
    return min(LIFT, max(_LEAST_LIFT, LIFT * level / CHANGE.common_level))


def lift_in_noise(lift: float, noise: float) -> float:
    """The lift for a camera with `noise` grey levels of temporal noise; a similar lift is kept as it is."""
    least = min(CHANGE.most_lift, CHANGE.lift_by_noise * noise)
    return least if least > CHANGE.worth_lifting * lift else lift


@dataclass(frozen=True, slots=True)
class Relit:
    """Light is compared differently from now on: with another lift, or `gains` times as bright as before.

    `lift_before` and `lift`: the grey levels added before the logarithm, formerly and now.
    """

    lift_before: float
    lift: float
    gains: Gains = NO_GAINS

    def of(self, planes: Coarse) -> Coarse:
        """Convert earlier logarithms of light (3, h, w) to the present lift and gains."""
        levels = np.maximum(np.exp(planes) - np.float32(self.lift_before), 0)
        gains = np.asarray(self.gains, np.float32)[:, None, None]
        return np.asarray(np.log(levels * gains + np.float32(self.lift)), np.float32)


def log_light(coarse: NDArray[np.uint8], lift: float = LIFT, gains: Gains = NO_GAINS) -> Coarse:
    """Logarithm of light as three planes (3, h, w), in which ratios become differences.

    `gains`: factor of each channel since the lift was chosen. They are divided out before the lift is added:
    otherwise a dimmer would change dark wood by less than white paper.
    """
    return np.stack(cv2.split(cv2.LUT(coarse, _logarithm(lift, gains))))


@lru_cache(maxsize=16)
def _logarithm(lift: float, gains: Gains) -> NDArray[np.float32]:
    levels = np.arange(256, dtype=np.float32)[:, None] / np.asarray(gains, np.float32)
    return np.asarray(np.log(levels + np.float32(lift))[None], np.float32)


def gains_of(coarse: NDArray[np.uint8], settled: Coarse, lift: float, where: Mask) -> Gains:
    """Median gain of each channel of `coarse` (h, w, 3) over a settled light (3, h, w).

    In steps of a hundredth of its logarithm; 1 where too few cells are visible and bright enough.
    """
    rows = np.flatnonzero(where)[::_EVERY]
    now = coarse.reshape(-1, 3)[rows].astype(np.float32)
    then = np.exp(light_at(settled, rows).T) - np.float32(lift)
    out = []
    for channel in range(3):
        told = then[:, channel] > _TELLING
        ratio = now[told, channel] / then[told, channel]
        gain = float(np.median(ratio)) if len(ratio) >= _FEWEST else 1.0
        step = round(np.log(max(gain, 1 / _MOST_GAIN)) * _STEPS) / _STEPS
        out.append(float(np.exp(min(step, np.log(_MOST_GAIN)))))
    return out[0], out[1], out[2]


class Unrest:
    """How much each cell flickers by itself (dark corners, a fan's shadow), learnt from frame to frame.

    `pale`: the mat is as bright as paper, so a card is a faint change, and its ink a narrow dark one.
    """

    def __init__(self, shape: tuple[int, int], pale: bool = False) -> None:
        self._level = np.full(shape, CHANGE.first_noise, np.float32)
        self._pale = pale
        # Where the ratio differs between the two sides of a pixel, there is an edge; lamplight is even.
        self._tint, self._brighter, self._edge = CHANGE.tint, CHANGE.brighter, CHANGE.edge
        if pale:  # light there is far above the noise
            self._tint, self._brighter, self._edge = CHANGE.pale_tint, CHANGE.pale_brighter, CHANGE.pale_edge

    def copy(self) -> Unrest:
        """A copy that keeps what was learnt so far."""
        same = Unrest((0, 0), self._pale)
        same._level = self._level.copy()
        return same

    def moving(self, now: Coarse, before: Coarse) -> Mask:
        """Where consecutive frames differ by more than the cell's own noise; learns that noise as well."""
        apart = _largest(now - before)
        stirred = apart > CHANGE.stir + 4 * self._level
        # A busy cell may be a noisy one: it learns too, but slowly, so that a hand does not blind it.
        learn = np.where(stirred, np.float32(CHANGE.learn_busy), np.float32(CHANGE.learn))
        self._level += learn * (np.minimum(apart, np.float32(CHANGE.most_noise)) - self._level)
        return self._things(_lone_out(stirred), now, before)

    def alike(self, now: Coarse, then: Coarse) -> Mask:
        """Where two lights are the same except for the cell's own noise; shadows count as changes."""
        return np.asarray(
            _largest(now - then) < np.minimum(CHANGE.alike + 2 * self._level, CHANGE.most_alike)
        )

    def changed(self, now: Coarse, settled: Coarse, bare: Coarse | None = None) -> Mask:
        """Where the table differs from before, apart from shadows, dimming and lamps.

        With `bare`, the light of the empty table: also where that is visible again, or it would pass for
        shadow.
        """
        ratio = now - settled
        apart = _largest(ratio)
        # Most cells are unchanged, so only the others are examined closely.
        slack = np.float32(CHANGE.noise_slack) * self._level
        at = np.flatnonzero(apart > np.float32(CHANGE.look_closer) * (self._tint + slack))
        other = np.zeros(apart.shape, np.bool_)
        few, apart, slack = light_at(ratio, at), apart.ravel()[at], slack.ravel()[at]
        mean = few.sum(axis=0) / np.float32(3)
        tint = np.abs(few - mean).max(axis=0)
        flat = other.reshape(-1)
        flat[at] = (
            (tint > self._tint + slack) | (mean > self._brighter + slack) | (mean < CHANGE.shadow - slack)
        )
        if self._pale:
            flat[at] |= _narrow(ratio.mean(axis=0)).ravel()[at] > CHANGE.ink + slack
        other = _lone_out(other)
        if bare is not None:
            to_bare = np.abs(light_at(now, at) - light_at(bare, at)).max(axis=0)
            back = np.zeros(other.shape, np.bool_)
            near = to_bare < np.minimum(
                np.float32(CHANGE.nearer_bare) * apart, np.float32(CHANGE.most_off_bare)
            )
            back.reshape(-1)[at] = near & (apart > self._tint + slack)
            other |= _lone_out(back)
        return self._things(other, now, settled)

    def brighter(self, now: Coarse, settled: Coarse, shade: Coarse) -> Mask:
        """Where something is brighter than the settled table would be in a `shade` (h, w), a logarithm."""
        strange = (now - settled).mean(axis=0) - shade > self._brighter + np.float32(
            CHANGE.noise_slack
        ) * self._level
        return self._things(_lone_out(strange), now, settled)

    def _things(self, strange: Mask, now: Coarse, before: Coarse) -> Mask:
        """The `strange` cells without those that merely lie in another light.

        The gain of a coloured lamp, a swinging lampshade or somebody's shadow rises gradually from nothing. A
        hand or a card has an edge all round, and the strange cells within that edge belong to it.
        """
        rows, columns = (np.flatnonzero(strange.any(axis=axis)) for axis in (1, 0))
        if not len(rows):
            return strange
        window = np.s_[max(0, rows[0] - 1) : rows[-1] + 2, max(0, columns[0] - 1) : columns[-1] + 2]
        part = (slice(None), *window)
        edges = _slope(now[part] - before[part]) > self._edge + 2 * self._level[window]
        count, parts = cv2.connectedComponents((strange[window] & ~edges).astype(np.uint8), connectivity=4)
        # Count each piece's steps to a neighbouring cell outside it, and how many of them lead onto an edge.
        width = edges.shape[1] + 2
        labels, onto = (
            cv2.copyMakeBorder(plane, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=beyond).ravel()
            for plane, beyond in ((parts, _BEYOND), (edges.view(np.uint8), 0))
        )
        onto = onto.view(np.bool_)
        inside = np.flatnonzero(labels > 0)
        own = labels[inside]
        border, edged = np.zeros(count), np.zeros(count)
        for step in (1, -1, width, -width):
            there = inside + step
            leaves = (labels[there] != own) & (labels[there] != _BEYOND)
            border += np.bincount(own[leaves], minlength=count)
            edged += np.bincount(own[leaves & onto[there]], minlength=count)
        lit = edged < CHANGE.bordered * border
        lit[0] = False
        # A hand may have even parts, too; a component is light only where most of it is even.
        count, wholes = cv2.connectedComponents(strange[window].astype(np.uint8))
        even = lit[parts]
        share = np.bincount(wholes[even], minlength=count) / np.maximum(1, np.bincount(wholes.ravel()))
        things = strange.copy()
        things[window] &= ~(even & (share > CHANGE.mostly)[wholes])
        return things


def sunlit(now: Coarse, settled: Coarse, still: Mask) -> Mask:
    """Where a beam of sun, or of a lamp with a sharp rim, has come to rest, its rim included.

    A beam has edges all round, like a thing. Within it the table's texture is unchanged and only brighter:
    the gain has no edges, and it lacks the colour that a painted thing would have.
    """
    ratio = now - settled
    even = still & (ratio.min(axis=0) > CHANGE.least_beam) & (_slope(ratio) < CHANGE.even)
    beam = np.zeros_like(still)
    for piece, _, (_, _, wide, high) in pieces(even, BEAM_CELLS):
        if max(wide, high) < _BEAM_LONG:
            continue
        gain = np.median(ratio[:, piece], axis=1)
        if float(np.ptp(gain)) < CHANGE.beam_tint:
            beam |= piece
    return grow(closed(beam), _BEAM_RIM) if beam.any() else beam


def overall(now: Coarse, settled: Coarse, where: Mask) -> Coarse:
    """The gain of the whole picture per channel (exposure, a dimmer), as a logarithm (3, 1, 1)."""
    rows = np.flatnonzero(where)[::_EVERY]
    if len(rows) < _FEWEST:
        return np.zeros((3, 1, 1), np.float32)
    ratio = light_at(now, rows) - light_at(settled, rows)
    return np.asarray(np.median(ratio, axis=1).reshape(3, 1, 1), np.float32)


def pieces(mask: Mask, least: int = 1) -> list[tuple[Mask, int, PixelRect]]:
    """Connected components of at least `least` pixels: (mask, area, box x y w h), largest first."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    found = []
    for i in range(1, count):
        x, y, w, h, size = (int(v) for v in stats[i])
        if size >= least:
            found.append((labels == i, size, (x, y, w, h)))
    found.sort(key=lambda piece: -piece[1])
    return found


def closed(mask: Mask) -> Mask:
    """The mask with gaps of one or two pixels filled."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0)


def grow(mask: Mask, pixels: int = 1) -> Mask:
    """The mask dilated by so many pixels."""
    kernel = np.ones((2 * pixels + 1, 2 * pixels + 1), np.uint8)
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel) > 0)


def light_apart(light: Coarse, other: Coarse) -> Coarse:
    """Distance of each cell (h, w) from the other light (3, h, w) or (3, 1, 1), the largest channel's."""
    return _largest(light - other)


def light_at(light: Coarse, at: NDArray[np.intp]) -> Coarse:
    """The light (3, n) at flat indices `at` (n,): faster than a mask, which NumPy scans for each plane."""
    return light.reshape(len(light), -1).take(at, axis=1)


def _largest(planes: Coarse) -> Coarse:
    """The largest absolute value of three planes, (h, w)."""
    a, b, c = np.abs(planes)
    return np.asarray(cv2.max(cv2.max(a, b), c), np.float32)


def _slope(planes: Coarse) -> Coarse:
    """The largest difference (h, w) between the two neighbours of a pixel, across or down, in any plane."""
    wide = np.stack([cv2.copyMakeBorder(plane, 1, 1, 1, 1, cv2.BORDER_REPLICATE) for plane in planes])
    across = _largest(wide[:, 1:-1, 2:] - wide[:, 1:-1, :-2])
    down = _largest(wide[:, 2:, 1:-1] - wide[:, :-2, 1:-1])
    return np.asarray(cv2.max(across, down), np.float32)


def _narrow(ratio: Coarse) -> Coarse:
    """How much darker each cell (h, w) is than its surroundings, in narrow structures only (black hat)."""
    kernel = np.ones((_INK_CELLS, _INK_CELLS), np.uint8)
    return np.asarray(cv2.morphologyEx(ratio, cv2.MORPH_BLACKHAT, kernel), np.float32)


def _lone_out(mask: Mask) -> Mask:
    """The mask without pixels that have fewer than three of their eight neighbours in the mask."""
    near = cv2.boxFilter(mask.astype(np.uint8), -1, (3, 3), normalize=False)
    return np.asarray(mask & (near > 3))
