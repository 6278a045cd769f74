"""The table as it last looked, in blocks: how much of its structure a picture still shows, and how bright.

Structure is compared by correlation block by block, so lamps, exposure and haze cancel, while a cover removes
a block's structure. A block may also look as it did before the table's last change there: a card that is
taken away uncovers what it lay on. Everything is computed on a frame's thin copy, each pixel a mean over
`THIN` each way; only a block's sharpness is measured in the tiny copy, which is decoded for every frame with
motion anyway.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_health.parameters import SIGHT
from vision.frame import THIN, Frame
from vision.imgproc.change_detection import SHRINK

Thin = NDArray[np.uint8]
_Blocks = NDArray[np.float32]

BLOCK = 5
"""Width and height of a block, in pixels of the thin copy."""
_FLOOR = 2.0
"""Grey levels added to every block: the gain of a black block would be noise divided by noise."""
_BRIGHT = 98
"""Percentile taken as the brightest part of a picture."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a picture compares with the table: `shown` is the share 0..1 of its structure (1 if it has none).

    `blank`: share of the structure replaced by one colour without any noise; `gain`: brightness over the
    table's, the median over the blocks that show the table, or over all where too few do; `contrast`:
    structure anywhere in the picture over the table's, light divided out; `alike`: correlation of the whole,
    -1..1; `bright`: the brightest grey level; `clear`: contrast of the structure that is shown, as a share of
    the table's, light divided out (1 where none is shown); `sharp`: edge strength as a share of the table's,
    with that contrast divided out: 1 in focus, in fog too (1 where none is shown).
    """

    shown: float
    blank: float
    gain: float
    contrast: float
    alike: float
    bright: float
    clear: float = 1.0
    sharp: float = 1.0


class Reference:
    """How one camera's table looks; lasting changes are learnt block by block."""

    def __init__(self, frame: Frame) -> None:
        self._shape = frame.thin.shape
        self._table = self._before = self._last = _blocks(frame.thin)
        self._edges = self._last_edges = _edges(frame)
        self._age = np.zeros(self._table.shape[:2], np.int32)
        self._describe()

    def fits(self, frame: Frame) -> bool:
        """Whether a frame has the table's size."""
        return frame.thin.shape == self._shape

    def compare(self, frame: Frame) -> Likeness:
        """Compare a frame with the table; nothing is learnt."""
        now = _blocks(frame.thin)
        means, even, spread = _parts(now)
        structured = self._spread > SIGHT.structure
        few = np.count_nonzero(structured) < SIGHT.least_blocks
        shown = _like(even, spread, self._even, self._spread) > SIGHT.like
        plain = shown & structured
        known = not few and np.count_nonzero(plain) >= SIGHT.known * np.count_nonzero(structured)
        gains = (means + _FLOOR) / (self._means + _FLOOR)
        gain = float(np.median(gains[plain] if known else gains))
        # A table too dark to have structure gives no measure of haze.
        structure = 1.0 if few or not plain.any() else float(np.median(spread[plain] / self._spread[plain]))
        clear = 1.0 if few or not plain.any() else structure / max(gain, 0.1)
        edged = plain & (self._edges > SIGHT.edges)
        sharp = 1.0
        if np.count_nonzero(edged) >= SIGHT.least_blocks:
            sharp = float(np.median(_edges(frame)[edged] / self._edges[edged])) / max(structure, 0.1)
        if not few and not shown[structured].all():
            shown |= self._as_before(means, even, spread, gain)
        return Likeness(
            shown=1.0 if few else float(shown[structured].mean()),
            blank=0.0 if few else float((spread[structured] < SIGHT.blank).mean()),
            gain=gain,
            contrast=float(spread.mean()) / max(0.5, float(self._spread.mean())) / max(gain, 0.1),
            alike=_correlation(means, self._means),
            bright=float(np.percentile(frame.thin, _BRIGHT)),
            clear=clear,
            sharp=sharp,
        )

    def _as_before(self, means: _Blocks, even: _Blocks, spread: _Blocks, gain: float) -> NDArray[np.bool_]:
        """Which blocks look as they did before the table's last change there."""
        then, other, wide = _parts(self._before)
        same = _like(even, spread, other, wide) > SIGHT.like
        level = np.abs(means / np.maximum(gain * then, 1.0) - 1) < SIGHT.level
        plain = (wide <= SIGHT.structure) & (spread <= SIGHT.structure * max(1.0, gain)) & level
        return np.asarray(np.where(wide > SIGHT.structure, same, plain))

    def learn(self, frame: Frame) -> None:
        """Take in a frame that shows the table: what stays for a while becomes part of the table."""
        now = _blocks(frame.thin)
        still = np.abs(now - self._last).max(axis=-1) < SIGHT.still
        self._age = np.where(still, self._age + 1, 0)
        self._last, self._last_edges = now, _edges(frame)
        settled = self._age >= SIGHT.settled
        if settled.any():
            self._take(now, settled)

    def rest(self) -> None:
        """Learn the whole of the last frame as the table, since nothing has moved for a while."""
        self._take(self._last, np.ones(self._age.shape, np.bool_))

    def _take(self, now: _Blocks, where: NDArray[np.bool_]) -> None:
        self._edges = np.where(where, self._last_edges, self._edges)
        means, even, spread = _parts(now)
        apart = np.abs(means / np.maximum(self._means, 1.0) - 1) >= SIGHT.level
        apart |= (np.maximum(spread, self._spread) > SIGHT.structure) & (
            _like(even, spread, self._even, self._spread) <= SIGHT.like
        )
        self._before = np.where((where & apart)[..., None], self._table, self._before)
        self._table = np.where(where[..., None], now, self._table)
        self._describe()

    def _describe(self) -> None:
        self._means, self._even, self._spread = _parts(self._table)


