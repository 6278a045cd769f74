"""Black bars round a picture, from a film with another aspect ratio, a capture stick or a phone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BLACK = 20
"""Brightest pixel of a bar, of 255: black is 16 in films of limited range."""
EVEN = 3
"""Most grey levels by which a bar varies; a dark floor varies more."""
MOST = 0.4
"""Largest share of a picture that a bar on one side may fill; above it, the picture is simply dark."""


class Bars(NamedTuple):
    """Number of rows or columns of pixels on each side that are black throughout."""

    top: int = 0
    bottom: int = 0
    left: int = 0
    right: int = 0


def black_bars(picture: NDArray[np.uint8]) -> Bars:
    """Return the bars of a picture (h, w, 3) or (h, w), shrunk or not; none where it is dark all over."""
    lightest = picture.max(axis=2) if picture.ndim == 3 else picture
    rows, columns = (
        (lightest.max(axis=axis) <= BLACK) & (np.ptp(lightest, axis=axis) <= EVEN) for axis in (1, 0)
    )
    bars = Bars(_run(rows), _run(rows[::-1]), _run(columns), _run(columns[::-1]))
    height, width = lightest.shape
    dark = max(bars.top, bars.bottom) > MOST * height or max(bars.left, bars.right) > MOST * width
    return Bars() if dark else bars


def _run(black: NDArray[np.bool_]) -> int:
    """Return the number of true values before the first false one."""
    return int(np.argmin(black)) if not black.all() else len(black)
