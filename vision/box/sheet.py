"""Several cut-outs of one picture on one sheet, so that their faces are sought at once.

A die's cut-out is small: most of the time went into calling, not into counting. What a hypothesis asks beyond
its cut-out's rim it finds there as `vision.dice.body.sample` would give it: the rim, carried on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.faces import Search, smoothed
from vision.dice.pips import Lab, measured, peaks, spots

FloorAt = Callable[[float, float], Lab | None]
"""The empty floor's colour behind a place of a cut-out (x, y in pixels), in the picture's light."""

_PAD = 36
"""Pixels by which a cut-out's rim is carried on: as far as a hypothesis about a pip in it asks."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut-out with `EDGE_PX` for a die's edge: CIELAB (h, w, 3), and what is known of the floor behind."""

    lab: Lab
    floor_at: FloorAt | None = None


class SheetSearch(Search):
    """The search over several cut-outs: no hypothesis reaches from one into another.

    `first` and `size` (n, 2) are the first pixel and the width and height of each cut-out on the sheet.
    """

    cuts: Sequence[Cut]
    first: NDArray[np.intp]
    size: NDArray[np.intp]
    soft: list[tuple[Lab, Lab]]
    """Each cut-out's own `band` and `calm`."""
    tile: NDArray[np.intp]

    @classmethod
    def over(cls, cuts: Sequence[Cut], slack: float = 0.12) -> SheetSearch:
        """The search over these cut-outs, at least one."""
        bands = [spots(cut.lab) for cut in cuts]
        calms = [smoothed(cut.lab) for cut in cuts]
        size = np.array([cut.lab.shape[1::-1] for cut in cuts], np.intp)
        pad = _PAD if len(cuts) > 1 else 0
        down = np.concatenate([[0], np.cumsum(size[:, 1] + 2 * pad)])
        first = np.stack([np.full(len(cuts), pad), down[:-1] + pad], axis=1)
        shape = (int(down[-1]), int(size[:, 0].max()) + 2 * pad)
        lab, band, calm = (_laid(parts, first, shape, pad) for parts in ([c.lab for c in cuts], bands, calms))
        found = [peaks(own) for own in bands]
        at = np.concatenate([place + begin for (place, _), begin in zip(found, first, strict=True)])
        strength = np.concatenate([strong for _, strong in found])
        search = cls(band, calm, measured(lab, at, band[at[:, 1], at[:, 0]], strength), slack)
        search.cuts, search.first, search.size = cuts, first, size
        search.soft = list(zip(bands, calms, strict=True))
        search.tile = search.cut_of(search.at[:, 1])
        return search

    def cut_of(self, y: Lab) -> NDArray[np.intp]:
        """Numbers (n,) of the cut-outs that the rows `y` (n,) of the sheet are in."""
        return np.asarray(np.searchsorted(self.first[:, 1], y + 0.5, side="right") - 1, np.intp)

    def sisters(self, own: NDArray[np.intp]) -> NDArray[np.bool_]:
        """As `Search.sisters`; pips of one die are in one cut-out."""
        return np.asarray(super().sisters(own) & (self.tile[own, None] == self.tile))

    def bounds(self, own: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """As `Search.bounds`."""
        first = self.first[self.tile[own], None]
        return first, first + self.size[self.tile[own], None]


def _laid(parts: Sequence[Lab], first: NDArray[np.intp], shape: tuple[int, int], pad: int) -> Lab:
    """The parts at their places on one sheet, each with its rim carried on."""
    if not pad:
        return parts[0]
    sheet = np.empty((*shape, 3), np.float32)
    for part, (_, y) in zip(parts, first.tolist(), strict=True):
        rows, beside = sheet[y - pad : y + part.shape[0] + pad], shape[1] - part.shape[1] - pad
        cv2.copyMakeBorder(part, pad, pad, pad, beside, cv2.BORDER_REPLICATE, dst=rows)
    return sheet
