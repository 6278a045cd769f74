"""Removal of the bands of mains flicker: lamps flicker, and a rolling shutter reads row after row.

Each row of a picture is exposed at another moment of the lamp's cycle, so each has a gain of its own, which
differs in the next frame. It is measured over the whole width of the table and removed.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.imgproc.change_detection import Coarse

_BANDS = 24
"""Number of bands of rows, each with one gain: more would be finer but noisier."""
_SEEN, _GLANCED = 150, 3
"""Number of sampled cells of a band; stride through them while the light is steady."""
_FEWEST = 30
"""Least number of cells of a band that is used."""
_CROWDED = 0.7
"""Share covered by hands above which the covered cells of a band count too, since it needs some gain."""
_RESTLESS = 0.012
"""Median change of the bands' gain from frame to frame above which the light flickers."""
_ROWS = 0.5
"""Share of the change left after subtracting each row's, below which whole rows have changed: .14 to .51
under bands drawn into dev-doppelx3 and dev-dubbe4-wood, .52 and more under a fan's shades (also
dev-doppelx4)."""
_LEARN = 0.1
"""Weight of the newest frame in the running mean of the bands' changes."""
_MOST = 0.5
"""Largest logarithm of a band's gain."""
_FLARE = np.float32(8.0)
"""Grey levels added before the logarithm: in the dark, noise is a large share of the level."""
_LOGARITHMS = np.log(np.arange(256, dtype=np.float32) + _FLARE)
_FOLLOW = 0.03
"""Weight of the newest frame in a band's lasting gain, which is not flicker: a resting hand, a side lamp."""


class Flicker:
    """Follows the bands of one table's picture from frame to frame.

    `rows` (h, w) is the sensor row that sees each cell, `valid` (h, w) the mask of cells that are seen.
    """

    def __init__(self, rows: NDArray[np.float32], valid: Mask) -> None:
        self._rows = rows
        known = np.flatnonzero(valid.ravel())
        at = rows.ravel()[known]
        edges = np.linspace(at.min(), at.max() + 1e-6, _BANDS + 1)
        band = np.digitize(at, edges) - 1
        seen = [known[band == number] for number in range(_BANDS)]
        kept = [number for number, part in enumerate(seen) if len(part) >= _FEWEST]
        self._seen = (
            np.stack([seen[n][np.linspace(0, len(seen[n]) - 1, _SEEN).astype(int)] for n in kept])
            if kept
            else np.zeros((0, _SEEN), int)
        )
        self._middles = ((edges[1:] + edges[:-1]) / 2)[kept]
        self._before: NDArray[np.float32] | None = None
        self._restless = 0.0

    def bands(self, now: Coarse, settled: Coarse, hands: Mask) -> Coarse | None:
        """The gain of each cell's row as logarithms (3, h, w); None while the light is steady.

        `now` and `settled` are lights (3, h, w); cells covered by `hands` (h, w) are ignored.
        """
        if len(self._seen) < _BANDS // 2:
            return None
        steady = self._restless < _RESTLESS
        seen = self._seen[:, ::_GLANCED] if steady else self._seen
        ratio = now.reshape(len(now), -1)[:, seen] - settled.reshape(len(now), -1)[:, seen]
        before, self._before = self._before, ratio
        if before is not None:
            stir = _stir_of_rows(ratio, before)
            self._restless += _LEARN * (min(stir, 3 * _RESTLESS) - self._restless)
        if steady:
            return None
        covered = hands.ravel()[seen]
        if covered.any():
            free = np.broadcast_to(~covered, ratio.shape)
            crowded = covered.mean(axis=1) > _CROWDED
            level = np.nanmedian(np.where(free | crowded[:, None], ratio, np.nan), axis=2)
        else:
            level = np.median(ratio, axis=2)
        level = np.clip(level, -_MOST, _MOST)
        return np.stack([np.interp(self._rows, self._middles, plane).astype(np.float32) for plane in level])


def _stir_of_rows(ratio: Coarse, before: Coarse) -> float:
    """How much the light of whole rows changed between two frames; `ratio` is light (3, bands, cells).

    A flickering lamp changes all cells of a row alike. Where most of them changed separately, a shadow (of a
    fan's blades) or a hand moved: the result is then 0.
    """
    few = min(ratio.shape[2], before.shape[2])
    every, every_before = ratio.shape[2] // few, before.shape[2] // few
    change = ratio[:, :, ::every][:, :, :few] - before[:, :, ::every_before][:, :, :few]
    rows = np.median(change, axis=2)
    alone = np.median(np.abs(change - rows[..., None]))
    return float(np.median(np.abs(rows))) if alone < _ROWS * np.median(np.abs(change)) else 0.0


class Deflicker:
    """Removes the bands from one camera's pictures; changes nothing in steady light."""

    def __init__(self) -> None:
        self._flicker: Flicker | None = None
        self._nobody = np.zeros((0, 0), np.bool_)
        self._first: Coarse | None = None
        self._mean: Coarse | None = None
        self._frames = 0

    def steadied(self, small: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The small copy (h, w) or (h, w, 3) as steady light would show it; unchanged if it is steady."""
        levels = np.asarray(cv2.LUT(small, _LOGARITHMS), np.float32)
        light = np.atleast_3d(levels).transpose(2, 0, 1)
        first, flicker = self._begun(light)
        bands = flicker.bands(light, first, self._nobody)
        if bands is None:
            self._mean, self._frames = None, 0
            return small
        self._frames += 1
        before = bands if self._mean is None else self._mean
        self._mean = before + max(_FOLLOW, 1 / self._frames) * (bands - before)
        steady = np.exp(light - (bands - self._mean)) - _FLARE
        return np.asarray(steady.transpose(1, 2, 0).round().clip(0, 255), np.uint8).reshape(small.shape)

    def _begun(self, light: Coarse) -> tuple[Coarse, Flicker]:
        """The copy with which all others are compared, and its bands; both begin anew if the size changes."""
        first, flicker = self._first, self._flicker
        if first is None or flicker is None or first.shape != light.shape:
            h, w = light.shape[1:]
            rows = np.repeat(np.arange(h, dtype=np.float32)[:, None], w, axis=1)
            flicker = Flicker(rows, np.ones((h, w), np.bool_))
            self._first, self._flicker, self._mean = light, flicker, None
            self._nobody = np.zeros((h, w), np.bool_)
            return light, flicker
        return first, flicker
