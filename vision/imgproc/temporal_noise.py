"""Temporal noise: how far a still picture changes by itself from frame to frame, in grey levels.

Sensor noise is small once a cell is a mean of sixteen pixels. But a camera that compresses its pictures hard
rounds each block of eight or sixteen pixels to a few steps of brightness and colour, and now and then a block
flips to the next step: on a dim table by as much as a card differs from it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imgproc.parameters import CHANGE

_TILE = 16
"""Width and height of a tile in cells: a hand or a moving shadow covers few tiles."""


class TemporalNoise:
    """Measures a camera's noise in the first frames of a table."""

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._jumps: list[float] = []
        self._frames = 0

    @property
    def given_up(self) -> bool:
        """Whether the measurement has ended without a result, as in a room where the light never rests."""
        return self._frames >= CHANGE.most_measured

    def see(self, coarse: NDArray[np.uint8]) -> float | None:
        """Take in a coarse top view (h, w, 3) uint8; return the noise once enough frames were measured."""
        last, self._last = self._last, coarse
        self._frames += 1
        if last is None or last.shape != coarse.shape:
            return None
        tiles = _tiles(cv2.absdiff(coarse, last).max(axis=2))
        if not tiles.size:
            return None
        jump = float(np.median(np.percentile(tiles, CHANGE.jumpy, axis=1)))
        # If most cells change, the light did; if none does, the frame is a copy of the last one.
        if jump and np.median(tiles) <= CHANGE.calm_levels:
            self._jumps.append(jump)
        return float(np.median(self._jumps)) if len(self._jumps) >= CHANGE.measured else None


def _tiles(plane: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The complete tiles of a plane (h, w) as rows (n, cells of a tile)."""
    rows, columns = (side // _TILE for side in plane.shape)
    part = plane[: rows * _TILE, : columns * _TILE].reshape(rows, _TILE, columns, _TILE)
    return part.transpose(0, 2, 1, 3).reshape(-1, _TILE * _TILE)
