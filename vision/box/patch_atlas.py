"""Several cut-outs of one picture on one sheet, so that their faces are searched for at once.

A die's cut-out is small, so separate searches would spend most of their time on calls. A hypothesis that
reads beyond its cut-out gets the rim repeated, as `vision.dice.body.sample` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.dice.body import Bounds
from vision.dice.face_detection import SLACK, FaceSearch, smoothed
from vision.dice.pips import Lab, measured, peaks, spots

FloorAt = Callable[[float, float], Lab | None]
"""The empty floor's colour behind a place of a cut-out (x, y in pixels), in the picture's light."""

GRAIN = 4
"""Every cut-out begins at a multiple of this many pixels, so that coarser grids lie alike in all of them."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut-out with `EDGE_PX` for a die's edge: CIELAB (h, w, 3), and the floor behind it where known."""

    lab: Lab
    floor_at: FloorAt | None = None


@dataclass(frozen=True, slots=True)
class PatchAtlas:
    """Cut-outs one below the other: CIELAB (h, w, 3), `band` and `calm` as in `FaceSearch`.

    `first` and `last` (n, 2) are the first and last pixel (x, y) of each cut-out.
    """

    cuts: Sequence[Cut]
    lab: Lab
    band: Lab
    calm: Lab
    first: NDArray[np.intp]
    last: NDArray[np.intp]

    @classmethod
    def of(cls, cuts: Sequence[Cut]) -> PatchAtlas:
        """Make the sheet of these cut-outs, at least one."""
        size = np.array([cut.lab.shape[1::-1] for cut in cuts], np.intp)
        rows = -(-size[:, 1] // GRAIN) * GRAIN
        first = np.stack([np.zeros(len(cuts), np.intp), np.cumsum(rows) - rows], axis=1)
        shape = (int(rows.sum()), int(size[:, 0].max()), 3)
        lab, band, calm = (np.zeros(shape, np.float32) for _ in range(3))
        for cut, part in zip(cuts, _parts(first, size), strict=True):
            lab[part], band[part], calm[part] = cut.lab, spots(cut.lab), smoothed(cut.lab)
        return cls(cuts, lab, band, calm, first, first + size - 1)

    def parts(self) -> list[tuple[slice, slice]]:
        """Rows and columns of each cut-out."""
        return _parts(self.first, self.last + 1 - self.first)

    def cut_of(self, y: Float32) -> NDArray[np.intp]:
        """Indices (n,) of the cut-outs that hold the rows `y` (n,)."""
        return np.asarray(np.searchsorted(self.first[:, 1], y + 0.5, side="right") - 1, np.intp)

    def within(self, cut: NDArray[np.intp]) -> Bounds:
        """Bounds of the cut-outs with these indices (n,)."""
        return self.first[cut], self.last[cut]


class SheetSearch(FaceSearch):
    """Face search over several cut-outs: no hypothesis reaches from one into another."""

    sheet: PatchAtlas
    tile: NDArray[np.intp]

    @classmethod
    def over(cls, cuts: Sequence[Cut], slack: float = SLACK) -> SheetSearch:
        """Make the search over these cut-outs, at least one."""
        sheet = PatchAtlas.of(cuts)
        at, strength = peaks(sheet.band, parts=sheet.parts())
        pips = measured(sheet.lab, at, sheet.band[at[:, 1], at[:, 0]], strength)
        search = cls(sheet.band, sheet.calm, pips, slack)
        search.sheet, search.tile = sheet, sheet.cut_of(pips.at[:, 1])
        return search

    def sisters(self, own: NDArray[np.intp]) -> NDArray[np.bool_]:
        """As `FaceSearch.sisters`, but only within one cut-out."""
        return np.asarray(super().sisters(own) & (self.tile[own, None] == self.tile))

    def faint(self, own: NDArray[np.intp]) -> NDArray[np.bool_]:
        """As `FaceSearch.faint`, but only within one cut-out."""
        return np.asarray(super().faint(own) & (self.tile[own, None] == self.tile))

    def within(self, own: NDArray[np.intp]) -> Bounds:
        """As `FaceSearch.within`: the bounds of each pip's cut-out."""
        return self.sheet.within(self.tile[own])


def _parts(first: NDArray[np.intp], size: NDArray[np.intp]) -> list[tuple[slice, slice]]:
    return [
        (slice(y, y + h), slice(x, x + w))
        for (x, y), (w, h) in zip(first.tolist(), size.tolist(), strict=True)
    ]
