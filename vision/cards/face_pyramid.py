"""The enrolled faces at three sizes, each upright and turned, and where one of them lies in a cut-out.

A face is aligned from coarse to fine, because a step costs a sixteenth at a quarter of the size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vision.arrays import Float32
from vision.cards.alignment import (
    UNMOVED,
    CutOut,
    Descent,
    align,
    carried,
    doubled,
    halved,
    halved_map,
)
from vision.cards.scoring import SeenCard
from vision.imgproc.photometry import Grid
from vision.imgproc.registration import Affine

_STEPS, _TIE_STEPS = 3, 2
"""Steps of a face's first fit, and of the fit that separates two nearly tied faces."""


class BothWays:
    """Planes (3, n) of faces: at even numbers upright, at odd ones turned by 180 degrees.

    A turned face has its pixels in reverse order; it is made on request and takes no memory.
    """

    def __init__(self, upright: Sequence[Float32]) -> None:
        self._upright = upright

    def __getitem__(self, index: int) -> Float32:
        planes = self._upright[index // 2]
        return np.ascontiguousarray(planes[:, ::-1]) if index % 2 else planes


class FacePyramid:
    """Softened faces (h, w, 3) float32 of `size` (w, h) pixels; 2 n is face n upright, 2 n + 1 turned."""

    def __init__(self, faces: Iterable[Float32], size: tuple[int, int]) -> None:
        self.grid = Grid(*size)
        self._half, self._quarter = (Grid(size[0] // n, size[1] // n) for n in (2, 4))
        whole, halves, quarters = [], [], []
        for face in faces:
            half = halved(face)
            whole.append(self.grid.to_planes(face))
            halves.append(self._half.to_planes(half))
            quarters.append(self._quarter.to_planes(halved(half)))
        self._whole, self._halves, self._quarters = BothWays(whole), BothWays(halves), BothWays(quarters)

    def __getitem__(self, index: int) -> Float32:
        """The planes (3, n) of a face at full size."""
        return self._whole[index]

    def seen(self, there: CutOut) -> SeenCard:
        """What is seen, as planes, with less weight towards the rim."""
        return SeenCard(
            self.grid, self.grid.to_planes(there.picture), there.weight.reshape(-1) * self.grid.rim
        )

    def place(self, index: int, seen: CutOut, begin: Affine, lenience: float = 1.0) -> Affine:
        """The map (2, 3) from places on the face to places in the picture, begun at a quarter of the size."""
        start = self.rough_place(index, seen, begin, lenience)
        place, _ = align(self.grid, self._whole[index], seen, start, Descent(1))
        return place

    def rough_place(self, index: int, seen: CutOut, begin: Affine, lenience: float = 1.0) -> Affine:
        """As `place`, to about a pixel: only down to half the size."""
        half = seen.half
        at_quarter = halved_map(halved_map(begin))
        descent = Descent(_STEPS, lenience=lenience)
        rough, _ = align(self._quarter, self._quarters[index], half.half, at_quarter, descent)
        start, _ = align(self._half, self._halves[index], half, doubled(rough), descent)
        return doubled(start)

    def own_place(self, index: int, half: CutOut, veil: float) -> Float32:
        """The planes of a face aligned with a cut-out of half the size, under a known `veil`."""
        own, _ = align(self._half, self._halves[index], half, UNMOVED, Descent(_TIE_STEPS, veil))
        return carried(self.grid, self._whole[index], doubled(own))