def brighter(before: Thin, now: Thin) -> float:
    """Brightness of `now` over that of `before` (same size): the median over blocks, which ignores an arm."""
    size = (max(1, now.shape[1] // BLOCK), max(1, now.shape[0] // BLOCK))
    one, two = (cv2.resize(thin, size, interpolation=cv2.INTER_AREA) + _FLOOR for thin in (before, now))
    return float(np.median(two / one))


def _blocks(thin: Thin) -> _Blocks:
    """Cut the thin copy into blocks (rows, columns, pixels of a block)."""
    rows, columns = max(1, thin.shape[0] // BLOCK), max(1, thin.shape[1] // BLOCK)
    high, wide = min(BLOCK, thin.shape[0]), min(BLOCK, thin.shape[1])
    part = thin[: rows * high, : columns * wide].astype(np.float32)
    cut = part.reshape(rows, high, columns, wide).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(cut.reshape(rows, columns, high * wide))


def _edges(frame: Frame) -> _Blocks:
    """Sharpness of each block (rows, columns): the mean absolute Laplacian, in grey levels."""
    rows, columns = (max(1, side // BLOCK) for side in frame.thin.shape)
    side = BLOCK * THIN // (2 * SHRINK)
    grey = cv2.cvtColor(frame.tiny[: rows * side, : columns * side], cv2.COLOR_BGR2GRAY)
    edges = np.abs(cv2.Laplacian(grey, cv2.CV_16S)).astype(np.float32)
    return np.asarray(cv2.resize(edges, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)


def _parts(blocks: _Blocks) -> tuple[_Blocks, _Blocks, _Blocks]:
    """Means of the blocks, the blocks minus their means, and their standard deviations."""
    means = blocks.mean(axis=-1)
    even = blocks - means[..., None]
    return means, even, np.sqrt((even * even).mean(axis=-1))


def _like(even: _Blocks, spread: _Blocks, other: _Blocks, wide: _Blocks) -> _Blocks:
    """Correlation block by block."""
    return np.asarray((even * other).mean(axis=-1) / (spread * wide + np.float32(1e-3)), np.float32)


def _correlation(one: _Blocks, two: _Blocks) -> float:
    a, b = one - one.mean(), two - two.mean()
    return float((a * b).sum() / (np.sqrt((a * a).sum() * (b * b).sum()) + 1e-3))
